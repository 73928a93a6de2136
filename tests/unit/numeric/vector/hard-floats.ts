import type { Bits } from "../../../../src/numeric/bits.ts";
import { bf16, type Format, f16, f32, f64 } from "../../../../src/numeric/format/format.ts";
import { type TypeName, widthOf } from "../../../../src/numeric/operation/type.ts";
import { adversary, corners, sequence } from "../patterns.ts";

const formats: Readonly<Partial<Record<TypeName, Format>>> = { f16, bf16, f32, f64 };

/** Draws the operands of one case, where arithmetic on floats goes wrong first. */
export function hardOperands(types: readonly TypeName[], seed: number): () => Bits[] {
  const next = sequence(seed);
  const below = (count: number): number => next() % count;
  const draws = types.map((type, at) => {
    const f = formats[type];
    const width = BigInt(widthOf(type));
    return f ? adversary(f, seed + at) : () => ((BigInt(next()) << 32n) | BigInt(next())) & ((1n << width) - 1n);
  });
  const f = types.map((type) => formats[type]).find((format) => format !== undefined) ?? f32;
  const few = specials(f);
  const [top, bias] = [2 ** f.exp - 2, f.bias];
  const number = (sign: number, exponent: number, fraction: bigint): bigint => {
    const e = BigInt(Math.min(Math.max(exponent, 0), top));
    return (
      (BigInt(sign & 1) << BigInt(f.exp + f.frac)) | (e << BigInt(f.frac)) | (fraction & ((1n << BigInt(f.frac)) - 1n))
    );
  };
  /** Few ones, near the ends: products and sums of these hit midpoints, or just miss them. */
  const sparse = (): bigint => {
    const one = (): bigint => 1n << BigInt(below(f.frac + 1));
    return below(3) === 0 ? one() : below(2) === 0 ? one() - one() : one() + one() + BigInt(below(3)) - 1n;
  };
  const fraction = (): bigint => (below(3) === 0 ? (BigInt(next()) << 32n) | BigInt(next()) : sparse());
  /** Three numbers: the last about as large as the product of the others, so that sums cancel or only just count. */
  const related = (): bigint[] => {
    const middle = below(3) === 0 ? below(top) : bias + below(8) - 4;
    const [e, g] = [middle, below(2) ? middle + below(60) - 30 : bias + below(60) - 30];
    const product = e + g - bias;
    const other = below(2) ? product + below(2 * f.frac + 8) - f.frac - 4 : product + below(5) - 2;
    return [number(next(), e, fraction()), number(next(), g, fraction()), number(next(), other, fraction())];
  };
  /** (1 + d) (1 - d) is a little less than a power of two, here half a unit of c's last place: rounding twice is wrong. */
  const trap = (): bigint[] => {
    const d = BigInt(1 + below(4));
    const subnormal = below(3) === 0;
    const c = subnormal ? 0 : f.frac + below(top - f.frac);
    const product = (subnormal ? 1 : c) - f.frac - 1 + (below(4) === 0 ? below(3) - 1 : 0);
    const e = Math.max(1, product + bias - top + 1) + below(Math.min(product + bias, top) - 1);
    const g = product + bias - e;
    const rest = BigInt(next()) | (BigInt(next()) << 32n);
    const factors = [number(next(), e, d), number(next(), g - 1, -2n * d)];
    return [...(below(2) ? factors : factors.reverse()), number(next(), c, rest)];
  };
  /** Results among the subnormal numbers, or next to them. */
  const tiny = (): bigint[] => {
    const e = below(top);
    const g = bias + 1 - e + bias - below(f.frac + 4) + 1;
    return [number(next(), e, fraction()), number(next(), g, fraction()), number(next(), below(3), fraction())];
  };
  const kinds = [related, related, trap, tiny];
  return () => {
    const kind = below(8);
    const three = kind < kinds.length ? kinds[kind]!() : undefined;
    return types.map((type, at): Bits => {
      const own = formats[type] === f;
      const bits = own && three ? three[at % 3]! : own && kind === 4 ? few[below(few.length)]! : draws[at]!();
      return widthOf(type) > 32 ? bits : Number(bits);
    });
  };
}

/** Zeros, both ends of the subnormal and of the normal numbers, one and its neighbours, infinities, NaNs with payloads. */
export function specials(f: Format): readonly bigint[] {
  const unit = 1n << BigInt(f.frac);
  const infinity = BigInt(2 ** f.exp - 1) * unit;
  const one = BigInt(f.bias) * unit;
  const sizes = [0n, 1n, 2n, unit / 2n, unit - 1n, unit, unit + 1n, 2n * unit, one - 1n, one, one + 1n, 2n * one - 1n]
    .concat([one + unit / 2n, one + unit, one + 2n * unit, infinity - unit, infinity - 2n, infinity - 1n, infinity])
    .concat([infinity + 1n, infinity + unit / 2n, infinity + unit / 2n + 1n, infinity + unit - 1n]);
  const sign = 1n << BigInt(f.exp + f.frac);
  return sizes.flatMap((size) => [size, size | sign]);
}

/** Every pair of specials as operands, and with a third one that changes from pair to pair. */
export function specialCases(types: readonly TypeName[]): Bits[][] {
  const lists = types.map((type): readonly bigint[] => {
    const f = formats[type];
    if (f) return f === f32 || f === f64 || types.length < 3 ? specials(f) : corners(f).filter((_, at) => at % 7 === 0);
    return type === "pred"
      ? [0n, 1n]
      : [0n, 1n, (1n << BigInt(widthOf(type) - 1)) - 1n, 1n << BigInt(widthOf(type) - 1)];
  });
  const [first = [0n], second = [0n], third = [0n]] = lists;
  const cases: Bits[][] = [];
  for (const [at, a] of first.entries())
    for (const [by, b] of second.entries())
      for (let turn = 0; turn < (lists.length > 2 ? 4 : 1); turn++) {
        const c = third[(at * 7 + by * 3 + turn * 11) % third.length]!;
        cases.push(
          [a, b, c].slice(0, types.length).map((bits, of) => (widthOf(types[of]!) > 32 ? bits : Number(bits))),
        );
      }
  return cases;
}
