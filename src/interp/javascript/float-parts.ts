// Parts of generated loops on floats that the engine inlines.

const SMALLEST_NORMAL = 2 ** -126;

/** `.ftz` on an operand in f32: a subnormal counts as a zero of its sign. */
export const flushed = (x: number): number => (Math.abs(x) < SMALLEST_NORMAL ? x * 0 : x);

const WORD = 2 ** 32;

/** A 64-bit integer as a double, rounded to odd if it exceeds 53 bits, so that rounding to f32 is then correct. */
export function oddDouble(high: number, low: number): number {
  if (Math.abs(high) < 2 ** 20 || (low & 0x7ff) === 0) return high * WORD + (low >>> 0);
  return high * WORD + (((low & ~0x7ff) | 0x800) >>> 0);
}

/** Writes a number, cut toward zero and clamped to s64, at word `to`; a NaN becomes the least s64. */
export function putSigned(w: Int32Array, to: number, value: number): void {
  const whole = Math.trunc(value);
  const high = Math.floor(whole / WORD);
  const inside = whole >= -(2 ** 63) && whole < 2 ** 63;
  const most = whole > 0;
  w[to] = inside ? whole - high * WORD : most ? -1 : 0;
  w[to + 1] = inside ? high : most ? 0x7fff_ffff : -0x8000_0000;
}

/** The same for u64; a NaN becomes 2^63. */
export function putUnsigned(w: Int32Array, to: number, value: number): void {
  const whole = Math.trunc(value);
  const high = Math.floor(whole / WORD);
  if (whole >= 0 && whole < 2 ** 64) {
    w[to] = whole - high * WORD;
    w[to + 1] = high;
    return;
  }
  w[to] = whole > 0 ? -1 : 0;
  w[to + 1] = whole > 0 ? -1 : Number.isNaN(whole) ? -0x8000_0000 : 0;
}
