import { describe, expect, test } from "vitest";
import { Memory } from "../../../src/interp/index.ts";
import { Build, message, not, value, values } from "./build.ts";
import { add, bit, compute, less } from "./operations.ts";

const lanes = Array.from({ length: 32 }, (_, lane) => lane);

test("if and else: both sides run, for their own lanes, and meet again", () => {
  const b = new Build();
  const [tid, p, d, n] = [b.special("tid.x"), b.pred("p"), b.reg("d"), b.reg("n")];
  const one = b.constant(1);
  b.do(compute(bit(0)), p, tid);
  b.when(p).branch("odd");
  b.move(d, b.constant(100)).branch("end");
  b.label("odd").move(d, b.constant(200));
  b.label("end").do(compute(add), n, n, one).do(compute(add), d, d, tid).exit();
  const session = b.session({ block: [32, 1, 1] });
  session.run();
  expect(values(session, "d")).toEqual(lanes.map((lane) => (lane & 1 ? 200 : 100) + lane));
  expect(values(session, "n")).toEqual(lanes.map(() => 1));
  // The lanes have met: what follows the branch is executed once for all of them.
  expect(session.steps).toBe(2 + 2 + 1 + 3);
});

test("a loop with a trip count of its own in each lane", () => {
  const b = new Build();
  const [tid, p, i, sum] = [b.special("tid.x"), b.pred("p"), b.reg("i"), b.reg("sum")];
  b.label("loop");
  b.do(compute(less), p, i, tid);
  b.when(not(p)).branch("done");
  b.do(compute(add), i, i, b.constant(1)).do(compute(add), sum, sum, i).branch("loop");
  b.label("done").do(compute(add), sum, sum, b.constant(1000));
  const session = b.session({ block: [32, 1, 1] });
  expect(session.run()).toEqual({ reason: "exit" });
  expect(values(session, "sum")).toEqual(lanes.map((lane) => (lane * (lane + 1)) / 2 + 1000));
  // All wait for the slowest lane before the last addition.
  expect(session.steps).toBe(31 * 5 + 2 + 1);
});

test("irreducible control flow: a loop with two entries", () => {
  const b = new Build();
  const [tid, p, q, i] = [b.special("tid.x"), b.pred("p"), b.pred("q"), b.reg("i")];
  const trace = b.reg("trace");
  b.do(compute(bit(0)), p, tid)
    .when(p)
    .branch("second");
  b.label("first").do(compute(add), trace, trace, b.constant(1));
  b.label("second").do(compute(add), trace, trace, b.constant(16));
  b.do(compute(add), i, i, b.constant(1)).do(compute(less), q, i, b.constant(3)).when(q).branch("first");
  const session = b.session({ block: [32, 1, 1] });
  session.run();
  expect(values(session, "trace")).toEqual(lanes.map((lane) => (lane & 1 ? 2 : 3) + 3 * 16));
});

test("lanes that exit early leave the others running", () => {
  const b = new Build();
  const [tid, p, d] = [b.special("tid.x"), b.pred("p"), b.reg("d")];
  b.do(compute(bit(1)), p, tid)
    .when(p)
    .do({ shape: "return" });
  b.move(d, tid);
  const session = b.session({ block: [8, 1, 1] });
  session.run();
  expect(values(session, "d", 8)).toEqual([0, 1, 0, 0, 4, 5, 0, 0]);
});

/** `spin: ld flag; @flag == 0 bra spin` for those with p, the store that they wait for in the others. */
function spinning(p: (b: Build) => ReturnType<Build["pred"]>, behind: boolean) {
  const b = new Build();
  const memory = new Memory({ limit: 16 << 20 });
  const flag = memory.allocate({ name: "flag", bytes: 4, initialised: true })!;
  const at = b.constant(flag, 64);
  const [seen, set] = [b.reg("seen"), b.pred("set")];
  const waits = p(b);
  if (behind) b.when(not(waits)).branch("work");
  else b.when(waits).branch("spin");
  const work = () => b.label("work").store("global", 32, at, b.constant(1)).exit();
  const spin = () => {
    b.label("spin")
      .load(seen, "global", 32, at)
      .do(compute(bit(0)), set, seen);
    b.when(not(set)).branch("spin");
    b.exit();
  };
  if (behind) {
    spin();
    work();
  } else {
    work();
    spin();
  }
  return { b, memory };
}

