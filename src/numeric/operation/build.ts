import type { Rounding } from "../exact/exact.ts";
import type { Binary, Expression, FunctionName, Property, Relation, RoundResult, Unary } from "./expression.ts";
import type { Argument, Lane, Operation, Result } from "./operation.ts";
import { type FloatName, isSignedType, type TypeName, widthOf } from "./type.ts";

// The functions that entries of the table are written with. Each makes one node; a number stands for itself.

/** An expression, or an integer that stands for itself. */
export type Term = Expression | number | bigint;

const term = (x: Term): Expression => (typeof x === "object" ? x : { node: "integer", value: BigInt(x) });

/** An operand of the syntax line, by name. */
export const argument = (name: string): Expression => ({ node: "argument", name });
export const [a, b, c] = ["a", "b", "c"].map(argument) as [Expression, Expression, Expression];
/** CC.CF before the instruction, 0 or 1 (PTX ISA, Extended-Precision Integer Arithmetic). */
export const CF: Expression = argument("CF");

/** The bits of an operand as an unsigned integer. */
export const bits = (of: Expression): Expression => ({ node: "bits", name: nameOf(of) });

function nameOf(of: Expression): string {
  if (of.node !== "argument") throw new Error("only an operand has bits of its own");
  return of.name;
}

const binary =
  (node: Binary) =>
  (x: Term, y: Term): Expression => ({ node, a: term(x), b: term(y) });
const unary =
  (node: Unary) =>
  (x: Term): Expression => ({ node, a: term(x) });

/** The sum of two or more. */
export const plus = (first: Term, ...rest: readonly Term[]): Expression =>
  rest.reduce<Expression>((sum, x) => ({ node: "add", a: sum, b: term(x) }), term(first));
export const minus = binary("sub");
export const times = binary("mul");
/** A quotient: exact of reals, cut toward zero of integers. */
export const divided = binary("div");
/** The remainder of a quotient that is cut toward zero. */
export const remainder = binary("rem");
export const and = binary("and");
export const or = binary("or");
export const xor = binary("xor");
/** The product of two unsigned numbers without carries. */
export const carryless = binary("clmul");
export const negated = unary("neg");
export const abs = unary("abs");
export const root = unary("sqrt");
export const not = unary("not");
export const ones = unary("popc");

interface Extremum {
  /** A NaN operand makes the result NaN (`.NaN`). */
  readonly nan?: boolean | undefined;
}
const extremum =
  (node: "min" | "max") =>
  (x: Term, y: Term, { nan }: Extremum = {}): Expression => ({
    node,
    a: term(x),
    b: term(y),
    ...(nan && { propagate: true }),
  });
export const min = extremum("min");
export const max = extremum("max");

/** x * 2^by. */
export const shl = (x: Term, by: Term): Expression => ({ node: "shl", a: term(x), by: term(by) });
/** x / 2^by, rounded toward -infinity. */
export const shr = (x: Term, by: Term): Expression => ({ node: "shr", a: term(x), by: term(by) });
/** Zeros above the highest 1 of a number of `width` bits. */
export const zerosAbove = (width: number, x: Term): Expression => ({ node: "clz", a: term(x), bits: width });
/** The bits of a number of `width` bits in reverse. */
export const reversed = (width: number, x: Term): Expression => ({ node: "reverse", a: term(x), bits: width });

/** `width` bits of x from bit `low` on, unsigned. */
export const slice = (x: Term, low: Term, width: Term): Expression => sliced(x, low, width, false);
/** The same in two's complement. */
export const signedSlice = (x: Term, low: Term, width: Term): Expression => sliced(x, low, width, true);
const sliced = (x: Term, low: Term, width: Term, signed: boolean): Expression => ({
  node: "slice",
  a: term(x),
  low: term(low),
  bits: term(width),
  signed,
});

/** The low `width` bits of x, with the sign of the type. */
export const lowBits = (type: TypeName, x: Term, width: Term): Expression =>
  (isSignedType(type) ? signedSlice : slice)(x, 0, width);
/** The at-th of the elements of `width` bits that x is made of, the lowest first, with the sign of the type. */
export const element = (type: TypeName, x: Term, width: number, at: number): Expression =>
  (isSignedType(type) ? signedSlice : slice)(x, at * width, width);
/** What `.lo` and `.hi` keep of a number twice as wide as the type, `t<n-1..0>` and `t<2n-1..n>`; cutting is the result's. */
export const half = (part: "lo" | "hi", type: TypeName, t: Term): Expression =>
  part === "hi" ? shr(t, widthOf(type)) : term(t);
