import { describe, expect, it } from "vitest";
import { match } from "../../../src/isa/match/match.ts";
import { formalsOf, placesOf } from "../../../src/present/working/form.ts";
import { workAgreed, workThrough } from "../../../src/present/working/plan.ts";
import {
  against,
  decode,
  type FloatName,
  type Fraction,
  fraction,
  minus,
  over,
  plus,
  readBinary,
  readDecimal,
  readDyadic,
  times,
} from "./rounding-oracle.ts";

/** The lines of an instruction for given bits, and each row by its label: its first line and those that go on with it. */
function work(opcode: string, values: Readonly<Record<string, number | bigint>>, carry: 0 | 1 = 0) {
  const [mnemonic = "", ...words] = opcode.split(".");
  const found = match(mnemonic, words);
  if (found.kind !== "forms") throw new Error(`no form ${opcode}`);
  const [candidate] = found.candidates;
  const given = new Map(Object.entries(values).map(([name, bits]) => [name, [BigInt(bits)]]));
  const lines = workThrough(candidate.plan(), placesOf(formalsOf(candidate), given), carry);
  const rows = new Map<string, string[]>();
  let label = "";
  for (const line of lines) {
    const [, name = "", text = ""] = /^ {2}(\S(?:.*?\S)??)? {2,}(.*)$/.exec(line) ?? [];
    label = name || label;
    rows.set(label, [...(rows.get(label) ?? []), text]);
  }
  return { lines, rows, text: lines.join("\n") };
}

type Operation = "add" | "sub" | "mul" | "fma" | "div" | "rcp" | "sqrt" | "cvt";
type Case = readonly [
  opcode: string,
  operation: Operation,
  from: FloatName,
  to: FloatName,
  operands: readonly bigint[],
  result: bigint,
  ...says: string[],
];

