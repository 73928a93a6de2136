import { expect, test } from "vitest";
import {
  a,
  b as b_,
  c,
  minus,
  not,
  operation,
  or,
  plus,
  shr,
  times,
  wrap,
} from "../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { carryOf, operationOf } from "../numeric/entry.ts";
import { Build, thread, value, values } from "./build.ts";
import { bit } from "./operations.ts";

const compute = (op: Operation, extend?: "sign" | "zero") =>
  ({ shape: "compute", op, ...(extend === undefined ? {} : { extend }) }) as const;

test("a 32-bit operation runs once a lane", () => {
  const b = new Build();
  const [d, tid, ten] = [b.reg("d"), b.special("tid.x"), b.constant(10)];
  b.do(compute(operationOf("add.u32")), d, tid, ten);
  const session = b.session({ block: [32, 1, 1] });
  expect(session.run()).toEqual({ reason: "exit" });
  expect(values(session, "d")).toEqual(Array.from({ length: 32 }, (_, lane) => lane + 10));
});

test("a guard leaves the other lanes alone", () => {
  const b = new Build();
  const [d, tid, one, p] = [b.reg("d"), b.special("tid.x"), b.constant(1), b.pred("p")];
  b.do(compute(bit(0)), p, tid);
  b.when(p).do(compute(operationOf("add.u32")), d, tid, one);
  b.when({ ...p, negated: true }).do(compute(operationOf("add.u32")), d, d, one);
  const session = b.session({ block: [40, 1, 1] });
  session.run();
  expect(values(session, "d")).toEqual(Array.from({ length: 32 }, (_, lane) => (lane & 1 ? lane + 1 : 1)));
  expect(values(session, "d", 8, 1)).toEqual([1, 34, 1, 36, 1, 38, 1, 40]);
});

test("an operand wider than the operation is cut, a result extended to the register's width", () => {
  const negative = operation({ a: "u8" }, "u8", wrap("u8", or(a, 0x80)));
  const b = new Build();
  const [wide, d16, d32, d64] = [b.constant(0x1234_5671n, 64), b.reg("d16", 16), b.reg("d32"), b.reg("d64", 64)];
  b.do(compute(negative, "sign"), d16, wide);
  b.do(compute(negative, "sign"), d32, b.constant(0xabc2));
  b.do(compute(negative, "sign"), d64, wide);
  b.do(compute(negative, "zero"), b.reg("z64", 64), wide);
  b.do(compute(negative), b.reg("z32"), wide);
  const session = b.session();
  session.run();
  // A 16-bit register sits zero-extended in its slot.
  expect(value(session, "d16")).toBe(0xfff1n);
  expect(value(session, "d32")).toBe(0xffff_ffc2n);
  expect(value(session, "d64")).toBe(0xffff_ffff_ffff_fff1n);
  expect(value(session, "z64")).toBe(0xf1n);
  expect(value(session, "z32")).toBe(0xf1n);
});

test("operations of one, two and three 64-bit operands, and mixed widths", () => {
  const mask = 0xffff_ffff_ffff_ffffn;
  const not64 = operation({ a: "u64" }, "u64", wrap("u64", not(a)));
  const mix64 = operation({ a: "u64", b: "u64" }, "u64", wrap("u64", minus(a, b_)));
  const fma64 = operation({ a: "u64", b: "u64", c: "u64" }, "u64", wrap("u64", plus(times(a, b_), c)));
  const high = operation({ a: "u64", b: "u32" }, "u32", wrap("u32", shr(a, b_)));
  const b = new Build();
  const [x, y] = [b.constant(0xffff_ffff_0000_0001n, 64), b.constant(3, 64)];
  b.do(compute(not64), b.reg("n", 64), x);
  b.do(compute(mix64), b.reg("m", 64), y, x);
  b.do(compute(fma64), b.reg("f", 64), x, y, y);
  b.do(compute(high), b.reg("h"), x, b.constant(32));
  const session = b.session();
  session.run();
  expect(value(session, "n")).toBe(0xffff_fffen);
  expect(value(session, "m")).toBe(0x1_0000_0002n - 0n);
  expect(value(session, "f")).toBe((0xffff_ffff_0000_0001n * 3n + 3n) & mask);
  expect(value(session, "h")).toBe(0xffff_ffffn);
});

test("the carry goes from instruction to instruction, a flag a lane", () => {
  const b = new Build();
  const tid = b.special("tid.x");
  const [low, high] = [b.reg("low"), b.reg("high")];
  b.do(carryOf("add.cc.u32"), low, tid, b.constant(0xffff_ffff));
  b.do(carryOf("addc.u32"), high, tid, b.constant(0));
  const session = b.session({ block: [3, 1, 1] });
  session.run();
  expect(values(session, "low", 3)).toEqual([0xffff_ffff, 0, 1]);
  expect(values(session, "high", 3)).toEqual([0, 2, 3]);
  expect([0, 1, 2].map((lane) => session.carry(thread(lane)))).toEqual([0, 1, 1]);
});

test("a subtraction without carry-in starts with the flag set; a guarded one keeps the other lanes' flags", () => {
  const b = new Build();
  const p = b.pred("p");
  b.do(carryOf("sub.cc.u32"), b.reg("d"), b.constant(5), b.constant(3));
  b.when(p).do(carryOf("add.cc.u64"), b.reg("e", 64), b.constant(1, 64), b.constant(1, 64));
  b.do(carryOf("madc.lo.u64"), b.reg("f", 64), b.constant(2, 64), b.constant(3, 64), b.constant(4, 64));
  const session = b.session();
  session.run();
  expect(value(session, "d")).toBe(2n);
  expect(session.carry(thread())).toBe(1);
  expect(value(session, "f")).toBe(11n);
  expect(session.registers(thread()).map(({ name, written }) => [name, written])).toEqual([
    ["p", false],
    ["d", true],
    ["e", false],
    ["f", true],
  ]);
});

test("the host's carry is there at the start", () => {
  const b = new Build();
  b.do(carryOf("addc.cc.u64"), b.reg("d", 64), b.constant(-1n, 64), b.constant(0, 64));
  const session = b.session({ carry: 1 });
  session.run();
  expect(value(session, "d")).toBe(0n);
  expect(session.carry(thread())).toBe(1);
});
