import {
  max,
  min,
  minus,
  plus,
  relation,
  shr,
  signedSlice,
  slice,
  times,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Type } from "../ast.ts";
import { calculation, type Meaning, onIntegers } from "./calculate.ts";
import { form } from "./define.ts";
import { dwords, integers, arithmetic as mixed, unsignedDwords } from "./types.ts";

/** Sums, products and related operations. Integers are exact until they are cut or clamped into the destination. */
export const arithmetic = [
  form("[(<P>)] ADD[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x01,
    about: "component-wise addition",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation((a, b) => plus(a, b)),
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
    run: calculation((a, b) => shr(plus(a, b, 1), 1)),
    check: [{ types: ["ub", "ub", "ub"], sources: [4, 7], gives: [6] }],
  }),
  form("[(<P>)] MUL[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x10,
    about: "component-wise multiplication",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation((a, b) => times(a, b)),
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
    run: calculation((a, b, c) => plus(times(a, b), c)),
    check: [
      { types: ["d", "d", "d", "d"], sources: [3, 0xffff_fffe, 7], gives: [1] },
      // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24; a product rounded by itself would give 0.
      { types: ["f", "f", "f", "f"], sources: [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], gives: [0x3380_0000] },
    ],
  }),
  form("[(<P>)] ADD3[.sat] (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x84,
    about: "the sum of three",
    types: integers,
    modifiers: "arithmetic",
    run: calculation((a, b, c) => plus(a, b, c)),
    check: [
      { types: ["d", "d", "w", "d"], sources: [10, 0xffff, 0xffff_fff0], gives: [0xffff_fff9] },
      { types: ["d", "d", "d", "d"], sat: true, sources: [0x7fff_ffff, 1, 0xffff_ffff], gives: [0x7fff_ffff] },
    ],
  }),
  form("[(<P>)] MULH (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x0d,
    about: "the high dword of a product",
    types: dwords,
    modifiers: "arithmetic",
    run: calculation((a, b) => shr(times(a, b), 32)),
    check: [
      { types: ["ud", "ud", "ud"], sources: [0xffff_ffff, 0xffff_ffff], gives: [0xffff_fffe] },
      { types: ["d", "d", "d"], sources: [0xffff_ffff, 3], gives: [0xffff_ffff] },
    ],
  }),
  form("[(<P>)] MADW (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x91,
    about: "src0 * src1 + src2 in 64 bits: the low dwords, and behind them, from a register on, the high ones",
    types: dwords,
    modifiers: "arithmetic",
    wide: true,
    run: (instance) => {
      const [to = "ud"] = instance.types;
      return {
        results: [
          onIntegers((a, b, c) => plus(times(a, b), c), instance, 1, to),
          onIntegers((a, b, c) => shr(plus(times(a, b), c), 32), instance, 1, to),
        ],
      };
    },
    check: [],
  }),
  form("[(<P>)] DP4A[.sat] (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x82,
    about: "the products of four bytes, and src0, summed",
    types: dwords,
    run: (instance) => {
      const [to = "d", , one, other] = instance.types;
      const byte = (type: Type | undefined, x: Expression, at: number) =>
        type === "d" ? signedSlice(x, 8 * at, 8) : slice(x, 8 * at, 8);
      const product = (a: Expression, b: Expression, at: number) => times(byte(one, a, at), byte(other, b, at));
      const sum: Meaning = (c, a, b) => plus(c, product(a, b, 0), product(a, b, 1), product(a, b, 2), product(a, b, 3));
      return { results: [onIntegers(sum, instance, 1, to)] };
    },
    check: [
      { types: ["d", "d", "d", "d"], sources: [5, 0xff02_0301, 0x0404_0404], gives: [25] }, // -1 + 2 + 3 + 1 = 5
      { types: ["ud", "ud", "ud", "ud"], sources: [1, 0xff00_0000, 0x0200_0000], gives: [511] },
    ],
  }),
  form("[(<P>)] MIN (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x45,
    about: "the smaller of two; of a number and a NaN the number",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation((a, b) => min(a, b)),
    check: [{ types: ["d", "d", "d"], sources: [0xffff_ffff, 1], gives: [0xffff_ffff] }],
  }),
  form("[(<P>)] MAX (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x45,
    about: "the greater of two; of a number and a NaN the number",
    types: mixed,
    modifiers: "arithmetic",
    run: calculation((a, b) => max(a, b)),
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
        onIntegers((a, b) => plus(a, b), instance, 2, "ud"),
        onIntegers((a, b) => shr(plus(a, b), 32), instance, 2, "ud"),
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
        onIntegers((a, b) => minus(a, b), instance, 2, "ud"),
        onIntegers((a, b) => relation("lt", a, b), instance, 2, "ud"),
      ],
    }),
    check: [{ types: ["ud", "ud", "ud", "ud"], sources: [1, 2], gives: [0xffff_ffff, 1] }],
  }),
];
