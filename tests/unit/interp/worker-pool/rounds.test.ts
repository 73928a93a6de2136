import { afterEach, describe, expect, it, vi } from "vitest";
import { REDUCED } from "../../../../src/interp/memory/ledger.ts";
import { givenUp, whyGivenUp, workerState } from "../../../../src/interp/worker-pool/board.ts";
import { piecesOf, shareOf } from "../../../../src/interp/worker-pool/pieces.ts";
import { poolStateOf } from "../../../../src/interp/worker-pool/pool-state.ts";
import { handedOver, ScriptedPool } from "./scripted-pool.ts";
import { kernel } from "./several-workers.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Each thread stores 7 to its word. */
const text = kernel("st.global.u32 [%rd3], 7;");

const [WORKING, DONE, IDLE, COMMIT, DROP] = [
  workerState.working,
  workerState.done,
  workerState.idle,
  workerState.commit,
  workerState.drop,
];

/** A launch whose two workers do at once what they are told. */
function obeyed(grid: number | readonly [number, number], options = {}) {
  const workerPool = new ScriptedPool(2);
  const launch = handedOver(text, workerPool, 1, { grid, ...options });
  const each = launch.session.steps / launch.scheduler.next;
  workerPool.meanwhile = () => workerPool.obey();
  /**
   * They have done a round in `took` milliseconds; the second one the last of its blocks, of which each had as many steps as
   * those before, or `times` as many.
   */
  const round = (took: number, second: Parameters<ScriptedPool["done"]>[1] = {}, times = 1) => {
    const [asked] = workerPool.ranges();
    const [one, two] = workerPool.pieces.map(({ first, end }) => times * each * (end - first)) as [number, number];
    // Of blocks that both take as they become free, the first one has done all.
    const shared = workerPool.pieces[0]!.share !== undefined;
    workerPool.time += took;
    workerPool.done(0, { steps: one });
    workerPool.done(1, { last: (asked?.end ?? 0) - 1, steps: shared ? 0 : two, ...second });
    launch.rounds.run(1000);
  };
  /** Both store to the word of the first block behind those that are in memory, so that neither counts as having come first. */
  const clash = (): void => {
    for (const worker of [0, 1]) workerPool.stores(worker, launch.at(4000), worker);
    round(1);
    for (const worker of [0, 1]) workerPool.clear(worker);
  };
  return { ...launch, workerPool, round, clash };
}

describe("rounds of a launch", () => {
  it.each<[number, [number, number][]]>([
    [
      2419,
      [
        [1669, 2169],
        [2169, 2419],
      ],
    ],
    [2418, [[1669, 2418]]],
  ])(
    "take 12 ms, then six times as long, 250 at most, and what is left of %i blocks if it is less than half a round more",
    (grid, ends) => {
      const { workerPool, round, rounds, session } = obeyed(grid, { maxSteps: 1e6 });
      const each = session.steps;
      const asked: unknown[] = [];
      for (const took of [12, 72, 125, 500, 250, 250]) {
        if (!rounds.active) break;
        const before = workerPool.posted
          .filter(({ message }) => message.kind === "range")
          .map(({ message }) => message);
        expect(before).toHaveLength(2);
        expect(before[1]).toEqual(before[0]);
        asked.push(before[0]);
        round(took);
      }
      // A block takes 1 ms, in the third round half of one, and there are two workers.
      const ranges: readonly (readonly [number, number])[] = [[1, 25], [25, 169], [169, 669], [669, 1669], ...ends];
      expect(asked).toEqual(
        ranges.map(([first, end], at) => ({
          kind: "range",
          first,
          end,
          most: 1e6 - first * each,
          share: shareOf(end - first, 2, grid),
          careful: false,
          anew: at === 0,
        })),
      );
      expect(rounds).toMatchObject({ active: false, alone: "", blocks: grid - 1, rounds: ranges.length });
      expect(session.run().reason).toBe("exit");
    },
  );

  it("give each worker a block at least, and no worker none", () => {
    const workerPool = new ScriptedPool(3);
    handedOver(text, workerPool, 1000, { grid: 40 });
    expect(workerPool.ranges().map(({ first, end }) => [first, end])).toEqual(Array(3).fill([1, 4]));
    const few = new ScriptedPool(3);
    handedOver(text, few, 1, { grid: 3 });
    expect(few.ranges().map(({ first, end }) => [first, end])).toEqual(Array(2).fill([1, 3]));
    expect(few.states).toEqual([WORKING, WORKING, IDLE]);
  });

  it("are cut where rows of the grid end", () => {
    const { workerPool, round } = obeyed([3, 40]);
    expect(workerPool.ranges().map(({ share }) => share)).toEqual([3, 3]);
    round(1, { why: givenUp.print });
    const wanted = piecesOf({ first: 1, end: 120 }, 2, 3);
    expect(workerPool.ranges().map(({ first, end }) => ({ first, end }))).toEqual(wanted);
  });

  it("end where workers have lost more than 500 ms on the program", () => {
    // A block takes one thread 1 ms, and there are 24 and then 144 of them.
    for (const [rounds, lost] of [
      [[12, 144 + 500], 500],
      [[12, 144 + 501], 501],
      [[24 + 501], 501],
    ] as const) {
      const { workerPool, round, session, scheduler, ...made } = obeyed(2000);
      for (const took of rounds) round(took);
      expect(poolStateOf(workerPool).lost(session.program)).toBeCloseTo(lost, 9);
      const blocks = rounds.length === 1 ? 24 : 24 + 144;
      const alone = lost > 500 ? "workers take longer for it than one thread" : "";
      expect(made.rounds).toMatchObject({ active: alone === "", alone, blocks });
      if (alone === "") continue;
      expect(scheduler.next).toBe(1 + blocks + 1);
      expect(session.run().reason).toBe("exit");
    }
  });

  it("lose nothing where blocks take longer because they have more steps", () => {
    const { workerPool, round, session, rounds } = obeyed(2000);
    round(100 * 24, {}, 100);
    expect(poolStateOf(workerPool).lost(session.program)).toBeCloseTo(0, 9);
    expect(rounds).toMatchObject({ active: true, alone: "" });
  });

  it("count the steps of their workers, which may not be more than are left", () => {
    for (const [most, isOver] of [
      [1000, false],
      [999, true],
    ] as const) {
      const before = obeyed(20).session.steps;
      const { workerPool, rounds, session } = obeyed(20, { maxSteps: before + most });
      for (const [worker, steps] of [600, 400].entries())
        workerPool.done(worker, { steps, last: worker === 1 ? 19 : 5 });
      rounds.run(1000);
      expect(session.steps).toBe(before + (isOver ? 0 : 1000));
      expect(rounds.active).toBe(isOver);
    }
  });
});

