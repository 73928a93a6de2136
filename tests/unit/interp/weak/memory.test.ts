import { describe, expect, it, test } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import type { Reach } from "../../../../src/interp/contract/memory-consistency.ts";
import { History } from "../../../../src/interp/weak/history.ts";
import { type Agent, acquire, both, morallyStrong, nothing, released } from "../../../../src/interp/weak/released.ts";
import { View } from "../../../../src/interp/weak/view.ts";
import { type Access, ThreadView, WeakMemory } from "../../../../src/interp/weak/weak-memory.ts";

const reaches: readonly Reach[] = [-1, 0, 1, 2];
/** Two threads of one block, one of another block of its cluster, one of another cluster. */
const agents: readonly Agent[] = [
  { index: 0, block: 0, cluster: 0 },
  { index: 1, block: 0, cluster: 0 },
  { index: 2, block: 1, cluster: 0 },
  { index: 3, block: 2, cluster: 1 },
];
/** How far a scope has to reach for two of them to include each other. */
const apart = [
  [0, 0, 1, 2],
  [0, 0, 1, 2],
  [1, 1, 0, 2],
  [2, 2, 2, 0],
] as const;

test("views are maps of the newest times, and copies go their own way", () => {
  for (let seed = 0; seed < 40; seed++) {
    const random = new Random(seed);
    const views = [{ view: new View(), model: new Map<number, number>() }];
    for (let step = 0; step < 200; step++) {
      const { view, model } = views[random.below(views.length)]!;
      const what = random.below(20);
      if (what === 0 && views.length < 8) views.push({ view: view.copy(), model: new Map(model) });
      else if (what === 1) {
        const other = views[random.below(views.length)]!;
        view.join(other.view);
        for (const [word, time] of other.model) model.set(word, Math.max(time, model.get(word) ?? 0));
      } else {
        const [word, time] = [random.below(60), 1 + random.below(30)];
        view.see(word, time);
        model.set(word, Math.max(time, model.get(word) ?? 0));
      }
    }
    for (const { view, model } of views)
      for (let word = 0; word < 60; word++)
        if (view.at(word) !== (model.get(word) ?? 0))
          expect([seed, word, view.at(word)]).toEqual([seed, word, model.get(word) ?? 0]);
  }
});

test("a view that has learned much is put together once, and what is newer stays newer", () => {
  const view = new View();
  for (const time of [1, 2, 3]) {
    for (let word = 0; word < 40; word++) view.see(word, time);
    expect([view.copy().at(7), view.at(39)]).toEqual([time, time]);
  }
});

describe("what a thread tells", () => {
  const seeing = (word: number, time: number): View => {
    const view = new View();
    view.see(word, time);
    return view;
  };

  test("is heard by whom its scope includes, and who include it (8.5, 8.7)", () => {
    for (const [a, one] of agents.entries())
      for (const [b, other] of agents.entries())
        for (const reachOfA of reaches)
          for (const reachOfB of reaches) {
            const heard = new View();
            acquire(heard, released(nothing, one, seeing(7, 5), reachOfA), other, reachOfB);
            const include = Math.min(reachOfA, reachOfB) >= apart[a]![b]!;
            const how = `${a} to ${b} by ${reachOfA} and ${reachOfB}`;
            expect(heard.at(7), how).toBe(include ? 5 : 0);
            expect(morallyStrong(one, reachOfA, other, reachOfB), how).toBe(a === b || include);
          }
  });

  test("adds up, and stays as it was for who holds it", () => {
    const view = seeing(1, 1);
    const first = released(nothing, agents[0]!, view, 2);
    const second = released(first, agents[2]!, seeing(2, 2), 2);
    view.see(1, 9);
    const times = (all: typeof first): number[] => {
      const heard = new View();
      acquire(heard, all, agents[3]!, 2);
      return [heard.at(1), heard.at(2)];
    };
    expect([times(first), times(second), times(both(second, first)), times(both(nothing, first))]).toEqual([
      [1, 0],
      [1, 2],
      [1, 2],
      [1, 0],
    ]);
    expect(both(first, nothing)).toBe(first);
  });
});

