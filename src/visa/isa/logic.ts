import type { Op } from "../../numeric/op.ts";
import { factsOf } from "../type.ts";
import { onIntegers } from "./calculate.ts";
import { type ChannelOperation, form, type Instance, type OperandKind } from "./define.ts";
import { integers } from "./types.ts";

const either: Readonly<Record<string, readonly OperandKind[]>> = {
  dst: ["elements", "predicate"],
  src0: ["elements", "immediate", "predicate"],
  src1: ["elements", "immediate", "predicate"],
};

/** On the bits of integers, or on predicates. */
function bitwise(what: string, integer: (a: bigint, b: bigint) => bigint) {
  return (instance: Instance): ChannelOperation => {
    const [to] = instance.types;
    if (to !== undefined) return { results: [onIntegers(what, integer, instance, 1, to)] };
    const op: Op = {
      ...{ name: `visa.${what}.p`, takes: instance.types.slice(1).map(() => 1 as const), gives: 1 },
      js: (a: number, b?: number) => Number(integer(BigInt(a), BigInt(b ?? 0)) & 1n),
    };
    return { results: [op] };
  };
}

/** How far a shift goes: the count modulo the width that it executes in. */
const distance = ({ types }: Instance, count: bigint): bigint => {
  const wide = types.some((type) => type !== undefined && factsOf(type).bits === 64);
  return count & (wide ? 63n : 31n);
};

/** Bits below the sign of what executes: a dword, or a qword where there is one. */
const unsigned = (instance: Instance, value: bigint): bigint =>
  BigInt.asUintN(instance.types.some((type) => type !== undefined && factsOf(type).bits === 64) ? 64 : 32, value);

const shift =
  (what: string, meaning: (instance: Instance, a: bigint, by: bigint) => bigint) =>
  (instance: Instance): ChannelOperation => {
    const [to] = instance.types;
    if (to === undefined) throw new Error(`${what} without a destination`);
    return { results: [onIntegers(what, (a, b) => meaning(instance, a, distance(instance, b)), instance, 1, to)] };
  };

export const logic = [
  form("[(<P>)] AND (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x20,
    about: "bit-wise and",
    ...{ kinds: either, types: integers, modifiers: "logic" },
    run: bitwise("and", (a, b) => a & b),
    check: [
      { types: ["ud", "ud", "ud"], modifiers: [undefined, undefined, "not"], sources: [0xff, 0x0f], gives: [0xf0] },
    ],
  }),
  form("[(<P>)] OR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x21,
    about: "bit-wise or",
    ...{ kinds: either, types: integers, modifiers: "logic" },
    run: bitwise("or", (a, b) => a | b),
    check: [{ types: ["ud", "ud", "ud"], sources: [0xf0, 0x0f], gives: [0xff] }],
  }),
  form("[(<P>)] XOR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x22,
    about: "bit-wise exclusive or",
    ...{ kinds: either, types: integers, modifiers: "logic" },
    run: bitwise("xor", (a, b) => a ^ b),
    check: [{ types: ["uw", "uw", "uw"], sources: [0xff00, 0x0ff0], gives: [0xf0f0] }],
  }),
  form("[(<P>)] NOT (<exec_size>) <dst> <src0>", {
    opcode: 0x23,
    about: "bit-wise inversion",
    ...{ kinds: either, types: integers, modifiers: "logic" },
    run: bitwise("not", (a) => ~a),
    check: [{ types: ["ub", "ub"], sources: [0x0f], gives: [0xf0] }],
  }),
  form("[(<P>)] SHL[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x24,
    about: "shift left; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift("shl", (_, a, by) => a << by),
    check: [{ types: ["ud", "ud", "ud"], sources: [1, 33], gives: [2] }],
  }),
  form("[(<P>)] SHR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x25,
    about: "shift right with zeros; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift("shr", (instance, a, by) => unsigned(instance, a) >> by),
    check: [{ types: ["ud", "d", "ud"], sources: [0x8000_0000, 4], gives: [0x0800_0000] }],
  }),
  form("[(<P>)] ASR (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x26,
    about: "shift right with the sign; the count is taken modulo 32, or 64 with qwords",
    types: integers,
    modifiers: "arithmetic",
    run: shift("asr", (_, a, by) => a >> by),
    check: [{ types: ["d", "d", "ud"], sources: [0x8000_0000, 4], gives: [0xf800_0000] }],
  }),
];
