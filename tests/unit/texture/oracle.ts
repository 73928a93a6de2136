// The formulas of CUDA's programming guide, "Texture Fetching", in rationals: a second source that shares nothing with
// src/interp/texture. A rational is a pair of bigints, the second one positive.

export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export const rational = (n: bigint | number, d: bigint | number = 1n): Rational => {
  const [a, b] = [BigInt(n), BigInt(d)];
  return b < 0n ? { n: -a, d: -b } : { n: a, d: b };
};
export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);
export const below = (a: Rational, b: Rational): boolean => a.n * b.d < b.n * a.d;

/** The greatest integer that is not above it. */
export const floor = ({ n, d }: Rational): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d));

/** The nearest integer; of two, the even one. */
export function nearest(value: Rational): bigint {
  const low = floor(value);
  const rest = minus(value, rational(low));
  const twice = rest.n * 2n;
  return twice > rest.d || (twice === rest.d && low % 2n !== 0n) ? low + 1n : low;
}

const double = new Float64Array(1);
const bitsOfDouble = new BigUint64Array(double.buffer);

/** A finite double as a rational. */
export function exactly(value: number): Rational {
  double[0] = value;
  const bits = bitsOfDouble[0] ?? 0n;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const significand = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const sign = value < 0 ? -1n : 1n;
  return power >= 0
    ? rational(sign * (significand << BigInt(power)))
    : rational(sign * significand, 1n << BigInt(-power));
}

/** The nearest number with `bits` significant bits whose last one is not below 2^least, ties to even. */
export function rounded(value: Rational, bits: number, least: number): number {
  if (value.n === 0n) return 0;
  const magnitude = value.n < 0n ? { n: -value.n, d: value.d } : value;
  let power = magnitude.n.toString(2).length - magnitude.d.toString(2).length;
  const two = (e: number): Rational => (e >= 0 ? rational(1n << BigInt(e)) : rational(1n, 1n << BigInt(-e)));
  if (below(magnitude, two(power))) power--;
  const unit = two(Math.max(power - bits + 1, least));
  const units = nearest(over(value, unit));
  return Number(units) * 2 ** Math.max(power - bits + 1, least);
}

export const toF32 = (value: Rational): number => rounded(value, 24, -149);
/** What is too large becomes an infinity. */
export const toF16 = (value: Rational): number => {
  const near = rounded(value, 11, -24);
  return Math.abs(near) > 65504 ? Math.sign(near) * Number.POSITIVE_INFINITY : near;
};

export type Mode = "wrap" | "mirror" | "clamp" | "border";

/** The guide's change of a coordinate x of N texels, as a coordinate in texels. */
function inTexels(x: Rational, size: number, normalized: boolean, mode: Mode): { u: Rational; mode: Mode } {
  const n = rational(size);
  if (!normalized) return { u: x, mode: mode === "wrap" || mode === "mirror" ? "clamp" : mode };
  const whole = floor(x);
  const part = minus(x, rational(whole));
  if (mode === "wrap") return { u: times(part, n), mode };
  if (mode === "mirror") return { u: times(whole % 2n === 0n ? part : minus(rational(1n), part), n), mode };
  return { u: times(x, n), mode };
}

/** The texel that an index stands for; undefined for the border. */
function settled(index: bigint, size: number, mode: Mode): number | undefined {
  const n = BigInt(size);
  if (mode === "wrap") return Number(((index % n) + n) % n);
  if (mode === "border" && (index < 0n || index >= n)) return undefined;
  return Number(index < 0n ? 0n : index >= n ? n - 1n : index);
}

/** Each texel of one axis with its weight in 256ths. */
export function along(
  x: number,
  size: number,
  { normalized, mode, linear, offset = 0 }: { normalized: boolean; mode: Mode; linear: boolean; offset?: number },
): readonly (readonly [index: number | undefined, weight: bigint])[] {
  // An offset moves the coordinate by whole texels.
  const moved = plus(exactly(x), normalized ? rational(offset, size) : rational(offset));
  const { u, mode: holds } = inTexels(moved, size, normalized, mode);
  if (!linear) return [[settled(floor(u), size, holds), 256n]];
  const xb = minus(u, rational(1n, 2n));
  const i = floor(xb);
  const alpha = nearest(times(minus(xb, rational(i)), rational(256n)));
  return [
    [settled(i, size, holds), 256n - alpha],
    [settled(i + 1n, size, holds), alpha],
  ];
}

/** The guide's faces of a cubemap: m, s and t by face. */
export function face(x: number, y: number, z: number): { face: number; m: number; s: number; t: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (az >= ax && az >= ay) return z >= 0 ? { face: 4, m: z, s: x, t: -y } : { face: 5, m: -z, s: -x, t: -y };
  if (ay >= ax) return y >= 0 ? { face: 2, m: y, s: x, t: z } : { face: 3, m: -y, s: x, t: -z };
  return x >= 0 ? { face: 0, m: x, s: -z, t: -y } : { face: 1, m: -x, s: z, t: -y };
}

/** (s/m + 1) / 2 of a face's width, as an axis of unnormalised, clamped coordinates. */
export function onFace(s: number, m: number, size: number, linear: boolean) {
  const u = times(over(plus(exactly(s), exactly(m)), times(exactly(m), rational(2n))), rational(size));
  if (!linear) return [[settled(floor(u), size, "clamp"), 256n]] as const;
  const xb = minus(u, rational(1n, 2n));
  const i = floor(xb);
  const alpha = nearest(times(minus(xb, rational(i)), rational(256n)));
  return [
    [settled(i, size, "clamp"), 256n - alpha],
    [settled(i + 1n, size, "clamp"), alpha],
  ] as const;
}