describe("the writes of a word", () => {
  test("are found by the byte, at any time, and those of long ago are put together", () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = new Random(seed);
      const history = new History(0x0403_0201);
      const model: { time: number; mask: number; value: number }[] = [{ time: 0, mask: 15, value: 0x0403_0201 }];
      const count = 1 + random.below(40);
      for (let step = 0; step < count; step++) {
        // Those that are kept are at 2, 4, 6 ... and a few between the last ones.
        const late = model.length > 4 && random.below(4) === 0;
        const time = late ? 2 * step - 3 + step / 100 : 2 * step + 2;
        const written = { time, mask: 1 + random.below(15), value: random.below(2 ** 32) };
        history.add({ ...written, origins: [], joined: false });
        model.push(written);
        model.sort((a, b) => a.time - b.time);
      }
      expect(history.writes.length).toBe(Math.min(count + 1, 24));
      expect(history.writes.map(({ time }) => time).slice(1)).toEqual(
        model.slice(-history.writes.length + 1).map(({ time }) => time),
      );
      for (const { time } of history.writes)
        for (const at of [time, time + 0.001]) {
          const newest = [0, 1, 2, 3].map(
            (byte) => model.findLast((each) => each.time <= at && (each.mask >> byte) & 1)!,
          );
          const value = newest.reduce(
            (sum, each, byte) => sum + ((each.value >>> (8 * byte)) & 0xff) * 2 ** (8 * byte),
            0,
          );
          expect(history.value(at)).toBe(value);
          for (const mask of [1, 6, 15]) {
            const times = new Set(
              newest
                .filter((_, byte) => (mask >> byte) & 1)
                .map((each) => Math.max(each.time, history.writes[0]!.time)),
            );
            expect(history.found(at, mask).map((each) => each.time)).toEqual([...times].sort((a, b) => b - a));
          }
        }
      // What was before all that is known is the first that is.
      expect(history.found(-1, 15)).toEqual([history.writes[0]]);
      expect(history.value(-1)).toBe(history.value(history.writes[0]!.time));
      const kept = history.copy();
      history.add({ time: 1000, mask: 15, value: 0, origins: [], joined: false });
      expect(kept.value(1000)).toBe(model.length > 0 ? kept.value(999) : 0);
    }
  });

  test("take another one between them where all are of the same bytes and none is an atomic's", () => {
    const history = new History(0);
    const add = (time: number, mask: number, joined = false): void =>
      history.add({ time, mask, value: 0, origins: [], joined });
    add(2, 3);
    add(4, 3);
    expect([history.takes(3, 3), history.takes(3, 1), history.takes(1, 3), history.takes(5, 3)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    add(6, 3, true);
    expect([history.takes(5, 3), history.takes(3, 3), history.takes(7, 3)]).toEqual([false, true, true]);
    add(8, 12);
    expect(history.takes(3, 3)).toBe(false);
  });
});

