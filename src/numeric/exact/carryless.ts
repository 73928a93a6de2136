/** The product of two numbers that are not negative, without carries: what would be added is combined by XOR. */
export function carrylessProduct(a: bigint, b: bigint): bigint {
  let product = 0n;
  let shifted = b;
  for (let rest = a; rest !== 0n; rest >>= 1n, shifted <<= 1n) if (rest & 1n) product ^= shifted;
  return product;
}
