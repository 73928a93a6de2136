import { expect, test } from "vitest";
import { match } from "../../../src/isa/match/match.ts";
import { a, and, shl } from "../../../src/numeric/operation/build.ts";
import type { WarpOperation } from "../../../src/numeric/operation/warp.ts";
import { Build, message, sink, thread, values } from "./build.ts";
import { bit, compute, from32 } from "./operations.ts";

const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const warp = (op: WarpOperation) => ({ shape: "warp", op }) as const;

/** The table's own operation of a shuffle. */
function shuffle(mode: string): WarpOperation {
  const found = match("shfl", ["sync", mode, "b32"]);
  const plan = found.kind === "forms" ? found.candidates[0].plan() : undefined;
  if (plan?.shape !== "warp") throw new Error(`shfl.${mode} is no warp operation`);
  return plan.op;
}
const ballot: WarpOperation = { among: "vote", mode: "ballot" };

/** Odd lanes and even lanes come to one shuffle at different times: a rotation by one lane. */
function apart(): Build {
  const b = new Build();
  const [tid, p, d, q] = [b.special("tid.x"), b.pred("p"), b.reg("d"), b.pred("q")];
  const [one, clamp, all] = [b.constant(1), b.constant(31), b.constant(0xffff_ffff)];
  b.do(compute(bit(0)), p, tid);
  b.when(p).branch("odd");
  b.do(warp(shuffle("down")), d, q, tid, one, clamp, all).branch("end");
  b.label("odd").do(warp(shuffle("down")), d, q, tid, one, clamp, all);
  return b.label("end").exit();
}

test("lanes that come apart exchange once all are there, and go on together", () => {
  const session = apart().session({ block: [32, 1, 1] });
  const met: number[] = [];
  session.observe({ warpSync: (_block, _warp, mask) => met.push(mask) });
  expect(message(session.run())).toBe("exit");
  expect(values(session, "d")).toEqual(lanes.map((lane) => Math.min(lane + 1, 31)));
  expect(values(session, "q")).toEqual(lanes.map((lane) => (lane < 31 ? 1 : 0)));
  expect(met).toEqual([0xffff_ffff]);
});

test("what waits for others is part of a snapshot", () => {
  const session = apart().session({ block: [32, 1, 1] });
  for (let at = 0; at < 6; at++) {
    session.run({ budget: 1 });
    const image = session.snapshot();
    session.run();
    expect(values(session, "d", 4)).toEqual([1, 2, 3, 4]);
    session.restore(image);
    session.run();
    expect(values(session, "d", 4)).toEqual([1, 2, 3, 4]);
    session.restore(image);
  }
});

test("a register counts as written once the exchange has happened", () => {
  const session = apart().session({ block: [32, 1, 1] });
  const written = (lane: number) => session.registers(thread(lane)).find(({ name }) => name === "d")?.written;
  // The test, the branch, and the even lanes' arrival.
  session.run({ budget: 3 });
  expect([written(0), written(1)]).toEqual([false, false]);
  session.run();
  expect([written(0), written(1)]).toEqual([true, true]);
});

test("a result that nobody wants, and a predicate that is negated", () => {
  const b = new Build();
  const [tid, p, d] = [b.special("tid.x"), b.pred("p"), b.reg("d")];
  b.do(compute(bit(1)), p, tid);
  b.do(warp(shuffle("idx")), d, sink, tid, b.constant(3), b.constant(31), b.constant(0xffff_ffff));
  b.do(warp(ballot), b.reg("v"), { ...p, negated: true }, b.constant(0xffff_ffff)).exit();
  const session = b.session({ block: [32, 1, 1] });
  session.run();
  expect([values(session, "d", 1), values(session, "v", 1)]).toEqual([[3], [0x3333_3333]]);
});

test("masks that differ by lane make groups that do not wait for each other", () => {
  const b = new Build();
  const [tid, d, m] = [b.special("tid.x"), b.reg("d"), b.reg("m")];
  const tile = from32(shl(0xf, and(a, 28)));
  b.do(compute(tile), m, tid);
  b.do(warp(ballot), d, b.truth(1n), m)
    .do(warp({ among: "sync" }), m)
    .exit();
  const session = b.session({ block: [32, 1, 1] });
  const met: number[] = [];
  session.observe({ warpSync: (_block, _warp, mask) => met.push(mask) });
  session.run();
  expect(values(session, "d")).toEqual(lanes.map((lane) => (0xf << (lane & 28)) >>> 0));
  expect(met).toHaveLength(16);
});