describe("weak memory", () => {
  const plain = { reach: 2, acquires: false, releases: false } as const;
  const how = (by: number, at: number, bytes: number, more: Partial<Access> = {}): Access => ({
    ...plain,
    by: agents[by]!,
    at,
    bytes,
    ...more,
  });
  const made = (seed = 1) => {
    const words = new Uint32Array(16);
    const memory = new WeakMemory(words, new Random(seed));
    const bytes = new Uint8Array(words.buffer);
    const store = (by: number, at: number, values: readonly number[], more: Partial<Access> = {}): void =>
      memory.store(how(by, at, values.length, more), () => bytes.set(values, at));
    const load = (by: number, at: number, count: number, more: Partial<Access> = {}): number[] => {
      let found: number[] = [];
      memory.load(how(by, at, count, more), () => {
        found = [...bytes.subarray(at, at + count)];
      });
      return found;
    };
    const add = (by: number, at: number, more: Partial<Access> = {}): void =>
      memory.atomic(how(by, at, 4, more), { reads: true, mayFail: false }, () => {
        words[at >> 2]! += 1;
      });
    const could = (by: number, at: number, count: number): string[] =>
      memory.readable(how(by, at, count)).map(({ bytes, newest }) => `${[...bytes]}${newest ? " newest" : ""}`);
    return { memory, words, store, load, add, could };
  };

  it("shows another thread what was there and what was written, and the writer what it wrote", () => {
    for (const [at, count] of [
      [0, 1],
      [3, 1],
      [2, 2],
      [4, 4],
      [8, 8],
      [16, 16],
    ] as const) {
      const { store, could, memory } = made();
      const [zeros, ones] = [Array(count).fill(0), Array(count).fill(1)];
      store(0, at, ones);
      expect(could(1, at, count)).toEqual([`${ones} newest`, `${zeros}`]);
      expect(could(0, at, count)).toEqual([`${ones} newest`]);
      expect(memory.unsettled(agents[1]!).map((each) => each.at)).toEqual(
        Array.from({ length: Math.ceil(count / 4) }, (_, word) => (at & ~3) + 4 * word),
      );
      expect(memory.unsettled(agents[0]!)).toEqual([]);
      // Bytes beside it nobody has written.
      if (at > 0) expect(could(1, at - 1, 1)).toEqual(["0 newest"]);
      expect(could(1, at + count, 1)).toEqual(["0 newest"]);
    }
  });

  it("lets a reader find half of what two writers of halves have written", () => {
    const { store, could, load } = made();
    store(0, 0, [1, 1]);
    store(1, 2, [2, 2]);
    expect(could(2, 0, 4).toSorted()).toEqual(["0,0,0,0", "1,1,0,0", "1,1,2,2 newest"]);
    expect(load(0, 0, 2)).toEqual([1, 1]);
    // A reader that has found the newest of some bytes finds nothing older of them.
    store(0, 8, [5]);
    let found = load(2, 8, 1);
    for (let tries = 0; found[0] !== 5 && tries < 100; tries++) found = load(2, 8, 1);
    expect(could(2, 8, 1)).toEqual(["5 newest"]);
  });

  it("leaves in memory what is newest, whatever a reader has found", () => {
    const drawn = new Set<number | undefined>();
    for (let seed = 0; seed < 20; seed++) {
      const { words, store, load } = made(seed);
      store(0, 0, [9, 9, 9, 9]);
      drawn.add(load(1, 0, 4)[0]);
      expect(words[0]).toBe(0x0909_0909);
    }
    expect(drawn).toEqual(new Set([0, 9]));
  });

  it("is as it was where an access fails", () => {
    const { words, store, memory } = made(3);
    store(0, 0, [9, 9, 9, 9]);
    for (let tries = 0; tries < 20; tries++) {
      expect(() =>
        memory.load(how(1, 0, 4), () => {
          throw new Error("no");
        }),
      ).toThrow("no");
      expect(words[0]).toBe(0x0909_0909);
    }
  });

  it("puts a write before one that its thread does not know, but never between the halves of an atomic operation", () => {
    const final = (first: "store" | "add" | "own"): Set<number> =>
      new Set(
        Array.from({ length: 60 }, (_, seed) => {
          const { words, store, add } = made(seed);
          if (first === "add") add(0, 0);
          else store(first === "own" ? 1 : 0, 0, [1, 0, 0, 0]);
          store(1, 0, [5, 0, 0, 0]);
          return words[0]!;
        }),
      );
    expect([final("store"), final("add"), final("own")]).toEqual([new Set([5, 1]), new Set([5]), new Set([5])]);
  });

  it("says each value once, and words by their address", () => {
    const { memory, store, could } = made();
    store(0, 0, [0, 0, 0, 0]);
    expect(could(1, 0, 4)).toEqual(["0,0,0,0 newest"]);
    store(0, 8, [1]);
    store(0, 4, [1]);
    expect(memory.unsettled(agents[1]!).map(({ at }) => at)).toEqual([4, 8]);
  });

  it("forgets all that it knows where that is too much", () => {
    const words = new Uint32Array(1 << 17);
    const memory = new WeakMemory(words, new Random(1));
    const by = agents[0]!;
    const store = (at: number) =>
      memory.store({ ...plain, by, at, bytes: 64 }, () => {
        words[at >> 2] = 1;
      });
    for (let at = 0; at < 2 ** 18; at += 64) store(at);
    expect(memory.unsettled(agents[3]!).length).toBe(2 ** 12);
    store(2 ** 18);
    expect(memory.unsettled(agents[3]!).map(({ at }) => at)).toEqual([2 ** 18]);
  });

  it("hears of a flag from who wrote its bytes, not from who wrote others of the word", () => {
    for (const [flag, other] of [
      [4, 5],
      [5, 4],
    ] as const)
      for (let seed = 0; seed < 10; seed++) {
        const { store, load, could } = made(seed);
        store(0, 0, [1], { reach: -1 });
        store(0, flag, [1], { releases: true });
        store(2, other, [1]);
        if (load(1, flag, 1, { acquires: true })[0] === 1) expect(could(1, 0, 1)).toEqual(["1 newest"]);
      }
  });

  it("goes on from where it was saved, with the same draws", () => {
    const { memory, store, load, words } = made(5);
    store(0, 0, [1, 0, 0, 0]);
    store(0, 0, [2, 0, 0, 0]);
    const image = memory.save();
    const [kept] = words;
    const go = (): unknown[] => {
      const drawn = Array.from({ length: 12 }, (_, at) => [load(1, 0, 4), store(2, 0, [at, 0, 0, 0]), load(3, 0, 4)]);
      return [drawn, words[0]];
    };
    const first = go();
    for (let times = 0; times < 2; times++) {
      memory.restore(image);
      words[0] = kept!;
      expect(go()).toEqual(first);
    }
    memory.forget();
    expect(memory.unsettled(agents[1]!)).toEqual([]);
  });

  it("has one value for everybody behind a barrier of all of them, and for nobody else", () => {
    const { memory, store, could } = made();
    store(0, 0, [1]);
    store(2, 4, [2]);
    memory.meet([agents[0]!, agents[1]!, agents[2]!]);
    expect([could(1, 0, 1), could(1, 4, 1), could(0, 4, 1)]).toEqual([["1 newest"], ["2 newest"], ["2 newest"]]);
    expect(could(3, 0, 1)).toEqual(["1 newest", "0"]);
    store(0, 8, [3]);
    expect(could(1, 8, 1)).toEqual(["3 newest", "0"]);
    memory.end([agents[1]!]);
    expect(could(1, 0, 1)).toEqual(["1 newest", "0"]);
  });

  it("orders by patterns of one thread with those of another, in scopes that include both (8.8)", () => {
    // What thread 1 or 3 could still read of x after it has found the flag.
    const left = (
      reader: number,
      [release, acquire]: readonly [Partial<Access>, Partial<Access>],
      between: readonly [Reach | undefined, Reach | undefined] = [undefined, undefined],
    ): number => {
      for (let seed = 0; ; seed++) {
        const { memory, store, load, could } = made(seed);
        store(0, 0, [1], { reach: -1 });
        if (between[0] !== undefined)
          memory.fence(agents[0]!, { reach: between[0], acquires: false, releases: true }, false);
        store(0, 4, [1], release);
        if (load(reader, 4, 1, acquire)[0] !== 1) continue;
        if (between[1] !== undefined)
          memory.fence(agents[reader]!, { reach: between[1], acquires: true, releases: false }, false);
        return could(reader, 0, 1).length;
      }
    };
    const [relaxed, releases, acquires] = [{}, { releases: true }, { acquires: true }];
    for (const reader of [1, 3]) {
      const far = reader === 3;
      expect(left(reader, [releases, acquires])).toBe(1);
      expect(left(reader, [relaxed, acquires])).toBe(2);
      expect(left(reader, [releases, relaxed])).toBe(2);
      expect(left(reader, [relaxed, acquires], [2, undefined])).toBe(1);
      expect(left(reader, [relaxed, relaxed], [2, 2])).toBe(1);
      expect(left(reader, [relaxed, relaxed], [2, undefined])).toBe(2);
      expect(left(reader, [releases, relaxed], [undefined, 2])).toBe(1);
      expect(left(reader, [relaxed, relaxed], [undefined, 2])).toBe(2);
      expect(left(reader, [releases, { acquires: true, reach: 0 }])).toBe(far ? 2 : 1);
      expect(left(reader, [{ releases: true, reach: 1 }, acquires])).toBe(far ? 2 : 1);
      expect(left(reader, [relaxed, relaxed], [0, 2])).toBe(far ? 2 : 1);
      expect(left(reader, [relaxed, relaxed], [2, 1])).toBe(far ? 2 : 1);
      // Fences reach far, but the flag does not.
      expect(left(reader, [{ reach: 0 }, relaxed], [2, 2])).toBe(far ? 2 : 1);
      expect(left(reader, [relaxed, { reach: 0 }], [2, 2])).toBe(far ? 2 : 1);
      // A weak flag belongs to no pattern.
      expect(left(reader, [{ reach: -1 }, relaxed], [2, 2])).toBe(2);
      expect(left(reader, [relaxed, { reach: -1 }], [2, 2])).toBe(2);
    }
  });

  it("keeps what was released for many by a fence or a write when less is released behind that", () => {
    for (const way of ["fence", "write"] as const) {
      const { memory, store, load, could } = made();
      store(0, 0, [1], { reach: -1 });
      for (const reach of [2, 0] as const)
        if (way === "fence") memory.fence(agents[0]!, { reach, acquires: false, releases: true }, false);
        else store(0, 4, [1], { releases: true, reach });
      store(0, 4, [2]);
      for (let tries = 0; load(3, 4, 1, { acquires: true })[0] !== 2 && tries < 100; tries++);
      expect(could(3, 0, 1)).toEqual(["1 newest"]);
    }
  });

  it("acquires by one fence all that was read before it, by strong reads alone", () => {
    const { memory, store, load, could } = made();
    for (const [by, data, flag] of [
      [0, 0, 4],
      [2, 8, 12],
    ] as const) {
      store(by, data, [1], { reach: -1 });
      store(by, flag, [1], { releases: true });
    }
    const acquire = () => memory.fence(agents[1]!, { reach: 2, acquires: true, releases: false }, false);
    for (const flag of [4, 12]) for (let tries = 0; load(1, flag, 1)[0] !== 1 && tries < 100; tries++);
    acquire();
    expect([could(1, 0, 1), could(1, 8, 1)]).toEqual([["1 newest"], ["1 newest"]]);
    // What a reduction has not read for anybody, a weak read of what it left does not acquire, and a strong one does.
    const red = made();
    red.store(0, 0, [1], { reach: -1 });
    red.store(0, 4, [1, 0, 0, 0], { releases: true });
    red.memory.atomic(how(1, 4, 4), { reads: false, mayFail: false }, () => {
      red.words[1]! += 1;
    });
    for (const [reach, left] of [
      [-1, 2],
      [2, 1],
    ] as const) {
      red.load(1, 4, 4, { reach });
      red.memory.fence(agents[1]!, { reach: 2, acquires: true, releases: false }, false);
      expect(red.could(1, 0, 1).length).toBe(left);
    }
  });

  it("hands on what was released through atomic operations, and by an acquiring read behind another", () => {
    let found = 0;
    for (let seed = 0; seed < 24; seed++) {
      const { memory, store, add, load, could } = made(seed);
      store(0, 0, [1], { reach: -1 });
      store(0, 4, [1, 0, 0, 0], { releases: true });
      add(2, 4);
      if (load(1, 4, 4)[0] !== 2) continue;
      found++;
      expect(could(1, 0, 1)).toEqual(["1 newest", "0"]);
      // An acquire of the same location observes what was read before it (8.8).
      load(1, 4, 4, { acquires: true });
      expect(could(1, 0, 1)).toEqual(["1 newest"]);
      // Who has only added has not acquired, but a fence behind it does.
      expect(could(2, 0, 1)).toEqual(["1 newest", "0"]);
      memory.fence(agents[2]!, { reach: 2, acquires: true, releases: false }, false);
      expect(could(2, 0, 1)).toEqual(["1 newest"]);
    }
    expect(found).toBeGreaterThan(3);
  });

  it("does not acquire by what reads for nobody, and counts exactly", () => {
    const { memory, words, store, could } = made();
    store(0, 0, [1], { reach: -1 });
    store(0, 4, [1, 0, 0, 0], { releases: true });
    memory.atomic(how(1, 4, 4, { acquires: true }), { reads: false, mayFail: false }, () => {
      words[1]! += 1;
    });
    memory.fence(agents[1]!, { reach: 2, acquires: true, releases: false }, false);
    expect(could(1, 0, 1)).toEqual(["1 newest", "0"]);
    expect(words[1]).toBe(2);
  });

  it("keeps on who wrote what a compare and swap that fails has left", () => {
    const { memory, store, could, load } = made();
    store(0, 0, [1], { reach: -1 });
    store(0, 4, [7, 0, 0, 0], { releases: true });
    memory.atomic(how(2, 4, 4), { reads: true, mayFail: true }, () => {});
    // The reader cannot but find 7, whoever is said to have written it.
    for (let tries = 0; tries < 60; tries++) load(1, 4, 4, { acquires: true });
    expect(could(1, 0, 1)).toEqual(["1 newest"]);
    // One whose scope does not reach the reader: it counts where it has written for certain.
    for (const mayFail of [true, false]) {
      const near = made();
      near.store(0, 0, [1], { reach: -1 });
      near.store(0, 4, [7, 0, 0, 0], { releases: true });
      near.memory.atomic(how(2, 4, 4, { reach: 0 }), { reads: true, mayFail }, () => {});
      near.memory.readable(how(1, 4, 4));
      near.memory.atomic(how(1, 4, 4, { acquires: true }), { reads: true, mayFail: true }, () => {});
      expect(near.could(1, 0, 1).length).toBe(mayFail ? 1 : 2);
    }
  });

  it("orders what two fence.sc stand between, whoever is first (8.9.3)", () => {
    for (const scope of reaches.slice(1)) {
      const { memory, store, could } = made();
      const order = { reach: scope, acquires: true, releases: true };
      store(0, 0, [1]);
      memory.fence(agents[0]!, order, true);
      memory.fence(agents[3]!, order, true);
      expect(could(3, 0, 1).length).toBe(scope === 2 ? 1 : 2);
      const image = memory.save();
      memory.fence(agents[2]!, { ...order, reach: 0 }, true);
      memory.fence(agents[2]!, { ...order, reach: 2 }, true);
      expect(could(2, 0, 1).length).toBe(scope === 0 ? 2 : 1);
      memory.restore(image);
      expect(could(2, 0, 1).length).toBe(2);
      memory.restore(made().memory.save());
      memory.fence(agents[2]!, { ...order, reach: 2 }, true);
      expect(memory.save().fences.get(2)?.at(0)).toBe(0);
      const other = made();
      other.store(0, 0, [1]);
      other.memory.fence(agents[0]!, order, false);
      other.memory.fence(agents[3]!, order, false);
      expect(other.could(3, 0, 1).length).toBe(2);
    }
  });
});