describe("a launch that waits for its workers", () => {
  it("sleeps until it is asked for, 100 ms at a time, or until one of them has news", () => {
    const workerPool = new ScriptedPool(2);
    const { rounds, scheduler } = handedOver(text, workerPool, 1, { grid: 40 });
    const stop = rounds.run(250);
    expect(stop).toEqual({ reason: "budget", at: { block: scheduler.next, warp: 0, lane: 0 }, pc: 0 });
    expect(workerPool.waits).toEqual([100, 100, 50]);
    rounds.run(0);
    expect(workerPool.time).toBe(250);
  });

  it("does the rest by itself once nothing has been heard of them for a minute", () => {
    const workerPool = new ScriptedPool(2);
    const { rounds, session, data } = handedOver(text, workerPool, 1, { grid: 40 });
    rounds.run(59_900);
    workerPool.board.beat(1, 1);
    rounds.run(59_900);
    workerPool.done(0);
    rounds.run(60_000);
    expect(rounds.active).toBe(true);
    rounds.run(500);
    expect(rounds).toMatchObject({ active: false, alone: "a worker does not answer", blocks: 0 });
    // The first sign is seen 100 ms after the look before it, the last one when it is there.
    expect(workerPool.time).toBe(59_900 + 59_900 + 60_000 + 100);
    expect(workerPool.states).toEqual([DROP, WORKING]);
    expect(workerPool.board.stop).toBe(false);
    expect(session.run().reason).toBe("exit");
    expect(data.toBits("u32").slice(0, 41)).toEqual([...Array(40).fill(7n), 0n]);
  });

  it("does the rest by itself where the workerPool breaks down, and lets the others give up", () => {
    const workerPool = new ScriptedPool(2);
    const { rounds } = handedOver(text, workerPool, 1, { grid: 40 });
    workerPool.done(0);
    workerPool.failure = "a worker ended";
    rounds.run(1000);
    expect(rounds).toMatchObject({ active: false, alone: "a worker ended" });
    expect(workerPool.states).toEqual([DROP, WORKING]);
    expect(workerPool.board.stop).toBe(true);
  });

  it("that is stopped gives workers a second to end", () => {
    for (const ends of [true, false]) {
      const workerPool = new ScriptedPool(2);
      const { rounds, session } = handedOver(text, workerPool, 1, { grid: 40 });
      workerPool.meanwhile = () => {
        expect(workerPool.board.stop).toBe(true);
        if (ends && workerPool.time === 60)
          for (const worker of [0, 1]) workerPool.done(worker, { why: givenUp.stopped });
      };
      rounds.stop();
      expect(workerPool.waits).toEqual(Array(ends ? 3 : 50).fill(20));
      expect(workerPool.board.stop).toBe(false);
      expect(rounds).toMatchObject({ active: false, alone: "it was stopped", blocks: 0 });
      expect(workerPool.states).toEqual(ends ? [DROP, DROP] : [WORKING, WORKING]);
      expect(session.run().reason).toBe("exit");
      // Who has ended is not stopped.
      rounds.stop();
      expect(rounds.alone).toBe("it was stopped");
    }
  });

  it("does not wait for a workerPool that has broken down when it is stopped", () => {
    const workerPool = new ScriptedPool(2);
    const { rounds } = handedOver(text, workerPool, 1, { grid: 40 });
    workerPool.failure = "a worker ended";
    rounds.stop();
    expect(workerPool.waits).toEqual([]);
  });

  it("that is stopped while they change memory lets them come to the end, or does it for them after a second", () => {
    for (const obey of [true, false]) {
      const workerPool = new ScriptedPool(2);
      const { rounds, data, at, scheduler } = handedOver(text, workerPool, 1, { grid: 40 });
      workerPool.stores(0, at(30), 5);
      for (const worker of [0, 1]) workerPool.done(worker);
      rounds.run(50);
      expect(workerPool.states).toEqual([COMMIT, COMMIT]);
      workerPool.waits.length = 0;
      if (obey) workerPool.meanwhile = () => workerPool.obey();
      rounds.stop();
      expect(workerPool.waits).toEqual(Array(obey ? 1 : 50).fill(20));
      expect(rounds).toMatchObject({ active: false, alone: "it was stopped", blocks: 24 });
      // The block behind those that count has begun here.
      expect(scheduler.next).toBe(26);
      expect(data.toBits("u32")[30]).toBe(obey ? 0n : 5n);
    }
  });
});

