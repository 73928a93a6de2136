import { floatTypes } from "../../numeric/format/named.ts";
import { integersOf, integerWidths } from "../../numeric/operation/type.ts";

/** Words that name types of instructions, besides integers and floats of their own. Only their order in a text matters. */
const types = `
  b1 b2 b4 b128 u2 u4 s2 s4 u16x2 s16x2 u8x4 s8x4 s2f6x2 ue4m3 b8x16 b4x16_p64 b6x16_p32 pred`;

const split = (text: string): string[] => text.trim().split(/\s+/);

export const typeWords: ReadonlySet<string> = new Set([
  ...split(types),
  ...integerWidths.flatMap(integersOf),
  ...floatTypes,
]);
export const roundings: ReadonlySet<string> = new Set([
  "rn",
  "rz",
  "rm",
  "rp",
  "rna",
  "rs",
  "rni",
  "rzi",
  "rmi",
  "rpi",
]);

/** Matrix layouts: the first such word is about A, the second about B. */
export const layoutWords: ReadonlySet<string> = new Set(["row", "col"]);

/** `.lo`, `.hi`, `.wide` and `.mma` belong to the name: `mul.lo`, `wmma.mma`. They come directly after the mnemonic. */
export const nameParts: ReadonlySet<string> = new Set(["lo", "hi", "wide", "mma"]);

/** Words that may be repeated (measured with ptxas 13.0). */
export const repeatable: ReadonlySet<string> = new Set(["sat", "relu", "NaN", "approx", "cc", "sync", "satfinite"]);

/** The tests of testp. ptxas also accepts one of these words on every other instruction and ignores it (measured). */
export const idleWords: ReadonlySet<string> = new Set([
  "finite",
  "infinite",
  "number",
  "notanumber",
  "normal",
  "subnormal",
]);