test("a thread's copy does not learn what the thread learns", () => {
  const thread = new ThreadView(agents[0]!);
  const message = released(nothing, agents[1]!, new View(new Map([[3, 4]])), 2);
  const copy = thread.copy();
  const origins = [{ by: agents[1]!, reach: 2, message }] as const;
  thread.read([1], origins, { reach: 2, acquires: false, releases: false });
  const fenced = thread.copy();
  fenced.acquire(2);
  expect(fenced.view.at(3)).toBe(4);
  thread.release(2);
  thread.write([5], { reach: 2, acquires: false, releases: true });
  for (const [each, time] of [
    [thread, 4],
    [copy, 0],
  ] as const) {
    each.read([1], [], { reach: 2, acquires: true, releases: false });
    expect(each.view.at(3)).toBe(time);
  }
  for (const late of [thread.copy(), thread.copy()]) {
    late.acquire(2);
    expect([late.view.at(3), late.write([9], { reach: 2, acquires: false, releases: false }).size]).toEqual([4, 3]);
    late.read([7], [{ by: agents[1]!, reach: 2, message }], { reach: 2, acquires: false, releases: false });
    late.write([11], { reach: 2, acquires: false, releases: true });
    late.view.see(77, 1);
  }
  expect(thread.view.at(77)).toBe(0);
  expect(copy.write([5], { reach: 2, acquires: false, releases: false })).toBe(nothing);
  expect(thread.write([5], { reach: 2, acquires: false, releases: false }).size).toBe(3);
  expect(thread.write([5], { reach: -1, acquires: false, releases: true })).toBe(nothing);
});
