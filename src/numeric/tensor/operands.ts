import { elementFormat, type FloatElement, type ScaleType } from "./element.ts";
import type { Scale } from "./spec.ts";

/** The exponent of a zero: no sum of it with others reaches that of a number. */
export const NONE = -100_000;
/** No exponent of a term that is not zero is below this. */
export const LEAST = -10_000;

/** Rows of one operand (columns of B), read once a tile. */
export interface Decoded {
  readonly rows: number;
  readonly length: number;
  readonly values: Float64Array;
  /** Of the unit before the point: a subnormal's is that of the least normal number. NONE for zero, infinity and NaN. */
  readonly exponents: Int32Array;
  /** 1 where the row has an infinity or a NaN. */
  readonly special: Uint8Array;
}

export const decodedOf = (rows: number, length: number): Decoded => ({
  rows,
  length,
  values: new Float64Array(rows * length),
  exponents: new Int32Array(rows * length),
  special: new Uint8Array(rows),
});

export type Decoder = (bits: Uint32Array, into: Decoded, scales?: Uint32Array) => void;

/** How one element becomes a value and an exponent, in tables by its exponent field. */
function fieldsOf(type: FloatElement | ScaleType): {
  readonly exponents: Int32Array;
  readonly units: Float64Array;
  readonly hidden: Float64Array;
} {
  const f = elementFormat(type);
  // A format without a fraction (ue8m0) has no subnormals.
  const least = f.frac > 0 ? 1 : 0;
  const exponents = Int32Array.from({ length: 2 ** f.exp }, (_, e) => Math.max(e, least) - f.bias);
  const units = Float64Array.from(exponents, (e) => 2 ** (e - f.frac));
  const hidden = Float64Array.from({ length: 2 ** f.exp }, (_, e) => (e < least ? 0 : 2 ** f.frac));
  return { exponents, units, hidden };
}

/**
 * Reads all rows of an operand. `order` says from where within its row each element comes; with a scale (mxf8f6f4) each
 * element is multiplied by its block's, a power of two.
 */
export function decoderOf(type: FloatElement | ScaleType, order?: Int32Array, scale?: Scale): Decoder {
  const f = elementFormat(type);
  const { pad, frac } = f;
  const { exponents, units, hidden } = fieldsOf(type);
  const top = 2 ** f.exp - 1;
  const fractionMask = 2 ** frac - 1;
  const signShift = f.exp + frac + pad;
  // The least code, without its sign, that is no number.
  const specialFrom =
    f.specials === "ieee" ? top * 2 ** frac : f.specials === "nan-only" ? 2 ** (f.exp + frac) - 1 : 2 ** (f.exp + frac);
  const sizeMask = 2 ** (f.exp + frac) - 1;
  const block = scale?.block ?? 0;
  return (bits, { rows, length, values, exponents: into, special }, scales) => {
    for (let row = 0; row < rows; row++) {
      const start = row * length;
      let unusual = 0;
      for (let at = 0; at < length; at++) {
        const from = order ? order[at]! : at;
        const word = bits[start + from]!;
        const code = word >>> pad;
        const size = code & sizeMask;
        const negative = f.sign === 1 && (word >>> signShift) & 1;
        const e = (size >>> frac) & top;
        const fraction = size & fractionMask;
        let value = (fraction + hidden[e]!) * units[e]!;
        let exponent = value === 0 ? NONE : exponents[e]!;
        if (size >= specialFrom) {
          unusual = 1;
          exponent = NONE;
          value = f.specials === "ieee" && fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
        }
        if (block !== 0) {
          const by = scales![Math.floor((start + from) / block)]! & 0xff;
          if (by === 0xff) {
            unusual = 1;
            value = Number.NaN;
          } else {
            value *= 2 ** (by - 127);
            exponent += by - 127;
          }
        }
        values[start + at] = negative ? -value : value;
        into[start + at] = exponent;
      }
      special[row] = unusual;
    }
  };
}
