import {
  and,
  argument,
  not,
  operation,
  or,
  predicate,
  shl,
  shr,
  slice,
  xor,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import { factsOf } from "../type.ts";
import { type Meaning, onIntegers, takesOf } from "./calculate.ts";
import { type ChannelOperation, form, type Instance, type OperandKind } from "./define.ts";
import { integers } from "./types.ts";

const either: Readonly<Record<string, readonly OperandKind[]>> = {
  dst: ["elements", "predicate"],
  src0: ["elements", "immediate", "predicate"],
  src1: ["elements", "immediate", "predicate"],
};

/** On the bits of integers, or on predicates. */
const bitwise =
  (meaning: Meaning) =>
  (instance: Instance): ChannelOperation => {
    const [to, ...from] = instance.types;
    if (to !== undefined) return { results: [onIntegers(meaning, instance, 1, to)] };
    const [a, b] = [argument("src0"), argument("src1")];
    // Only the lowest bit of a predicate is used.
    return { results: [operation(takesOf(from), "pred", predicate(slice(meaning(a, b, b, b), 0, 1)))] };
  };

/** The execution width is 64 bits where any operand has them, else 32: shifts count modulo that. */
const executionBits = ({ types }: Instance): 32 | 64 =>
  types.some((type) => type !== undefined && factsOf(type).bits === 64) ? 64 : 32;

const shift =
  (meaning: (a: Expression, by: Expression, bits: 32 | 64) => Expression) =>
  (instance: Instance): ChannelOperation => {
    const [to] = instance.types;
    if (to === undefined) throw new Error("a shift without a destination");
    const bits = executionBits(instance);
    const shifted: Meaning = (a, b) => meaning(a, and(b, bits - 1), bits);
    return { results: [onIntegers(shifted, instance, 1, to)] };
  };

export const logic = [
  form("[(<P>)] AND (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x20,
    about: "bit-wise and",
    kinds: either,
    types: integers,
    modifiers: "logic",
    run: bitwise((a, b) => and(a, b)),
    check: [
      { types: ["ud", "ud", "ud"], modifiers: [undefined, undefined, "not"], sources: [0xff, 0x0f], gives: [0xf0] },
    ],
  }),
  form("[(<P>)] OR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x21,
    about: "bit-wise or",
    kinds: either,
    types: integers,
    modifiers: "logic",
    run: bitwise((a, b) => or(a, b)),
    check: [{ types: ["ud", "ud", "ud"], sources: [0xf0, 0x0f], gives: [0xff] }],
  }),
  form("[(<P>)] XOR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x22,
    about: "bit-wise exclusive or",
    kinds: either,
    types: integers,
    modifiers: "logic",
    run: bitwise((a, b) => xor(a, b)),
    check: [{ types: ["uw", "uw", "uw"], sources: [0xff00, 0x0ff0], gives: [0xf0f0] }],
  }),
  form("[(<P>)] NOT (<exec_size>) <dst> <src0>", {
    opcode: 0x23,
    about: "bit-wise inversion",
    kinds: either,
    types: integers,
    modifiers: "logic",
    run: bitwise((a) => not(a)),
    check: [{ types: ["ub", "ub"], sources: [0x0f], gives: [0xf0] }],
  }),
  form("[(<P>)] SHL[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x24,
    about: "shift left; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift((a, by) => shl(a, by)),
    check: [{ types: ["ud", "ud", "ud"], sources: [1, 33], gives: [2] }],
  }),
  form("[(<P>)] SHR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x25,
    about: "shift right with zeros; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift((a, by, bits) => shr(slice(a, 0, bits), by)),
    check: [{ types: ["ud", "d", "ud"], sources: [0x8000_0000, 4], gives: [0x0800_0000] }],
  }),
  form("[(<P>)] ASR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x26,
    about: "shift right with the sign; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift((a, by) => shr(a, by)),
    check: [{ types: ["d", "d", "ud"], sources: [0x8000_0000, 4], gives: [0xf800_0000] }],
  }),
];
