import { fingerprintOf } from "../../../numeric/operation/fingerprint.ts";
import type { Operation } from "../../../numeric/operation/operation.ts";
import { widthOf } from "../../../numeric/operation/type.ts";
import { vectorOf } from "../../../numeric/vector/lower.ts";
import type { VectorMaker } from "../../../numeric/vector/maker.ts";
import { isWide, type VectorFunction } from "../../../numeric/vector/vector.ts";

/**
 * Computes an atomic operation for one lane, the lowest of its inputs: one vector for memory and one for each operand;
 * of 64-bit values the vector with the first two lanes. Undefined if no rule applies.
 */
export function updateOf(op: Operation, make: VectorMaker): VectorFunction | undefined {
  const inputs = op.takes.map(({ type }, at) => {
    const input = make.input(at);
    return widthOf(type) === 64 ? ([input, input] as const) : input;
  });
  const value = vectorOf(op, inputs, make);
  if (value === undefined) return undefined;
  const name = `atomic ${fingerprintOf(op)}`;
  return make.function(name, inputs.length, () => (isWide(value) ? value[0] : value));
}
