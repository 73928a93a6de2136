import { swizzled, swizzles } from "../contract/matrix/swizzle.ts";
import type { Atomicity, Swizzle } from "./tensor-map.ts";

/**
 * Where a byte of shared memory goes under a tensor map's swizzle (PTX ISA 5.5.7). The pattern follows absolute
 * addresses, so a box that begins at a multiple of 128 bytes may begin anywhere in it.
 */
export type Shuffle = (address: number) => number;

const narrow: Shuffle = (address) => swizzled(address, swizzles["32B"]);
const patterns = {
  "16B": (address: number) => swizzled(address, swizzles["128B"]),
  "32B": (address: number) => swizzled(address, swizzles["128B with 32B atoms"]),
  // Every other line swaps the halves of each 16 bytes as well.
  "32B+8B": (address: number) => swizzled(swizzled(address, swizzles["128B with 32B atoms"]), { bits: 1, to: 3 }),
  "64B": (address: number) => swizzled(address, swizzles["128B with 64B atoms"]),
} as const satisfies Record<Atomicity, Shuffle>;

export function shuffleOf(swizzle: Swizzle, atomicity: Atomicity): Shuffle {
  switch (swizzle) {
    case "none":
      return (address) => address;
    case "32B":
    case "96B":
      return narrow;
    case "64B":
      return (address) => swizzled(address, swizzles["64B"]);
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
