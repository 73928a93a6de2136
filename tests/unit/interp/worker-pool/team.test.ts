import { afterEach, describe, expect, it, vi } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import { poolStateOf } from "../../../../src/interp/worker-pool/pool-state.ts";
import { Team } from "../../../../src/interp/worker-pool/team.ts";
import { ScriptedPool } from "./scripted-pool.ts";
import { kernel } from "./several-workers.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const js = { name: "js", executor: executors.get("js")! };

/** A launch of long blocks, an instruction of which takes `rate` milliseconds. */
function timed(grid: number, rate: number, { workerPool = new ScriptedPool(2), known = true } = {}) {
  const device = new Device({ maxMemory: 1 << 20 });
  const data = device.buffer(new Uint32Array(4096));
  const loaded = must(must(device.module(long)).kernel("k"));
  const session = must(
    loaded.session({ grid, block: 1, args: [data], executor: js.executor, readableRegisters: false }),
  )!;
  const { scheduler } = session.state!;
  const budgets: number[] = [];
  const run = session.run.bind(session);
  vi.spyOn(session, "run").mockImplementation((options = {}) => {
    const before = session.steps;
    budgets.push(options.budget!);
    const stop = run(options);
    workerPool.time += rate * (session.steps - before);
    return stop;
  });
  const hold = vi.spyOn(scheduler, "hold");
  const team = new Team(session, workerPool, known ? js : undefined);
  return {
    workerPool,
    session,
    scheduler,
    team,
    budgets,
    hold,
    data,
    missed: () => poolStateOf(workerPool).missed(session.program),
  };
}

const long = kernel("LONG: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 3000; @%p1 bra LONG; st.global.u32 [%rd3], %r5;");

/** What of some work's time two workers save. */
const SAVED = 1 - 1 / (0.85 * 2);

describe("a launch by itself", () => {
  it.each([
    [1 / 64, 1 + 4 + 4 + 4, [64, 256, 256, 256]],
    [1 / 8, 8 + 4 + 4 + 4, [64, 32, 32, 32]],
    [1, 64 + 16 + 4 + 4, [64, 16, 4, 4]],
  ])(
    "runs slices of 4 ms, if that is at most four times the last one and at least a quarter (%f ms a step)",
    (rate, ms, wanted) => {
      const { team, budgets } = timed(1, rate);
      expect(team.run(ms)).toMatchObject({ reason: "budget" });
      expect(budgets).toEqual(wanted);
    },
  );

  it("runs longer slices where no time goes by", () => {
    const { team, budgets } = timed(1, 0);
    for (let time = 0; time < 4; time++) team.run(0);
    expect(budgets).toEqual([64, 256, 1024, 4096]);
  });

  it("runs slices no longer than it is asked for, in 1 ms at least", () => {
    const { team, budgets, workerPool } = timed(1, 1 / 64);
    team.run(2);
    // 64 steps took 1 of 2 ms, so 128 come next; they end at 3 ms.
    expect([workerPool.time, budgets.splice(0)]).toEqual([3, [64, 128]]);
    team.run(0.5);
    team.run(0.5);
    // 128 steps took 2 ms with 1 ms left, then 64 take the 1 ms that there is at least.
    expect(budgets.splice(0)).toEqual([64, 64]);
    team.run(1);
    expect(budgets).toEqual([64]);
    expect(workerPool.time).toBe(6);
  });

  it("tells why it has been alone", () => {
    const alone = { workers: 1, blocks: 0, rounds: 0 };
    expect(timed(40, 0).team.work).toEqual({ ...alone, alone: "it was done before workers were worth it" });
    expect(timed(40, 0, { known: false }).team.work).toEqual({
      ...alone,
      alone: "its executor is not known to workers",
    });
    expect(timed(1, 0).team.work).toEqual({ ...alone, alone: "it has one block" });
  });
});

describe("a workerPool that has not started", () => {
  /** How often it is asked to after one slice of 64 steps. */
  const started = (grid: number, took: number, worth: number): number => {
    const workerPool = new ScriptedPool(2);
    Object.assign(workerPool, { ready: false, worth });
    const { team } = timed(grid, took / 64, { workerPool });
    team.run(took / 2);
    return workerPool.started;
  };

  it("is asked to when a launch has run for 2 ms", () => {
    expect(started(40, 2, 0)).toBe(1);
    expect(started(40, 1.5, 0)).toBe(0);
  });

  it("is asked to when so much is left as it is worth, half of the first block being done", () => {
    expect(started(11, 2, 40)).toBe(1);
    expect(started(11, 2, 40.5)).toBe(0);
    expect(started(3, 2, 8)).toBe(1);
  });

  it("is not asked to for one block that is left", () => {
    expect(started(2, 2, 0)).toBe(0);
  });
});

