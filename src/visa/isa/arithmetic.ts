import type { Exact } from "../../numeric/exact/exact.ts";
import { add, mul } from "../../numeric/exact/exact.ts";
import { calculation, onIntegers } from "./calculate.ts";
import { form } from "./define.ts";
import { integers, arithmetic as mixed, unsignedDwords } from "./types.ts";
import { compare } from "./value.ts";

/** Sums, products and what is like them. Integers are exact until they are cut or clamped into the destination. */
export const arithmetic = [
  form("[(<P>)] ADD[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x01,
    about: "component-wise addition",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation(
      "add",
      (a, b) => a + b,
      (a, b, _, rounding) => add(a, b, rounding),
    ),
    check: [
      { types: ["d", "d", "d"], sources: [0x7fff_ffff, 1], gives: [0x8000_0000] },
      { types: ["d", "d", "d"], sat: true, sources: [0x7fff_ffff, 1], gives: [0x7fff_ffff] },
      { types: ["d", "w", "uw"], sources: [0x8000, 0xffff], gives: [0x7fff] }, // -32768 + 65535
      { types: ["f", "f", "f"], sources: [0x3f80_0000, 0x4000_0000], gives: [0x4040_0000] },
      { types: ["f", "f", "f"], sources: [0x0000_0001, 0x8000_0000], gives: [0] }, // a denormal is flushed
    ],
  }),
  form("[(<P>)] AVG[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x02,
    about: "half of the sum and one, rounded down",
    types: integers,
    modifiers: "arithmetic",
    run: calculation("avg", (a, b) => (a + b + 1n) >> 1n, never),
    check: [{ types: ["ub", "ub", "ub"], sources: [4, 7], gives: [6] }],
  }),
  form("[(<P>)] MUL[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x10,
    about: "component-wise multiplication",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation("mul", (a, b) => a * b, mul),
    check: [
      { types: ["d", "d", "d"], sources: [0x0001_0000, 0x0001_0001], gives: [0x0001_0000] },
      { types: ["q", "d", "d"], sources: [0x8000_0000, 0x8000_0000], gives: [0x4000_0000_0000_0000n] },
      { types: ["hf", "hf", "hf"], sources: [0x4000, 0x4200], gives: [0x4600] }, // 2 * 3
    ],
  }),
  form("[(<P>)] MAD[.sat] (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x0c,
    about: "src0 * src1 + src2; on floats rounded once",
    saturatesFloats: true,
    types: mixed,
    modifiers: "arithmetic",
    run: calculation(
      "mad",
      (a, b, c) => a * b + c,
      (a, b, c, rounding) => add(mul(a, b), c, rounding),
    ),
    check: [
      { types: ["d", "d", "d", "d"], sources: [3, 0xffff_fffe, 7], gives: [1] },
      // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24; a product rounded by itself would give 0.
      { types: ["f", "f", "f", "f"], sources: [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], gives: [0x3380_0000] },
    ],
  }),
  form("[(<P>)] MIN (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x45,
    about: "the smaller of two; of a number and a NaN the number",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation(
      "min",
      (a, b) => ordered(a, b)[0],
      (a, b) => extremum(a, b, -1),
    ),
    check: [{ types: ["d", "d", "d"], sources: [0xffff_ffff, 1], gives: [0xffff_ffff] }],
  }),
  form("[(<P>)] MAX (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x45,
    about: "the greater of two; of a number and a NaN the number",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation(
      "max",
      (a, b) => ordered(a, b)[1],
      (a, b) => extremum(a, b, 1),
    ),
    check: [
      { types: ["d", "d", "d"], sources: [0xffff_ffff, 1], gives: [1] },
      { types: ["f", "f", "f"], sources: [0x7fc0_0000, 0xbf80_0000], gives: [0xbf80_0000] },
    ],
  }),
  form("[(<P>)] ADDC (<exec_size>) <dst> <carry> <src0> <src1>", {
    opcode: 0x49,
    about: "the sum, and 1 in the second destination where it does not fit",
    types: unsignedDwords,
    run: (instance) => ({
      results: [
        onIntegers("addc", (a, b) => a + b, instance, 2, "ud"),
        onIntegers("addc.carry", (a, b) => (a + b) >> 32n, instance, 2, "ud"),
      ],
    }),
    check: [{ types: ["ud", "ud", "ud", "ud"], sources: [0xffff_ffff, 2], gives: [1, 1] }],
  }),
  form("[(<P>)] SUBB (<exec_size>) <dst> <carry> <src0> <src1>", {
    opcode: 0x4a,
    about: "the difference, and 1 in the second destination where it borrows",
    types: unsignedDwords,
    run: (instance) => ({
      results: [
        onIntegers("subb", (a, b) => a - b, instance, 2, "ud"),
        onIntegers("subb.borrow", (a, b) => (a < b ? 1n : 0n), instance, 2, "ud"),
      ],
    }),
    check: [{ types: ["ud", "ud", "ud", "ud"], sources: [1, 2], gives: [0xffff_ffff, 1] }],
  }),
];

const ordered = (a: bigint, b: bigint): readonly [bigint, bigint] => (a < b ? [a, b] : [b, a]);

function never(): Exact {
  throw new Error("an operation on integers met floats");
}

function extremum(a: Exact, b: Exact, side: 1 | -1): Exact {
  if (a.kind === "nan") return b;
  if (b.kind === "nan") return a;
  const order = compare(a, b);
  // Of two zeros the one that the sign puts on that side.
  if (order === 0) return a.neg === side < 0 ? a : b;
  return order === side ? a : b;
}
