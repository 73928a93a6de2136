import type { ConvertMode } from "./convert-mode.ts";

/** Half a unit of tf32's last place, and the bits that it keeps. */
const HALF = 0x1000;
const KEPT = 0xffff_e000;
const INFINITY = 0x7f80_0000;

/**
 * cvt.rna.tf32.f32. It is no instruction of any GPU but a few, and ptxas writes the same few for all (grade asm): a
 * finite number gets half a unit added, then the low 13 bits go, those of a NaN's payload too (0x7f800001 becomes an
 * infinity). With `.satfinite` what is no finite number then has a unit taken off, a NaN too.
 */
export function nearestAwayTf32({ satfinite }: ConvertMode): (a: number) => number {
  const round = (a: number): number => (((a & 0x7fff_ffff) < INFINITY ? a + HALF : a) & KEPT) >>> 0;
  if (!satfinite) return round;
  return (a) => {
    const code = round(a);
    return (code & 0x7fff_ffff) < INFINITY ? code : code - 2 * HALF;
  };
}
