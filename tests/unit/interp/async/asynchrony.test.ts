import { describe, expect, it } from "vitest";
import { Asynchrony } from "../../../../src/interp/async/asynchrony.ts";
import { conflict, type Touch } from "../../../../src/interp/async/flight.ts";
import type { AsyncFinding } from "../../../../src/interp/async/judge.ts";
import type { Moving } from "../../../../src/interp/async/moving.ts";
import { type ByteRange, lineOf, type Operation, type Site } from "../../../../src/interp/async/operation.ts";
import { Memory } from "../../../../src/interp/index.ts";
import { Source } from "../../../../src/source/source.ts";

const thread = { block: 0, warp: 0, lane: 0 };
const site: Site = { pc: 0, opcode: "copy", source: new Source("t", "copy"), span: { start: 0, end: 4 } };
const line = lineOf("cp.async", thread);
const late: Moving = { when: "late" };

/** An engine over a buffer whose bytes are 1, 2, 3 ...; offsets are counted from its start. */
function engine(moving: Moving = late) {
  const memory = new Memory({ limit: 1 << 20 });
  const start = Number(BigInt.asUintN(32, memory.allocate({ name: "b", bytes: 4096 })!));
  for (let at = 0; at < 4096; at++) memory.put(start + at, Uint8Array.of((at + 1) & 0xff));
  const findings: AsyncFinding[] = [];
  const asynchrony = new Asynchrony({ memory, moving, observers: [], report: (finding) => findings.push(finding) });
  const range = (at: number, bytes: number): ByteRange => ({ start: start + at, bytes });
  const copy = (from: number, to: number, bytes: number, more: Partial<Operation> = {}): Operation => ({
    site,
    thread,
    what: "copy",
    proxy: "generic",
    reads: [range(from, bytes)],
    writes: [range(to, bytes)],
    completion: { kind: "group", line },
    perform: () => memory.data.u8.copyWithin(start + to, start + from, start + from + bytes),
    ...more,
  });
  const byte = (at: number): number => memory.data.u8[start + at]!;
  const inTheWay = (at: number, bytes: number, touch: "read" | "write" | "update"): string[] =>
    asynchrony.inTheWay(start + at, bytes, touch).map(({ flight, how }) => `${flight.number} ${how}`);
  const shadow = (at: number): number => memory.shadow.u8[start + at]!;
  return { asynchrony, memory, findings, copy, range, byte, inTheWay, shadow, start };
}

describe("when data move", () => {
  it("late: at the wait; early: at once; by a seed: at a moment that repeats", () => {
    const at = (moving: Moving): readonly boolean[] => {
      const { asynchrony, copy, byte } = engine(moving);
      asynchrony.issue(copy(0, 64, 4));
      asynchrony.commit(line);
      const seen: boolean[] = [];
      for (let turn = 0; turn < 300; turn++) {
        seen.push(byte(64) === 1);
        asynchrony.turn();
      }
      asynchrony.wait(line, 0, site);
      return [...seen, byte(64) === 1];
    };
    expect(at(late).indexOf(true)).toBe(300);
    expect(at({ when: "early" }).indexOf(true)).toBe(0);
    const seeds = Array.from({ length: 40 }, (_, seed) => at({ when: "random", seed }).indexOf(true));
    expect(new Set(seeds).size).toBeGreaterThan(5);
    expect(at({ when: "random", seed: 7 }).indexOf(true)).toBe(seeds[7]);
  });

  it("keeps the order of a pipeline, whatever moves first", () => {
    const { asynchrony, copy, byte } = engine();
    asynchrony.issue(copy(0, 64, 4, { pipeline: "p" }));
    const second = asynchrony.issue(copy(8, 64, 4, { pipeline: "p" }));
    asynchrony.move(second);
    expect(byte(64)).toBe(9);
    asynchrony.waitAll(line, site);
    expect(byte(64)).toBe(9);
  });
});

