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
  const short = shortLiteral(text);
  if (short !== undefined) return { value: short, signed: short >> 63n === 0n };
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

/** `42` and `0x2A`, as nearly all are written, if they have at most 64 bits for sure. */
function shortLiteral(text: string): bigint | undefined {
  const { length } = text;
  if (text.charCodeAt(0) !== ZERO || length === 1) {
    if (length > 15) return undefined;
    let value = 0;
    for (let at = 0; at < length; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return undefined;
      value = 10 * value + digit;
    }
    return BigInt(value);
  }
  if (length < 3 || length > 18 || (text.charCodeAt(1) | 32) !== SMALL_X) return undefined;
  for (let at = 2; at < length; at++) {
    const code = text.charCodeAt(at);
    const letter = code | 32;
    if (!(code >= ZERO && code <= ZERO + 9) && !(letter >= SMALL_A && letter <= SMALL_A + 5)) return undefined;
  }
  return BigInt(text);
}
const ZERO = 48;
const SMALL_A = 97;
const SMALL_D = 100;
const SMALL_F = 102;
const SMALL_X = 120;

/** The bits of `1.5`, `0f3f800000`, `0d3ff0000000000000`; undefined where a double cannot hold the number normally. */
export function floatLiteral(text: string): FloatBits | undefined {
  const sort = text.charCodeAt(0) === ZERO ? text.charCodeAt(1) | 32 : 0;
  if (sort === SMALL_F) return { bits: BigInt(Number.parseInt(text.slice(2), 16)), width: 32 };
  if (sort === SMALL_D) return { bits: BigInt(`0x${text.slice(2)}`), width: 64 };
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
