import type { Expression } from "../../../operation/expression.ts";
import { widthOf } from "../../../operation/type.ts";
import type { CarryRule } from "../../rule.ts";
import type { Vector, Wide } from "../../vector.ts";
import { onBoth, wideConstant } from "../../wide.ts";
import { IntegerVectors } from "../integers.ts";
import { knownIn } from "../known.ts";
import { boolean, fits, type Integers, termsOf, unsigned32, unsigned64 } from "../lowering.ts";

/**
 * An unsigned sum and the bit above it. Of several terms that bit is the lowest of what is above, and so it is 1 where
 * an odd number of the additions carry.
 */
export const carries: CarryRule = ({ takes, gives, result }, operands, make) => {
  if (result.into !== "carry" || !result.out || widthOf(result.type) !== widthOf(gives)) return undefined;
  const known = knownIn(takes, operands);
  const integers = new IntegerVectors({ takes, operands, make, real: () => undefined });
  const terms = termsOf(result.of).map((term) => known?.(term) ?? term);
  const ones = terms.filter((term) => fits(integers, term, boolean));
  const others = terms.filter((term) => !ones.includes(term));
  const width = widthOf(gives);
  if (width === 32) return sum(words(integers), others, ones, integers);
  return width === 64 ? sum(pairs(integers), others, ones, integers) : undefined;
};

/** How numbers of a width are added. */
interface Adding<T> {
  readonly zero: T;
  value(x: Expression): T | undefined;
  add(a: T, b: T): T;
  /** One more where the mask is set. */
  count(a: T, mask: Vector): T;
  /** The carry out of a + b. */
  below?(total: T, b: T): Vector;
  /** The carry out of a + b + 0 or 1: the highest bit of the majority of a, b and what the total has not. */
  carried(a: T, b: T, total: T): Vector;
}

function sum<T extends Vector | Wide>(
  adding: Adding<T>,
  others: readonly Expression[],
  ones: readonly Expression[],
  integers: Integers,
): { value: T; out: Vector } | undefined {
  const { make } = integers;
  const masks = ones.map((one) => integers.mask(one));
  const values = others.map((x) => adding.value(x));
  if (!masks.every((one) => one !== undefined) || !values.every((value) => value !== undefined)) return undefined;
  let total = values[0] ?? adding.zero;
  let out: Vector | undefined;
  const carry = (one: Vector): void => {
    out = out === undefined ? one : make.xor(out, one);
  };
  const left = [...masks];
  for (const value of values.slice(1)) {
    const one = left.shift();
    const both = adding.add(total, value);
    const next = one === undefined ? both : adding.count(both, one);
    carry((one ? undefined : adding.below?.(next, value)) ?? adding.carried(total, value, next));
    total = next;
  }
  for (const one of left) {
    const next = adding.count(total, one);
    carry(adding.carried(total, adding.zero, next));
    total = next;
  }
  return { value: total, out: out ?? make.all32(0) };
}

function words(integers: Integers): Adding<Vector> {
  const { make } = integers;
  return {
    zero: make.all32(0),
    value: (x) => (fits(integers, x, unsigned32) ? integers.word(x) : undefined),
    add: (a, b) => make.op("i32x4.add", a, b),
    count: (a, mask) => make.op("i32x4.sub", a, mask),
    // A sum that carries is less than its terms.
    below: (total, b) => make.op("i32x4.lt_u", total, b),
    carried: (a, b, total) => make.shift("i32x4.shr_s", make.choose(make.xor(a, b), make.not(total), a), 31),
  };
}

function pairs(integers: Integers): Adding<Wide> {
  const { make } = integers;
  const carried = (a: Wide, b: Wide, total: Wide): Vector => {
    const half = (at: 0 | 1): Vector => make.choose(make.xor(a[at], b[at]), make.not(total[at]), a[at]);
    return make.shift("i32x4.shr_s", make.high([half(0), half(1)]), 31);
  };
  return {
    zero: wideConstant(make, 0n),
    value: (x) => (fits(integers, x, unsigned64) ? integers.pair(x) : undefined),
    add: (a, b) => onBoth(make, "i64x2.add", a, b),
    count: (a, mask) => onBoth(make, "i64x2.sub", a, make.widen(mask)),
    carried,
  };
}
