import type { Expression } from "../../../src/numeric/operation/expression.ts";
import type { Argument, Operation, Result } from "../../../src/numeric/operation/operation.ts";
import { isFloat, isSignedType, widthOf } from "../../../src/numeric/operation/type.ts";
import type { Input } from "./input.ts";
import type { IntegerShadow, Thread } from "./shadow.ts";

/** How an operand is taken for a number, and not for bits: wrapping it before was no good. */
export type Use = "with its sign" | "widened" | "narrowed" | "as an address" | "stored";

/** Tells of an integer that had wrapped before it was used. */
export type Misuse = (
  shadow: IntegerShadow,
  use: Use,
  value: bigint,
  exact: bigint,
  pc: number,
  thread: Thread,
) => void;

/**
 * What a wrapped integer should be where it is read as a number, with or without a sign; undefined where it is that,
 * or where nobody can say: wrapping is what hash functions and generators of random numbers do.
 */
export function wanted(shadow: IntegerShadow, isSigned: boolean, value: bigint): bigint | undefined {
  const { signed, unsigned, why } = shadow;
  if (why === "mixed" || why === "counted" || signed === value || unsigned === value) return undefined;
  return isSigned ? signed : undefined;
}

const bitsOf = ({ low, high }: Input): bigint => (high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low));

const isLiteral = ({ constant, shadow }: Input): boolean => constant || shadow?.kind === "constant";

type Numbers<T> = (values: readonly T[]) => T;

/** Sums and products modulo 2^n: of exact operands they give exact results. */
interface Ring {
  /** About, where no operand has wrapped; exact up to 2^53. */
  readonly quick: Numbers<number>;
  readonly exact: Numbers<bigint>;
  readonly shifts: boolean;
}

function ringOf(x: Expression, takes: readonly Argument[]): Ring | undefined {
  const of = (inner: Expression): Ring | undefined => ringOf(inner, takes);
  switch (x.node) {
    case "argument":
    case "bits": {
      const at = takes.findIndex(({ name }) => name === x.name);
      return at < 0 ? undefined : { quick: (values) => values[at]!, exact: (values) => values[at]!, shifts: false };
    }
    case "integer": {
      const [quick, { value }] = [Number(x.value), x];
      return { quick: () => quick, exact: () => value, shifts: false };
    }
    case "label":
      return of(x.a);
    case "neg": {
      const a = of(x.a);
      return a && { quick: (values) => -a.quick(values), exact: (values) => -a.exact(values), shifts: a.shifts };
    }
    case "add":
    case "sub":
    case "mul":
    case "min":
    case "shl": {
      const [a, b] = [of(x.a), of("by" in x ? x.by : x.b)];
      if (a === undefined || b === undefined) return undefined;
      const [quickly, exactly] = joined[x.node];
      return {
        quick: (values) => quickly(a.quick(values), b.quick(values)),
        exact: (values) => exactly(a.exact(values), b.exact(values)),
        shifts: a.shifts || x.node === "shl",
      };
    }
    default:
      return undefined;
  }
}

const joined = {
  add: [(a: number, b: number) => a + b, (a: bigint, b: bigint) => a + b],
  sub: [(a: number, b: number) => a - b, (a: bigint, b: bigint) => a - b],
  mul: [(a: number, b: number) => a * b, (a: bigint, b: bigint) => a * b],
  // How far a shift goes: not more than all bits.
  min: [(a: number, b: number) => Math.min(a, b), (a: bigint, b: bigint) => (a < b ? a : b)],
  shl: [(a: number, b: number) => a * 2 ** (b & 0xff), (a: bigint, b: bigint) => a << (b & 0xffn)],
} as const;

/** Whether a minimum stands in it other than in the length of a shift: that is no sum or product. */
const chooses = (x: Expression): boolean =>
  x.node === "min" || ("a" in x && chooses(x.a)) || ("b" in x && chooses(x.b));

/** Bits of a literal beyond which it is one of a hash function's: 1000000 has 14, 1664525 has 21. */
const HASHING = 16;

/** Whether a literal looks like one that is there to mix bits. */
function mixes(value: bigint): boolean {
  let size = value < 0n ? -value : value;
  while (size !== 0n && (size & 1n) === 0n) size >>= 1n;
  return size >= 1n << BigInt(HASHING);
}

