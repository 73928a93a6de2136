/**
 * The numbers that PTX writes: integer literals (PTX ISA 4.5.1) and floating-point literals (4.5.2), each as bits.
 */

/** Bits, of a width; a decimal float is always a double (4.5.2), `0f` is 32 bits as they stand. */
export interface FloatBits {
  readonly bits: bigint;
  readonly width: 32 | 64;
}

export const U64 = (1n << 64n) - 1n;

/**
 * The value of `0x1F`, `017`, `0b1`, `42U` modulo 2^64, or undefined where ptxas reports an overflow: a digit follows
 * although the 64th bit is set already. 18446744073709551616 passes as 0 by that rule, 99999999999999999999 does not.
 */
export function integerLiteral(text: string): { value: bigint; signed: boolean } | undefined {
  const unsigned = text.endsWith("U");
  const digits = unsigned ? text.slice(0, -1) : text;
  // The lexer has reported a malformed number; it counts as 0.
  if (!/^(?:0x[\da-f]+|0b[01]+|0[0-7]*|[1-9]\d*)$/i.test(digits)) return { value: 0n, signed: true };
  const hex = /^0x/i.test(digits);
  const binary = /^0b/i.test(digits);
  const base = hex ? 16n : binary ? 2n : digits.startsWith("0") ? 8n : 10n;
  let value = 0n;
  for (const digit of digits.slice(hex || binary ? 2 : 0)) {
    if (value >> 63n !== 0n) return undefined;
    value = (value * base + BigInt(Number.parseInt(digit, 16))) & U64;
  }
  // 4.5.1: a literal is signed unless it says U or only fits unsigned.
  return { value, signed: !unsigned && value >> 63n === 0n };
}

/** The bits of `1.5`, `0f3f800000`, `0d3ff0000000000000`; undefined where a double cannot hold the number normally. */
export function floatLiteral(text: string): FloatBits | undefined {
  if (/^0f/i.test(text)) return { bits: BigInt(`0x${text.slice(2)}`), width: 32 };
  if (/^0d/i.test(text)) return { bits: BigInt(`0x${text.slice(2)}`), width: 64 };
  const value = Number(text);
  const zero = !/[1-9]/.test(text.split(/e/i, 1)[0] ?? "");
  // Subnormal doubles are an overflow to ptxas, as are infinities.
  if (!zero && !(value >= 2 ** -1022 && value < Number.POSITIVE_INFINITY)) return undefined;
  return { bits: doubleBits(value), width: 64 };
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of a double that is not NaN. */
export function doubleBits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** The double that bits stand for; a NaN's payload is lost on the way. */
export function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** True for a NaN of 64 bits. */
export const isNaN64 = (bits: bigint): boolean => (bits & (U64 >> 1n)) > 0x7ff0_0000_0000_0000n;

/** A double as 32 bits, to nearest even; a NaN keeps its sign and the top of its payload and becomes quiet. */
export function narrowed(bits: bigint): bigint {
  if (isNaN64(bits)) return ((bits >> 32n) & 0x8000_0000n) | 0x7fc0_0000n | ((bits >> 29n) & 0x3f_ffffn);
  view.setFloat32(0, doubleOf(bits));
  return BigInt(view.getUint32(0));
}

/**
 * A float constant where `wanted` bits are wanted: doubles narrow to 32 bits; `0f` where a double is wanted is not
 * converted, its bits land in the low word (measured with ptxas 13.0).
 */
export const floatAs = ({ bits, width }: FloatBits, wanted: 32 | 64): bigint =>
  width === 64 && wanted === 32 ? narrowed(bits) : bits;
