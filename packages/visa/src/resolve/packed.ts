import type * as ast from "../ast.ts";

/** The elements of an immediate of type v, uv or vf, the lowest bits first: words, or bits of f. */
export function packed({ type, bits }: ast.Immediate): readonly number[] {
  const word = Number(BigInt.asUintN(32, bits));
  if (type === "vf") return [0, 8, 16, 24].map((at) => restricted((word >>> at) & 0xff));
  return Array.from({ length: 8 }, (_, at) => {
    const nibble = (word >>> (4 * at)) & 0xf;
    return type === "v" && nibble > 7 ? 0xfff0 | nibble : nibble;
  });
}

/** A sign, 3 bits of exponent biased by 3 and 4 of fraction, as f; 0x00 and 0x80 are zeros. */
function restricted(byte: number): number {
  const sign = (byte & 0x80) << 24;
  if ((byte & 0x7f) === 0) return sign >>> 0;
  const exponent = ((byte >>> 4) & 7) - 3 + 127;
  return (sign | (exponent << 23) | ((byte & 0xf) << 19)) >>> 0;
}