describe("what is in the way", () => {
  for (const moving of [late, { when: "early" }, { when: "random", seed: 3 }] as const)
    it(`is the same when data move ${moving.when}`, () => {
      const { asynchrony, copy, inTheWay, findings } = engine(moving);
      asynchrony.issue(copy(0, 64, 16));
      expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
      expect(inTheWay(79, 1, "write")).toEqual(["0 writes"]);
      expect(inTheWay(80, 4, "write")).toEqual([]);
      expect(inTheWay(0, 4, "read")).toEqual([]);
      expect(inTheWay(12, 8, "write")).toEqual(["0 reads"]);
      asynchrony.commit(line);
      expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
      asynchrony.wait(line, 0, site);
      expect(inTheWay(64, 4, "read")).toEqual([]);
      expect(inTheWay(0, 4, "write")).toEqual([]);
      expect(findings).toEqual([]);
    });

  it("counts every one of several operations on a byte", () => {
    const { asynchrony, copy, inTheWay, shadow } = engine();
    const clean = shadow(0);
    for (const to of [64, 128, 192, 1024]) {
      asynchrony.issue(copy(0, to, 16));
      asynchrony.commit(line);
    }
    for (const left of [3, 2, 1]) {
      asynchrony.wait(line, left, site);
      expect(inTheWay(8, 4, "write")).toHaveLength(left);
    }
    asynchrony.wait(line, 0, site);
    expect(shadow(8)).toBe(clean);
    expect(inTheWay(8, 4, "write")).toEqual([]);
  });

  it("is free behind a wait for sources as far as these go", () => {
    const { asynchrony, copy, inTheWay } = engine();
    asynchrony.issue(copy(0, 64, 16));
    asynchrony.commit(line);
    asynchrony.wait(line, 0, site, true);
    expect(inTheWay(0, 4, "write")).toEqual([]);
    expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
    asynchrony.wait(line, 0, site);
    expect(inTheWay(64, 4, "read")).toEqual([]);
  });

  it("is another operation, too, unless both are one copy or updates", () => {
    const { asynchrony, copy, findings, range } = engine();
    asynchrony.issue(copy(0, 64, 4));
    asynchrony.issue(copy(0, 64, 4, { thread: { ...thread, lane: 1 } }));
    expect(findings).toEqual([]);
    asynchrony.issue(copy(8, 66, 4));
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ["PTX4022", "writes what copy, still in flight, writes: the two are not ordered"],
    ]);
    const update = { reads: [], writes: [range(256, 4)], updates: true } as const;
    asynchrony.issue(copy(0, 256, 4, update));
    asynchrony.issue(copy(0, 256, 4, update));
    expect(findings).toHaveLength(1);
    asynchrony.issue(copy(256, 512, 4));
    expect(findings.at(-1)?.message).toMatch(/^reads what/);
  });

  it("says which group would have to be waited for", () => {
    const { asynchrony, copy } = engine();
    const first = asynchrony.issue(copy(0, 64, 4));
    asynchrony.commit(line);
    asynchrony.issue(copy(8, 128, 4));
    asynchrony.commit(line);
    const open = asynchrony.issue(copy(16, 256, 4));
    asynchrony.wait(line, 2, site);
    expect(asynchrony.advice(first)?.help).toBe("one group is newer than its own: cp.async.wait_group 1 waits for it");
    expect(asynchrony.advice(open)?.help).toMatch(/^its group is not committed yet: cp.async.commit_group, then/);
    const alone = asynchrony.issue(copy(24, 512, 4, { completion: { kind: "none" } }));
    expect([first, open, alone].map((flight) => asynchrony.newerGroups(flight))).toEqual([1, undefined, undefined]);
    expect(asynchrony.advice(alone)).toBeUndefined();
  });
});

describe("a copy of the engine's state", () => {
  it("brings operations, groups, marks and drawn moments back", () => {
    const { asynchrony, memory, copy, byte, inTheWay } = engine({ when: "random", seed: 5 });
    for (let at = 0; at < 16; at++) {
      asynchrony.issue(copy(at * 4, 1024 + at * 4, 4));
      if (at % 4 === 3) asynchrony.commit(line);
    }
    const [image, bytes] = [asynchrony.save(), memory.save()];
    const end = (): string => {
      const seen: number[] = [];
      for (let turn = 0; turn < 40; turn++) {
        asynchrony.turn();
        seen.push(...Array.from({ length: 64 }, (_, at) => byte(1024 + at)));
        if (turn === 20) asynchrony.wait(line, 2, site);
      }
      return [...seen, ...inTheWay(1024, 64, "read")].join();
    };
    const first = end();
    memory.restore(bytes);
    asynchrony.restore(image);
    expect(inTheWay(1024, 64, "read")).toHaveLength(16);
    expect(end()).toBe(first);
  });
});

