import { exponentOf } from "../binary64/double.ts";
import { f32 } from "../format/format.ts";
import type { FloatElement } from "./element.ts";
import { narrowOf, OFFSET, powers, singleOf, specialSum } from "./narrow.ts";
import { type Decoded, decodedOf, decoderOf, LEAST, NONE } from "./operands.ts";
import { scaledRules } from "./rules.ts";
import type { Tile, TileSpec } from "./spec.ts";

const { group, fraction, exact } = scaledRules.mxf4;

/**
 * mxf4 and mxf4nvf4: some products are one exact sum, times its two scales. Why doubles are exact: 16 products of e2m1 are a multiple
 * of 1/4 up to 576, of 12 bits; two scales add 8 bits. In units of 2^(top - 35) a term is below 2^(10 + 2 + 35), so that four of
 * them and C stay below 2^53.
 */
export function blockTile(spec: TileSpec): Tile {
  const { m, n, k } = spec;
  const { type, block } = spec.scale!;
  const [a, b, c] = [decodedOf(m, k), decodedOf(n, k), decodedOf(1, m * n)];
  const [scaleA, scaleB] = [decodedOf(m, k / block), decodedOf(n, k / block)];
  const decode = {
    a: decoderOf(spec.a as FloatElement),
    b: decoderOf(spec.b as FloatElement),
    c: decoderOf(spec.c as FloatElement),
    scale: decoderOf(type),
  };
  const sums = new Float64Array(Math.ceil(group / exact));
  const cut = narrowOf.rz;

  /** One group of D's element in row i and column j, from the element `first` of K on. */
  const sumOf = (i: number, j: number, first: number, carried: number): number => {
    let top = carried === 0 ? NONE : Math.max(exponentOf(carried), 1 - f32.bias);
    const end = Math.min(first + group, k);
    let count = 0;
    for (let from = first; from < end; from += exact) {
      let sum = 0;
      const until = Math.min(from + exact, end);
      for (let x = from; x < until; x++) sum += a.values[i * k + x]! * b.values[j * k + x]!;
      const [p, q] = [scaleAt(scaleA, i, from), scaleAt(scaleB, j, from)];
      sums[count] = sum * scaleA.values[p]! * scaleB.values[q]!;
      if (sums[count] !== 0) top = Math.max(top, scaleA.exponents[p]! + scaleB.exponents[q]!);
      count += 1;
    }
    if (top < LEAST) return 0;
    const scale = powers[OFFSET + fraction - top]!;
    let total = Math.trunc(carried * scale);
    for (let at = 0; at < count; at++) total += Math.trunc(sums[at]! * scale);
    return total === 0 ? 0 : cut(total * powers[OFFSET + top - fraction]!);
  };
  const scaleAt = (scales: Decoded, row: number, from: number): number =>
    row * scales.length + Math.floor(from / block);

  /** What is no number stays so, whatever comes later. */
  const element = (i: number, j: number, carried: number): number => {
    let sum = carried;
    for (let first = 0; first < k && Number.isFinite(sum); first += group) sum = sumOf(i, j, first, sum);
    return sum;
  };
  const nan = Number(f32.nan);
  return (bitsA, bitsB, bitsC, d, bitsScaleA, bitsScaleB) => {
    decode.a(bitsA as Uint32Array, a);
    decode.b(bitsB as Uint32Array, b);
    decode.c(bitsC as Uint32Array, c);
    decode.scale(bitsScaleA!, scaleA);
    decode.scale(bitsScaleB!, scaleB);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        const invalid = scaleA.special[i]! | scaleB.special[j]!;
        const special = invalid ? Number.NaN : specialSum(a.values, i * k, b.values, j * k, k, c.values[at]!);
        const sum = special === 0 ? element(i, j, c.values[at]!) : special;
        d[at] = Number.isNaN(sum) ? nan : singleOf(sum);
      }
  };
}
