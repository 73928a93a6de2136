import { fromF64, readerOf } from "../binary64/double.ts";
import type { Bits } from "../bits.ts";
import { type Effect, flushOf, same } from "../format/effects.ts";
import { codes, type Format, f64 } from "../format/format.ts";
import type { Expression } from "../operation/expression.ts";
import type { Argument } from "../operation/operation.ts";
import { type FloatName, formatOf, isFloat } from "../operation/type.ts";
import type { Scalar } from "./rule.ts";

/** A float operand as an expression reads it: which one it is, whether `.ftz` flushes it, and what becomes of its sign. */
export interface FloatOperand {
  readonly at: number;
  readonly type: FloatName;
  readonly format: Format;
  readonly flush: boolean;
  readonly sign: "kept" | "turned" | "plus" | "minus";
}

const turned = { kept: "turned", turned: "kept", plus: "minus", minus: "plus" } as const;

/** The operand that an expression is, signs and `.ftz` included; undefined where it is more than that. */
export function floatOperand(x: Expression, takes: readonly Argument[]): FloatOperand | undefined {
  switch (x.node) {
    case "argument":
    case "flush": {
      const at = takes.findIndex(({ name }) => name === x.name);
      const type = takes[at]?.type;
      if (type === undefined || !isFloat(type)) return undefined;
      return { at, type, format: formatOf(type), flush: x.node === "flush", sign: "kept" };
    }
    case "neg": {
      const inner = floatOperand(x.a, takes);
      return inner && { ...inner, sign: turned[inner.sign] };
    }
    case "abs": {
      const inner = floatOperand(x.a, takes);
      return inner && { ...inner, sign: "plus" };
    }
    case "label":
      return floatOperand(x.a, takes);
    default:
      return undefined;
  }
}

/** An operand that is read as it is. */
export const isPlain = ({ flush, sign }: FloatOperand): boolean => !flush && sign === "kept";

/** What happens to the bits of an operand of up to 32 bits before the operation sees them. */
export function before({ format, flush, sign }: FloatOperand): Effect {
  const { signBit } = codes(format);
  const flushed = flush ? flushOf(format) : same;
  switch (sign) {
    case "kept":
      return flushed;
    case "turned":
      return (bits) => (flushed(bits) ^ signBit) >>> 0;
    case "plus":
      return (bits) => flushed(bits) & (signBit - 1);
    case "minus":
      return (bits) => (flushed(bits) | signBit) >>> 0;
  }
}

/** An operand's value in binary64; undefined for the formats of fewer than 16 bits, which have no reader. */
export function valueReader(operand: FloatOperand): ((bits: Bits) => number) | undefined {
  const { format, flush, sign } = operand;
  if (format === f64 && flush) return undefined;
  const read = (format === f64 ? fromF64 : readerOf(format)) as ((bits: Bits) => number) | undefined;
  if (read === undefined) return undefined;
  const flushed = flush ? flushOf(format) : undefined;
  const value = flushed ? (bits: Bits): number => read(flushed(bits as number)) : read;
  switch (sign) {
    case "kept":
      return value;
    case "turned":
      return (bits) => -value(bits);
    case "plus":
      return (bits) => Math.abs(value(bits));
    case "minus":
      return (bits) => -Math.abs(value(bits));
  }
}

/** A function on some of an operation's operands as one on all of them. */
export function placed(run: (...bits: never[]) => Bits, at: readonly number[]): Scalar {
  const on = run as Scalar;
  if (at.every((place, index) => place === index)) return on;
  const [i = 0, j = 0, k = 0] = at;
  if (at.length > 1) return (...all) => on(all[i]!, all[j]!, all[k]!);
  if (i === 1) return (_, b) => on(b!);
  return i === 2 ? (_, _b, c) => on(c!) : (...all) => on(all[i]!);
}
