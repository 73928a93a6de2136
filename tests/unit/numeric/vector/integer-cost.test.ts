import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { partsOf } from "../../../../src/numeric/vector/emit.ts";
import { vectorOf } from "../../../../src/numeric/vector/lower.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { isWide, type Value, type Vector } from "../../../../src/numeric/vector/vector.ts";
import { operationOf } from "../entry.ts";

/** How many instructions on vectors an operation takes; `known` are operands whose value is known, by name. */
function cost(operation: Operation, known: Readonly<Record<string, number>>): number {
  const make = new VectorMaker();
  const operands = operation.takes.map(({ name, type }, at): Value => {
    const value = known[name];
    const isLong = widthOf(type) === 64;
    if (value === undefined) return isLong ? [make.input(2 * at), make.input(2 * at + 1)] : make.input(2 * at);
    return isLong ? [make.all64(BigInt(value)), make.all64(BigInt(value))] : make.all32(value);
  });
  const found = new Set<Vector>();
  const visit = (of: Vector): void => {
    if (of.node === "input" || of.node === "constant" || found.has(of)) return;
    expect(of.node).not.toBe("lanes");
    found.add(of);
    for (const part of partsOf(of)) visit(part);
  };
  const value = vectorOf(operation, operands, make)!;
  for (const each of isWide(value) ? value : [value]) visit(each);
  return found.size;
}

/** What is frequent, and what it must not cost more than: on four lanes, of 64 bits two vectors. */
const costs: readonly (readonly [string, number, Readonly<Record<string, number>>?])[] = [
  ["add.u32", 1], ["add.s32", 1, { b: 5 }], ["sub.s32", 1], ["add.u64", 2], ["sub.s64", 2], ["add.u16", 2],
  ["add.u16x2", 1], ["min.s16x2", 1], ["max.relu.s16x2", 2],
  ["mul.lo.s32", 1], ["mul.lo.s32", 1, { b: 8 }], ["mul.wide.u32", 2], ["mul.wide.s32", 2, { b: 4 }],
  ["mul.wide.u16", 1], ["mul.hi.u32", 3], ["mul.lo.u64", 2], ["mad.lo.s32", 2], ["mad.wide.s32", 4, { b: 4 }],
  ["mad.wide.u32", 4], ["dp4a.u32.u32", 8], ["dp4a.s32.s32", 10], ["dp2a.lo.s32.s32", 4],
  ["shl.b32", 1, { b: 2 }], ["shr.u32", 1, { b: 2 }], ["shr.s32", 1, { b: 40 }], ["shl.b64", 2, { b: 3 }],
  ["shr.u64", 2, { b: 32 }], ["shl.b32", 5], ["shr.u32", 10],
  ["shf.l.wrap.b32", 3, { c: 7 }], ["shf.r.wrap.b32", 3, { c: 7 }],
  ["and.b32", 1], ["or.b32", 1], ["xor.b32", 1], ["not.b32", 1], ["and.b64", 2], ["not.b64", 2],
  ["lop3.b32", 2, { immLut: 0x96 }], ["lop3.b32", 1, { immLut: 0xca }], ["lop3.b32", 2, { immLut: 0xe8 }],
  ["lop3.b32", 1, { immLut: 0xc0 }], ["lop3.b32", 0, { immLut: 0xaa }],
  ["min.s32", 1], ["max.u32", 1], ["min.s32", 1, { b: 7 }], ["abs.s32", 1], ["neg.s32", 1],
  ["setp.lt.s32", 1], ["setp.lt.u32", 1], ["setp.eq.u32", 1, { b: 0 }], ["setp.lt.s64", 3], ["setp.eq.u64", 3],
  ["setp.lt.u64", 7], ["setp.ge.u64", 5, { b: 100 }],
  ["cvt.u64.u32", 2], ["cvt.s64.s32", 2], ["cvt.u32.u64", 1], ["cvt.u16.u32", 1], ["cvt.s32.s16", 2], ["cvt.u32.u8", 0],
  ["bfe.u32", 2, { b: 8, c: 8 }], ["bfe.u32", 1, { b: 24, c: 8 }], ["bfe.s32", 2, { b: 8, c: 8 }],
  ["bfi.b32", 4, { c: 8, d: 8 }], ["prmt.b32", 1, { c: 0x5410 }], ["prmt.b32", 1, { c: 0x0123 }],
  ["popc.b32", 3], ["brev.b32", 7], ["slct.u32.s32", 2],
  ["div.u32", 1, { b: 8 }], ["rem.u32", 1, { b: 8 }], ["div.s32", 4, { b: 4 }], ["div.u32", 10, { b: 10 }],
  ["div.s32", 15], ["div.u64", 2, { b: 8 }], ["rem.u64", 2, { b: 8 }],
]; // biome-ignore format: a table

describe("the code of frequent operations is no longer than it has to be", () => {
  it.each(costs.map(([spelling, most, known = {}]) => [spelling, most, known] as const))(
    "%s: %i",
    (spelling, most, known) => {
      expect(cost(operationOf(spelling), known)).toBe(most);
    },
  );
});