describe("an operation that signals an mbarrier object", () => {
  const by = { site, thread };
  const signalling = (moving: Moving = late) => {
    const made = engine(moving);
    const { asynchrony, memory, start, copy } = made;
    const objects = [start + 2048, start + 2056] as const;
    for (const at of objects) {
      memory.know(at, 8);
      asynchrony.barriers.init(at, 1, by);
    }
    const signal = (which: 0 | 1, to: number, more: Partial<Operation> = {}) =>
      asynchrony.issue(copy(0, to, 4, { completion: { kind: "mbarrier", at: objects[which], bytes: 4 }, ...more }));
    const expect4 = (which: 0 | 1) => asynchrony.arrive(objects[which], { count: 1, expects: 4 }, by);
    const phase = (which: 0 | 1) => asynchrony.barriers.state(objects[which]).phase;
    return { ...made, objects, signal, expect4, phase };
  };

  it("moves when somebody asks in vain, and has happened for who has seen its phase complete", () => {
    const { asynchrony, objects, signal, expect4, phase, byte, inTheWay } = signalling();
    signal(0, 64);
    expect4(0);
    expect([asynchrony.changed, byte(64), phase(0), asynchrony.polls.size]).toEqual([false, 65, 0, 0]);
    asynchrony.poll(objects[1], by);
    expect(byte(64)).toBe(65);
    asynchrony.poll(objects[0], by);
    expect([asynchrony.changed, byte(64), phase(0), [...asynchrony.polls.keys()]]).toEqual([
      true,
      1,
      1,
      [objects[1], objects[0]],
    ]);
    // The phase before it, or another object's, says nothing.
    asynchrony.observe(objects[0], 7, thread);
    asynchrony.observe(objects[1], 0, thread);
    expect([inTheWay(64, 4, "read"), asynchrony.polls.size]).toEqual([["0 writes"], 0]);
    asynchrony.observe(objects[0], 0, thread);
    expect([inTheWay(64, 4, "read"), asynchrony.idle]).toEqual([[], true]);
    asynchrony.arrive(objects[1], { count: 0, expects: 4 }, by);
    asynchrony.changed = false;
    signal(0, 64);
    asynchrony.arrive(objects[0], { count: 0, expects: 4 }, by);
    asynchrony.poll(objects[0], by);
    expect([asynchrony.changed, phase(0)]).toEqual([false, 1]);
  });

  it("moves before others where nobody can go on, until a phase is complete", () => {
    const { asynchrony, copy, signal, expect4, phase, byte } = signalling();
    asynchrony.issue(copy(8, 128, 4));
    for (const which of [0, 1] as const) {
      signal(which, 64 + 4 * which);
      expect4(which);
    }
    expect([asynchrony.drain(), phase(0), phase(1), byte(128)]).toEqual([true, 1, 0, 129]);
    asynchrony.changed = false;
    expect([asynchrony.drain(), phase(1), byte(128)]).toEqual([true, 1, 129]);
    asynchrony.changed = false;
    expect([asynchrony.drain(), byte(128)]).toEqual([true, 9]);
    expect(asynchrony.drain()).toBe(false);
  });

  it("is there again when the state is put back, with who asked, and with the moments that are still to be drawn", () => {
    for (const seed of [1, 2, 3, 4]) {
      const { asynchrony, memory, objects, signal, expect4, copy, byte } = signalling({ when: "random", seed });
      asynchrony.poll(objects[0], by);
      expect4(0);
      signal(0, 64);
      for (let at = 0; at < 8; at++) asynchrony.issue(copy(0, 512 + 4 * at, 4));
      const [image, bytes] = [asynchrony.save(), memory.save()];
      const go = (): unknown => {
        const seen: unknown[] = [[...asynchrony.polls.keys()], asynchrony.changed];
        for (let at = 0; at < 8; at++) asynchrony.issue(copy(0, 768 + 4 * at, 4));
        for (let turn = 0; turn < 300; turn++) {
          asynchrony.turn();
          seen.push([512, 528, 540, 768, 780, 796].map(byte).join());
        }
        asynchrony.poll(objects[0], by);
        seen.push(byte(64), asynchrony.changed);
        asynchrony.observe(objects[0], 0, thread);
        return [...seen, [...asynchrony.flights].length];
      };
      const first = go();
      memory.restore(bytes);
      asynchrony.restore(image);
      expect(go()).toEqual(first);
    }
  });

  it("has others before it, which happen when it does, and tells of its end once", () => {
    const { asynchrony, copy, byte, inTheWay } = engine();
    const ended: string[] = [];
    const none = { kind: "none" } as const;
    const first = asynchrony.issue(copy(0, 64, 4, { completion: none, ordered: () => void ended.push("first") }));
    const second = asynchrony.issue(copy(8, 128, 4, { after: [first], ordered: () => void ended.push("second") }));
    asynchrony.commit(line);
    asynchrony.move(second);
    expect([byte(64), byte(128), ended]).toEqual([1, 9, []]);
    asynchrony.wait(line, 0, site);
    asynchrony.order(second);
    expect([ended, inTheWay(64, 4, "read"), asynchrony.idle]).toEqual([["first", "second"], [], true]);
  });

  it("leaves what it writes initialised", () => {
    const { asynchrony, memory, copy, start } = engine();
    const raw = Number(BigInt.asUintN(32, memory.allocate({ name: "raw", bytes: 64 })!));
    asynchrony.issue(copy(0, raw - start, 8));
    expect(memory.all(raw, 8, 2, 0)).toBe(true);
    asynchrony.waitAll(line, site);
    expect([memory.all(raw, 8, 2, 2), memory.all(raw + 8, 1, 2, 0)]).toEqual([true, true]);
  });
});

