import {
  and,
  minus,
  negated,
  not,
  ones,
  or,
  relation,
  reversed,
  select,
  shl,
  shr,
  signedSlice,
  slice,
  zerosAbove,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Type } from "../ast.ts";
import { factsOf } from "../type.ts";
import { calculation, type Meaning, onIntegers } from "./calculate.ts";
import { type ChannelOperation, form, type Instance } from "./define.ts";
import { dwords, integers } from "./types.ts";

/** The result when no bit is found: all ones. */
const NOWHERE = 0xffff_ffff;

/** A signed value as the unsigned number with its bits. */
const dword = (x: Expression): Expression => slice(x, 0, 32);

/** The position of the first 1, from one side; all ones where there is none. */
const found = (x: Expression, at: Expression): Expression => select(relation("eq", x, 0), NOWHERE, at);

/** On integers, and on the types of the operands. */
const typed =
  (meaning: (types: Instance["types"]) => Meaning) =>
  (instance: Instance): ChannelOperation => {
    const [to = "ud"] = instance.types;
    return { results: [onIntegers(meaning(instance.types), instance, 1, to)] };
  };

const rotation = (turn: (x: Expression, by: Expression, bits: number) => Expression) =>
  typed(([, from = "ud"]) => {
    const { bits } = factsOf(from);
    return (a, b) => turn(slice(a, 0, bits), b, bits);
  });

/** Bit k of the control is the result where src0 has bit 0 of k, src1 bit 1 and src2 bit 2. */
function booleanFunction(control: number): Meaning {
  return (a, b, c) => {
    const where = (x: Expression, set: number): Expression => (set === 0 ? not(x) : x);
    const terms = Array.from({ length: 8 }, (_, k) => k)
      .filter((k) => (control >> k) & 1)
      .map((k) => and(and(where(a, k & 1), where(b, k & 2)), where(c, k & 4)));
    return terms.length === 0 ? 0 : terms.reduce((sum, term) => or(sum, term));
  };
}

/** `x0` to `xff`, and with two digits. */
const controls = Array.from({ length: 256 }, (_, control) => control.toString(16)).flatMap((digits) =>
  digits.length < 2 ? [`x${digits}`, `x0${digits}`] : [`x${digits}`],
);

const fieldTypes = (types: readonly Type[]): string | undefined => dwords(types);

