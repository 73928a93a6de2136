import type { Bits } from "../bits.ts";
import type { Expression } from "../operation/expression.ts";
import type { Operation, Result } from "../operation/operation.ts";
import { readsNothing } from "../operation/parts.ts";
import { isFloat, widthOf } from "../operation/type.ts";
import { placed } from "./operand.ts";
import { byReference, type ScalarRule } from "./rule.ts";

/** One of two results: each side by its own rules. */
export const choice: ScalarRule = ({ takes, gives, result }, lower) => {
  const chosen = result.into === "choose" ? result : selected(result);
  if (chosen === undefined || takes.length > 5) return undefined;
  const when = lower({ takes, gives: "pred", result: { into: "predicate", of: chosen.when } });
  const [always, never] = [
    constantOf({ takes, gives, result: chosen.yes }),
    constantOf({ takes, gives, result: chosen.no }),
  ];
  if (always !== undefined && never !== undefined)
    return (a, b, c, d, e) => (when(a!, b!, c!, d!, e!) ? always : never);
  const [first, second] = [
    choicePlace({ takes, gives, result: chosen.yes }),
    choicePlace({ takes, gives, result: chosen.no }),
  ];
  if (first === 0 && second === 1) return (a, b, c, d, e) => (when(a!, b!, c!, d!, e!) ? a! : b!);
  const yes = lower({ takes, gives, result: chosen.yes });
  const no = lower({ takes, gives, result: chosen.no });
  return (a, b, c, d, e) => (when(a!, b!, c!, d!, e!) ? yes(a!, b!, c!, d!, e!) : no(a!, b!, c!, d!, e!));
};

/** A result of a selection is a selection of results. */
function selected(result: Result): { when: Expression; yes: Result; no: Result } | undefined {
  switch (result.into) {
    case "wrap":
    case "clamp":
    case "round":
    case "predicate": {
      const { of: x } = result;
      if (x.node !== "select") return undefined;
      return { when: x.when, yes: { ...result, of: x.yes }, no: { ...result, of: x.no } };
    }
    default:
      return undefined;
  }
}

/** A label matters only to derivations. */
export const labelled: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into === "choose" && result.when.node === "label")
    return lower({ takes, gives, result: { ...result, when: result.when.a } });
  const of = "of" in result ? result.of : undefined;
  return of?.node === "label" ? lower({ takes, gives, result: { ...result, of: of.a } as Result }) : undefined;
};

/** An operation that reads no operand is computed once. */
export const constant: ScalarRule = (operation) => {
  const value = constantOf(operation);
  return value === undefined ? undefined : () => value;
};

function constantOf(operation: Operation): Bits | undefined {
  if (!isConstant(operation.result)) return undefined;
  return byReference(operation)(...operation.takes.map(({ type }): Bits => (widthOf(type) > 32 ? 0n : 0)));
}

const isConstant = (result: Result): boolean =>
  (result.into === "wrap" || result.into === "clamp" || result.into === "round" || result.into === "predicate") &&
  readsNothing(result.of) &&
  (result.into !== "round" || result.chance === undefined);

/** An operand's bits as they are: those of an integer do not depend on its sign. */
export const move: ScalarRule = (operation) => {
  const at = choicePlace(operation);
  return at === undefined ? undefined : placed((a: Bits) => a, [at]);
};

/** Which operand it is. */
function choicePlace({ takes, gives, result }: Operation): number | undefined {
  if (result.into !== "wrap" || (result.of.node !== "bits" && result.of.node !== "argument")) return undefined;
  const { name, node } = result.of;
  const at = takes.findIndex((taken) => taken.name === name);
  const taken = takes[at];
  if (
    taken === undefined ||
    (node === "argument" && isFloat(taken.type)) ||
    widthOf(taken.type) !== widthOf(gives) ||
    widthOf(result.type) !== widthOf(gives)
  )
    return undefined;
  return at;
}
