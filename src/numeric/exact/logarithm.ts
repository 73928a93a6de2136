import { bitLength, type Exact, finite, NAN } from "./exact.ts";
import { between, ln2 } from "./transcendental.ts";

/** log2 x to as many bits as rounding needs; irrational unless x is a power of two. */
export function exactLog2(x: Exact): Exact {
  if (x.kind === "nan") return NAN;
  if (x.kind === "finite" && x.sig === 0n) return { kind: "inf", neg: true };
  if (x.neg) return NAN;
  if (x.kind === "inf") return x;
  const length = bitLength(x.sig);
  const whole = x.exp + length - 1;
  const power = 1n << BigInt(length - 1);
  if (x.sig === power) return finite(whole < 0, BigInt(Math.abs(whole)), 0);
  // ln m = 2 artanh((m - 1) / (m + 1)) for m = sig / power, between 1 and 2.
  const size = between(0, (bits) => {
    const ratio = ((x.sig - power) << BigInt(bits)) / (x.sig + power);
    const fraction = ((2n * areaTangent(ratio, bits)) << BigInt(bits)) / ln2(bits);
    const value = (BigInt(whole) << BigInt(bits)) + fraction;
    return whole < 0 ? -value : value;
  });
  return { ...size, neg: whole < 0 };
}

/** artanh x for 0 <= x <= 1/3, both in units of 2^-bits. */
function areaTangent(x: bigint, bits: number): bigint {
  const square = (x * x) >> BigInt(bits);
  let power = x;
  let sum = x;
  for (let n = 3n; power > 0n; n += 2n) {
    power = (power * square) >> BigInt(bits);
    sum += power / n;
  }
  return sum;
}
