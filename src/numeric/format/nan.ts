import { type IntType, intWidth } from "../integer.ts";
import type { Bits } from "../op.ts";
import { type Format, f32, f64 } from "./format.ts";

/** What a NaN becomes as an integer: 0, except from f64 or to 64 bits, where it is the top bit alone (grade doc). */
export function nanAsInteger(from: Format, to: IntType): bigint {
  const width = intWidth(to);
  return from === f64 || width === 64 ? 1n << BigInt(width - 1) : 0n;
}

const QUIET = 0x7ff8_0000_0000_0000n;

/**
 * What a NaN becomes in f64: operations on f64 keep payloads (grade doc, 9.7.3) and make them quiet. A NaN of 16 bits
 * goes through the canonical one of f32 (asm: ptxas folds constants so).
 */
export function nanAsF64(from: Format): (bits: Bits) => bigint {
  if (from === f64) return (bits) => (bits as bigint) | QUIET;
  if (from !== f32) return () => widened(Number(f32.nan));
  return (bits) => widened(bits as number);
}

const widened = (single: number): bigint =>
  (BigInt(single >>> 31) << 63n) | QUIET | (BigInt(single & 0x007f_ffff) << 29n);
