/** Bits in groups of four, the highest first: `0000_0101`. */
export function binary(bits: bigint, width: number): string {
  const digits = BigInt.asUintN(width, bits).toString(2).padStart(width, "0");
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 4) groups.unshift(digits.slice(Math.max(end - 4, 0), end));
  return groups.join("_");
}
