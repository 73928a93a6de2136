import { exponentOf } from "../binary64/double.ts";
import { rounderTo } from "../binary64/narrow.ts";
import { f16 } from "../format/format.ts";
import { elementFormat, type FloatElement } from "./element.ts";
import { type Narrow, narrowOf, OFFSET, powers, singleOf, specialSum } from "./narrow.ts";
import { type Decoded, decodedOf, decoderOf, LEAST, NONE } from "./operands.ts";
import { type Rule, ruleOf } from "./rules.ts";
import type { Tile, TileSpec } from "./spec.ts";
import { type Sums, vectorSums } from "./vector-sums.ts";

/**
 * Sums of floats, as fast as doubles are. Why they are exact:
 *
 * - A value is a double. A product has at most 22 bits (two significands of 11: f16 and tf32), and its exponent, with those of two
 *   scales, stays within +-600: it is an exact double, and so is the product times a power of two.
 * - In units of 2^(top - fraction) a product is below 2^(fraction + 2), C below 2^(fraction + 1); each is cut to an integer.
 *   At most 32 of them and C are below 2^(fraction + 8), which for fraction <= 25 is far from 2^53: the sum is exact.
 * - Times 2^(top - fraction) it is still exact, and is rounded once, to D.
 */

/** What one tile needs besides its operands. */
interface Summation {
  readonly spec: TileSpec;
  readonly rule: Pick<Rule, "way" | "group" | "fraction">;
  readonly c: Decoded;
  readonly narrow: Narrow;
  readonly encode: (value: number) => number;
  readonly nan: number;
  /** The exponent of D's least normal number. */
  readonly lowest: number;
}

/** Tiles that take as long as a module takes to be made, about. */
const PATIENCE = 64;

export function fusedTile(target: string, spec: TileSpec): Tile {
  const { m, n, k, scale } = spec;
  const d = spec.d as FloatElement;
  const format = elementFormat(d);
  const rule = ruleOf(target, spec);
  // In `halves` each half is a group.
  const group = rule.way === "halves" ? k / 2 : rule.group;
  const order = orderOf(rule.way, k);
  const [a, b] = [decodedOf(m, k), decodedOf(n, k)];
  const decodeA = decoderOf(spec.a as FloatElement, order, scale);
  const decodeB = decoderOf(spec.b as FloatElement, order, scale);
  const c = decodedOf(1, m * n);
  const decodeC = decoderOf(spec.c as FloatElement);
  const sum = summation({
    spec,
    rule: { way: rule.way, group, fraction: rule.fraction },
    c,
    narrow: narrowOf[d === "f16" ? "rn" : rule.f32],
    encode: d === "f16" ? rounderTo(f16, "rn") : singleOf,
    nan: Number(format.nan),
    lowest: 1 - format.bias,
  });
  let calls = 0;
  let quick: Sums | undefined;
  return (bitsA, bitsB, bitsC, bitsD, scaleA, scaleB) => {
    if (++calls === PATIENCE) quick = vectorSums(spec, { ...rule, group });
    if (quick?.(bitsA as Uint32Array, bitsB as Uint32Array, bitsC as Uint32Array, bitsD as Uint32Array)) return;
    decodeA(bitsA as Uint32Array, a, scaleA);
    decodeB(bitsB as Uint32Array, b, scaleB);
    decodeC(bitsC as Uint32Array, c);
    sum(a, b, bitsD as Uint32Array);
  };
}

/** In `halves` first the k with k mod 4 in {0, 1}, then the others. */
function orderOf(way: Rule["way"], k: number): Int32Array | undefined {
  if (way === "fused") return undefined;
  const all = Array.from({ length: k }, (_, at) => at);
  return Int32Array.from([...all.filter((at) => at % 4 < 2), ...all.filter((at) => at % 4 >= 2)]);
}

/** The loops over D, K and the groups. */
function summation({ spec: { m, n, k }, rule, c, narrow, encode, nan, lowest }: Summation) {
  const { group, fraction } = rule;
  const halves = rule.way === "halves";
  return (a: Decoded, b: Decoded, d: Uint32Array): void => {
    const [va, ea, vb, eb] = [a.values, a.exponents, b.values, b.exponents];
    const unusual = c.special[0]!;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        const [p, q, at] = [i * k, j * k, i * n + j];
        const valueC = c.values[at]!;
        if ((a.special[i]! | b.special[j]! | unusual) !== 0) {
          const special = specialSum(va, p, vb, q, k, valueC);
          if (special !== 0) {
            d[at] = Number.isNaN(special) ? nan : encode(special);
            continue;
          }
        }
        let sum = halves ? 0 : valueC;
        let exponent = halves ? NONE : c.exponents[at]!;
        for (let first = 0; first < k; first += group) {
          const end = Math.min(first + group, k);
          let top = exponent;
          for (let x = first; x < end; x++) {
            const e = ea[p + x]! + eb[q + x]!;
            if (e > top) top = e;
          }
          if (top < LEAST) {
            sum = 0;
            continue;
          }
          const scale = powers[OFFSET + fraction - top]!;
          let total = Math.trunc(sum * scale);
          for (let x = first; x < end; x++) total += Math.trunc(va[p + x]! * vb[q + x]! * scale);
          if (total === 0) {
            sum = 0;
            exponent = NONE;
            continue;
          }
          sum = narrow(total * powers[OFFSET + top - fraction]!);
          if (!Number.isFinite(sum)) break;
          exponent = sum === 0 ? NONE : Math.max(exponentOf(sum), lowest);
        }
        // A sum of two f16 is exact; of two f32 rounding twice, here and to D, is rounding once (53 >= 2 * 24 + 2).
        if (halves) sum += valueC;
        // Any other zero is +0; one that a tiny sum was cut to has its sign.
        d[at] = halves && sum === 0 ? 0 : encode(sum);
      }
    }
  };
}