const tie = "a tie";
const cases: readonly Case[] = [
  // f16: to nearest even.
  [
    "add.f16",
    "add",
    "f16",
    "f16",
    [0x3c00n, 0x1000n],
    0x3c00n,
    tie,
    "tie: to even, the neighbour whose last bit is 0: down",
  ],
  [
    "add.f16",
    "add",
    "f16",
    "f16",
    [0x3c01n, 0x1000n],
    0x3c02n,
    tie,
    "tie: to even, the neighbour whose last bit is 0: up",
  ],
  ["add.f16", "add", "f16", "f16", [0xbc01n, 0x9000n], 0xbc02n, tie, "last bit is 0: down to 0xbc02"],
  ["add.f16", "add", "f16", "f16", [0x3c00n, 0x1001n], 0x3c01n, "above the half", "to the nearest: up"],
  ["sub.f16", "sub", "f16", "f16", [0x3c00n, 0x8fffn], 0x3c00n, "below the half", "to the nearest: down"],
  ["mul.f16", "mul", "f16", "f16", [0x0401n, 0x3800n], 0x0200n, "below 2^-14 the step stays 2^-24", tie],
  ["mul.f16", "mul", "f16", "f16", [0x0001n, 0x3800n], 0x0000n, "subnormal", tie, "down to 0x0000"],
  ["mul.f16", "mul", "f16", "f16", [0x0400n, 0x3a00n], 0x0300n, "subnormal", "none: f16 holds it exactly"],
  ["mul.f16", "mul", "f16", "f16", [0x7bffn, 0x4000n], 0x7c00n, "half a step beyond it or more, overflow: infinity"],
  ["add.f16", "add", "f16", "f16", [0x7bffn, 0x4c00n], 0x7c00n, "the next step would be 65536", "overflow: infinity"],
  [
    "add.f16",
    "add",
    "f16",
    "f16",
    [0x7bffn, 0x4bffn],
    0x7bffn,
    "less than half a step beyond it",
    "the largest number",
  ],
  [
    "mul.ftz.f16",
    "mul",
    "f16",
    "f16",
    [0x0400n, 0x3800n],
    0x0000n,
    ".ftz",
    "is below 2^-14, the smallest normal number",
  ],
  ["add.sat.f16", "add", "f16", "f16", [0x3c00n, 0x1001n], 0x3c00n, "up to 0x3c01", "more than 1 becomes 1: 0x3c00"],
  // f16 and bf16 fma, rounded once.
  ["fma.rn.f16", "fma", "f16", "f16", [0x3e94n, 0x134cn, 0x3e22n], 0x3e23n, "0.499992...", "below the half"],
  ["fma.rn.f16", "fma", "f16", "f16", [0xc5b4n, 0x463bn, 0x5072n], 0x2784n, "the leading 11 bits cancel", "none:"],
  ["fma.rn.relu.f16", "fma", "f16", "f16", [0xbc01n, 0x3c01n, 0x0000n], 0x0000n, "negative, -0 too, becomes +0"],
  ["fma.rn.bf16", "fma", "bf16", "bf16", [0x3f80n, 0x3f80n, 0x3b80n], 0x3f80n, tie, "last bit is 0: down"],
  ["fma.rn.bf16", "fma", "bf16", "bf16", [0x3f81n, 0x3f80n, 0x3b80n], 0x3f82n, tie, "last bit is 0: up"],
  // f32: each rounding, both signs.
  ["add.rn.f32", "add", "f32", "f32", [0x3f800000n, 0x33800000n], 0x3f800000n, tie, "to even"],
  [
    "add.rz.f32",
    "add",
    "f32",
    "f32",
    [0x3f800001n, 0x33800000n],
    0x3f800001n,
    "toward zero, what is after the bar is cut",
  ],
  [
    "add.rp.f32",
    "add",
    "f32",
    "f32",
    [0x3f800000n, 0x00000001n],
    0x3f800001n,
    "less than 0.000001",
    "toward +infinity",
  ],
  ["add.rm.f32", "add", "f32", "f32", [0x3f800000n, 0x33800000n], 0x3f800000n, "toward -infinity", ": down"],
  ["add.rm.f32", "add", "f32", "f32", [0xbf800000n, 0xb3800000n], 0xbf800001n, "toward -infinity", ": down"],
  ["add.rp.f32", "add", "f32", "f32", [0xbf800000n, 0xb3800000n], 0xbf800000n, "toward +infinity", ": up"],
  ["add.rz.f32", "add", "f32", "f32", [0xbf800000n, 0xb3c00000n], 0xbf800000n, "below the half", "toward zero", ": up"],
  ["sub.f32", "sub", "f32", "f32", [0x3f800001n, 0x3f800000n], 0x34000000n, "bits cancel; nothing is lost", "none:"],
  [
    "mul.rz.f32",
    "mul",
    "f32",
    "f32",
    [0x7f7fffffn, 0x40000000n],
    0x7f7fffffn,
    "toward zero, overflow: the largest number",
  ],
  ["mul.rm.f32", "mul", "f32", "f32", [0xff7fffffn, 0x40000000n], 0xff800000n, "toward -infinity, overflow: -infinity"],
  [
    "mul.rp.f32",
    "mul",
    "f32",
    "f32",
    [0xff7fffffn, 0x40000000n],
    0xff7fffffn,
    "toward +infinity, overflow: the largest",
  ],
  ["mul.f32", "mul", "f32", "f32", [0x00ffffffn, 0x3f000000n], 0x00800000n, "subnormal", tie, "up to 0x00800000"],
  ["mul.ftz.f32", "mul", "f32", "f32", [0x00ffffffn, 0x3f000000n], 0x00000000n, "rounded as if exponents had no end"],
  // f64.
  ["add.rn.f64", "add", "f64", "f64", [0x3ff0000000000000n, 0x3ca0000000000000n], 0x3ff0000000000000n, tie, "down"],
  ["add.rp.f64", "add", "f64", "f64", [0x3ff0000000000000n, 0x0000000000000001n], 0x3ff0000000000001n, "[0 x "],
  [
    "fma.rn.f64",
    "fma",
    "f64",
    "f64",
    [0x3ff0000000000001n, 0x3ff0000000000001n, 0xbff0000000000002n],
    0x3970000000000000n,
    "cancel",
  ],
  [
    "mul.rn.f64",
    "mul",
    "f64",
    "f64",
    [0x0010000000000001n, 0x3fe0000000000000n],
    0x0008000000000000n,
    "subnormal",
    tie,
  ],
  // Quotients and roots.
  [
    "div.rn.f32",
    "div",
    "f32",
    "f32",
    [0x3f800000n, 0x40400000n],
    0x3eaaaaabn,
    "leaves a remainder",
    "0.666666...",
    ": up",
  ],
  ["div.rz.f32", "div", "f32", "f32", [0x3f800000n, 0x40400000n], 0x3eaaaaaan, "leaves a remainder", "toward zero"],
  ["div.rn.f32", "div", "f32", "f32", [0x40c00000n, 0x40000000n], 0x40400000n, "the division comes out even", "none:"],
  [
    "div.rn.f64",
    "div",
    "f64",
    "f64",
    [0xbff0000000000000n, 0x4008000000000000n],
    0xbfd5555555555555n,
    "0.666...",
    ": up",
  ],
  ["rcp.rp.f32", "rcp", "f32", "f32", [0x40400000n], 0x3eaaaaabn, "toward +infinity"],
  ["sqrt.rn.f32", "sqrt", "f32", "f32", [0x40000000n], 0x3fb504f3n, "irrational", "below the half"],
  ["sqrt.rp.f32", "sqrt", "f32", "f32", [0x40000000n], 0x3fb504f4n, "irrational", "toward +infinity"],
  ["sqrt.rn.f64", "sqrt", "f64", "f64", [0x4000000000000000n], 0x3ff6a09e667f3bcdn, "above the half"],
  ["sqrt.rn.f32", "sqrt", "f32", "f32", [0x40800000n], 0x40000000n, "the root comes out even", "none:"],
  // Conversions.
  ["cvt.rn.f16.f32", "cvt", "f32", "f16", [0x3f801000n], 0x3c00n, tie, "to even"],
  ["cvt.rz.f16.f32", "cvt", "f32", "f16", [0x477ff000n], 0x7bffn, "toward zero, overflow: the largest number"],
  ["cvt.rn.f16.f32", "cvt", "f32", "f16", [0x477ff000n], 0x7c00n, "half a step beyond it or more, overflow: infinity"],
  ["cvt.rn.bf16.f32", "cvt", "f32", "bf16", [0x3f808000n], 0x3f80n, tie, "to even"],
  ["cvt.rm.f16.f64", "cvt", "f64", "f16", [0xbff0000000000001n], 0xbc01n, "toward -infinity"],
  ["cvt.rz.tf32.f32", "cvt", "f32", "tf32", [0x3f803fffn], 0x3f802000n, "what is after the bar is cut"],
];

