import { WordLowering } from "../src/numeric/lower/word/words.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { floatCondition } from "./float-condition.ts";
import { isLoopWidth, type LoopText, registerSource, views } from "./lane-loop.ts";

/** The lanes in which a predicate of two operands holds. */
export function compareLoop(operation: Operation): LoopText | undefined {
  const { takes, result } = operation;
  if (result.into !== "predicate" || takes.length !== 2 || !takes.every(({ type }) => isLoopWidth(type)))
    return undefined;
  const source = registerSource(operation);
  const condition = floatCondition(operation, source) ?? integerCondition(operation, source);
  if (condition === undefined) return undefined;
  const { statements } = source;
  const lane = [...statements, `if (${condition}) held |= 1 << lane;`].join(" ");
  const loop = `let held = 0; for (let lane = 0; lane < lanes; lane++) { ${lane} } return held;`;
  return {
    text: `(lanes, a, b) => ({ ${views(source).join(", ")} }) => { ${loop} }`,
    imports: source.imports,
  };
}

function integerCondition({ takes, result }: Operation, source: ReturnType<typeof registerSource>): string | undefined {
  if (result.into !== "predicate") return undefined;
  const holds = new WordLowering(takes).condition(result.of);
  return holds && source.plan(holds).condition(holds);
}
