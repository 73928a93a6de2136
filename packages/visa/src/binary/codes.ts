import type { Align, Modifier, Predicate } from "../ast.ts";
import { predefined } from "../resolve/predefined.ts";

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

const predefinedSurfaces = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

/** The name of a predefined general variable; those without one are spelt V18 to V31. */
export const predefinedName = (number: number): string => predefined[number]?.name ?? `V${number}`;

/** The name of a predefined surface. */
export const predefinedSurface = (number: number): string => predefinedSurfaces[number] ?? `T${number}`;

/** The number of a predefined general variable: `%r0` and `V7` are the same. */
export function predefinedNumber(name: string): number | undefined {
  const number = predefined.findIndex((each) => each.name === name);
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