/** The exact result; of a root the square of it. */
function exactly(operation: Operation, from: FloatName, operands: readonly bigint[]): Fraction {
  const [a = fraction(0n), b = fraction(0n), c = fraction(0n)] = operands.map((bits) => decode(from, bits));
  switch (operation) {
    case "add":
      return plus(a, b);
    case "sub":
      return minus(a, b);
    case "mul":
      return times(a, b);
    case "fma":
      return plus(times(a, b), c);
    case "div":
      return over(a, b);
    case "rcp":
      return over(fraction(1n), a);
    case "sqrt":
    case "cvt":
      return a;
  }
}

/** The exact result against a number: by squares for a root, both being positive. */
const compared = (operation: Operation, exact: Fraction, number: Fraction): number =>
  against(exact, operation === "sqrt" ? times(number, number) : number);

describe("a rounding worked through", () => {
  it.each(
    cases.map((each) => [`${each[0]} of ${each[4].map((bits) => `0x${bits.toString(16)}`).join(", ")}`, each] as const),
  )("%s", (_, [opcode, operation, from, to, operands, result, ...says]) => {
    const { rows, text } = work(opcode, Object.fromEntries(operands.map((bits, at) => ["abc"[at] ?? "", bits])));
    for (const words of says) expect(text).toContain(words);

    const exact = exactly(operation, from, operands);
    const [binary = "", numbers = ""] = rows.get("exactly") ?? [];
    const parts = numbers.replace(/^= /, "").split(" = ");
    const decimal = readDecimal(parts.at(-1) ?? "");
    const size = (x: Fraction): Fraction => fraction(x.n < 0n ? -x.n : x.n, x.d);
    if (binary.includes("...")) {
      // Every bit and digit that is shown belongs to the exact result, which lies strictly above them in size.
      expect(compared(operation, size(exact), size(readBinary(binary)))).toBe(1);
      expect(compared(operation, size(exact), size(decimal.value))).toBe(1);
      expect(compared(operation, size(exact), plus(size(decimal.value), decimal.unit))).toBe(-1);
    } else {
      // A root that comes out even is its own proof.
      expect(compared(operation, exact, readBinary(binary))).toBe(0);
      if (parts.length === 2) expect(compared(operation, exact, readDyadic(parts[0] ?? ""))).toBe(0);
      const cut = numbers.endsWith("...") || /\.\.\.e/.test(numbers);
      expect(compared(operation, size(exact), size(decimal.value))).toBe(cut ? 1 : 0);
    }

    const neighbours = ["below", "above"].map((label) =>
      BigInt(/^0x[\da-f]+/.exec(rows.get(label)?.[0] ?? "")?.[0] ?? "-1"),
    );
    const [below = -1n, above = -1n] = neighbours;
    if (below >= 0n) {
      const [low, high] = [decode(to, below), decode(to, above)];
      const unit = to === "tf32" ? 0x2000n : 1n;
      expect(below > above ? below - above : above - below).toBe(unit);
      expect(compared(operation, exact, low)).toBe(1);
      expect(compared(operation, exact, high)).toBe(-1);
      const half = compared(operation, exact, over(plus(low, high), fraction(2n)));
      expect(rows.get("lies")?.[0]).toContain(["below the half", "a tie", "above the half"][half + 1]);
      const share = /^0\.\d+/.exec(rows.get("lies")?.[0] ?? "")?.[0];
      if (share !== undefined) {
        const { value, unit: last } = readDecimal(share);
        const at = (part: Fraction): Fraction => plus(low, times(part, minus(high, low)));
        expect(compared(operation, exact, at(value))).toBeGreaterThanOrEqual(0);
        expect(compared(operation, exact, at(plus(value, last)))).toBe(-1);
      }
    } else if (text.includes("holds it exactly")) {
      if (!/relu|ftz/.test(opcode)) expect(compared(operation, exact, decode(to, result))).toBe(0);
    } else {
      expect(rows.has("largest") || rows.has(".relu") || rows.has(".ftz")).toBe(true);
    }
    expect(rows.get("d")?.[0]).toContain(
      ` 0x${result.toString(16).padStart({ f16: 4, bf16: 4, f32: 8, tf32: 8, f64: 16, e4m3: 2, e5m2: 2 }[to], "0")} `,
    );
  });
});

