import {
  type Fast,
  type FastFor,
  fastAdd,
  fastDiv,
  fastFma,
  fastMul,
  fastRcp,
  fastSqrt,
  fastSub,
} from "../binary64/fast.ts";
import { clampOf, type Effect, flushOf, same } from "../format/effects.ts";
import { codes, type Format, f32, f64 } from "../format/format.ts";
import type { Expression, RoundResult } from "../operation/expression.ts";
import type { Operation } from "../operation/operation.ts";
import { formatOf } from "../operation/type.ts";
import { before, type FloatOperand, floatOperand, isPlain, placed } from "./operand.ts";
import { byReference, type Scalar, type ScalarRule } from "./rule.ts";

/** One operation of IEEE 754 on operands, rounded once: by way of binary64 where that is exact (`binary64/fast.ts`). */
export const arithmetic: ScalarRule = (operation) => {
  const { takes, result } = operation;
  if (result.into !== "round" || result.rnd === "rs" || result.satfinite) return undefined;
  const shape = shapeOf(result.of);
  const operands = shape?.operands.map((x) => floatOperand(x, takes));
  if (shape === undefined || !operands?.every((operand) => operand !== undefined)) return undefined;
  const to = formatOf(result.format);
  const from = operands[0]!.format;
  if (!shape.takes(from, to).every((format, at) => operands[at]!.format === format)) return undefined;
  const fast = from === to || to === f32 ? shape.fast(from, to, result.rnd) : undefined;
  return fast && withEffects(operation, result, operands, fast);
};

interface Shape {
  readonly fast: FastFor;
  readonly operands: readonly Expression[];
  /** The formats of the operands; mixed precision (9.7.5) has the result's in the addend alone. */
  readonly takes: (from: Format, to: Format) => readonly Format[];
}

const ofTwo = (from: Format): readonly Format[] => [from, from];
const withAddend = (from: Format, to: Format): readonly Format[] => [from, to];
const fused = (a: Expression, b: Expression, c: Expression): Shape => ({
  fast: fastFma,
  operands: [a, b, c],
  takes: (from, to) => [from, from, to],
});
const minus = (a: Expression): Expression => ({ node: "neg", a });

function shapeOf(x: Expression): Shape | undefined {
  switch (x.node) {
    case "add":
      if (x.a.node === "mul") return fused(x.a.a, x.a.b, x.b);
      if (x.b.node === "mul") return fused(x.b.a, x.b.b, x.a);
      return { fast: fastAdd, operands: [x.a, x.b], takes: withAddend };
    case "sub":
      if (x.a.node === "mul") return fused(x.a.a, x.a.b, minus(x.b));
      if (x.b.node === "mul") return fused(minus(x.b.a), x.b.b, x.a);
      return { fast: fastSub, operands: [x.a, x.b], takes: withAddend };
    case "mul":
      return { fast: fastMul, operands: [x.a, x.b], takes: ofTwo };
    case "div":
      if (x.a.node === "integer" && x.a.value === 1n)
        return { fast: fastRcp, operands: [x.b], takes: (from) => [from] };
      return { fast: fastDiv, operands: [x.a, x.b], takes: ofTwo };
    case "sqrt":
      return { fast: fastSqrt, operands: [x.a], takes: (from) => [from] };
    case "label":
      return shapeOf(x.a);
    default:
      return undefined;
  }
}

function withEffects(
  operation: Operation,
  result: RoundResult,
  operands: readonly FloatOperand[],
  fast: Fast,
): Scalar | undefined {
  const { ftz, sat, relu } = result;
  const f = formatOf(result.format);
  const at = operands.map((operand) => operand.at);
  if (f === f64) return ftz || sat || relu || !operands.every(isPlain) ? undefined : placed(fast, at);
  const after = clampOf(f, result);
  if (!ftz) return placed(around(operands.map(before), fast, after), at);
  return atBorder(f, placed(around(operands.map(before), fast, same), at) as Fast, byReference(operation), after);
}

/**
 * Whether `.ftz` flushes a result is decided by the value before rounding (f16), or rounded as if the exponent had no
 * bound (f32); it is in doubt only where the rounded result is the smallest normal number.
 */
export function atBorder(f: Format, fast: Fast, reference: Scalar, after: Effect): Scalar {
  const { signBit, normal } = codes(f);
  const flush = flushOf(f);
  const run: Fast = (a, b, c) => {
    const d = fast(a, b, c);
    return (d & (signBit - 1)) === normal ? (reference(a, b, c) as number) : after(flush(d));
  };
  return run as Scalar;
}

/** `fast` on operands that first go through an effect each. */
function around([first = same, second = same, third = same]: readonly Effect[], fast: Fast, after: Effect): Fast {
  if (third !== same) return (a, b, c) => after(fast(first(a), second(b), third(c)));
  if (second !== same) return (a, b, c) => after(fast(first(a), second(b), c));
  if (first !== same) return (a, b, c) => after(fast(first(a), b, c));
  return after === same ? fast : (a, b, c) => after(fast(a, b, c));
}