describe("waiting", () => {
  const everyOther = (b: Build) => {
    const p = b.pred("waits");
    b.do(compute(bit(0)), p, b.special("tid.x"));
    return p;
  };

  test.each([true, false])("a lane that spins does not starve the lane it waits for (behind it: %s)", (behind) => {
    const { b, memory } = spinning(everyOther, behind);
    const session = b.session({ memory, block: [32, 1, 1], maxSteps: 100_000 });
    expect(message(session.run())).toBe("exit");
    expect(values(session, "seen")).toEqual(lanes.map((lane) => lane & 1));
  });

  test("a warp may wait for a later warp", () => {
    const first = (b: Build) => {
      const p = b.pred("waits");
      b.do(compute(less), p, b.special("warpid"), b.constant(1));
      return p;
    };
    const { b, memory } = spinning(first, true);
    const session = b.session({ memory, block: [64, 1, 1], maxSteps: 100_000 });
    expect(message(session.run())).toBe("exit");
  });

  test("a block may wait for a block that has not begun", () => {
    const early = (b: Build) => {
      const p = b.pred("waits");
      b.do(compute(less), p, b.special("ctaid.x"), b.constant(3));
      return p;
    };
    const { b, memory } = spinning(early, true);
    const session = b.session({ memory, grid: [4, 1, 1], maxSteps: 1_000_000 });
    expect(message(session.run())).toBe("exit");
    expect([0, 1, 2, 3].map((block) => value(session, "seen", 0, 0, block))).toEqual([1n, 1n, 1n, 0n]);
  });

  test("a lock that every lane of a warp takes in turn", () => {
    // Lanes below the ticket have passed: each waits until the one before it has stored its number.
    const b = new Build();
    const memory = new Memory({ limit: 16 << 20 });
    const flag = memory.allocate({ name: "turn", bytes: 4, initialised: true })!;
    const [at, tid, turn, p] = [b.constant(flag, 64), b.special("tid.x"), b.reg("turn"), b.pred("p")];
    b.label("spin").load(turn, "global", 32, at);
    b.do(compute(less), p, turn, tid).when(p).branch("spin");
    b.do(compute(add), turn, turn, b.constant(1)).store("global", 32, at, turn).exit();
    const session = b.session({ memory, block: [32, 1, 1], maxSteps: 1_000_000 });
    expect(message(session.run())).toBe("exit");
    expect(memory.read(flag, 4)[0]).toBe(32);
  });
});

test("a run that never ends stops at the limit of steps", () => {
  const session = new Build().label("here").branch("here").session({ maxSteps: 1000 });
  const stop = session.run();
  expect(message(stop)).toBe(
    "PTX6001: stopped after 1000 steps, the limit: thread (0,0,0) of block (0,0,0) is at branch",
  );
  expect(session.steps).toBe(1000);
});

test("a launch that ends with its last step has not reached the limit", () => {
  const session = new Build().exit().session({ maxSteps: 1 });
  expect(session.run()).toEqual({ reason: "exit" });
});

test("an empty program exits at once", () => {
  expect(new Build().session().run()).toEqual({ reason: "exit" });
});

test("trap stops the launch for the lanes that reach it", () => {
  const b = new Build();
  const p = b.pred("p");
  b.do(compute(bit(2)), p, b.special("tid.x"))
    .when(p)
    .do({ shape: "trap" });
  const stop = b.session({ block: [8, 1, 1] }).run();
  expect(message(stop)).toBe("PTX3004: trap stops the launch, in thread (4,0,0) of block (0,0,0)");
  const untouched = new Build();
  untouched.when(untouched.pred("never")).do({ shape: "trap" });
  expect(untouched.session().run()).toEqual({ reason: "exit" });
});

test("a gap stops the launch where a thread meets it", () => {
  const b = new Build().do({ shape: "nothing", why: "of the test" }).do({ shape: "gap", form: "call{.uni} fname" });
  const stop = b.session().run();
  expect(message(stop)).toMatch(/^PTX5001: gap is not implemented yet: call\{\.uni\} fname, in thread/);
});

test("grids and blocks of three dimensions", () => {
  const b = new Build();
  const memory = new Memory({ limit: 16 << 20 });
  const names = ["tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z", "laneid", "warpid"];
  for (const name of names) b.move(b.reg(name), b.special(name));
  for (const name of ["ntid.y", "nctaid.z", "lanemask_lt", "lanemask_ge", "nwarpid"])
    b.move(b.reg(name), b.special(name));
  b.move(b.reg("gridid", 64), b.special("gridid", 64));
  const session = b.session({ memory, grid: [2, 3, 2], block: [3, 4, 3] });
  session.run();
  const read = (lane: number, warp: number, block: number) =>
    names.map((name) => Number(value(session, name, lane, warp, block)));
  expect(read(0, 0, 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  // Thread 35 is the last: (2, 3, 2). Block 11 is the last: (1, 2, 1).
  expect(read(3, 1, 11)).toEqual([2, 3, 2, 1, 2, 1, 3, 1]);
  expect(
    ["ntid.y", "nctaid.z", "lanemask_lt", "lanemask_ge", "nwarpid", "gridid"].map((name) => value(session, name, 3)),
  ).toEqual([4n, 2n, 7n, 0xffff_fff8n, 2n, 1n]);
});

test("the clock counts warp instructions, and activemask the lanes of the group", () => {
  const b = new Build();
  const p = b.pred("p");
  const special = (name: string) => ({ shape: "special", name }) as const;
  b.do(special("clock"), b.reg("t0"))
    .do({ shape: "nothing", why: "of the test" })
    .do(special("clock64"), b.reg("t1", 64));
  b.do(compute(bit(0)), p, b.special("tid.x"))
    .when(p)
    .do(special("activemask"), b.reg("m"));
  const session = b.session({ block: [4, 1, 1] });
  session.run();
  expect([value(session, "t0"), value(session, "t1")]).toEqual([0n, 2n]);
  expect(values(session, "m", 4)).toEqual([0, 0b1010, 0, 0b1010]);
});
