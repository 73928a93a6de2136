import type { Bits } from "../../../../src/numeric/bits.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { isFloat, type TypeName, widthOf } from "../../../../src/numeric/operation/type.ts";
import { sequence } from "../patterns.ts";
import { hardOperands, specialCases } from "./hard-floats.ts";

/** Operands of an operation, one list a case: what is hard for each of its lanes, and all there are where they are few. */
export function casesOf(operation: Operation, count: number, seed: number): Bits[][] {
  const { takes, result } = operation;
  if (takes.length === 1 && isFloat(takes[0]!.type) && widthOf(takes[0]!.type) <= 16) return all(takes[0]!.type);
  if (result.into === "lanes") return lanesOf(operation, count, seed);
  const types = takes.map(({ type }) => type);
  const special = specialCases(types);
  // A part of them, another one for each seed.
  const step = Math.ceil(special.length / 400);
  return [
    ...Array.from({ length: count }, mixed(hardOperands(types, seed), operation, seed)),
    ...special.filter((_, at) => (at + seed) % step === 0),
  ];
}

const every: readonly Bits[][] = Array.from({ length: 2 ** 16 }, (_, bits) => [bits]);
const all = (type: TypeName): Bits[][] => every.slice(0, 2 ** widthOf(type));

/** Now and then bits that are nothing in particular, or few: small integers, one float for another. */
function mixed(draw: () => Bits[], { takes }: Operation, seed: number): () => Bits[] {
  const next = sequence(seed + 77);
  return () => {
    const bits = draw();
    if (next() % 4 !== 0) return bits;
    return takes.map(({ type }, at): Bits => {
      const width = widthOf(type);
      const any = BigInt.asUintN(width, ((BigInt(next()) << 32n) | BigInt(next())) >> BigInt(next() % width));
      return next() % 2 === 0 ? bits[at]! : width > 32 ? any : Number(any);
    });
  };
}

/** Packed operands, from those of each lane. */
function lanesOf({ takes, result }: Operation, count: number, seed: number): Bits[][] {
  if (result.into !== "lanes") return [];
  const lists = result.lanes.map(({ operation }, at) => casesOf(operation, count, seed + at));
  const next = sequence(seed);
  return Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, () => {
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
    return all.map((x, at): Bits => (widthOf(takes[at]!.type) > 32 ? x : Number(x)));
  });
}
