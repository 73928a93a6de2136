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
import type { RoundResult } from "../operation/expression.ts";
import type { Operation } from "../operation/operation.ts";
import { formatOf } from "../operation/type.ts";
import { before, type FloatOperand, floatOperand, isPlain, placed } from "./operand.ts";
import { byReference, type Scalar, type ScalarRule } from "./rule.ts";
import { type ArithmeticShape, arithmeticShape } from "./shape.ts";

/** One operation of IEEE 754 on operands, rounded once: by way of binary64 where that is exact (`binary64/fast.ts`). */
export const arithmetic: ScalarRule = (operation) => {
  const { takes, result } = operation;
  if (result.into !== "round" || result.rnd === "rs" || result.satfinite) return undefined;
  const shape = arithmeticShape(result.of);
  const operands = shape?.operands.map((x) => floatOperand(x, takes));
  if (shape === undefined || !operands?.every((operand) => operand !== undefined)) return undefined;
  const to = formatOf(result.format);
  const from = operands[0]!.format;
  const way = ways[shape.does];
  if (!way.takes(from, to).every((format, at) => operands[at]!.format === format)) return undefined;
  const fast = from === to || to === f32 ? way.fast(from, to, result.rnd) : undefined;
  return fast && withEffects(operation, result, operands, fast);
};

/** How it is done, and in which formats the operands are: mixed precision has the result's in the addend alone. */
interface Way {
  readonly fast: FastFor;
  readonly takes: (from: Format, to: Format) => readonly Format[];
}

const ofOne = (from: Format): readonly Format[] => [from];
const ofTwo = (from: Format): readonly Format[] => [from, from];
const withAddend = (from: Format, to: Format): readonly Format[] => [from, to];

const ways: Readonly<Record<ArithmeticShape["does"], Way>> = {
  add: { fast: fastAdd, takes: withAddend },
  sub: { fast: fastSub, takes: withAddend },
  mul: { fast: fastMul, takes: ofTwo },
  fma: { fast: fastFma, takes: (from, to) => [from, from, to] },
  div: { fast: fastDiv, takes: ofTwo },
  rcp: { fast: fastRcp, takes: ofOne },
  sqrt: { fast: fastSqrt, takes: ofOne },
};

function withEffects(
  operation: Operation,
  result: RoundResult,
  operands: readonly FloatOperand[],
  fast: Fast,
): Scalar | undefined {
  const { ftz, sat, relu, pzo } = result;
  const f = formatOf(result.format);
  const at = operands.map((operand) => operand.at);
  if (f === f64) return ftz || sat || relu || pzo || !operands.every(isPlain) ? undefined : placed(fast, at);
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