describe("what the two proxies owe each other", () => {
  it("is found where a copy of the generic one has landed, and where nobody has arrived in earnest", () => {
    const memory = new Memory({ limit: 1 << 20 });
    const at = Number(BigInt.asUintN(32, memory.allocate({ name: "b", bytes: 256, initialised: true })!));
    const codes: string[] = [];
    const report = ({ code }: AsyncFinding) => codes.push(code);
    const asynchrony = new Asynchrony({ memory, moving: late, observers: [], proxies: true, report });
    const operation = (proxy: Operation["proxy"], reads: ByteRange[], writes: ByteRange[]): Operation => ({
      site,
      thread,
      what: "copy",
      proxy,
      reads,
      writes,
      completion: { kind: "group", line },
      perform: () => {},
    });
    const range = (from: number): ByteRange => ({ start: at + from, bytes: 8 });
    asynchrony.issue(operation("generic", [], [range(64)]));
    asynchrony.waitAll(line, site);
    asynchrony.issue(operation("async", [range(64)], []));
    expect(codes).toEqual(["PTX4025"]);
    const object = at + 128;
    memory.know(object, 8);
    asynchrony.barriers.init(object, 2, { site, thread });
    const other = { ...thread, warp: 1 };
    for (const count of [0, 1]) {
      asynchrony.arrive(object, { count }, { site, thread });
      asynchrony.observe(object, 0, other);
      asynchrony.fences.proxies.fence(0, 1, 1);
      codes.length = 0;
      asynchrony.issue(operation("async", [range(64)], []));
      expect(codes).toEqual(count === 0 ? ["PTX4025"] : []);
    }
  });
});

it("ranges that only touch each other are in nobody's way", () => {
  const { asynchrony, copy, start } = engine();
  const flight = asynchrony.issue(copy(0, 64, 4));
  const ways = (at: number, bytes: number, touch: Touch) => conflict(flight, start + at, bytes, touch);
  expect([
    ways(60, 4, "write"),
    ways(68, 4, "write"),
    ways(60, 5, "read"),
    ways(67, 1, "update"),
    ways(4, 60, "write"),
  ]).toEqual([undefined, undefined, "writes", "writes", undefined]);
  expect([ways(3, 1, "read"), ways(3, 1, "write"), ways(3, 1, "update")]).toEqual([undefined, "reads", "reads"]);
  flight.sourceFree = true;
  expect(ways(3, 1, "write")).toBeUndefined();
  const update = asynchrony.issue(copy(0, 128, 4, { updates: true }));
  expect([conflict(update, start + 128, 4, "update"), conflict(update, start + 128, 4, "write")]).toEqual([
    undefined,
    "writes",
  ]);
});

describe("the end of a block", () => {
  it("is nothing to those of other blocks that do not need its memory any more, or begin behind it", () => {
    const { asynchrony, copy, findings, start } = engine();
    const far = { thread: { block: 1, warp: 0, lane: 0 } };
    const theirs = lineOf("bulk", far.thread);
    asynchrony.issue(copy(2048, 64, 4, { ...far, completion: { kind: "group", line: theirs } }));
    asynchrony.commit(theirs);
    asynchrony.wait(theirs, 0, site, true);
    asynchrony.issue(copy(128, 2048 + 256, 4, far));
    asynchrony.end(0, start + 2048, start + 2048 + 256);
    expect([findings, [...asynchrony.flights].length]).toEqual([[], 2]);
    asynchrony.end(0, start + 2048, start + 2048 + 257);
    expect([findings.map(({ code }) => code), [...asynchrony.flights].length]).toEqual([["PTX4023"], 1]);
  });

  it("is a note for copies of threads that nobody has waited for, and a finding for what still needs its memory", () => {
    const { asynchrony, copy, findings, start, byte, inTheWay } = engine();
    asynchrony.issue(copy(0, 64, 4));
    asynchrony.issue(
      copy(2048, 3000, 4, { proxy: "async", completion: { kind: "group", line: lineOf("bulk", thread) } }),
    );
    asynchrony.end(0, start + 2048, start + 2048 + 256);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["PTX4023", "note"],
      ["PTX4024", "error"],
    ]);
    expect(byte(64)).toBe(1);
    expect(inTheWay(64, 4, "write")).toEqual([]);
    expect(asynchrony.idle).toBe(true);
  });
});
