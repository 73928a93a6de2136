import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { isFloat, rangeOf, type TypeName, widthOf } from "../../operation/type.ts";

/** Every integer that an expression may be lies from `least` to `greatest`. */
export interface Interval {
  readonly least: bigint;
  readonly greatest: bigint;
}

/** A wider interval is of no use, and its bounds could grow without limit. */
const WIDEST = 256n;

const between = (least: bigint, greatest: bigint): Interval => ({ least, greatest });
const BOOLEAN = between(0n, 1n);

/** How many bits of two's complement hold every number of the interval. */
export function signedBits({ least, greatest }: Interval): bigint {
  const size = least < 0n && ~least > greatest ? ~least : greatest < 0n ? ~greatest : greatest;
  return BigInt(size === 0n ? 1 : size.toString(2).length + 1);
}

/** All numbers of `bits` bits, with or without sign. */
export const ofBits = (bits: bigint, signed: boolean): Interval =>
  signed ? between(-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n) : between(0n, (1n << bits) - 1n);

export const within = (inner: Interval, outer: Interval): boolean =>
  inner.least >= outer.least && inner.greatest <= outer.greatest;

/** Finds the interval of each node of an operation's expressions; undefined for a real, and where there is no bound. */
export function intervals(takes: readonly Argument[]): (x: Expression) => Interval | undefined {
  const known = new Map<Expression, Interval | undefined>();
  const typeOf = (name: string): TypeName => {
    const taken = takes.find((each) => each.name === name);
    if (taken === undefined) throw new Error(`the operation takes no ${name}`);
    return taken.type;
  };
  const find = (x: Expression): Interval | undefined => {
    if (known.has(x)) return known.get(x);
    const found = bounded(node(x));
    known.set(x, found);
    return found;
  };

  function node(x: Expression): Interval | undefined {
    switch (x.node) {
      case "argument":
      case "flush":
        return ofType(typeOf(x.name));
      case "bits":
        return ofBits(BigInt(widthOf(typeOf(x.name))), false);
      case "integer":
        return between(x.value, x.value);
      case "add":
      case "sub":
      case "mul":
      case "div":
      case "rem":
      case "or":
      case "xor":
      case "min":
      case "max": {
        const [a, b] = [find(x.a), find(x.b)];
        return a && b && ofTwo[x.node](a, b);
      }
      case "and":
        return ofAnd(find(x.a), find(x.b));
      case "clmul": {
        const [a, b] = [find(x.a), find(x.b)];
        return a && b && ofBits(signedBits(a) + signedBits(b), false);
      }
      case "neg": {
        const a = find(x.a);
        return a && between(-a.greatest, -a.least);
      }
      case "not": {
        const a = find(x.a);
        return a && between(~a.greatest, ~a.least);
      }
      case "abs": {
        const a = find(x.a);
        return a && between(a.least > 0n ? a.least : a.greatest < 0n ? -a.greatest : 0n, largest(a));
      }
      case "popc": {
        const a = find(x.a);
        return a && between(0n, signedBits(a));
      }
      case "shl": {
        const [a, by] = [find(x.a), find(x.by)];
        if (a === undefined || by === undefined || by.greatest > WIDEST || by.least < 0n) return undefined;
        return ofCorners(a, by, (p, q) => p << q);
      }
      case "shr": {
        const [a, by] = [find(x.a), find(x.by)];
        return a && by && ofCorners(a, by, (p, q) => p >> q);
      }
      case "clz":
        return between(0n, BigInt(x.bits));
      case "reverse":
        return ofBits(BigInt(x.bits), false);
      case "slice":
        return ofSlice(find(x.a), find(x.low), find(x.bits), x.signed);
      case "concat": {
        let all = 0n;
        for (const { of, bits } of x.parts) {
          const part = find(of);
          if (part === undefined || !within(part, ofBits(BigInt(bits), false))) return undefined;
          all += BigInt(bits);
        }
        return ofBits(all, false);
      }
      case "relation":
      case "is":
        return BOOLEAN;
      case "select": {
        const [yes, no] = withoutSign(x, find) ?? [find(x.yes), find(x.no)];
        return yes && no && union(yes, no);
      }
      case "as":
        return ofType(x.type);
      case "nth":
        return between(-1n, 31n);
      case "label":
        return find(x.a);
      case "sqrt":
      case "function":
      case "integral":
      case "signed":
      case "rounded":
        return undefined;
    }
  }
  return find;
}

