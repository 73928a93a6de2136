import type { Bits } from "../bits.ts";
import { codes } from "../format/format.ts";
import type { Expression, IntegerRelation, Property, Relation } from "../operation/expression.ts";
import type { Argument } from "../operation/operation.ts";
import { isFloat, isSignedType, type TypeName, widthOf } from "../operation/type.ts";
import { before, floatOperand, placed, valueReader } from "./operand.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/** A relation of floats, or of a float and a constant: in binary64, which holds all of them. */
export const floatRelation: ScalarRule = ({ takes, result }) => {
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const { relation, a, b } = result.of;
  const [left, right] = [sideOf(a, takes), sideOf(b, takes)];
  if (!left || !right) return undefined;
  const holds = relations[relation];
  if ("is" in right) {
    const { is } = right;
    return "is" in left ? undefined : placed((x: Bits) => (holds(left.value(x), is) ? 1 : 0), [left.at]);
  }
  if ("is" in left) {
    const { is } = left;
    return placed((y: Bits) => (holds(is, right.value(y)) ? 1 : 0), [right.at]);
  }
  return placed((x: Bits, y: Bits) => (holds(left.value(x), right.value(y)) ? 1 : 0), [left.at, right.at]);
};

/** A relation of two integers of the same type, or of one of up to 32 bits and a constant. */
export const integerRelation: ScalarRule = ({ takes, result }) => {
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const { relation, a, b } = result.of;
  const [left, right] = [integerOf(a, takes), integerOf(b, takes)];
  if (!left || relation.length > 2) return undefined;
  const { at, type } = left;
  if (widthOf(type) > 64) return undefined;
  if (right?.type === type) {
    const holds = ordered[relation as IntegerRelation] as (x: Bits, y: Bits) => boolean;
    const key = isSignedType(type) ? signedKey(widthOf(type)) : undefined;
    return placed(
      key ? (x: Bits, y: Bits) => (holds(key(x), key(y)) ? 1 : 0) : (x: Bits, y: Bits) => (holds(x, y) ? 1 : 0),
      [at, right.at],
    );
  }
  if (b.node !== "integer" || widthOf(type) > 32) return undefined;
  const holds = ordered[relation as IntegerRelation] as (x: Bits, y: Bits) => boolean;
  const key = isSignedType(type) ? signedKey(widthOf(type)) : undefined;
  const is = Number(b.value);
  return placed(key ? (x: Bits) => (holds(key(x), is) ? 1 : 0) : (x: Bits) => (holds(x, is) ? 1 : 0), [at]);
};

function integerOf(
  x: Expression,
  takes: readonly Argument[],
): { readonly at: number; readonly type: TypeName } | undefined {
  if (x.node !== "argument") return undefined;
  const at = takes.findIndex(({ name }) => name === x.name);
  const type = takes[at]?.type;
  return type === undefined || isFloat(type) || type === "pred" ? undefined : { at, type };
}

/** Bits as a number in the order of the values. */
function signedKey(width: number): (bits: Bits) => Bits {
  if (width === 64) return (bits) => BigInt.asIntN(64, bits as bigint);
  const up = 32 - width;
  return (bits) => ((bits as number) << up) >> up;
}

const ordered: Readonly<Record<IntegerRelation, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

/** Some bits of an operand of up to 32 bits, compared with a constant. */
export const maskedBits: ScalarRule = ({ takes, result }) => {
  if (result.into !== "predicate" || result.of.node !== "relation" || result.of.relation !== "eq") return undefined;
  const { a, b } = result.of;
  if (a.node !== "and" || a.a.node !== "bits" || a.b.node !== "integer" || b.node !== "integer") return undefined;
  const { name } = a.a;
  const at = takes.findIndex((taken) => taken.name === name);
  const mask = a.b.value;
  if (at < 0 || widthOf(takes[at]!.type) > 32 || mask < 0n || mask >= 1n << 31n) return undefined;
  const [under, is] = [Number(mask), Number(b.value)];
  return placed((bits: number): Bits => ((bits & under) === is ? 1 : 0), [at]);
};

type Side = { readonly at: number; readonly value: (bits: Bits) => number } | { readonly is: number };

function sideOf(x: Expression, takes: readonly Argument[]): Side | undefined {
  if (x.node === "integer") {
    const is = Number(x.value);
    return Number.isFinite(is) && BigInt(is) === x.value ? { is } : undefined;
  }
  const operand = floatOperand(x, takes);
  const value = operand && valueReader(operand);
  return value && { at: operand.at, value };
}

