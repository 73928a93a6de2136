import type { Align, Modifier, Predicate } from "../ast.ts";

/** The numbers that objects have for names (visa_igc_common_header.h, and 4_visa_header, 5_operands in the manual). */

/** Operand classes, bits 0 to 2 of a tag. */
export const operandClass = {
  general: 0,
  address: 1,
  predicate: 2,
  indirect: 3,
  addressOf: 4,
  immediate: 5,
  state: 6,
} as const;

/** Source modifiers by number, bits 3 to 5 of a tag. */
export const modifiers: readonly (Modifier | undefined)[] = [undefined, "abs", "neg", "neg-abs", undefined, "not"];

/** `.sat` is kept in the modifier of the destination, and nowhere else. */
export const saturate = 4;

/** What an element of a region is, by its nibble; null is "not there". */
export const regionValues: readonly (number | undefined)[] = [undefined, 0, 1, 2, 4, 8, 16, 32];

/** Alignments of general variables, by number. */
export const aligns: readonly Align[] = [
  "byte", "word", "dword", "qword", "oword", "GRF", "GRFx2", "hword", "wordx32", "wordx64",
]; // biome-ignore format: in the order of their numbers

/** How a predicate's bits are combined, by number; 3 is reserved. */
export const combines: readonly Predicate["combine"][] = [undefined, "any", "all"];

/** General variables below this number are predefined. */
export const firstVariable = 32;

/** Surfaces below this number are predefined. */
export const firstSurface = 6;

/** Predefined general variables by number; the rest of the 32 are spelt V18 to V31. */
const predefined = [
  "%null", "%thread_x", "%thread_y", "%group_id_x", "%group_id_y", "%group_id_z", "%tsc", "%r0", "%arg", "%retval",
  "%sp", "%fp", "%hw_id", "%sr0", "%cr0", "%ce0", "%dbg0", "%color",
]; // biome-ignore format: a list of names

const predefinedSurfaces = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

/** The name of a predefined general variable. */
export const predefinedName = (number: number): string => predefined[number] ?? `V${number}`;

/** The name of a predefined surface. */
export const predefinedSurface = (number: number): string => predefinedSurfaces[number] ?? `T${number}`;

/** The number of a predefined general variable: `%r0` and `V7` are the same. */
export function predefinedNumber(name: string): number | undefined {
  const number = predefined.indexOf(name);
  if (number >= 0) return number;
  const [, digits] = /^V(0|[1-9]\d?)$/.exec(name) ?? [];
  return digits !== undefined && Number(digits) < firstVariable ? Number(digits) : undefined;
}

/** The number of a predefined surface: `%slm` and `T0` are the same. */
export function predefinedSurfaceNumber(name: string): number | undefined {
  const number = predefinedSurfaces.indexOf(name);
  if (number >= 0) return number;
  const [, digit] = /^T([0-5])$/.exec(name) ?? [];
  return digit === undefined ? undefined : Number(digit);
}
