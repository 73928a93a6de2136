import type { Rounding } from "../../../../src/numeric/exact/exact.ts";

/** The float modes in %cr0: its bits 0, 4-5, 6, 7 and 10. At the start of a kernel all of them are 0. */
export interface FloatControl {
  readonly rounding: Rounding;
  /** Infinite results become the largest number of their sign (f only). */
  readonly alternative: boolean;
  /** Denormals are kept, not flushed to a zero of their sign. */
  readonly keep: Readonly<Record<"df" | "f" | "hf" | "bf", boolean>>;
}

export type FloatType = keyof FloatControl["keep"];

const roundings: readonly Rounding[] = ["rn", "rp", "rm", "rz"];

export const floatControl = (cr0: number): FloatControl => ({
  rounding: roundings[(cr0 >>> 4) & 3] ?? "rn",
  alternative: (cr0 & 1) !== 0,
  keep: {
    df: (cr0 & 0x40) !== 0,
    f: (cr0 & 0x80) !== 0,
    hf: (cr0 & 0x400) !== 0,
    // bf executes in f.
    bf: (cr0 & 0x80) !== 0,
  },
});
