import type { Bits } from "../../../../src/numeric/bits.ts";
import { bf16, f16, f32, f64 } from "../../../../src/numeric/format/format.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { isFloat, type TypeName, widthOf } from "../../../../src/numeric/operation/type.ts";
import { sequence } from "../patterns.ts";
import { hardOperands, specialCases, specials } from "./hard-floats.ts";

/** Operands of an operation, one list a case: what is hard for each of its lanes, and all there are where they are few. */
export function casesOf(operation: Operation, count: number, seed: number): Bits[][] {
  const { takes, result } = operation;
  if (takes.length === 1 && isFloat(takes[0]!.type) && widthOf(takes[0]!.type) <= 16) return all(takes[0]!.type);
  if (result.into === "lanes") return lanesOf(operation, count, seed);
  const types = takes.map(({ type }) => type);
  const drawn = Array.from({ length: count }, mixed(hardOperands(types, seed), operation, seed));
  const special = types.length < 3 ? specialCases(types) : [];
  const step = Math.ceil(special.length / count);
  // A part of them, another one for each seed.
  return [...drawn, ...special.filter((_, at) => (at + seed) % step === 0)];
}

const every: readonly Bits[][] = Array.from({ length: 2 ** 16 }, (_, bits) => [bits]);
const all = (type: TypeName): Bits[][] => every.slice(0, 2 ** widthOf(type));

const floats: Readonly<Partial<Record<TypeName, readonly bigint[]>>> = {
  f16: specials(f16),
  bf16: specials(bf16),
  f32: specials(f32),
  f64: specials(f64),
};
const asBits = (bits: bigint, width: number): Bits => (width > 32 ? bits : Number(bits));

/** Now and then bits that are nothing in particular, or few, or special numbers. */
function mixed(draw: () => Bits[], { takes }: Operation, seed: number): () => Bits[] {
  const next = sequence(seed + 77);
  return () => {
    const bits = draw();
    if (next() % 4 !== 0) return bits;
    return takes.map(({ type }, at): Bits => {
      const width = widthOf(type);
      const few = floats[type];
      if (few && next() % 2 === 0) return asBits(few[next() % few.length]!, width);
      const any = BigInt.asUintN(width, ((BigInt(next()) << 32n) | BigInt(next())) >> BigInt(next() % width));
      return next() % 2 === 0 ? bits[at]! : asBits(any, width);
    });
  };
}

/** Packed operands, from those of each lane. */
function lanesOf({ takes, result }: Operation, count: number, seed: number): Bits[][] {
  if (result.into !== "lanes") return [];
  const lists = result.lanes.map(({ operation }, at) => casesOf(operation, count, seed + at));
  const next = sequence(seed);
  return Array.from({ length: Math.min(Math.max(...lists.map(({ length }) => length)), 2 * count) }, () => {
    const all = takes.map(({ type }) => BigInt.asUintN(widthOf(type), (BigInt(next()) << 32n) | BigInt(next())));
    for (const [at, lane] of result.lanes.entries()) {
      const list = lists[at]!;
      const drawn = list[next() % list.length]!;
      for (const [which, { of, low, bits }] of lane.takes.entries()) {
        const to = takes.findIndex(({ name }) => name === of);
        const mask = ((1n << BigInt(bits)) - 1n) << BigInt(low);
        all[to] = (all[to]! & ~mask) | ((BigInt(drawn[which]!) << BigInt(low)) & mask);
      }
    }
    return all.map((x, at) => asBits(x, widthOf(takes[at]!.type)));
  });
}
