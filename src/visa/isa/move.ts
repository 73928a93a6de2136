import type { Bits, Op } from "../../numeric/op.ts";
import type { Type } from "../ast.ts";
import { factsOf, isFloat, isInteger } from "../type.ts";
import { nameOf, onIntegers, readers, sourcesOf, widthOf } from "./calculate.ts";
import { type ChannelOperation, form, type Instance } from "./define.ts";
import { anything, arithmetic, comparison, plainType } from "./types.ts";
import {
  compare,
  exactly,
  type FloatControl,
  type FloatType,
  floatControl,
  modifyInteger,
  readInteger,
  truncated,
  writeFloat,
  writeInteger,
} from "./value.ts";

/** A conversion; between equal types without modifiers the bits themselves, so that a NaN keeps its payload. */
function convert(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  const [from] = sourcesOf(instance, 1);
  if (to === undefined || from === undefined) throw new Error("mov without types");
  const modifier = instance.modifiers[1];
  if (isInteger(to) && isInteger(from)) return { results: [onIntegers("mov", (a) => a, instance, 1, to)] };
  if (to === from && modifier === undefined && !instance.sat)
    return {
      results: [{ name: nameOf("mov", instance), takes: [widthOf(from)], gives: widthOf(to), js: (a: Bits) => a }],
    };
  return {
    controlled: (cr0) => [
      {
        ...{ name: nameOf("mov", instance, cr0), takes: [widthOf(from)], gives: widthOf(to) },
        js: converter(instance, plainType(to), from, floatControl(cr0)),
      },
    ],
  };
}

function converter(instance: Instance, to: Type, from: Type, control: FloatControl): (bits: Bits) => Bits {
  if (isFloat(from)) {
    const [read] = readers(instance, 1, control);
    if (read === undefined) throw new Error("a conversion without a source");
    if (isFloat(to)) {
      const write = writeFloat(to as FloatType, to as FloatType, control, instance.sat);
      return (bits) => write(read(bits));
    }
    // Out of range clamps, with .sat or without (D/2_datatypes.md).
    const write = writeInteger(to, true);
    return (bits) => write(truncated(read(bits)));
  }
  const read = readInteger(from);
  const modify = modifyInteger(instance.modifiers[1]);
  const write = writeFloat(to as FloatType, to as FloatType, control, instance.sat);
  return (bits) => write(exactly(modify(read(bits))));
}

/** The bits of a predicate as a number, from that of the first channel on. */
function fromPredicate({ types, first }: Instance): ChannelOperation {
  const [to] = types;
  const width = widthOf(to);
  const js = (mask: number): Bits =>
    width === 64 ? BigInt(mask >>> first) : ((mask >>> first) & (2 ** width - 1)) >>> 0;
  return { extra: "mask", results: [{ name: `visa.mov.p.${width}.${first}`, takes: [32], gives: width, js }] };
}

/** src0 where the predicate holds, else src1, each converted into the destination. */
function select(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  const sources = sourcesOf(instance, 1);
  if (to === undefined) throw new Error("sel without types");
  const side = (at: 0 | 1, cr0: number): ((bits: Bits) => Bits) => {
    const type = sources[at] ?? to;
    const one: Instance = {
      ...instance,
      types: [to, type],
      modifiers: [undefined, instance.modifiers[1 + at]],
    };
    const meaning = convert(one);
    const [op] = "results" in meaning ? meaning.results : meaning.controlled(cr0);
    return op?.js as (bits: Bits) => Bits;
  };
  return {
    extra: "predicate",
    controlled: (cr0) => {
      const [yes, no] = [side(0, cr0), side(1, cr0)];
      return [
        {
          ...{ name: nameOf("sel", instance, cr0), gives: widthOf(to) },
          takes: [...sources.map(widthOf), 1],
          js: (a: Bits, b: Bits, p: number): Bits => (p ? yes(a) : no(b)),
        },
      ];
    },
  };
}

const relations: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** A predicate, or elements that are all ones or 0. */
function comparing(instance: Instance): ChannelOperation {
  const [to] = instance.types;
  const sources = sourcesOf(instance, 1);
  const holds = relations[instance.relation === "" ? "eq" : instance.relation];
  if (holds === undefined) throw new Error(`there is no relation ${instance.relation}`);
  const width = widthOf(to);
  const ones: Bits = width === 1 ? 1 : width === 64 ? 0xffff_ffff_ffff_ffffn : 2 ** width - 1;
  const none: Bits = width === 64 ? 0n : 0;
  const op = (name: string, test: (a: Bits, b: Bits) => boolean): Op => ({
    ...{ name, takes: sources.map(widthOf), gives: width },
    js: (a: Bits, b: Bits): Bits => (test(a, b) ? ones : none),
  });
  if (sources.every(isInteger)) {
    const [a, b] = sources.map((type, at) => {
      const [read, modify] = [readInteger(type), modifyInteger(instance.modifiers[1 + at])];
      return (bits: Bits): bigint => modify(read(bits));
    });
    if (a === undefined || b === undefined) throw new Error("cmp without sources");
    const order = (x: bigint, y: bigint): number => (x < y ? -1 : x > y ? 1 : 0);
    return { results: [op(nameOf("cmp", instance), (x, y) => holds(order(a(x), b(y))))] };
  }
  return {
    controlled: (cr0) => {
      const [a, b] = readers(instance, 1, floatControl(cr0));
      if (a === undefined || b === undefined) throw new Error("cmp without sources");
      return [
        op(nameOf("cmp", instance, cr0), (x, y) => {
          const [left, right] = [a(x), b(y)];
          // A NaN is unlike everything, and otherwise in no relation.
          if (left.kind === "nan" || right.kind === "nan") return instance.relation === "ne";
          return holds(compare(left, right));
        }),
      ];
    },
  };
}

/** Bit i of an immediate for channel i; the lowest bit of an element. */
function setPredicate({ types, immediate, first }: Instance): ChannelOperation {
  const width = widthOf(types[1]);
  if (immediate[0])
    return {
      extra: "lane",
      results: [
        {
          name: `visa.setp.bits.${first}`,
          takes: [width, 32],
          gives: 1,
          js: (a: Bits, lane: number) => Number((BigInt(a) >> BigInt(lane - first)) & 1n),
        },
      ],
    };
  return {
    results: [{ name: `visa.setp.${width}`, takes: [width], gives: 1, js: (a: Bits) => Number(BigInt(a) & 1n) }],
  };
}

/** Addresses are the low words of global addresses, and offsets words or dwords. */
const addAddress: Op = {
  ...{ name: "visa.addr_add", takes: [32, 32], gives: 32 },
  js: (a: number, b: number) => (a + b) >>> 0,
};

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
    relations: Object.keys(relations),
    kinds: { dst: ["elements", "predicate"] },
    types: comparison,
    modifiers: "arithmetic",
    run: comparing,
    check: [
      { types: ["ud", "d", "ud"], relation: "lt", sources: [0xffff_ffff, 0], gives: [0xffff_ffff] }, // -1 < 0
      { types: ["ud", "f", "f"], relation: "ge", sources: [0x7fc0_0000, 0], gives: [0] },
    ],
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
    run: ({ types }) => ({
      results: [{ ...addAddress, takes: [32, widthOf(types.find((type) => type !== undefined))] }],
    }),
    check: [],
  }),
];