/** JavaScript's relations do not hold for a NaN, but for `!==`; both zeros are equal. */
const relations: Readonly<Record<Relation, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a < b || a > b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  equ: (a, b) => !(a < b || a > b),
  neu: (a, b) => a !== b,
  ltu: (a, b) => !(a >= b),
  leu: (a, b) => !(a > b),
  gtu: (a, b) => !(a <= b),
  geu: (a, b) => !(a < b),
  num: (a, b) => !(Number.isNaN(a) || Number.isNaN(b)),
  nan: (a, b) => Number.isNaN(a) || Number.isNaN(b),
};

/** testp, and a choice's test of an operand: a comparison of its code without the sign. */
export const floatProperty: ScalarRule = ({ takes, result }) => {
  if (result.into !== "predicate" || result.of.node !== "is") return undefined;
  const operand = floatOperand(result.of.a, takes);
  if (operand === undefined || operand.format.specials !== "ieee" || operand.format.pad > 0) return undefined;
  const { property } = result.of;
  // Intel's df differs from f64 only in the NaN that arithmetic produces, which does not matter here.
  if (operand.format.width === 64) {
    if (operand.flush) return undefined;
    const holds = tests[property](2 * 0x7ff0_0000, 2 * 0x0010_0000);
    // Of the lower word it only matters whether it is 0.
    const js = (a: bigint): Bits =>
      holds(2 * (Number(a >> 32n) & 0x7fff_ffff) + ((a & 0xffff_ffffn) === 0n ? 0 : 1)) ? 1 : 0;
    return placed(js, [operand.at]);
  }
  const { signBit, infinity, normal } = codes(operand.format);
  const holds = tests[property](infinity, normal);
  const given = before(operand);
  return placed((a: number): Bits => (holds(given(a) & (signBit - 1)) ? 1 : 0), [operand.at]);
};

/** On the code without its sign, where infinity is the greatest that is no NaN. A zero counts as normal. */
const tests: Readonly<Record<Property, (infinity: number, normal: number) => (size: number) => boolean>> = {
  finite: (infinity) => (size) => size < infinity,
  infinite: (infinity) => (size) => size === infinity,
  number: (infinity) => (size) => size <= infinity,
  notanumber: (infinity) => (size) => size > infinity,
  normal: (infinity, normal) => (size) => size === 0 || (size >= normal && size < infinity),
  subnormal: (_, normal) => (size) => size > 0 && size < normal,
};

/** A predicate of two others: a relation of floats, and what a set combines it with. */
export const combination: ScalarRule = ({ takes, result }, lower) => {
  if (result.into !== "predicate") return undefined;
  const { of: x } = result;
  if (x.node === "argument") {
    const at = takes.findIndex(({ name }) => name === x.name);
    return takes[at]?.type === "pred" ? placed((p: Bits) => p, [at]) : undefined;
  }
  if (x.node !== "and" && x.node !== "or" && x.node !== "xor") return undefined;
  if (!isTruth(x.a, takes) || !isTruth(x.b, takes)) return undefined;
  const side = (of: Expression) =>
    lower({ takes, gives: "pred", result: { into: "predicate", of } }) as (...bits: Bits[]) => number;
  const [left, right] = [side(x.a), side(x.b)];
  const joined: Readonly<Record<typeof x.node, Scalar>> = {
    and: (a, b, c) => left(a!, b!, c!) & right(a!, b!, c!),
    or: (a, b, c) => left(a!, b!, c!) | right(a!, b!, c!),
    xor: (a, b, c) => left(a!, b!, c!) ^ right(a!, b!, c!),
  };
  return takes.length <= 3 ? joined[x.node] : undefined;
};

/** Is the expression 0 or 1? */
export function isTruth(x: Expression, takes: readonly Argument[]): boolean {
  switch (x.node) {
    case "relation":
    case "is":
      return true;
    case "argument": {
      const type = takes.find(({ name }) => name === x.name)?.type;
      return type !== undefined && !isFloat(type) && widthOf(type) === 1;
    }
    case "and":
    case "or":
    case "xor":
      return isTruth(x.a, takes) && isTruth(x.b, takes);
    default:
      return false;
  }
}
