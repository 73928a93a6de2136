/**
 * How the 16-byte chunks of a matrix in shared memory change places (PTX ISA 5.5.7, 9.7.17.3.3): `bits` bits of an address from
 * `base + shift` on are added, without carry, to those from `base` on: Swizzle<bits, base, shift>.
 */
export interface Swizzle {
  readonly bits: number;
  readonly base: number;
  readonly shift: number;
}

export const swizzles = {
  none: { bits: 0, base: 4, shift: 3 },
  "32B": { bits: 1, base: 4, shift: 3 },
  "64B": { bits: 2, base: 4, shift: 3 },
  "128B": { bits: 3, base: 4, shift: 3 },
  /** Chunks of 32 bytes stay together. */
  "128B with 32B atoms": { bits: 2, base: 5, shift: 2 },
} as const satisfies Readonly<Record<string, Swizzle>>;

/** Where a byte lies that without swizzling would lie at `address`. */
export const swizzled = (address: number, { bits, base, shift }: Swizzle): number =>
  address ^ (((address >>> (base + shift)) & ((1 << bits) - 1)) << base);
