import { fmaIn } from "../binary64/double-fma.ts";
import { f64 } from "../format/format.ts";
import type { Tile, TileSpec } from "./spec.ts";

/** f64: D is C, to which a fused multiply-add adds the product of each k in turn, rounded each time (9.7.15.5.14). */
export function doubleTile({ m, n, k, rounding = "rn" }: TileSpec): Tile {
  const fma = fmaIn(rounding);
  // Doubles and their bits are views of the same bytes.
  const bits = { a: new BigUint64Array(m * k), b: new BigUint64Array(n * k), d: new BigUint64Array(m * n) };
  const a = new Float64Array(bits.a.buffer);
  const b = new Float64Array(bits.b.buffer);
  const d = new Float64Array(bits.d.buffer);
  return (bitsA, bitsB, bitsC, into) => {
    bits.a.set(bitsA as BigUint64Array);
    bits.b.set(bitsB as BigUint64Array);
    bits.d.set(bitsC as BigUint64Array);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        let sum = d[at]!;
        for (let x = 0; x < k; x++) sum = fma(a[i * k + x]!, b[j * k + x]!, sum);
        d[at] = sum;
        if (Number.isNaN(sum)) bits.d[at] = f64.nan;
      }
    (into as BigUint64Array).set(bits.d);
  };
}