describe("what is no rounding", () => {
  it.each<[string, Readonly<Record<string, number | bigint>>, ...string[]]>([
    ["add.rn.f32", { a: 0x3f800000, b: 0xbf800000 }, "cancels exactly: the zero is +0, in .rm alone -0"],
    ["add.rm.f32", { a: 0x3f800000, b: 0xbf800000 }, "the zero is -0 in .rm", "f32 0x80000000"],
    ["add.rn.f32", { a: 0x7f800000, b: 0xff800000 }, "infinity minus infinity is not a number", "0x7fffffff"],
    ["mul.rn.f32", { a: 0x7f800000, b: 0x80000000 }, "0 times infinity is not a number"],
    ["div.rn.f32", { a: 0x3f800000, b: 0x80000000 }, "a number by 0 is an infinity", "-infinity"],
    ["sqrt.rn.f32", { a: 0xbf800000 }, "a negative number has no root"],
    ["fma.rn.oob.f16", { a: 0x7ff7, b: 0x3c00, c: 0x3c00 }, "(bits(b) & 0x7fff) == 0x7ff7: true", "f16 0x0000"],
    ["div.approx.f32", { a: 0x3f800000, b: 0x7e800001 }, "a divisor above 2^126", "f32 0x00000000"],
    ["min.f16", { a: 0x7e01, b: 0x3c00 }, "a NaN gives way to the number", "f16 0x3c00"],
    ["min.NaN.f16", { a: 0x7e01, b: 0x3c00 }, ".NaN lets a NaN win", "f16 0x7fff"],
    ["max.f16", { a: 0x8000, b: 0x0000 }, "-0 counts as less than +0", "f16 0x0000"],
    ["neg.f16", { a: 0xfe01 }, "the canonical one of f16: 0x7fff"],
    ["testp.subnormal.f32", { a: 1 }, "subnormal(a)", "1 (true)"],
    ["setp.ltu.f32", { a: 0x7fc00000, b: 0 }, "there is a NaN: true", "1: it holds"],
    ["cvt.rni.s32.f32", { a: 0x40200000 }, "between 2 and 3, a tie: to the even one, 2"],
    ["cvt.rzi.u8.f32", { a: 0x43960000 }, "beyond 0 to 255 of u8: 255"],
    ["cvt.sat.u8.s32", { a: 0xffffffff }, "beyond 0 to 255 of u8: 0"],
    ["cvt.rn.satfinite.tf32.f32", { a: 0x7f800000 }, ".satfinite  the largest number"],
    ["cvt.rna.tf32.f32", { a: 0x3f801000 }, "half a unit of tf32 added", "tf32 0x3f802000"],
    ["cvt.f32.bf16", { a: 0x3f80 }, "the upper half of f32"],
    ["add.s32", { a: 0x7fffffff, b: 1 }, "a + b  2147483648", "-2147483648, 1 x 2^32 taken off"],
    ["add.sat.s32", { a: 0x7fffffff, b: 1 }, "beyond -2147483648 to 2147483647 of s32: 2147483647"],
    ["sub.u16", { a: 1, b: 2 }, "65535, 1 x 2^16 added"],
    ["div.s32", { a: 0xfffffff9, b: 2 }, "-7 = 2 * -3 + -1"],
    ["rem.u32", { a: 7, b: 0 }, "b != 0  0 = 0: false", "4294967295, 1 x 2^32 added"],
    ["mul.hi.s32", { a: 0xffffffff, b: 1 }, "t        -1: a * b", "t >> 32  -1", "s32 0xffffffff = -1"],
    ["mul24.lo.u32", { a: 0xff000002, b: 3 }, "a[23:0]  2", "t        6"],
    [
      "dp4a.s32.u32",
      { a: 0xff000000, b: 0xff000000, c: 0 },
      "Va[3]          -1",
      "Vb[3]          255",
      "Va[3] * Vb[3]  -255",
    ],
    [
      "lop3.b32",
      { a: 0xf0, b: 0xcc, c: 0xaa, immLut: 0x80 },
      "row7       0000_0000_0000_0000_0000_0000_1000_0000  0x00000080: a & b & c",
      "d          0x00000080",
    ],
    ["shl.b32", { a: 0x80000001, b: 1 }, "a << min(b, 32)", "0x0000000100000002", "the low 32 bits: 0x00000002"],
    ["shr.s32", { a: 0x80000000, b: 99 }, "min(b, 32)       32: 99 > 32", "a >> min(b, 32)  -1"],
    ["shf.l.wrap.b32", { a: 0x80000000, b: 1, c: 33 }, "c & 31              1", "0x00000003"],
    [
      "prmt.b32",
      { a: 0x00008000, b: 0x11223344, c: 0x7109 },
      "c[2:0]                    1",
      "byte0                     128",
      "d.b0                      255",
      "c[14:12]                  7",
      "d.b3                      17",
    ],
    [
      "bfe.s32",
      { a: 0xf00, b: 8, c: 4 },
      "pos                    8",
      "len                    4",
      "signed(a[pos +: len])  -1",
    ],
    [
      "bfi.b32",
      { a: 0xff, b: 0, c: 4, d: 4 },
      "field",
      "0x000000f0: (1 << len) - 1 << pos",
      "f                              0x000000f0",
    ],
    ["popc.b32", { a: 0xf0f0 }, "popc(a)  8"],
    ["clz.b64", { a: 1n }, "clz64(a)  63"],
    ["selp.b32", { a: 1, b: 2, c: 0 }, "0x00000002: c is 0, so b"],
    ["slct.b32.f32", { a: 1, b: 2, c: 0xbf800000 }, "-1 < 0: false", "d       0x00000002"],
    ["set.eq.u32.u32", { a: 5, b: 5 }, "a == b ? 0xffffffff : 0", "5 = 5: true"],
    ["cvt.s64.s8", { a: 0xff }, "s64 0xffffffffffffffff = -1"],
    ["add.f16x2", { a: 0x40003c00, b: 0x3c001000 }, "lane 0  bits 15 to 0", "lane 1  bits 31 to 16", "0x42003c00"],
    ["vadd.u32.u32.u32.sat", { a: 0xffffffff, b: 1 }, "tmp          4294967296", "optSaturate  4294967295"],
    [
      "vadd4.u32.u32.u32",
      { a: 0x01020304, b: 0x05060708, c: 0 },
      "Va[3]      1",
      "Vb[3]      5",
      "t[3]       6",
      "0x06080a0c",
    ],
    ["vmad.u32.u32.u32", { a: 3, b: 4, c: 5 }, "product           12", "product + addend  17"],
    ["ld.global.b32", { a: 0x100 }, "reads 32 bits of global memory"],
  ])("%s of %o says why", (opcode, values, ...says) => {
    const { text } = work(opcode, values);
    for (const words of says) expect(text).toContain(words);
  });

  it("shows carries in and out", () => {
    const { text } = work("addc.cc.u32", { a: 0xffffffff, b: 1 }, 1);
    expect(text).toContain("CF          1, CC.CF before");
    expect(text).toContain("a + b + CF  0x00000001 and a carry of 1");
    expect(work("sub.cc.u32", { a: 3, b: 5 }).text).toMatch(/CC\.CF +0$/);
  });
});

describe("a working that disagrees with its operation", () => {
  it("is a bug, and loud", () => {
    const found = match("add", ["f16"]);
    if (found.kind !== "forms") throw new Error("no add.f16");
    const plan = found.candidates[0].plan();
    if (plan.shape !== "compute") throw new Error("no compute");
    const held = (name: string) => ({ name, bits: 0x3c00n });
    expect(() => workAgreed(plan.op, [held("a"), held("b")], () => 0x3c01)).toThrow(
      "d = round.rn.f16(a + b): the working gives 0x4000, the machine 0x3c01",
    );
  });
});
