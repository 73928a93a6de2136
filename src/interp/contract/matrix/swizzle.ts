/**
 * Swizzling: bytes of shared memory exchange places within lines of 128 (PTX ISA 5.5.7; Canonical Layouts). `bits`
 * bits of the line's number are added, without carry, to the address from bit `to` on; 2 ** to bytes stay together.
 * The manual's Swizzle<bits, to, 7 - to>. Tensor maps, wgmma and tcgen05 have the same patterns.
 */
export interface Swizzle {
  readonly bits: number;
  readonly to: number;
}

export const swizzles = {
  none: { bits: 0, to: 4 },
  "32B": { bits: 1, to: 4 },
  "64B": { bits: 2, to: 4 },
  "128B": { bits: 3, to: 4 },
  "128B with 32B atoms": { bits: 2, to: 5 },
  "128B with 64B atoms": { bits: 1, to: 6 },
} as const satisfies Readonly<Record<string, Swizzle>>;

/**
 * The swizzled address of the byte at `address`. The pattern depends on addresses; `first` is the line
 * that counts as its beginning (the manual's base offset).
 */
export const swizzled = (address: number, { bits, to }: Swizzle, first: number = 0): number =>
  address ^ ((((address >>> 7) - first) & ((1 << bits) - 1)) << to);
