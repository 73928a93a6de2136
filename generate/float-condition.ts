import { floatOperand, isPlain } from "../src/numeric/lower/operand.ts";
import type { Relation } from "../src/numeric/operation/expression.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import type { LaneSource } from "./source.ts";

/** A relation of two operands in f32 or f64, as JavaScript has it. */
export function floatCondition({ takes, result }: Operation, source: LaneSource): string | undefined {
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const [a, b] = [floatOperand(result.of.a, takes), floatOperand(result.of.b, takes)];
  if (!a || !b || !isPlain(a) || !isPlain(b) || a.type !== b.type) return undefined;
  if (a.type !== "f32" && a.type !== "f64") return undefined;
  const view = a.type === "f32" ? "f" : "d";
  return conditions[result.of.relation](source.element(view, a.at), source.element(view, b.at));
}

/** A relation with a NaN does not hold, but for `!==`: the opposite of one is the unordered one. */
const conditions: Readonly<Record<Relation, (a: string, b: string) => string>> = {
  eq: (a, b) => `${a} === ${b}`,
  ne: (a, b) => `${a} < ${b} || ${a} > ${b}`,
  lt: (a, b) => `${a} < ${b}`,
  le: (a, b) => `${a} <= ${b}`,
  gt: (a, b) => `${a} > ${b}`,
  ge: (a, b) => `${a} >= ${b}`,
  equ: (a, b) => `!(${a} < ${b} || ${a} > ${b})`,
  neu: (a, b) => `${a} !== ${b}`,
  ltu: (a, b) => `!(${a} >= ${b})`,
  leu: (a, b) => `!(${a} > ${b})`,
  gtu: (a, b) => `!(${a} <= ${b})`,
  geu: (a, b) => `!(${a} < ${b})`,
  num: (a, b) => `${a} === ${a} && ${b} === ${b}`,
  nan: (a, b) => `${a} !== ${a} || ${b} !== ${b}`,
};
