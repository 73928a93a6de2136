import {
  and,
  argument,
  choose,
  clamp,
  integral,
  is,
  minus,
  negated,
  operation,
  plus,
  predicate,
  relation,
  shr,
  slice,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { IntegerRelation } from "../../../../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import type { Type } from "../ast.ts";
import { factsOf, isFloat, isInteger } from "../type.ts";
import { calculation, intoFloat, sources, sourcesOf, takesOf, typeName } from "./calculate.ts";
import { type ChannelOperation, form, type Instance } from "./define.ts";
import { type FloatControl, type FloatType, floatControl } from "./float-control.ts";
import { anything, arithmetic, comparison, dwords, plainType } from "./types.ts";

/** Source `at`, converted into the destination; between equal types without modifiers the bits themselves. */
function converted(instance: Instance, at: number, control: FloatControl): Result {
  const [to] = instance.types;
  const from = sourcesOf(instance, 1)[at];
  if (to === undefined || from === undefined) throw new Error("a conversion without types");
  const name = typeName(to);
  const x = sources(instance, 1, control)[at] ?? argument(`src${at}`);
  if (isInteger(to) && isInteger(from)) return (instance.sat ? clamp : wrap)(name, x);
  // A NaN keeps its payload.
  if (to === from && instance.modifiers[1 + at] === undefined && !instance.sat)
    return wrap(`b${widthOf(name)}` as "b32", { node: "bits", name: `src${at}` });
  if (!isFloat(from) || !isInteger(to))
    return intoFloat(plainType(to) as FloatType, plainType(to) as FloatType, control, instance.sat, x);
  // Out of range clamps, with .sat or without; NaN is 0 (D/2_datatypes.md).
  return choose(is("notanumber", argument(`src${at}`)), wrap(name, 0), clamp(name, integral("rz", x)));
}

/** Whether a conversion depends on %cr0. */
const isControlled = (to: Type | undefined, from: readonly Type[]): boolean =>
  to !== undefined && [to, ...from].some((type) => isFloat(type));

function convert(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  const takes = takesOf(sourcesOf(instance, 1));
  const results = (cr0: number): readonly Operation[] => [
    operation(takes, typeName(to), converted(instance, 0, floatControl(cr0))),
  ];
  return isControlled(to, sourcesOf(instance, 1)) ? { controlled: results } : { results: results(0) };
}

/** The bits of a predicate as a number, from that of the first channel on. */
function fromPredicate({ types, first }: Instance): ChannelOperation {
  const type = typeName(types[0]);
  return {
    extra: "mask",
    results: [operation({ mask: "b32" }, type, wrap(type, shr(argument("mask"), first)))],
  };
}

/** src0 where the predicate holds, else src1, each converted into the destination. */
function select(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  const takes = { ...takesOf(sourcesOf(instance, 1)), P: "pred" } as const;
  return {
    extra: "predicate",
    controlled: (cr0) => {
      const control = floatControl(cr0);
      const [yes, no] = [converted(instance, 0, control), converted(instance, 1, control)];
      return [operation(takes, typeName(to), choose(argument("P"), yes, no))];
    },
  };
}

const unsigned = { 8: "ub", 16: "uw", 32: "ud", 64: "uq" } as const;

const relations: readonly IntegerRelation[] = ["eq", "ne", "gt", "ge", "lt", "le"];

/**
 * A predicate, or elements that are all ones or 0. A NaN is unequal to everything, and every other relation with it is
 * false.
 */
function comparing(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  // All ones stand in the bits of a float, too.
  const type = typeName(to === undefined || isInteger(to) ? to : unsigned[factsOf(to).bits]);
  const from = sourcesOf(instance, 1);
  const word = relations.find((each) => each === (instance.relation || "eq"));
  if (word === undefined) throw new Error(`there is no relation ${instance.relation}`);
  const results = (cr0: number): readonly Operation[] => {
    const [a, b] = sources(instance, 1, floatControl(cr0));
    const holds = relation(word === "ne" && !from.every(isInteger) ? "neu" : word, a, b);
    return [operation(takesOf(from), type, type === "pred" ? predicate(holds) : wrap(type, negated(holds)))];
  };
  return from.every(isInteger) ? { results: results(0) } : { controlled: results };
}

/** Bit i of an immediate for channel i; the lowest bit of an element. */
function setPredicate({ types, immediate, first }: Instance): ChannelOperation {
  const takes = takesOf([types[1]]);
  const src0 = argument("src0");
  if (!immediate[0]) return { results: [operation(takes, "pred", predicate(and(src0, 1)))] };
  const bit = slice(src0, minus(argument("lane"), first), 1);
  return { extra: "lane", results: [operation({ ...takes, lane: "u32" }, "pred", predicate(bit))] };
}

/** Addresses are the low words of global addresses, and offsets words or dwords. */
function addAddress({ types }: Instance): ChannelOperation {
  const bits = widthOf(typeName(types.find((type) => type !== undefined)));
  const takes = { src0: "u32", src1: `u${bits}` as "u32" } as const;
  return { results: [operation(takes, "u32", wrap("u32", plus(argument("src0"), argument("src1"))))] };
}

export const movement = [
  form("[(<P>)] MOV[.sat] (<exec_size>) <dst> <src0>", {
    opcode: 0x29,
    about: "conversion into the destination's type",
    kinds: { dst: ["elements", "address"], src0: ["elements", "immediate", "address", "predicate"] },
    types: anything,
    modifiers: "arithmetic",
    run: (instance) => (instance.types[1] === undefined ? fromPredicate(instance) : convert(instance)),
    check: [
      { types: ["d", "f"], sources: [0xbfc0_0000], gives: [0xffff_ffff] }, // -1.5 toward zero
      { types: ["hf", "f"], sources: [0x3f80_0000], gives: [0x3c00] },
      { types: ["f", "d"], sources: [0x0100_0001], gives: [0x4b80_0000] }, // 2^24 + 1, to even
      { types: ["ub", "d"], sat: true, sources: [300], gives: [255] },
      { types: ["f", "f"], sources: [0x7f80_0001], gives: [0x7f80_0001] },
    ],
  }),
  form("[(<P>)] SEL[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x2a,
    about: "src0 where the predicate holds, src1 elsewhere",
    types: arithmetic,
    modifiers: "arithmetic",
    run: select,
    check: [{ types: ["d", "w", "d"], sources: [0xffff, 5, 1], gives: [0xffff_ffff] }],
  }),
  form("CMP.<rel> (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x2c,
    about: "a predicate, or all ones or zeros: whether the relation holds",
    relations,
    kinds: { dst: ["elements", "predicate"] },
    types: comparison,
    modifiers: "arithmetic",
    run: comparing,
    check: [
      { types: ["ud", "d", "ud"], relation: "lt", sources: [0xffff_ffff, 0], gives: [0xffff_ffff] }, // -1 < 0
      { types: ["ud", "f", "f"], relation: "ge", sources: [0x7fc0_0000, 0], gives: [0] },
    ],
  }),
  form("MOVS (<exec_size>) <dst> <src0>", {
    opcode: 0x2d,
    about: "the index of a surface or sampler",
    kinds: { dst: ["state", "elements"], src0: ["state", "elements", "immediate"] },
    types: dwords,
    run: calculation((a) => a),
    check: [],
  }),
  form("SETP (<exec_size>) <dst> <src0>", {
    opcode: 0x2b,
    about: "a predicate from the bits of an immediate, or from the lowest bit of each element",
    kinds: { dst: ["predicate"] },
    types: (types) => (types.every((type) => isInteger(type)) ? undefined : "setp takes an integer"),
    run: setPredicate,
    check: [],
  }),
  form("ADDR_ADD (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x28,
    about: "moves addresses on by bytes",
    kinds: { dst: ["address"], src0: ["address", "address of"], src1: ["elements", "immediate"] },
    types: (types) =>
      types.every((type) => isInteger(type) && factsOf(type).bits <= 32) ? undefined : "addr_add takes uw, w, ud or d",
    run: addAddress,
    check: [],
  }),
];
