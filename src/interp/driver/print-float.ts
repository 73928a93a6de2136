import { withoutZeros } from "../../source/suffix.ts";

/** The magnitude of a finite double, as its fields hold it. */
export interface Double {
  readonly exponent: number;
  readonly fraction: bigint;
}

/** The value is `numerator / denominator`. */
function ratio({ exponent, fraction }: Double): readonly [bigint, bigint] {
  const significand = exponent === 0 ? fraction : fraction | (1n << 52n);
  const scale = Math.max(exponent, 1) - 1075;
  return scale >= 0 ? [significand << BigInt(scale), 1n] : [significand, 1n << BigInt(-scale)];
}

/** numerator / denominator as an integer, ties to even: what C rounds decimals with. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** A double has no digit behind this one, so more of them are zeros. */
const LAST = 1074;

const point = (digits: string, alternate: boolean): string => (digits === "" ? (alternate ? "." : "") : `.${digits}`);

/** `%.*f`. */
export function decimalText(value: Double, precision: number, alternate: boolean): string {
  const places = Math.min(precision, LAST);
  const [numerator, denominator] = ratio(value);
  const all = rounded(numerator * 10n ** BigInt(places), denominator)
    .toString()
    .padStart(places + 1, "0");
  const cut = all.length - places;
  return all.slice(0, cut) + point(all.slice(cut) + "0".repeat(precision - places), alternate);
}

/** `count` significant digits and the power of ten of the first. */
function significant(value: Double, count: number): { readonly digits: string; readonly power: number } {
  const [numerator, denominator] = ratio(value);
  if (numerator === 0n) return { digits: "0".repeat(count), power: 0 };
  // As many digits before the point as the quotient has, or as many zeros behind it as the inverse has.
  let power =
    numerator >= denominator
      ? (numerator / denominator).toString().length - 1
      : -((denominator - 1n) / numerator).toString().length;
  for (;;) {
    const shift = count - 1 - power;
    const digits = (
      shift >= 0
        ? rounded(numerator * 10n ** BigInt(shift), denominator)
        : rounded(numerator, denominator * 10n ** BigInt(-shift))
    ).toString();
    if (digits.length === count) return { digits, power };
    // 9.99 became 10.0.
    power += digits.length > count ? 1 : -1;
  }
}

/** `%.*e`. */
export function exponentText(value: Double, precision: number, alternate: boolean): string {
  const places = Math.min(precision, LAST);
  const { digits, power } = significant(value, places + 1);
  return digits[0] + point(digits.slice(1) + "0".repeat(precision - places), alternate) + exponentOf(power);
}

const exponentOf = (power: number): string => `e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

/** `%.*g`: as `e` for small and large powers of ten, else as `f`, and without zeros at the end. */
export function shortestText(value: Double, precision: number, alternate: boolean): string {
  const count = Math.min(Math.max(precision, 1), LAST);
  const { power } = significant(value, count);
  const scientific = power < -4 || power >= count;
  const text = scientific
    ? exponentText(value, count - 1, alternate)
    : decimalText(value, Math.max(0, count - 1 - power), alternate);
  if (alternate) return text;
  const [mantissa = "", exponent] = text.split("e");
  const bare = mantissa.includes(".") ? withoutZeros(mantissa).replace(/\.$/, "") : mantissa;
  return exponent === undefined ? bare : `${bare}e${exponent}`;
}

/** `%a` behind its 0x: one digit, hexadecimal places, a power of two. */
export function hexText({ exponent, fraction }: Double, precision: number | undefined, alternate: boolean): string {
  let lead = exponent === 0 ? 0n : 1n;
  let places = fraction.toString(16).padStart(13, "0");
  if (precision === undefined) places = withoutZeros(places);
  else if (precision < 13) {
    const kept = rounded((lead << 52n) | fraction, 1n << BigInt(4 * (13 - precision)));
    lead = kept >> BigInt(4 * precision);
    const rest = kept & ((1n << BigInt(4 * precision)) - 1n);
    places = precision === 0 ? "" : rest.toString(16).padStart(precision, "0");
  } else places = places.padEnd(precision, "0");
  const power = exponent === 0 ? (fraction === 0n ? 0 : -1022) : exponent - 1023;
  return `${lead.toString(16)}${point(places, alternate)}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