/** `a < 0 ? ~a : a` has no sign, nor has `a < 0 ? -a : a`: what each side is where it is chosen. */
function withoutSign(
  { when, yes, no }: Expression & { node: "select" },
  find: (x: Expression) => Interval | undefined,
): readonly [Interval, Interval] | undefined {
  if (when.node !== "relation" || when.relation !== "lt" || when.a !== no) return undefined;
  if (when.b.node !== "integer" || when.b.value !== 0n) return undefined;
  if ((yes.node !== "not" && yes.node !== "neg") || yes.a !== no) return undefined;
  const a = find(no);
  if (a === undefined) return undefined;
  const least = lesser(a.least, -1n);
  return [between(0n, yes.node === "not" ? ~least : -least), between(0n, greater(a.greatest, 0n))];
}

const ofType = (type: TypeName): Interval | undefined => (isFloat(type) ? undefined : between(...rangeOf(type)));

/** An interval that grew too wide counts as unbounded. */
const bounded = (x: Interval | undefined): Interval | undefined =>
  x !== undefined && largest(x) >> WIDEST === 0n ? x : undefined;

const size = (x: bigint): bigint => (x < 0n ? -x : x);
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const largest = ({ least, greatest }: Interval): bigint => greater(size(least), size(greatest));
const union = (a: Interval, b: Interval): Interval =>
  between(lesser(a.least, b.least), greater(a.greatest, b.greatest));

/** An operation that rises or falls in each operand takes its extremes at the ends of both. */
function ofCorners(a: Interval, b: Interval, of: (p: bigint, q: bigint) => bigint): Interval {
  const corners = [a.least, a.greatest].flatMap((p) => [of(p, b.least), of(p, b.greatest)]);
  return between(corners.reduce(lesser), corners.reduce(greater));
}

const ofTwo = {
  add: (a: Interval, b: Interval) => between(a.least + b.least, a.greatest + b.greatest),
  sub: (a: Interval, b: Interval) => between(a.least - b.greatest, a.greatest - b.least),
  mul: (a: Interval, b: Interval) => ofCorners(a, b, (p, q) => p * q),
  // A divisor is at least 1 in magnitude, so that a quotient is no larger than what is divided.
  div: (a: Interval, b: Interval) =>
    a.least >= 0n && b.least >= 0n ? between(0n, a.greatest) : between(-largest(a), largest(a)),
  // A remainder has the sign of the dividend.
  rem(a: Interval, b: Interval) {
    const most = lesser(largest(a), greater(largest(b) - 1n, 0n));
    return between(a.least < 0n ? -most : 0n, a.greatest > 0n ? most : 0n);
  },
  or: eitherBit,
  xor: eitherBit,
  min: (a: Interval, b: Interval) => between(lesser(a.least, b.least), lesser(a.greatest, b.greatest)),
  max: (a: Interval, b: Interval) => between(greater(a.least, b.least), greater(a.greatest, b.greatest)),
} as const;

function eitherBit(a: Interval, b: Interval): Interval {
  const bits = greater(signedBits(a), signedBits(b));
  return a.least >= 0n && b.least >= 0n ? ofBits(bits - 1n, false) : ofBits(bits, true);
}

/** A number that is not negative keeps no more bits than it has, whatever the other is. */
function ofAnd(a: Interval | undefined, b: Interval | undefined): Interval | undefined {
  const plain = [a, b].filter((each) => each !== undefined && each.least >= 0n) as readonly Interval[];
  if (plain.length > 0) return between(0n, plain.map(({ greatest }) => greatest).reduce(lesser));
  return a && b && ofBits(greater(signedBits(a), signedBits(b)), true);
}

function ofSlice(
  a: Interval | undefined,
  low: Interval | undefined,
  bits: Interval | undefined,
  signed: boolean,
): Interval | undefined {
  if (bits === undefined) return undefined;
  const shifted = a && low && low.least >= 0n ? ofCorners(a, low, (p, q) => p >> q) : undefined;
  if (shifted !== undefined && bits.greatest >= signedBits(shifted)) {
    // A slice as wide as the number leaves it unchanged; an unsigned one only if the number is not negative.
    if (signed) return ofBits(signedBits(shifted), true);
    if (shifted.least >= 0n) return between(0n, shifted.greatest);
  }
  if (bits.greatest > WIDEST) return undefined;
  if (signed) return bits.greatest < 1n ? between(0n, 0n) : ofBits(bits.greatest, true);
  const all = ofBits(bits.greatest, false);
  return shifted !== undefined && shifted.least >= 0n && shifted.greatest < all.greatest
    ? between(0n, shifted.greatest)
    : all;
}
