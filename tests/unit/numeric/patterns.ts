import type { Format } from "../../../src/numeric/index.ts";

/** A sequence that is the same in every run: splitmix32. */
export function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0_aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a_2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

/** Codes at the corners of a format: each exponent with fractions at both ends and around the middle, both signs. */
export function corners(f: Format): bigint[] {
  const top = 1n << BigInt(f.frac);
  const middle = top >> 1n;
  const fractions = new Set([0n, 1n, 2n, middle - 1n, middle, middle + 1n, top - 2n, top - 1n]);
  const codes: bigint[] = [];
  for (let e = 0n; e < 1n << BigInt(f.exp); e++) {
    for (const fraction of fractions) {
      if (fraction < 0n || fraction >= top) continue;
      const code = ((e << BigInt(f.frac)) | fraction) << BigInt(f.pad);
      codes.push(code, code | (1n << BigInt(f.exp + f.frac + f.pad)));
    }
  }
  return codes;
}

/** Codes as adversaries choose them: corners, dense and sparse fractions, neighbours of what came before. */
export function adversary(f: Format, seed: number): () => bigint {
  const next = sequence(seed);
  const all = corners(f);
  const width = BigInt(f.width);
  const random = (): bigint => ((BigInt(next()) << 32n) | BigInt(next())) & ((1n << width) - 1n);
  let last = 0n;
  return () => {
    switch (next() % 6) {
      case 0:
        last = all[next() % all.length]!;
        break;
      case 1:
        last = random() & random();
        break;
      case 2:
        last = random() | (random() & ((1n << BigInt(f.frac)) - 1n));
        break;
      case 3:
        // The same exponent with the other sign and other low bits: sums cancel.
        last = (last ^ (1n << (width - 1n)) ^ BigInt(next() % 8)) & ((1n << width) - 1n);
        break;
      case 4:
        last = BigInt.asUintN(Number(width), last + (BigInt((next() % 60) - 30) << BigInt(f.frac)));
        break;
      default:
        last = random();
    }
    return last;
  };
}
