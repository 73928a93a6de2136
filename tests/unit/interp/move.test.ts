import { expect, test } from "vitest";
import { a, times } from "../../../src/numeric/operation/build.ts";
import { Build, not, sink, thread, value, values, vector } from "./build.ts";
import { bit, compute, into64, less } from "./operations.ts";

test("moves keep every bit, of registers, predicates and vectors", () => {
  const b = new Build();
  const nan = b.constant(0x7fa0_0001);
  const [a, w, x] = [b.reg("a"), b.reg("w", 64), b.reg("x", 128)];
  b.move(a, nan).move(w, b.constant(0x7ff4_0000_0000_0001n, 64));
  b.do({ shape: "pack" }, x, vector(w, b.constant(1n << 63n, 64)));
  b.move(b.reg("y", 128), x);
  const [p, q] = [b.pred("p"), b.pred("q")];
  b.move(p, b.truth(1n)).move(q, not(p)).move(b.pred("t"), not(q)).move(b.pred("f"), b.truth(0n));
  const [s, t] = [b.reg("s"), b.reg("t32")];
  b.move(s, b.constant(1)).move(t, b.constant(2));
  b.move(vector(s, t), vector(t, s));
  b.move(b.reg("half", 16), b.constant(0xffff_1234)).move(b.reg("wide", 64), b.constant(0xffff_1234));
  b.move(b.reg("low"), w);
  const session = b.session();
  session.run();
  const read = (name: string) => value(session, name);
  expect(read("a")).toBe(0x7fa0_0001n);
  expect(read("w")).toBe(0x7ff4_0000_0000_0001n);
  expect(read("x")).toBe((1n << 127n) | 0x7ff4_0000_0000_0001n);
  expect(read("y")).toBe(read("x"));
  expect([read("p"), read("q"), read("t"), read("f")]).toEqual([1n, 0n, 1n, 0n]);
  expect([read("s"), read("t32")]).toEqual([2n, 1n]);
  expect([read("half"), read("wide"), read("low")]).toEqual([0x1234n, 0xffff_1234n, 1n]);
});

test("packing and unpacking: the first element has the low bits", () => {
  const b = new Build();
  const pack = { shape: "pack" } as const;
  const unpack = { shape: "unpack" } as const;
  const bytes = [0x11, 0x22, 0x33, 0x44].map((bits) => b.constant(bits, 16));
  const w = b.reg("w");
  b.do(pack, w, vector(...bytes));
  b.do(pack, b.reg("h", 16), vector(bytes[0]!, bytes[1]!));
  const q = b.reg("q", 64);
  b.do(pack, q, vector(w, b.constant(0x8877_6655)));
  b.do(pack, b.reg("q4", 64), vector(...[1, 2, 3, 4].map((bits) => b.constant(bits, 16))));
  const x = b.reg("x", 128);
  b.do(pack, x, vector(q, b.constant(5, 64)));
  b.do(pack, b.reg("x4", 128), vector(...[1, 2, 3, 4].map((bits) => b.constant(bits))));
  // `_` in a source leaves its bits undefined; they are 0 here.
  b.do(pack, b.reg("hole"), vector(sink, b.constant(0x1234, 16)));
  b.do(unpack, vector(b.reg("l"), b.reg("m")), q);
  b.do(unpack, vector(sink, b.reg("second", 16), sink, b.reg("fourth", 16)), q);
  b.do(unpack, vector(b.reg("xl", 64), b.reg("xh", 64)), x);
  b.do(unpack, vector(b.reg("b0", 16), b.reg("b1", 16)), b.constant(0xfe01, 16));
  // A 16-bit element in place: source and target share the register.
  b.do(unpack, vector(b.reg("same"), w), q);
  const session = b.session();
  session.run();
  const read = (name: string) => value(session, name);
  expect(read("h")).toBe(0x2211n);
  expect(read("q")).toBe(0x8877_6655_4433_2211n);
  expect(read("hole")).toBe(0x1234_0000n);
  expect(read("q4")).toBe(0x0004_0003_0002_0001n);
  expect(read("x")).toBe((5n << 64n) | 0x8877_6655_4433_2211n);
  expect(read("x4")).toBe(0x0000_0004_0000_0003_0000_0002_0000_0001n);
  expect([read("l"), read("m")]).toEqual([0x4433_2211n, 0x8877_6655n]);
  expect([read("second"), read("fourth")]).toEqual([0x4433n, 0x8877n]);
  expect([read("xl"), read("xh")]).toEqual([0x8877_6655_4433_2211n, 5n]);
  expect([read("b0"), read("b1")]).toEqual([1n, 0xfen]);
  expect([read("same"), read("w")]).toEqual([0x4433_2211n, 0x8877_6655n]);
});

