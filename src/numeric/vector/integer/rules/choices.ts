import type { Expression } from "../../../operation/expression.ts";
import type { Vector, Wide } from "../../vector.ts";
import { onBoth } from "../../wide.ts";
import { domainOf, fits, type Integers, signed32, signed64, unlabelled } from "../lowering.ts";
import { relationMask } from "./relations.ts";

export function extremum(integers: Integers, node: "min" | "max", p: Expression, q: Expression): Vector | undefined {
  const { make } = integers;
  const domain = domainOf(integers, p, q);
  if (domain?.bits === 32) {
    const [a, b] = [integers.word(p), integers.word(q)];
    return a && b && make.op(`i32x4.${node}_${domain.signed ? "s" : "u"}`, a, b);
  }
  // If the operands do not fit a word, compares them in full and chooses between their low words.
  const less = relationMask(integers, node === "min" ? "lt" : "gt", p, q);
  const [a, b] = [integers.word(p), integers.word(q)];
  return less && a && b && make.choose(less, a, b);
}

export function extremumPair(integers: Integers, node: "min" | "max", p: Expression, q: Expression): Wide | undefined {
  const { make } = integers;
  const less = relationMask(integers, node === "min" ? "lt" : "gt", p, q);
  const [a, b] = [integers.pair(p), integers.pair(q)];
  if (less === undefined || a === undefined || b === undefined) return undefined;
  const [first, second] = make.widen(less);
  return [make.choose(first, a[0], b[0]), make.choose(second, a[1], b[1])];
}

/** |a - b| is the greater less the lesser, and needs no bit more than they have. */
const difference = (x: Expression): { greater: Expression; lesser: Expression } | undefined => {
  const of = unlabelled(x);
  if (of.node !== "sub") return undefined;
  return { greater: { ...of, node: "max" }, lesser: { ...of, node: "min" } };
};

export function absolute(integers: Integers, x: Expression): Vector | undefined {
  const { make } = integers;
  if (fits(integers, x, signed32)) {
    const word = integers.word(x);
    return word && make.op("i32x4.abs", word);
  }
  const apart = difference(x);
  if (apart !== undefined && domainOf(integers, apart.greater, apart.lesser)?.bits === 32) {
    const [a, b] = [integers.word(apart.greater), integers.word(apart.lesser)];
    return a && b && make.op("i32x4.sub", a, b);
  }
  const pair = absolutePair(integers, x);
  return pair && make.low(pair);
}

export function absolutePair(integers: Integers, x: Expression): Wide | undefined {
  const { make } = integers;
  if (fits(integers, x, signed64)) {
    const pair = integers.pair(x);
    return pair && onBoth(make, "i64x2.abs", pair);
  }
  const apart = difference(x);
  if (apart === undefined) return undefined;
  const [a, b] = [integers.pair(apart.greater), integers.pair(apart.lesser)];
  return a && b && onBoth(make, "i64x2.sub", a, b);
}
