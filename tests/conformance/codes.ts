import { type Binary, infinityOf, signOf } from "./rational-oracle.ts";

/** Codes at which floating-point arithmetic goes wrong, with both signs. */
function cornersOf(f: Binary): readonly bigint[] {
  const one = BigInt(2 ** (f.bits - f.fraction - 2) - 1);
  const top = 2n * one + 1n;
  const ones = (1n << BigInt(f.fraction)) - 1n;
  const middle = 1n << BigInt(f.fraction >> 1);
  const exponents = [0n, 1n, BigInt(f.fraction), one - BigInt(f.fraction), one - 1n, one, one + 1n, top - 1n];
  const sizes = exponents.flatMap((e) => [0n, 1n, middle, ones].map((x) => (e << BigInt(f.fraction)) + x));
  return [...sizes, infinityOf(f), infinityOf(f) + 1n].flatMap((x) => [x, x | signOf(f)]);
}

/** Every pair of corners, with a third operand that goes through them too. */
export function* pairsOfCorners(f: Binary): Generator<readonly bigint[]> {
  const corners = cornersOf(f);
  let third = 0;
  for (const a of corners) for (const b of corners) yield [a, b, corners[third++ % corners.length] ?? 0n];
}

/** Random operands of three kinds: any codes, moderate numbers of few or many bits, and a third that nearly cancels. */
export function randomCodes(f: Binary, seed: bigint): () => readonly bigint[] {
  let state = Number(seed) | 1;
  const word = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const any = (): bigint => (f.bits === 32 ? BigInt(word()) : (BigInt(word()) << 32n) | BigInt(word()));
  const one = 2 ** (f.bits - f.fraction - 2) - 1;
  const ones = (1n << BigInt(f.fraction)) - 1n;
  const moderate = (): bigint => {
    const code = any();
    const exponent = BigInt(one - 40 + (word() % 80));
    const few = word() % 4 === 0 ? ~((1n << BigInt(word() % f.fraction)) - 1n) : -1n;
    return (code & signOf(f)) | (exponent << BigInt(f.fraction)) | (code & ones & few);
  };
  const exponentOf = (code: bigint): number => Number((code & (signOf(f) - 1n)) >> BigInt(f.fraction));
  return () => {
    const kind = word() % 8;
    if (kind === 0) return [any(), any(), any()];
    const a = moderate();
    if (kind === 1) return [a, BigInt.asUintN(f.bits, a + BigInt(word() % 5) - 2n) ^ signOf(f), moderate()];
    const b = moderate();
    if (kind < 4) return [a, b, moderate()];
    // c about as large as a * b, and of the other sign more often than not.
    const exponent = Math.max(
      0,
      exponentOf(a) + exponentOf(b) - one + (word() % 3) + (kind === 7 ? -(word() % 60) : 0),
    );
    const sign = word() % 4 === 0 ? (a ^ b) & signOf(f) : (a ^ b ^ signOf(f)) & signOf(f);
    return [a, b, sign | (BigInt(exponent) << BigInt(f.fraction)) | (any() & ones)];
  };
}
