import {
  and,
  argument,
  bits,
  choose,
  max,
  min,
  minus,
  operation,
  or,
  plus,
  relation,
  rounded,
  select,
  wrap,
  xor,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { type TypeName, widthOf } from "../../../../src/numeric/operation/type.ts";
import type * as ast from "../ast.ts";
import { typeName } from "./calculate.ts";
import type { Form, Message, Update } from "./define.ts";
import { message } from "./message.ts";

type Bits = 16 | 32 | 64;

/** The new value of an atomic operation: from the old one, from b, and from c where it compares. */
interface Rule {
  readonly new: (held: Expression, b: Expression, c: Expression) => Expression;
  readonly signed?: true;
  /** It works on floats: rounded to nearest, denormals kept; memory ignores %cr0. */
  readonly float?: true;
  /** The value of b, where the line does not have it. */
  readonly constant?: bigint;
  readonly compares?: true;
  readonly replaces?: true;
}

const add: Rule = { new: (held, b) => plus(held, b) };
const sub: Rule = { new: (held, b) => minus(held, b) };
const lesser: Rule = { new: (held, b) => min(held, b) };
const greater: Rule = { new: (held, b) => max(held, b) };
const exchange: Rule = { new: (_, b) => b, replaces: true };
/** b where memory holds c. */
const compare: Rule = { new: (held, b, c) => select(relation("eq", held, c), b, held), compares: true };
const both: Rule = { new: (held, b) => and(held, b) };
const either: Rule = { new: (held, b) => or(held, b) };
const different: Rule = { new: (held, b) => xor(held, b) };

/** The operations by their words (D/instructions/DWORD_ATOMIC.md); imin and imax stand in dumps as minsint and maxsint. */
const rules: Readonly<Record<string, Rule>> = {
  add,
  sub,
  min: lesser,
  max: greater,
  xchg: exchange,
  cmpxchg: compare,
  and: both,
  or: either,
  xor: different,
  inc: { ...add, constant: 1n },
  dec: { ...sub, constant: 1n },
  fadd: { ...add, float: true },
  fsub: { ...sub, float: true },
  fmin: { ...lesser, float: true },
  fmax: { ...greater, float: true },
  fcmpwr: { ...compare, float: true },
  imin: { ...lesser, signed: true },
  imax: { ...greater, signed: true },
  minsint: { ...lesser, signed: true },
  maxsint: { ...greater, signed: true },
};

/** The same by the mnemonics of lsc_atomic_*. */
const ofData: Readonly<Record<string, Rule>> = {
  iadd: add,
  isub: sub,
  umin: lesser,
  umax: greater,
  store: exchange,
  icas: compare,
  and: both,
  or: either,
  xor: different,
  iinc: { ...add, constant: 1n },
  idec: { ...sub, constant: 1n },
  load: { ...either, constant: 0n },
  fadd: { ...add, float: true },
  fsub: { ...sub, float: true },
  fmin: { ...lesser, float: true },
  fmax: { ...greater, float: true },
  fcas: { ...compare, float: true },
  smin: { ...lesser, signed: true },
  smax: { ...greater, signed: true },
};

const floats = { 16: "hf", 32: "f", 64: "df" } as const;

/** A comparison leaves the exact bits; a computed value is rounded. */
function ofFloats(rule: Rule, takes: Readonly<Record<string, TypeName>>, float: "hf" | "f" | "df"): Operation {
  const [held, b, c] = [argument("held"), argument("b"), argument("c")];
  const type = typeName(float);
  if (!rule.compares) return operation(takes, type, rounded(`visa.${float}`, { rnd: "rn" }, rule.new(held, b, c)));
  const plain = `b${widthOf(type)}` as TypeName;
  return operation(takes, type, choose(relation("eq", held, c), wrap(plain, bits(b)), wrap(plain, bits(held))));
}

/** `first` compares: of lsc_atomic_icas src0 is what memory is compared with, of others src1. */
function updateOf(rule: Rule, bits: Bits, comparesFirst: boolean): Update {
  const float = floats[bits];
  const type: TypeName = rule.float ? typeName(float) : `${rule.signed ? "s" : "u"}${bits}`;
  const takes = { held: type, b: type, ...(rule.compares ? { c: type } : {}) };
  const left = rule.new(argument("held"), argument("b"), argument("c"));
  const sources = rule.compares ? (comparesFirst ? ["src1", "src0"] : ["src0", "src1"]) : ["src0"];
  return {
    op: rule.float ? ofFloats(rule, takes, float) : operation(takes, type, wrap(type, left)),
    ...(rule.replaces ? { replaces: true as const } : {}),
    ...(rule.constant === undefined ? { sources } : { sources: [], constant: rule.constant }),
  };
}

const asked = (bits: Bits, update: Update): Message => ({
  does: "atomic",
  update,
  bits,
  held: bits === 64 ? 64 : 32,
  elements: [0],
  block: false,
});

/** The operation, and 16 or 64 for its width. */
const byWord =
  (...widths: readonly string[]) =>
  ({ modifiers, opcode }: ast.Instruction): Message | string => {
    const [word, width] = modifiers.map(({ text }) => text);
    const rule = rules[word ?? ""];
    if (rule === undefined) return `${opcode.text} takes one of .${Object.keys(rules).join(", .")}`;
    if (width !== undefined && !widths.includes(width)) return `${opcode.text} takes no .${width}`;
    const bits = width === undefined ? 32 : (Number(width) as Bits);
    return asked(bits, updateOf(rule, bits, false));
  };

const bySize =
  (rule: Rule) =>
  ({ operands, opcode }: ast.Instruction): Message | string => {
    const data = operands.find((each): each is ast.Operand & { kind: "data" } => each.kind === "data");
    if (data === undefined || data.count !== 1 || data.transposed) return `${opcode.text} says its data as X:d32`;
    if (data.bits === 8 || (data.bits === 16 && !data.widened)) return `${opcode.text} takes d16c32, d32 or d64`;
    const bits = data.bits as Bits;
    return asked(bits, updateOf(rule, bits, true));
  };

/** Messages that change memory atomically, and return the old value. */
export const atomics: readonly Form[] = [
  message("[(<P>)] DWORD_ATOMIC.<op>[.16] (<exec_size>) <surface> <element_offset> <src0> <src1> <dst>", {
    opcode: 0x7d,
    about: "an atomic operation at offsets into a surface",
    asks: byWord("16"),
  }),
  message("[(<P>)] SVM_ATOMIC.<op>[.16|.64] (<exec_size>) <addresses> <dst> <src0> <src1>", {
    opcode: 0x4e,
    about: "an atomic operation at addresses",
    asks: byWord("16", "64"),
  }),
  ...Object.entries(ofData).map(([word, rule]) =>
    message(
      `[(<P>)] LSC_ATOMIC_${word.toUpperCase()}.<sfid>[.<caching>] (<exec_size>) <data> <address> <src0> <src1>`,
      {
        opcode: 0x89,
        about: "an atomic operation at addresses",
        asks: bySize(rule),
      },
    ),
  ),
];