describe("a workerPool that is ready", () => {
  const known = (workerPool: ScriptedPool, grid: number, took: number): boolean => {
    const { team, hold, session } = timed(grid, took / 64, { workerPool });
    poolStateOf(workerPool).program(session.program, undefined);
    team.run(took / 2);
    return hold.mock.calls.length > 0;
  };

  it("gets what is left of a program that it knows where that takes 10 ms", () => {
    expect(known(new ScriptedPool(2), 3, 2.5)).toBe(true);
    expect(known(new ScriptedPool(2), 3, 2.4375)).toBe(false);
  });

  it("gets one that is new to it where it saves 370 ms", () => {
    for (const [grid, gets] of [
      [Math.floor(370 / SAVED / 4) + 1, false],
      [Math.ceil(370 / SAVED / 4) + 1, true],
    ] as const) {
      const { team, hold } = timed(grid, 2 / 64);
      team.run(1);
      expect(hold.mock.calls).toHaveLength(gets ? 1 : 0);
    }
  });

  it("is told of one that is launched again when all launches together would have saved that, each counted once", () => {
    const workerPool = new ScriptedPool(2);
    const first = timed(101, 2 / 64, { workerPool });
    first.team.run(1);
    // 2 ms for half a block, and 100 blocks are left.
    expect(first.missed()).toBeCloseTo(400 * SAVED);
    first.team.run(1);
    const later = 100 * ((first.session.steps * 2) / 64 / 0.5) * SAVED;
    expect(later).toBeGreaterThan(400 * SAVED);
    expect(first.missed()).toBeCloseTo(Math.min(later, first.missed()));
    poolStateOf(workerPool).miss(first.session.program, 1000);
    first.team.run(1);
    expect(first.hold).toHaveBeenCalledOnce();
  });

  it("gets none of a program that its workers take longer for than one thread", () => {
    for (const [lost, gets] of [
      [500, true],
      [501, false],
      [-2000, true],
    ] as const) {
      const workerPool = new ScriptedPool(2);
      const { team, hold, session } = timed(1000, 2 / 64, { workerPool });
      // Gains do not pay for what a program loses later.
      poolStateOf(workerPool).lose(session.program, -2000);
      poolStateOf(workerPool).lose(session.program, lost);
      team.run(1);
      expect(hold.mock.calls).toHaveLength(gets ? 1 : 0);
      expect(team.work.alone).toBe(
        gets ? "it was done before workers were worth it" : "workers take longer for it than one thread",
      );
    }
  });

  it("gets nothing once it has broken down", () => {
    const { workerPool, team, hold } = timed(1000, 1);
    workerPool.failure = "a worker ended";
    team.run(1);
    expect(hold).not.toHaveBeenCalled();
    expect(team.work.alone).toBe("a worker ended");
  });

  it("gets blocks once the one that runs has ended, as many as take 12 ms by what those before took", () => {
    const { workerPool, team, session } = timed(1000, 1 / 1024);
    for (let time = 0; time < 100 && workerPool.posted.length === 0; time++) team.run(1);
    const each = (session.steps * 1) / 1024;
    const wanted = Math.round((12 * 2) / each);
    expect(workerPool.ranges().map(({ first, end }) => [first, end])).toEqual(Array(2).fill([1, 1 + wanted]));
    expect(team.work).toEqual({ workers: 2, blocks: 0, rounds: 1, alone: "" });
    // Stopped, it stands where it was, and may hand over again.
    workerPool.meanwhile = () => {
      for (const worker of [0, 1]) workerPool.done(worker);
    };
    team.stop();
    workerPool.obey();
    expect([session.state!.scheduler.next, team.work.rounds]).toEqual([2, 1]);
    for (let time = 0; time < 100 && workerPool.posted.length === 0; time++) team.run(1);
    expect(workerPool.ranges().map(({ first }) => first)).toEqual([2, 2]);
  });

  it("leaves a launch that cannot be sent to go on by itself", () => {
    const { workerPool, team, data } = timed(100, 1 / 8);
    vi.spyOn(workerPool, "post").mockImplementation((_, { kind }) => {
      if (kind === "launch") throw new Error("too much");
    });
    for (let time = 0; time < 100 && team.run(10_000).reason === "budget"; time++);
    expect(team.work).toMatchObject({ workers: 1, rounds: 0, alone: "it cannot be sent to workers: too much" });
    expect(data.toBits("u32").slice(0, 101)).toEqual([...Array(100).fill(3000n), 0n]);
  });
});