/** A number of bits out of 32: more than 32 counts as 32 (`.clamp`), or modulo 32 (`.wrap`). */
export const amount = (mode: "clamp" | "wrap", x: Term): Expression => (mode === "clamp" ? min(x, 32) : and(x, 0x1f));
/** The sign of a float operand, a NaN's too: 1 where its highest bit is. */
export const signOf = (type: FloatName, x: Expression): Expression => slice(bits(x), widthOf(type) - 1, 1);

/** Unsigned numbers side by side, the highest first: `[number, its bits]`. */
export const concat = (...parts: readonly (readonly [Term, number])[]): Expression => ({
  node: "concat",
  parts: parts.map(([of, width]) => ({ of: term(of), bits: width })),
});

export const relation = (word: Relation, x: Term, y: Term): Expression => ({
  node: "relation",
  relation: word,
  a: term(x),
  b: term(y),
});
/** Has an operand of a float type the property? */
export const is = (property: Property, x: Expression): Expression => ({ node: "is", property, a: x });
/** `yes` where `when` is not 0, else `no`. */
export const select = (when: Term, yes: Term, no: Term): Expression => ({
  node: "select",
  when: term(when),
  yes: term(yes),
  no: term(no),
});
export const call = (name: FunctionName, x: Term): Expression => ({ node: "function", name, a: term(x) });
/** A real rounded to an integer. */
export const integral = (rnd: Rounding, x: Term): Expression => ({ node: "integral", rnd, a: term(x) });
/** An operand whose subnormals count as zeros, where `.ftz` is there. */
export const flushed = (ftz: boolean | undefined, x: Expression): Expression =>
  ftz ? { node: "flush", name: nameOf(x) } : x;
/** The bits of an unsigned number as a value of the type. */
export const as = (type: TypeName, x: Term): Expression => ({ node: "as", type, a: term(x) });
/** x with this sign. */
export const signed = (x: Term, negative: Term): Expression => ({
  node: "signed",
  a: term(x),
  negative: term(negative),
});
/** Where the count-th 1 of x is, from bit `from` on; -1 if there is none (fns). */
export const nth = (x: Term, from: Term, count: Term): Expression => ({
  node: "nth",
  a: term(x),
  from: term(from),
  count: term(count),
});
/** x rounded into a format in between. */
export const via = (result: RoundResult): Expression => ({ node: "rounded", result });
/** x, under the name `text` in derivations. */
export const label = (text: string, x: Term): Expression => ({ node: "label", label: text, a: term(x) });

/** An integer modulo 2^width of the type. */
export const wrap = (type: TypeName, of: Term): Result => ({ into: "wrap", type, of: term(of) });
/** The nearest number of an integer type. */
export const clamp = (type: TypeName, of: Term): Result => ({ into: "clamp", type, of: term(of) });
/** `wrap`, or with `.sat` `clamp`. */
export const kept = (type: TypeName, sat: boolean | undefined, of: Term): Result => (sat ? clamp : wrap)(type, of);
/** Modulo 2^width, the bit above to CC.CF where `out`; operands count as unsigned unless `as` says otherwise. */
export const carry = (type: TypeName, of: Term, { out = true }: { readonly out?: boolean } = {}): Result => ({
  into: "carry",
  type,
  of: term(of),
  out,
});
export const predicate = (of: Term): Result => ({ into: "predicate", of: term(of) });
export const choose = (when: Term, yes: Result, no: Result): Result => ({ into: "choose", when: term(when), yes, no });

/** The modifiers of a floating-point instruction; what is left out is off, and `rnd` is rn. */
export interface FloatModifiers {
  readonly rnd?: Rounding | undefined;
  readonly ftz?: boolean | undefined;
  readonly sat?: boolean | undefined;
  readonly relu?: boolean | undefined;
  readonly satfinite?: boolean | undefined;
  readonly pzo?: boolean | undefined;
}

/** A real into a format, rounded once. `.ftz` flushes the result here; `flushed` does it to operands. */
export function rounded(format: FloatName, modifiers: FloatModifiers, of: Term): RoundResult {
  const { rnd = "rn", ftz, sat, relu, satfinite, pzo } = modifiers;
  return {
    into: "round",
    format,
    rnd,
    ...(ftz && { ftz }),
    ...(sat && { sat }),
    ...(relu && { relu }),
    ...(satfinite && { satfinite }),
    ...(pzo && { pzo }),
    of: term(of),
  };
}

