import { toF16 } from "../../numeric/binary64/double.ts";

// Results of pairs of halves wait here, low half first, until all lanes are done: reading the words of a double right
// behind writing it would stall.

export const halfResults: Float64Array = new Float64Array(64);
const words = new Int32Array(halfResults.buffer);

/** Rounds the results of the active lanes to pairs of halves. */
export function roundHalves(s: Int32Array, d: number, lanes: number, active: number): void {
  const from = words;
  for (let lane = 0; lane < lanes; lane++)
    if ((active >>> lane) & 1)
      s[d + lane] = half(from[4 * lane + 1]!, from[4 * lane]!) | (half(from[4 * lane + 3]!, from[4 * lane + 2]!) << 16);
}

/** A double's words to bits of f16, rounded to nearest even. */
function half(high: number, low: number): number {
  const magnitude = high & 0x7fff_ffff;
  // The range from 2^-14 to below 2^16 in binary64 is handled here, the rest by `toF16`.
  if (magnitude < 0x3f10_0000 || magnitude >= 0x40f0_0000) return toF16(double(high, low));
  // Of the low word it only matters whether it is 0. The exponent biases differ by 1023 - 15.
  const sticky = magnitude | (low === 0 ? 0 : 1);
  return ((high >>> 16) & 0x8000) | ((sticky - 0x3f00_0000 + 0x1ff + ((magnitude >>> 10) & 1)) >>> 10);
}

const value = new Float64Array(1);
const parts = new Int32Array(value.buffer);

function double(high: number, low: number): number {
  parts[0] = low;
  parts[1] = high;
  return value[0]!;
}
