import { max, min, minus, plus, relation, shr, times } from "../../numeric/operation/build.ts";
import { calculation, onIntegers } from "./calculate.ts";
import { form } from "./define.ts";
import { integers, arithmetic as mixed, unsignedDwords } from "./types.ts";

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
