import type { Bits } from "../../bits.ts";
import { carrylessProduct } from "../../exact/carryless.ts";
import type { Expression, IntegerRelation, Relation } from "../../operation/expression.ts";
import type { Argument, Operation, Result } from "../../operation/operation.ts";
import { isFloat, isSignedType, rangeOf, type TypeName, widthOf } from "../../operation/type.ts";
import { nth, ones } from "../primitive.ts";
import type { Scalar } from "../rule.ts";

/** An integer, from the bits of the operands. */
type Closure = (a: Bits, b: Bits, c: Bits, e: Bits, f: Bits) => bigint;

/** A function on bigints for an operation of integers of any width, on up to five operands; undefined for reals. */
export function wideScalar({ takes, gives, result }: Operation): Scalar | undefined {
  if (takes.length > 5) return undefined;
  const whole = new Lowering(takes).result(result);
  if (whole === undefined) return undefined;
  if (widthOf(gives) > 32) return whole as Scalar;
  return ((a: Bits, b: Bits, c: Bits, e: Bits, f: Bits) => Number(whole(a, b, c, e, f))) as Scalar;
}

class Lowering {
  readonly #takes: readonly Argument[];

  constructor(takes: readonly Argument[]) {
    this.#takes = takes;
  }

  result(result: Result): Closure | undefined {
    switch (result.into) {
      case "wrap":
      case "carry": {
        const bits = widthOf(result.type) + (result.into === "carry" && result.out ? 1 : 0);
        const of = this.#of(result.of);
        return of && ((a, b, c, e, f) => BigInt.asUintN(bits, of(a, b, c, e, f)));
      }
      case "clamp": {
        const of = this.#of(result.of);
        const bits = widthOf(result.type);
        const [least, greatest] = rangeOf(result.type);
        return (
          of &&
          ((a, b, c, e, f) => {
            const whole = of(a, b, c, e, f);
            return BigInt.asUintN(bits, ofTwo.min(ofTwo.max(whole, least), greatest));
          })
        );
      }
      case "predicate": {
        const of = this.#of(result.of);
        return of && ((a, b, c, e, f) => (of(a, b, c, e, f) !== 0n ? 1n : 0n));
      }
      case "choose":
        return chosen(this.#of(result.when), this.result(result.yes), this.result(result.no));
      case "round":
      case "lanes":
        return undefined;
    }
  }

  #of(x: Expression): Closure | undefined {
    switch (x.node) {
      case "argument":
      case "flush":
        return this.#operand(x.name, undefined);
      case "bits":
        return this.#operand(x.name, false);
      case "integer": {
        const { value } = x;
        return () => value;
      }
      case "label":
        return this.#of(x.a);
      case "add":
        return two(this.#of(x.a), this.#of(x.b), (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) + q(a, b, c, e, f));
      case "sub":
        return two(this.#of(x.a), this.#of(x.b), (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) - q(a, b, c, e, f));
      case "mul":
        return two(this.#of(x.a), this.#of(x.b), (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) * q(a, b, c, e, f));
      case "div":
      case "rem":
      case "and":
      case "or":
      case "xor":
      case "clmul":
      case "min":
      case "max":
        return applied(this.#of(x.a), this.#of(x.b), ofTwo[x.node]);
      case "shl":
      case "shr":
        return applied(this.#of(x.a), this.#of(x.by), ofTwo[x.node]);
      case "relation":
        return applied(this.#of(x.a), this.#of(x.b), relations[x.relation]);
      case "neg":
        return applied(this.#of(x.a), zero, (p) => -p);
      case "not":
        return applied(this.#of(x.a), zero, (p) => ~p);
      case "abs":
        return applied(this.#of(x.a), zero, (p) => (p < 0n ? -p : p));
      case "popc":
        return applied(this.#of(x.a), zero, onesOf);
      case "clz":
        return applied(this.#of(x.a), zero, (p) => BigInt(x.bits - (p === 0n ? 0 : p.toString(2).length)));
      case "reverse":
        return applied(this.#of(x.a), zero, (p) =>
          BigInt(`0b${[...p.toString(2).padStart(x.bits, "0")].reverse().join("")}`),
        );
      case "slice":
        return this.#slice(x);
      case "concat": {
        let all: Closure | undefined = zero;
        for (const { of, bits } of x.parts) {
          const up = BigInt(bits);
          all = applied(all, this.#of(of), (high, low) => (high << up) | low);
        }
        return all;
      }
      case "select":
        return chosen(this.#of(x.when), this.#of(x.yes), this.#of(x.no));
      case "as":
        return isFloat(x.type) ? undefined : applied(this.#of(x.a), zero, reader(x.type));
      case "nth": {
        const [of, from, count] = [this.#of(x.a), this.#of(x.from), this.#of(x.count)];
        if (of === undefined || from === undefined || count === undefined) return undefined;
        return (a, b, c, e, f) => {
          const word = Number(BigInt.asIntN(32, of(a, b, c, e, f)));
          return BigInt(nth(word, Number(from(a, b, c, e, f)), Number(count(a, b, c, e, f))));
        };
      }
      case "is":
      case "sqrt":
      case "function":
      case "integral":
      case "signed":
      case "rounded":
        return undefined;
    }
  }

  #operand(name: string, signed: false | undefined): Closure | undefined {
    const at = this.#takes.findIndex((each) => each.name === name);
    const type = this.#takes[at]?.type;
    if (type === undefined) throw new Error(`the operation takes no ${name}`);
    if (isFloat(type) && signed === undefined) return undefined;
    const bits = operands[at]!;
    if (signed === false || !isSignedType(type)) return bits;
    const width = widthOf(type);
    return (a, b, c, e, f) => BigInt.asIntN(width, bits(a, b, c, e, f));
  }

  #slice({ a: whole, low, bits, signed }: Expression & { node: "slice" }): Closure | undefined {
    const [of, from, count] = [this.#of(whole), this.#of(low), this.#of(bits)];
    if (of === undefined || from === undefined || count === undefined) return undefined;
    const cut = signed ? BigInt.asIntN : BigInt.asUintN;
    if (bits.node === "integer") {
      const known = Number(bits.value);
      if (low.node === "integer" && low.value === 0n) return (a, b, c, e, f) => cut(known, of(a, b, c, e, f));
      return (a, b, c, e, f) => cut(known, of(a, b, c, e, f) >> from(a, b, c, e, f));
    }
    return (a, b, c, e, f) => cut(Number(count(a, b, c, e, f)), of(a, b, c, e, f) >> from(a, b, c, e, f));
  }
}

const zero: Closure = () => 0n;
const operands: readonly Closure[] = [
  (a) => BigInt(a),
  (_, b) => BigInt(b),
  (_, __, c) => BigInt(c),
  (_, __, ___, e) => BigInt(e),
  (_, __, ___, ____, f) => BigInt(f),
];

const two = (
  p: Closure | undefined,
  q: Closure | undefined,
  of: (p: Closure, q: Closure) => Closure,
): Closure | undefined => p && q && of(p, q);

const applied = (
  p: Closure | undefined,
  q: Closure | undefined,
  of: (p: bigint, q: bigint) => bigint,
): Closure | undefined => p && q && ((a, b, c, e, f) => of(p(a, b, c, e, f), q(a, b, c, e, f)));

const chosen = (when: Closure | undefined, yes: Closure | undefined, no: Closure | undefined): Closure | undefined =>
  when && yes && no && ((a, b, c, e, f) => (when(a, b, c, e, f) !== 0n ? yes(a, b, c, e, f) : no(a, b, c, e, f)));

const reader = (type: TypeName): ((x: bigint) => bigint) => {
  const width = widthOf(type);
  return isSignedType(type) ? (x) => BigInt.asIntN(width, x) : (x) => BigInt.asUintN(width, x);
};

const ofTwo = {
  div: (a: bigint, b: bigint) => a / b,
  rem: (a: bigint, b: bigint) => a % b,
  and: (a: bigint, b: bigint) => a & b,
  or: (a: bigint, b: bigint) => a | b,
  xor: (a: bigint, b: bigint) => a ^ b,
  clmul: carrylessProduct,
  min: (a: bigint, b: bigint) => (a < b ? a : b),
  max: (a: bigint, b: bigint) => (a < b ? b : a),
  shl: (a: bigint, b: bigint) => a << b,
  shr: (a: bigint, b: bigint) => a >> b,
} as const;

const bit = (holds: boolean): bigint => (holds ? 1n : 0n);
const ordered: Readonly<Record<IntegerRelation, (a: bigint, b: bigint) => bigint>> = {
  eq: (a, b) => bit(a === b),
  ne: (a, b) => bit(a !== b),
  lt: (a, b) => bit(a < b),
  le: (a, b) => bit(a <= b),
  gt: (a, b) => bit(a > b),
  ge: (a, b) => bit(a >= b),
};
/** Of integers, which are never unordered. */
const relations: Readonly<Record<Relation, (a: bigint, b: bigint) => bigint>> = {
  ...ordered,
  equ: ordered.eq,
  neu: ordered.ne,
  ltu: ordered.lt,
  leu: ordered.le,
  gtu: ordered.gt,
  geu: ordered.ge,
  num: () => 1n,
  nan: () => 0n,
};

function onesOf(x: bigint): bigint {
  let count = 0;
  for (let rest = x; rest !== 0n; rest >>= 32n) count += ones(Number(BigInt.asUintN(32, rest)));
  return BigInt(count);
}