/** Counting, finding, moving and combining single bits. */
export const bits = [
  form("[(<P>)] CBIT (<exec_size>) <dst> <src0>", {
    opcode: 0x27,
    about: "how many bits are 1",
    types: (types) =>
      types[0] === "ud" && ["ub", "uw", "ud"].includes(types[1] ?? "")
        ? undefined
        : "cbit takes ub, uw or ud, and gives ud",
    run: calculation((a) => ones(a)),
    check: [{ types: ["ud", "ud"], sources: [0xf000_0001], gives: [5] }],
  }),
  form("[(<P>)] FBL (<exec_size>) <dst> <src0>", {
    opcode: 0x2e,
    about: "where the lowest 1 is; all ones where there is none",
    // IGC 1 gives it predicates of 16 channels, too, as uw.
    types: (types) => (types[0] === "ud" && types[1] === "uw" ? undefined : dwords(types)),
    run: calculation((a) => found(a, zerosAbove(32, reversed(32, dword(a))))),
    check: [
      { types: ["ud", "ud"], sources: [0x80], gives: [7] },
      { types: ["ud", "ud"], sources: [0], gives: [0xffff_ffff] },
      { types: ["ud", "uw"], sources: [0x8000], gives: [15] },
      { types: ["ud", "uw"], sources: [0], gives: [0xffff_ffff] },
    ],
  }),
  form("[(<P>)] FBH (<exec_size>) <dst> <src0>", {
    opcode: 0x2f,
    about: "how many bits above the highest are like the sign, or 0 of what is unsigned; all ones where all are",
    types: (types) => (types[0] === "ud" ? dwords(types) : "fbh gives ud"),
    run: typed(([, from]) => (a) => {
      const x = from === "d" ? select(relation("lt", a, 0), not(a), a) : a;
      return found(x, zerosAbove(32, x));
    }),
    check: [
      { types: ["ud", "ud"], sources: [0x0080_0000], gives: [8] },
      { types: ["ud", "d"], sources: [0xff80_0000], gives: [9] },
      { types: ["ud", "d"], sources: [0xffff_ffff], gives: [0xffff_ffff] },
    ],
  }),
  form("[(<P>)] LZD[.sat] (<exec_size>) <dst> <src0>", {
    opcode: 0x1f,
    about: "the zeros above the highest 1",
    types: dwords,
    run: calculation((a) => zerosAbove(32, dword(a))),
    check: [
      { types: ["ud", "ud"], sources: [0x0001_0000], gives: [15] },
      { types: ["ud", "ud"], sources: [0], gives: [32] },
    ],
  }),
  form("[(<P>)] BFREV (<exec_size>) <dst> <src0>", {
    opcode: 0x48,
    about: "the bits in reverse",
    types: dwords,
    run: calculation((a) => reversed(32, dword(a))),
    check: [{ types: ["ud", "ud"], sources: [0x0000_0003], gives: [0xc000_0000] }],
  }),
  form("[(<P>)] BFE (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x46,
    about: "src0 bits of src2 from bit src1 on, with a sign where the destination has one",
    types: fieldTypes,
    run: typed(([to]) => (width, offset, from) => {
      const [low, count] = [and(offset, 31), and(width, 31)];
      return to === "d" ? signedSlice(from, low, count) : slice(from, low, count);
    }),
    check: [
      { types: ["ud", "ud", "ud", "ud"], sources: [8, 4, 0x0000_0ff5], gives: [0xff] },
      { types: ["d", "ud", "ud", "ud"], sources: [8, 4, 0x0000_0ff5], gives: [0xffff_ffff] },
      { types: ["ud", "ud", "ud", "ud"], sources: [32, 4, 0xffff_ffff], gives: [0] },
    ],
  }),
  form("[(<P>)] BFI (<exec_size>) <dst> <src0> <src1> <src2> <src3>", {
    opcode: 0x47,
    about: "src3 with the lowest src0 bits of src2 in it, from bit src1 on",
    types: fieldTypes,
    run: calculation((width, offset, from, into) => {
      const at = and(offset, 31);
      const mask = shl(minus(shl(1, and(width, 31)), 1), at);
      return or(and(shl(from, at), mask), and(into, not(mask)));
    }),
    check: [{ types: ["ud", "ud", "ud", "ud", "ud"], sources: [8, 4, 0xabc, 0xffff_ffff], gives: [0xffff_fbcf] }],
  }),
  form("[(<P>)] BFN.x[BooleanFuncCtrl] (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x85,
    about: "a function of three bits: bit src0 + 2 * src1 + 4 * src2 of its control",
    relations: controls,
    types: integers,
    run: (instance) => {
      const [to = "ud"] = instance.types;
      const control = Number.parseInt(instance.relation.slice(1), 16);
      return { results: [onIntegers(booleanFunction(control), instance, 1, to)] };
    },
    check: [
      {
        types: ["ud", "ud", "ud", "ud"],
        relation: "x96",
        sources: [0b11110000, 0b11001100, 0b10101010],
        gives: [0b10010110],
      },
      {
        types: ["ud", "ud", "ud", "ud"],
        relation: "xe8",
        sources: [0b11110000, 0b11001100, 0b10101010],
        gives: [0b11101000],
      },
      { types: ["ud", "ud", "ud", "ud"], relation: "xfe", sources: [1, 2, 4], gives: [7] },
    ],
  }),
  form("[(<P>)] ROL (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x80,
    about: "turns the bits of src0 to the left",
    types: integers,
    run: rotation((x, by, size) => or(shl(x, and(by, size - 1)), shr(x, and(negated(by), size - 1)))),
    check: [
      { types: ["ud", "ud", "ud"], sources: [0x8000_0001, 4], gives: [0x18] },
      { types: ["uw", "uw", "uw"], sources: [0x8001, 20], gives: [0x18] },
      { types: ["d", "d", "d"], sources: [0xf000_0000, 0], gives: [0xf000_0000] },
    ],
  }),
  form("[(<P>)] ROR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x81,
    about: "turns the bits of src0 to the right",
    types: integers,
    run: rotation((x, by, size) => or(shr(x, and(by, size - 1)), shl(x, and(negated(by), size - 1)))),
    check: [{ types: ["ud", "ud", "ud"], sources: [0x18, 4], gives: [0x8000_0001] }],
  }),
];
