import { expect, test } from "vitest";
import { Memory } from "../../../src/interp/index.ts";
import { a, relation } from "../../../src/numeric/operation/build.ts";
import { Build, message, not } from "./build.ts";
import { asks, bit, compute } from "./operations.ts";

const barrier = { shape: "barrier", act: "sync", aligned: false } as const;

test("all wait and none can come: a fault at the first that waits", () => {
  const b = new Build();
  b.do(barrier, b.constant(1), b.constant(64)).exit();
  const session = b.session({ block: [32, 1, 1] });
  const stop = session.run();
  expect(message(stop)).toBe(
    "PTX3011: barrier waits forever: barrier 1 needs 64 threads, and the block has 32: 32 have arrived",
  );
  expect(stop).toMatchObject({ at: { block: 0, warp: 0, lane: 0 }, pc: 0 });
  // It has ended, and says the same again.
  expect(session.run()).toBe(stop);
});

test("a single thread", () => {
  const b = new Build();
  b.do(barrier, b.constant(1), b.constant(64)).exit();
  expect(message(b.session().run())).toContain("and the block has 1: 1 has arrived");
});

test("blocks that can still begin are let in first", () => {
  // Every block but the last spins until a word is set; the last one sets it. All wait at a barrier behind that.
  const b = new Build();
  const memory = new Memory({ limit: 16 << 20 });
  const at = b.constant(memory.allocate({ name: "flag", bytes: 4, initialised: true })!, 64);
  const [p, seen, set, block] = [b.pred("p"), b.reg("seen"), b.pred("set"), b.special("ctaid.x")];
  const lastBlock = asks(relation("eq", a, 4));
  b.do(compute(lastBlock), p, block);
  b.when(not(p)).branch("spin");
  b.store("global", 32, at, b.constant(1));
  b.label("spin")
    .load(seen, "global", 32, at)
    .do(compute(bit(0)), set, seen);
  b.when(not(set)).branch("spin");
  b.do(barrier, b.constant(0)).exit();
  for (const schedule of [undefined, { seed: 1 }, { seed: 2 }])
    expect(
      message(
        b
          .session({ memory, block: [64, 1, 1], grid: [5, 1, 1], maxSteps: 1_000_000, ...(schedule && { schedule }) })
          .run(),
      ),
    ).toBe("exit");
});

test("a deadlock of one block is told when the others have ended", () => {
  const b = new Build();
  const [p, block] = [b.pred("p"), b.special("ctaid.x")];
  b.do(compute(bit(1)), p, block);
  b.when(p).do(barrier, b.constant(0), b.constant(1024));
  b.exit();
  const session = b.session({ block: [32, 1, 1], grid: [8, 1, 1] });
  const ended: number[] = [];
  session.observe({ end: (block) => ended.push(block) });
  const stop = session.run();
  expect(message(stop)).toContain("all 128 threads of 4 blocks wait");
  expect(ended.sort()).toEqual([0, 1, 4, 5]);
});

test("lanes that wait for lanes that spin for them are no deadlock but run out of steps", () => {
  const b = new Build();
  const [tid, p] = [b.special("tid.x"), b.pred("p")];
  b.do(compute(bit(0)), p, tid);
  b.when(p).branch("spin");
  b.do({ shape: "warp", op: { among: "sync" } }, b.constant(0xffff_ffff)).exit();
  b.label("spin").branch("spin");
  expect(message(b.session({ block: [32, 1, 1], maxSteps: 5000 }).run())).toContain("PTX6001");
});
