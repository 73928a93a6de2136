import { byReference } from "../lower/rule.ts";
import type { Expression } from "../operation/expression.ts";
import type { Result } from "../operation/operation.ts";
import { readsNothing } from "../operation/parts.ts";
import { isFloat, widthOf } from "../operation/type.ts";
import type { VectorMaker } from "./maker.ts";
import type { VectorRule } from "./rule.ts";
import { isWide, type Value, type Vector } from "./vector.ts";

/** A label is for the working alone. */
export const labelled: VectorRule = ({ takes, gives, result }, operands, _, lower) => {
  const of = "of" in result ? result.of : undefined;
  return of?.node === "label"
    ? lower({ takes, gives, result: { ...result, of: of.a } as Result }, operands)
    : undefined;
};

/** What reads no operand is computed now. */
export const constant: VectorRule = (operation, _, make) => {
  const { takes, gives, result } = operation;
  const width = widthOf(gives);
  if (!("of" in result) || result.into === "carry" || !readsNothing(result.of) || width > 64) return undefined;
  if (result.into === "round" && result.chance !== undefined) return undefined;
  const bits = byReference(operation)(...takes.map(({ type }) => (widthOf(type) > 32 ? 0n : 0)));
  if (width === 64) return [make.all64(BigInt(bits)), make.all64(BigInt(bits))];
  return make.all32(width === 1 ? -Number(bits) : Number(bits));
};

/** An operand's bits as they are: those of an integer do not depend on its sign. */
export const move: VectorRule = ({ takes, gives, result }, operands) => {
  if (result.into === "predicate" && gives === "pred" && result.of.node === "argument") {
    const { name } = result.of;
    const at = takes.findIndex((taken) => taken.name === name);
    return takes[at]?.type === "pred" ? operands[at] : undefined;
  }
  if (result.into !== "wrap" || (result.of.node !== "bits" && result.of.node !== "argument")) return undefined;
  const { name, node } = result.of;
  const at = takes.findIndex((taken) => taken.name === name);
  const type = takes[at]?.type;
  if (type === undefined || (node === "argument" && isFloat(type))) return undefined;
  const width = widthOf(gives);
  return widthOf(type) === width && widthOf(result.type) === width && width > 1 ? operands[at] : undefined;
};

/** One of two results, each by its own rules: both are computed. */
export const choice: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  const chosen = result.into === "choose" ? result : selected(result);
  if (chosen === undefined) return undefined;
  const when = lower({ takes, gives: "pred", result: { into: "predicate", of: chosen.when } }, operands);
  if (when === undefined || isWide(when)) return undefined;
  const yes = lower({ takes, gives, result: chosen.yes }, operands);
  const no = lower({ takes, gives, result: chosen.no }, operands);
  return yes && no && eitherOf(when, yes, no, make);
};

function eitherOf(when: Vector, yes: Value, no: Value, make: VectorMaker): Value | undefined {
  if (!isWide(yes) && !isWide(no)) return make.choose(when, yes, no);
  if (!isWide(yes) || !isWide(no)) return undefined;
  const [first, second] = make.widen(when);
  return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
}

/** A result of a selection is a selection of results. */
function selected(result: Result): { when: Expression; yes: Result; no: Result } | undefined {
  if (!("of" in result) || result.into === "carry" || result.of.node !== "select") return undefined;
  const { of: x } = result;
  return { when: x.when, yes: { ...result, of: x.yes }, no: { ...result, of: x.no } };
}