/** The operands that a result depends on as numbers. */
function usesOf({ takes, result }: Operation, isRing: boolean, width: number): readonly (Use | undefined)[] {
  const read = new Set<string>();
  collect(result, read);
  return takes.map(({ name, type }) => {
    if (isFloat(type) || type === "pred" || !read.has(name)) return undefined;
    if (!isRing) return isSignedType(type) ? "with its sign" : undefined;
    return widthOf(type) < width ? "widened" : widthOf(type) > width ? "narrowed" : undefined;
  });
}

/** The operands that are read as numbers: those whose bits are taken apart, or compared for equality, are not. */
function collect(result: Result, read: Set<string>): void {
  if (result.into === "choose") {
    collect(result.yes, read);
    collect(result.no, read);
  } else if (result.into !== "lanes") numbersIn(result.of, read);
}

function numbersIn(x: Expression, read: Set<string>): void {
  switch (x.node) {
    case "argument":
      read.add(x.name);
      return;
    case "relation":
      if (["eq", "ne"].includes(x.relation)) return;
      break;
    case "select":
      numbersIn(x.when, read);
      numbersIn(x.yes, read);
      numbersIn(x.no, read);
      return;
    case "and":
    case "or":
    case "xor":
    case "not":
    case "popc":
    case "slice":
    case "concat":
    case "clz":
    case "reverse":
    case "bits":
      return;
    case "shl":
    case "shr":
      // How far is a number without a sign, whatever its type.
      numbersIn(x.a, read);
      return;
    default:
      break;
  }
  if ("a" in x) numbersIn(x.a, read);
  if ("b" in x) numbersIn(x.b, read);
}

/** An operation on integers: what it makes of those that have wrapped. */
export class IntegerArithmetic {
  readonly #ring: Ring | undefined;
  readonly #width: number;
  readonly #takes: readonly Argument[];
  readonly #uses: readonly (Use | undefined)[];
  readonly #shifts: boolean;
  readonly #counts: boolean;
  readonly #isShift: boolean;
  /** It keeps the low bits of a wider operand, on purpose. */
  readonly #cutsOff: boolean;
  readonly #numbers: number[];

  /** `counts`: whether to follow small values that may outgrow their bytes. */
  constructor(operation: Operation, counts: boolean) {
    const { takes, gives, result } = operation;
    this.#width = widthOf(gives);
    this.#takes = takes;
    const ring = result.into === "wrap" && !chooses(result.of) ? ringOf(result.of, takes) : undefined;
    this.#ring = takes.some(({ type }) => isFloat(type) || type === "pred") ? undefined : ring;
    this.#uses = usesOf(operation, this.#ring !== undefined, this.#width);
    this.#shifts = this.#ring?.shifts ?? false;
    this.#isShift = result.into === "wrap" && result.of.node === "shr";
    this.#cutsOff = this.#uses.includes("narrowed");
    this.#counts = counts;
    this.#numbers = takes.map(() => 0);
  }

