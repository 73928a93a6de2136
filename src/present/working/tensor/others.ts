import { add, mul, unpack } from "../../../numeric/exact/exact.ts";
import { f64 } from "../../../numeric/format/format.ts";
import { type ElementType, elementBits } from "../../../numeric/tensor/element.ts";
import type { Row as Operands } from "../../../numeric/tensor/reference.ts";
import type { TileSpec } from "../../../numeric/tensor/spec.ts";
import { numbers } from "../number.ts";
import { rounding } from "../rounding.ts";
import { type Row, row } from "../row.ts";

/** f64: a fused multiply-add for each k. */
export function doubleRows({ rounding: rnd = "rn" }: TileSpec, { a, b, c }: Operands): Row[] {
  let sum = c;
  const steps = a.map((bits, k): Row => {
    const product = mul(unpack(f64, bits), unpack(f64, b[k] ?? 0n));
    const worked = rounding(f64, rnd, add(product, unpack(f64, sum), rnd));
    sum = worked.bits;
    return {
      label: `k ${k}`,
      text: `a${k} * b${k} + ${k === 0 ? "c" : "the sum so far"}, rounded once`,
      inner: worked.rows,
    };
  });
  return [row("c", numbers(unpack(f64, c))), row("rule", "fused multiply-adds, one k after the other"), ...steps];
}

const numberOf = (type: ElementType, bits: bigint): bigint =>
  type.startsWith("s") ? BigInt.asIntN(elementBits(type), bits) : BigInt.asUintN(elementBits(type), bits);

/** Integers: the exact sum, which then wraps or is kept within s32. */
export function integerRows({ a: typeA, b: typeB, satfinite }: TileSpec, { a, b, c }: Operands): Row[] {
  const products = a.map((bits, k) => ({ x: numberOf(typeA, bits), y: numberOf(typeB, b[k] ?? 0n), k }));
  const own = numberOf("s32", c);
  const sum = products.reduce((total, { x, y }) => total + x * y, own);
  const there = products.filter(({ x, y }) => x * y !== 0n);
  const fits = BigInt.asIntN(32, sum) === sum;
  const end = fits
    ? "s32 holds it"
    : satfinite
      ? ".satfinite: beyond s32, so its nearest number"
      : "beyond s32: it wraps modulo 2^32";
  return [
    row("c", `${own}`),
    ...there.map(({ x, y, k }) => row(`a${k} * b${k}`, `${x} * ${y} = ${x * y}`)),
    ...(there.length < products.length ? [row("zero", `${products.length - there.length} products`)] : []),
    row("sum", `${sum}: ${end}`),
  ];
}

/** b1: what is counted. */
export function bitRows({ bits: how = "xor" }: TileSpec, { a, b, c }: Operands): Row[] {
  const digits = (list: readonly bigint[]): string =>
    `0x${BigInt(`0b${[...list].reverse().join("")}`)
      .toString(16)
      .padStart(list.length / 4, "0")}`;
  const merged = a.map((bit, k) => (how === "xor" ? bit ^ (b[k] ?? 0n) : bit & (b[k] ?? 0n)));
  const count = merged.filter((bit) => bit === 1n).length;
  return [
    row("a", digits(a)),
    row("b", digits(b)),
    row("c", `${BigInt.asIntN(32, c)}`),
    row(`a ${how} b`, digits(merged)),
    row("popc", `${count}`),
    row("sum", `${BigInt.asIntN(32, c) + BigInt(count)}`),
  ];
}
