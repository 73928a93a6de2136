import type { Operation } from "../operation/operation.ts";
import type { VectorMaker } from "./maker.ts";
import type { VectorRule } from "./rule.ts";
import type { Value } from "./vector.ts";

/** The first of them that leads is taken. */
const rules: readonly VectorRule[] = [];

/** An operation on four lanes of a warp, as code of WebAssembly can compute it; undefined where no rule leads. */
export function vectorOf(operation: Operation, operands: readonly Value[], make: VectorMaker): Value | undefined {
  for (const rule of rules) {
    const found = rule(operation, operands, make);
    if (found !== undefined) return found;
  }
  return undefined;
}