describe("a launch is not handed over", () => {
  it("while workers still do what another one has asked for", () => {
    const workerPool = new ScriptedPool(2);
    handedOver(text, workerPool, 1, { grid: 40 });
    expect(handedOver(text, workerPool, 1, { grid: 40 }).rounds).toMatchObject({
      alone: "the workers are busy",
      rounds: 0,
    });
  });

  it.each([
    [new Error("too much"), "too much"],
    ["nothing", "nothing"],
  ])("where it cannot be sent", (error, said) => {
    const workerPool = new ScriptedPool(2);
    vi.spyOn(workerPool, "post").mockImplementation((_, { kind }) => {
      if (kind === "launch") throw error;
    });
    const { rounds } = handedOver(text, workerPool, 1, { grid: 40 });
    expect(rounds).toMatchObject({ active: false, alone: `it cannot be sent to workers: ${said}`, rounds: 0 });
  });

  it("to a workerPool that has broken down", () => {
    const workerPool = new ScriptedPool(2);
    workerPool.failure = "a worker ended";
    expect(handedOver(text, workerPool, 1, { grid: 40 }).rounds).toMatchObject({
      active: false,
      alone: "a worker ended",
    });
    expect(workerPool.posted).toEqual([]);
  });
});

describe("a round that does not count", () => {
  it("is done again with exact notes, and then piece by piece, where workers got into each other's way", () => {
    const { workerPool, clash, rounds } = obeyed(400);
    const asked: unknown[] = [];
    for (let time = 0; time < 3; time++) {
      asked.push(workerPool.posted.flatMap(({ message }) => (message.kind === "range" ? [message] : [])));
      if (time < 2) clash();
    }
    const how = { careful: true, anew: false };
    expect(asked).toMatchObject([
      Array(2).fill({ first: 1, end: 25, share: 2, careful: false, anew: true }),
      Array(2).fill({ first: 1, end: 145, share: shareOf(144, 2, 400), ...how }),
      piecesOf({ first: 1, end: 400 }, 2, 400).map((piece) => ({ ...piece, share: undefined, ...how })),
    ]);
    expect(rounds).toMatchObject({ active: true, blocks: 0, rounds: 3 });
  });

  it.each(Object.entries(givenUp).filter(([name]) => name !== "no"))(
    "because of a worker that says %s is done again piece by piece, and then up to there",
    (_, why) => {
      const { workerPool, round, rounds, scheduler, session } = obeyed(200);
      const before = session.steps;
      round(1, { why, steps: 50 });
      const [one, two] = workerPool.ranges();
      expect([one?.share, two?.share, one?.careful]).toEqual([undefined, undefined, true]);
      workerPool.done(0, { steps: 30 });
      workerPool.done(1, { why, steps: 20 });
      rounds.run(1000);
      expect(rounds).toMatchObject({ active: false, alone: whyGivenUp[why], blocks: one!.end - 1, rounds: 2 });
      expect(scheduler.next).toBe(two!.first + 1);
      expect(session.steps).toBe(before + 30);
    },
  );

  it("is the last one of the workerPool where the piece behind reads what the one before it stores, twice in a row", () => {
    for (const [clashes, alone] of [
      ["xx", "a block reads what one of the blocks before it stores"],
      ["x.x", ""],
    ] as const) {
      const { workerPool, round, rounds, at } = obeyed(4000);
      round(1, { why: givenUp.print });
      for (const kind of clashes) {
        const [one, two] = workerPool.ranges();
        if (kind === "x") {
          workerPool.stores(0, at(100), 1 + Number(workerPool.board.bell));
          workerPool.reads(1, at(100));
        }
        const before = rounds.blocks;
        round(250);
        for (const worker of [0, 1]) workerPool.clear(worker);
        expect(rounds.blocks - before).toBe((kind === "x" ? one!.end : two!.end) - one!.first);
      }
      expect(rounds).toMatchObject({ active: alone === "", alone });
    }
  });
});

