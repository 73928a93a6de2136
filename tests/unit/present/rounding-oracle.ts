/** Exact fractions, and floats decoded by hand: shares nothing with src, so that a working can be held against it. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

export const fraction = (n: bigint, d = 1n): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d });
export const plus = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
export const over = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d, a.d * b.n);
export const power = (e: number): Fraction => (e < 0 ? fraction(1n, 1n << BigInt(-e)) : fraction(1n << BigInt(e)));
/** Below, equal to or above. */
export const against = (a: Fraction, b: Fraction): number => {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

const shapes = {
  f16: [5, 10, 0],
  bf16: [8, 7, 0],
  f32: [8, 23, 0],
  f64: [11, 52, 0],
  e4m3: [4, 3, 0],
  e5m2: [5, 2, 0],
  tf32: [8, 10, 13],
} as const;
export type FloatName = keyof typeof shapes;

/** What a finite code means. */
export function decode(name: FloatName, bits: bigint): Fraction {
  const [exponent, mantissa, unused] = shapes[name];
  const code = bits >> BigInt(unused);
  const e = Number((code >> BigInt(mantissa)) & ((1n << BigInt(exponent)) - 1n));
  const m = code & ((1n << BigInt(mantissa)) - 1n);
  const bias = 2 ** (exponent - 1) - 1;
  const significand = e === 0 ? m : m + (1n << BigInt(mantissa));
  const value = times(fraction(significand), power(Math.max(e, 1) - bias - mantissa));
  return (code >> BigInt(exponent + mantissa)) & 1n ? fraction(-value.n, value.d) : value;
}

/** `-0b1.01|[0 x 22]1 x 2^3` as a number, the bar left out; the bits before `...` alone where there is one. */
export function readBinary(text: string): Fraction {
  const [, sign, digits = "", e = "0"] = /^(-?)0b([^ ]*(?:\[\d x \d+\][^ ]*)*) x 2\^(-?\d+)$/.exec(text) ?? [];
  const plain = digits
    .replace(/\[(\d) x (\d+)\]/g, (_, digit: string, count: string) => digit.repeat(Number(count)))
    .replace("|", "")
    .replace("...", "");
  const [whole = "", part = ""] = plain.split(".");
  const value = times(fraction(BigInt(`0b${whole}${part}`)), power(Number(e) - part.length));
  return sign === "-" ? fraction(-value.n, value.d) : value;
}

/** `481 x 2^-14`, `2^5`, `-3`, `0x2[0 x 36]1 x 2^-149`. */
export function readDyadic(text: string): Fraction {
  const [, sign, whole, e] = /^(-?)(?:([^^]+?)(?: x 2\^|$)|2\^)?(-?\d+)?$/.exec(text) ?? [];
  const digits = (whole ?? "1").replace(/\[(\w) x (\d+)\]/g, (_, digit: string, count: string) =>
    digit.repeat(Number(count)),
  );
  const value = times(fraction(BigInt(digits)), power(Number(e ?? 0)));
  return sign === "-" ? fraction(-value.n, value.d) : value;
}

/** `-1.5`, `5.96e-8`, `0.333...`: the digits before `...`. */
export function readDecimal(text: string): { readonly value: Fraction; readonly unit: Fraction } {
  const [, sign, whole = "", part = "", e = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:\.\.\.)?(?:e(-?\d+))?$/.exec(text) ?? [];
  const shift = Number(e) - part.length;
  const unit = shift < 0 ? fraction(1n, 10n ** BigInt(-shift)) : fraction(10n ** BigInt(shift));
  const value = times(fraction(BigInt(whole + part)), unit);
  return { value: sign === "-" ? fraction(-value.n, value.d) : value, unit };
}