/** An instruction on floats: `.ftz` flushes operands and result, then the exact value is rounded once. */
export const round = (format: FloatName, modifiers: FloatModifiers, of: Expression): RoundResult =>
  rounded(format, modifiers, modifiers.ftz ? flushOperands(of) : of);

/** A function that hardware only approximates: ptxrun rounds the true value to nearest even (grade unspecified). */
export const approximated = (format: FloatName, modifiers: FloatModifiers, of: Expression): RoundResult => ({
  ...round(format, modifiers, of),
  approximate: true,
});

/** Every operand in an expression of reals, flushed. */
export function flushOperands(x: Expression): Expression {
  switch (x.node) {
    case "argument":
      return { node: "flush", name: x.name };
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "rem":
    case "and":
    case "or":
    case "xor":
    case "clmul":
    case "relation":
    case "min":
    case "max":
      return { ...x, a: flushOperands(x.a), b: flushOperands(x.b) };
    case "neg":
    case "abs":
    case "sqrt":
    case "not":
    case "popc":
    case "function":
    case "integral":
    case "label":
    case "signed":
      return { ...x, a: flushOperands(x.a) };
    case "bits":
    case "integer":
    case "shl":
    case "shr":
    case "clz":
    case "reverse":
    case "slice":
    case "concat":
    case "is":
    case "select":
    case "flush":
    case "as":
    case "nth":
    case "rounded":
      return x;
  }
}

/** An operation from its operands' names and types. */
export const operation = (takes: Readonly<Record<string, TypeName>>, gives: TypeName, result: Result): Operation => ({
  takes: Object.entries(takes).map(([name, type]): Argument => ({ name, type })),
  gives,
  result,
});

/** What one lane of a packed type is, and how many a register holds; `packedType` says in how many bits each. */
export const packedTypes = {
  f16x2: ["f16", 2],
  bf16x2: ["bf16", 2],
  u16x2: ["u16", 2],
  s16x2: ["s16", 2],
  u8x4: ["u8", 4],
  s8x4: ["s8", 4],
  f32x2: ["f32", 2],
  e5m2x2: ["e5m2", 2],
  e4m3x2: ["e4m3", 2],
  e3m2x2: ["e3m2", 2],
  e2m3x2: ["e2m3", 2],
  e2m1x2: ["e2m1", 2],
  ue8m0x2: ["ue8m0", 2],
  ue5m3x2: ["ue5m3", 2],
  e5m2x4: ["e5m2", 4],
  e4m3x4: ["e4m3", 4],
  e3m2x4: ["e3m2", 4],
  e2m3x4: ["e2m3", 4],
  e2m1x4: ["e2m1", 4],
  e2m1p4x4: ["e2m1", 4],
  ue8m0x4: ["ue8m0", 4],
} as const satisfies Readonly<Record<string, readonly [TypeName, number]>>;
export type PackedName = keyof typeof packedTypes;

/**
 * The same on each lane of packed operands, the low one first: a lane never sees its neighbour. `each` is the lane's
 * own operation; an operand as wide as all lanes together is split, a predicate is the same for all. `shares`: bits of a
 * lane of the operands whose lanes lie closer together than their type is wide.
 */
export function lanes(count: number, each: Operation, shares: Shares = {}): Operation {
  const laneBits = widthOf(each.gives);
  const all = Array.from({ length: count }, (_, at): Lane => lane(each, at, at * laneBits, laneBits, shares));
  return {
    takes: each.takes.map(({ name, type }) => ({
      name,
      type: type === "pred" ? type : wide(shares[name] ?? widthOf(type), count),
    })),
    gives: wide(laneBits, count),
    result: { into: "lanes", lanes: all },
  };
}

/** By operand. */
type Shares = Readonly<Record<string, number | undefined>>;

/** One operation on lane `at` of each operand, its result at bit `low`. */
export const lane = (each: Operation, at: number, low: number, width: number, shares: Shares = {}): Lane => ({
  operation: each,
  takes: each.takes.map(({ name, type }) => {
    const taken = shares[name] ?? widthOf(type);
    return { of: name, low: type === "pred" ? 0 : at * taken, bits: taken };
  }),
  low,
  bits: width,
});

/** One of the lanes alone: `each` on lane `at` of each operand, whose registers hold `count` of them. */
export const oneOf = (count: number, at: number, each: Operation): Operation => ({
  takes: each.takes.map(({ name, type }) => ({ name, type: wide(widthOf(type), count) })),
  gives: each.gives,
  result: { into: "lanes", lanes: [lane(each, at, 0, widthOf(each.gives))] },
});

const wide = (share: number, count: number): TypeName => `b${share * count}` as TypeName;
