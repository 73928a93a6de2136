import type { Atomicity, Swizzle } from "./tensor-map.ts";

/**
 * Where a byte of shared memory goes under a swizzle (PTX ISA 5.5.7): bits of its 128-byte line are mixed into its place
 * within the line. The pattern is one of addresses, so a box that begins at a multiple of 128 bytes may begin anywhere in
 * it (the manual's base offset).
 */
export type Shuffle = (address: number) => number;

/** Takes `bits` bits of the line's number and mixes them into the address from bit `to` up. */
const mixed =
  (bits: number, to: number): Shuffle =>
  (address) =>
    address ^ (((address >>> 7) & ((1 << bits) - 1)) << to);

const narrow = mixed(1, 4);
const patterns = {
  "16B": mixed(3, 4),
  "32B": mixed(2, 5),
  // Every other line swaps the halves of each 16 bytes as well.
  "32B+8B": (address: number) => mixed(2, 5)(address) ^ (((address >>> 7) & 1) << 3),
  "64B": mixed(1, 6),
} as const satisfies Record<Atomicity, Shuffle>;

export function shuffleOf(swizzle: Swizzle, atomicity: Atomicity): Shuffle {
  switch (swizzle) {
    case "none":
      return (address) => address;
    case "32B":
    case "96B":
      return narrow;
    case "64B":
      return mixed(2, 4);
    case "128B":
      return patterns[atomicity];
  }
}

/** Bytes that stay together and in order wherever they go. */
export const atomBytes = (swizzle: Swizzle, atomicity: Atomicity): number =>
  swizzle === "128B" && atomicity === "32B+8B" ? 8 : 16;

/** Bytes of the span that a row of a box may fill under a swizzle. */
export const spanOf = (swizzle: Swizzle): number =>
  swizzle === "none" ? Number.POSITIVE_INFINITY : Number(swizzle.slice(0, -1));