describe("the launch goes on at the first of all pieces", () => {
  it.each<[string, (made: ReturnType<typeof obeyed>) => void]>([
    ["it is stopped", ({ rounds }) => rounds.stop()],
    [
      "the workerPool breaks down",
      ({ rounds, workerPool }) => {
        workerPool.failure = "a worker ended";
        rounds.run(1000);
      },
    ],
  ])("where %s", (_, end) => {
    const made = obeyed(200);
    made.round(1, { why: givenUp.print });
    end(made);
    expect(made.rounds).toMatchObject({ active: false, blocks: 0 });
    // One block more has begun here.
    expect(made.scheduler.next).toBe(1 + 1);
  });
});

describe("what workers have stored is put into memory", () => {
  /** What workers stand at after one look, and after the first has done what it was told. */
  function told(change: (made: ReturnType<typeof obeyed>) => void, shared: boolean) {
    const made = obeyed(200);
    const { workerPool, round, rounds } = made;
    if (!shared) round(1, { why: givenUp.print });
    workerPool.meanwhile = () => {};
    change(made);
    for (const worker of [0, 1]) workerPool.done(worker);
    rounds.run(1);
    const before = workerPool.states;
    workerPool.board.set(0, IDLE);
    rounds.run(1);
    return [before, workerPool.states];
  }

  it("by all at once where they have stored to pages of their own", () => {
    const apart = ({ workerPool, at }: ReturnType<typeof obeyed>): void => {
      workerPool.stores(0, at(0), 1);
      workerPool.stores(1, at(2000), 2);
    };
    for (const shared of [true, false])
      expect(told(apart, shared)).toEqual([
        [COMMIT, COMMIT],
        [IDLE, COMMIT],
      ]);
  });

  it("by one after the other where pieces share a page, so that the later one's bytes stay", () => {
    const together = ({ workerPool, at }: ReturnType<typeof obeyed>): void => {
      workerPool.stores(0, at(0), 1);
      workerPool.stores(1, at(1), 2);
    };
    expect(told(together, false)).toEqual([
      [COMMIT, DONE],
      [IDLE, COMMIT],
    ]);
    // Where none has stored to another's byte, any order will do.
    expect(told(together, true)).toEqual([
      [COMMIT, COMMIT],
      [IDLE, COMMIT],
    ]);
  });

  it("by one after the other where both reduce cells of a page", () => {
    const reducing = (made: ReturnType<typeof obeyed>): void => {
      const { workerPool, at } = made;
      for (const worker of [0, 1]) workerPool.stores(worker, at(worker), 1, REDUCED);
    };
    expect(told(reducing, true)).toEqual([
      [COMMIT, DONE],
      [IDLE, COMMIT],
    ]);
  });

  it("by the launch where a worker has ended before it could, and not by it where the worker's blocks do not count", () => {
    const { workerPool, round, rounds, data, at } = obeyed(200);
    round(1, { why: givenUp.print });
    workerPool.meanwhile = () => {};
    for (const worker of [0, 1]) workerPool.stores(worker, at(40 + worker), 6 + worker);
    workerPool.done(0);
    workerPool.done(1, { why: givenUp.bug });
    for (const worker of [0, 1]) workerPool.gone.add(worker);
    rounds.run(1);
    expect(workerPool.waits.slice(1)).toEqual([]);
    expect(data.toBits("u32").slice(40, 42)).toEqual([6n, 0n]);
    expect(rounds).toMatchObject({ active: false, alone: "a worker failed" });
    expect(workerPool.states).toEqual([IDLE, IDLE]);
  });
});
