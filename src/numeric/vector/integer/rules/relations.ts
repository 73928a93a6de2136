import type { Expression, IntegerRelation, Relation } from "../../../operation/expression.ts";
import type { PureInstruction, Vector, Wide } from "../../vector.ts";
import { onBoth, wideConstant } from "../../wide.ts";
import { domainOf, type Integers } from "../lowering.ts";

const orders: Readonly<Record<Relation, IntegerRelation | undefined>> = {
  eq: "eq", equ: "eq", ne: "ne", neu: "ne", lt: "lt", ltu: "lt", le: "le", leu: "le", gt: "gt", gtu: "gt", ge: "ge",
  geu: "ge", num: undefined, nan: undefined,
}; // biome-ignore format: by relation

const SIGN = 1n << 63n;

/** The mask of a relation of integers. */
export function relationMask(integers: Integers, relation: Relation, a: Expression, b: Expression): Vector | undefined {
  const { make } = integers;
  const [p, q] = [integers.interval(a), integers.interval(b)];
  if (p === undefined || q === undefined) return undefined;
  const order = orders[relation];
  if (order === undefined) return undefined;
  if (p.greatest < q.least) return make.all32(holdsBelow[order] ? -1 : 0);
  if (p.least > q.greatest) return make.all32(holdsBelow[turned[order]] ? -1 : 0);
  const domain = domainOf(integers, a, b);
  if (domain === undefined) return undefined;
  const isOrder = order !== "eq" && order !== "ne";
  if (domain.bits === 32) {
    const [x, y] = [integers.word(a), integers.word(b)];
    const name: PureInstruction = isOrder ? `i32x4.${order}_${domain.signed ? "s" : "u"}` : `i32x4.${order}`;
    return x && y && make.op(name, x, y);
  }
  const side = (x: Expression): Wide | undefined =>
    isOrder && !domain.signed ? flipped(integers, x) : integers.pair(x);
  const [x, y] = [side(a), side(b)];
  return x && y && make.low(onBoth(make, isOrder ? `i64x2.${order}_s` : `i64x2.${order}`, x, y));
}

/** Does it hold where the first is below the second? */
const holdsBelow: Readonly<Record<IntegerRelation, boolean>> = {
  eq: false, ne: true, lt: true, le: true, gt: false, ge: false,
}; // biome-ignore format: by relation
const turned = { eq: "eq", ne: "ne", lt: "gt", le: "ge", gt: "lt", ge: "le" } as const;

/** Of 64 bits only numbers with sign are compared: the order of the others is that of their bits with the highest turned. */
function flipped(integers: Integers, x: Expression): Wide | undefined {
  const { make } = integers;
  if (x.node === "integer") return wideConstant(make, BigInt.asUintN(64, x.value) ^ SIGN);
  const pair = integers.pair(x);
  return pair && onBoth(make, "v128.xor", pair, wideConstant(make, SIGN));
}
