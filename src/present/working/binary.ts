/** Bits in groups of four, the highest first: `0000_0101`. */
export const binary = (bits: bigint, width: number): string =>
  BigInt.asUintN(width, bits)
    .toString(2)
    .padStart(width, "0")
    .replace(/\B(?=(?:\d{4})+$)/g, "_");