test("predicate logic works on all lanes at once and leaves inactive ones", () => {
  const b = new Build();
  const [tid, p, q] = [b.special("tid.x"), b.pred("p"), b.pred("q")];
  b.do(compute(bit(0)), p, tid).do(compute(bit(1)), q, tid);
  const made = (["and", "or", "xor"] as const).map((op) => {
    const d = b.pred(op);
    b.do({ shape: "logic", op }, d, p, q);
    return op;
  });
  b.do({ shape: "logic", op: "not" }, b.pred("not"), p);
  const kept = b.pred("kept");
  b.when(p).do({ shape: "logic", op: "or" }, kept, q, not(q));
  const session = b.session({ block: [4, 1, 1] });
  session.run();
  expect(made.map((name) => values(session, name, 4))).toEqual([
    [0, 0, 0, 1],
    [0, 1, 1, 1],
    [0, 1, 1, 0],
  ]);
  expect(values(session, "not", 4)).toEqual([1, 0, 1, 0]);
  expect(values(session, "kept", 4)).toEqual([0, 1, 0, 1]);
});

test("a comparison gives p and its opposite, each combined with c", () => {
  const b = new Build();
  const [tid, two] = [b.special("tid.x"), b.constant(2)];
  const [p, q, c] = [b.pred("p"), b.pred("q"), b.pred("c")];
  b.do({ shape: "compare", op: less }, p, q, tid, two);
  b.do({ shape: "compare", op: less }, c, undefined, tid, b.constant(3));
  b.do({ shape: "compare", op: less, combine: "and" }, b.pred("pa"), b.pred("qa"), tid, two, not(c));
  b.do({ shape: "compare", op: less, combine: "xor" }, b.pred("px"), sink, tid, two, c);
  const one = { shape: "select" } as const;
  b.do(one, b.reg("d"), b.constant(10), b.constant(20), p);
  b.do(one, b.reg("e", 64), b.constant(10, 64), b.constant(20, 64), not(p));
  const session = b.session({ block: [4, 1, 1] });
  session.run();
  const row = (name: string) => values(session, name, 4);
  expect([row("p"), row("q")]).toEqual([
    [1, 1, 0, 0],
    [0, 0, 1, 1],
  ]);
  expect([row("pa"), row("qa"), row("px")]).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 1, 0],
  ]);
  expect([row("d"), row("e")]).toEqual([
    [10, 10, 20, 20],
    [20, 20, 10, 10],
  ]);
});

test("vector registers show one value an element", () => {
  const b = new Build();
  const v = b.reg("v", 32, 4);
  const parts = [0, 1, 2, 3].map((at) => ({ ...v, slot: v.slot + at }));
  b.move(vector(...parts), vector(...[5, 6, 7, 8].map((bits) => b.constant(bits))));
  const session = b.session({ registers: new Map([["v", [1n, 2n, 3n, 4n]]]) });
  const bits = () => session.registers(thread())[0]!.bits;
  expect(bits()).toEqual([1n, 2n, 3n, 4n]);
  session.run();
  expect(bits()).toEqual([5n, 6n, 7n, 8n]);
});

test.each([
  [32, false],
  [32, true],
  [8, false],
])("moves, pairs and selections of %i lanes, guarded: %s", (lanes, guarded) => {
  const b = new Build();
  const [tid, p] = [b.special("tid.x"), b.pred("p")];
  const mix = into64(times(a, 0x0100_0000_0001n));
  const [wide, copy, copies] = [b.reg("wide", 64), b.reg("copy"), b.reg("copies", 64)];
  b.do(compute(bit(0)), p, tid).do(compute(mix), wide, tid);
  const all = () => (guarded ? b.when(p) : b);
  all().move(copy, tid);
  all().move(copies, wide);
  all().do({ shape: "pack" }, b.reg("packed", 64), vector(tid, b.constant(7)));
  all().do({ shape: "unpack" }, vector(b.reg("low"), b.reg("high")), wide);
  all().do({ shape: "select" }, b.reg("chosen"), tid, b.constant(99), p);
  all().do({ shape: "select" }, b.reg("chosen64", 64), wide, b.constant(99, 64), p);
  const session = b.session({ block: [lanes, 1, 1] });
  session.run();
  const expected = (of: (lane: number) => number): number[] =>
    Array.from({ length: lanes }, (_, lane) => (guarded && lane % 2 === 0 ? 0 : of(lane)));
  const word = 0x0100_0000_0001;
  expect(values(session, "copy", lanes)).toEqual(expected((lane) => lane));
  expect(values(session, "copies", lanes)).toEqual(expected((lane) => lane * word));
  expect(values(session, "packed", lanes)).toEqual(expected((lane) => 7 * 2 ** 32 + lane));
  expect(values(session, "low", lanes)).toEqual(expected((lane) => lane));
  expect(values(session, "high", lanes)).toEqual(expected((lane) => lane * 0x100));
  expect(values(session, "chosen", lanes)).toEqual(expected((lane) => (lane & 1 ? lane : 99)));
  expect(values(session, "chosen64", lanes)).toEqual(expected((lane) => (lane & 1 ? lane * word : 99)));
});