  /** Tells of operands that are used as numbers though they have wrapped. */
  check(inputs: readonly Input[], pc: number, thread: Thread, misuse: Misuse): void {
    for (let at = 0; at < inputs.length; at++) {
      const { shadow } = inputs[at]!;
      const use = this.#uses[at];
      if (shadow?.kind !== "integer" || use === undefined) continue;
      // Up and down again extends a sign, or cuts bits out.
      if (this.#isShift && shadow.why === "shifted") continue;
      if (use === "narrowed") {
        if (outgrows(shadow, this.#width)) misuse(shadow, use, BigInt(inputs[at]!.low), shadow.signed, pc, thread);
        continue;
      }
      const isSigned = isSignedType(this.#takes[at]!.type);
      // Without a sign it may be bits as well as a number: what becomes of it will show that.
      if (use === "widened" && !isSigned) continue;
      const width = widthOf(this.#takes[at]!.type);
      const bits = bitsOf(inputs[at]!);
      const value = isSigned ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
      if (wanted(shadow, true, value) !== undefined) misuse(shadow, use, value, shadow.signed, pc, thread);
    }
  }

  /** The shadow of a result with these bits; undefined for one that is what it should be. */
  shadow(inputs: readonly Input[], low: number, high: number, pc: number): IntegerShadow | undefined {
    let [wrapped, mixed, counted] = [false, false, this.#counts];
    let origin: IntegerShadow | undefined;
    let widened = false;
    for (let at = 0; at < inputs.length; at++) {
      const { shadow } = inputs[at]!;
      if (shadow?.kind === "integer") {
        if (shadow.why === "mixed") mixed = true;
        else if (shadow.why !== "counted" && this.#follows(shadow, at)) {
          wrapped = true;
          counted = false;
          origin ??= shadow;
          widened ||= shadow.widened || this.#uses[at] === "widened";
        }
      } else if (shadow?.kind !== "constant" && !inputs[at]!.constant) counted = false;
    }
    const width = this.#width;
    const made = (signed: bigint, unsigned: bigint, by: number, why: IntegerShadow["why"]): IntegerShadow => ({
      ...{ kind: "integer", width, low, high, signed, unsigned, pc: by, why, widened },
    });
    // What a hash function has mixed stays so, whatever becomes of its bits.
    if (mixed) return made(0n, 0n, pc, "mixed");
    if (this.#ring === undefined || this.#cutsOff) return undefined;
    if (!wrapped && !counted && this.#fits(inputs)) return undefined;
    const signed = this.#ring.exact(inputs.map((input, at) => this.#read(input, at, true)));
    const bits = width === 64 ? (BigInt(high) << 32n) | BigInt(low) : BigInt(low);
    const isExact = signed === BigInt.asIntN(width, bits);
    if (isExact) return counted ? made(signed, signed, pc, "counted") : undefined;
    if (inputs.some((input) => isLiteral(input) && mixes(BigInt.asIntN(width, bitsOf(input)))))
      return made(0n, 0n, pc, "mixed");
    const unsigned = this.#ring.exact(inputs.map((input, at) => this.#read(input, at, false)));
    // No product of two numbers is so large: it wraps again and again, as hashing does.
    if (BigInt.asIntN(2 * width, signed) !== signed) return made(0n, 0n, pc, "mixed");
    return made(signed, unsigned, origin?.pc ?? pc, origin?.why ?? (this.#shifts ? "shifted" : "wrapped"));
  }

  /** Whether the exact value of an operand counts for the result: with its sign, whoever made it wider has told of it. */
  #follows({ why }: IntegerShadow, at: number): boolean {
    if (why === "mixed") return false;
    return this.#uses[at] === undefined || (!isSignedType(this.#takes[at]!.type) && why !== "shifted");
  }

  /** Whether the result is in the range of its type for sure. */
  #fits(inputs: readonly Input[]): boolean {
    const numbers = this.#numbers;
    for (let at = 0; at < inputs.length; at++) {
      const { low, high } = inputs[at]!;
      const width = widthOf(this.#takes[at]!.type);
      if (width < this.#width && !isSignedType(this.#takes[at]!.type)) numbers[at] = low;
      else numbers[at] = width === 64 ? (high | 0) * 2 ** 32 + low : (low << (32 - width)) >> (32 - width);
    }
    const about = this.#ring!.quick(numbers);
    return Math.abs(about) < (this.#width === 64 ? 2 ** 62 : 2 ** (this.#width - 1));
  }

  /** An operand as an exact number; literals are what they look like with a sign. */
  #read(input: Input, at: number, isSigned: boolean): bigint {
    const { shadow } = input;
    const { type } = this.#takes[at]!;
    const width = widthOf(type);
    if (shadow?.kind === "integer" && this.#follows(shadow, at)) return isSigned ? shadow.signed : shadow.unsigned;
    const bits = bitsOf(input);
    // A narrower operand that is widened has the sign that its type says.
    const signs = width < this.#width ? isSignedType(type) : isSigned || isLiteral(input);
    return signs ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
  }
}

/** Whether a small number has outgrown a word of this many bits, with a sign or without. */
export function outgrows({ signed, why }: IntegerShadow, width: number): boolean {
  if (why !== "counted") return false;
  return signed < -(1n << BigInt(width - 1)) || signed >= 1n << BigInt(width);
}
