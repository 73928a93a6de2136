import type { Format } from "../format/format.ts";
import { bitsIn, formatsByType } from "../format/named.ts";

/**
 * The element types of matrices, by the manual's names (PTX ISA, Matrix Data-types), and how the bits of an element are
 * handed to a tile.
 *
 * One element is one word (Uint32Array): its bits are the lowest of the word, as many as `bits` says, and those above are not
 * looked at. Callers unpack containers (8 bits for a 6-bit element, two 4-bit elements in a byte ...).
 * Exceptions: f64 is one word of a BigUint64Array; b1 has 32 elements in a word, in any order that A and B share.
 */
export type FloatElement = "f16" | "bf16" | "tf32" | "f32" | "f64" | "e4m3" | "e5m2" | "e3m2" | "e2m3" | "e2m1";
export type IntegerElement = "s8" | "u8" | "s4" | "u4" | "s32" | "s1z4m11";
export type ElementType = FloatElement | IntegerElement | "b1";
export type ScaleType = "ue8m0" | "ue4m3" | "ue5m3";

export const isFloatElement = (type: ElementType): type is FloatElement => type in formatsByType;

/** The format of a float element or a scale. */
export const elementFormat = (type: FloatElement | ScaleType): Format => formatsByType[type];

/** Bits of one element in the word that holds it; tf32 has 32, of which the low 13 are cut off. */
export function elementBits(type: ElementType | ScaleType): number {
  if (type === "s1z4m11") return 16;
  if (!(type in formatsByType)) return Number(type.slice(1));
  const format = elementFormat(type as FloatElement | ScaleType);
  // The scales are bytes, with or without a sign.
  return format.sign === 0 ? 8 : bitsIn(format);
}

/** s8, s4 and s32 have a sign. */
export const isSignedElement = (type: IntegerElement): boolean => type.startsWith("s");

/** s1z4m11 is a sign, four bits that are not looked at, and a magnitude of 11 bits. */
export function integerOf(type: IntegerElement, word: number): number {
  if (type === "s1z4m11") return word & 0x8000 ? -(word & 0x7ff) : word & 0x7ff;
  const unused = 32 - elementBits(type);
  return isSignedElement(type) ? (word << unused) >> unused : (word << unused) >>> unused;
}
