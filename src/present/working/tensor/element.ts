import { elementFormat, type FloatElement, isFloatElement } from "../../../numeric/tensor/element.ts";
import type { Row as Operands } from "../../../numeric/tensor/reference.ts";
import { tensorReference } from "../../../numeric/tensor/reference.ts";
import type { Elements, TileSpec } from "../../../numeric/tensor/spec.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import { hex } from "../../value.ts";
import { valueRows } from "../number.ts";
import { type Row, row } from "../row.ts";
import { bitRows, doubleRows, integerRows } from "./others.ts";
import { sumRows } from "./sum.ts";

/**
 * One element of D = A * B + C worked through, as the tensor cores of a target compute it: the products, how they are aligned, what
 * is cut, the sum, and how it is rounded. The rows are the reference's; throws where the machine computes something else.
 */
export function workElement(target: string, spec: TileSpec, operands: Operands): readonly Row[] {
  const one: TileSpec = { ...spec, m: 1, n: 1, k: operands.a.length };
  const bits = tensorReference(target, one, operands);
  const executed = execute(target, one, operands);
  if (bits !== executed)
    throw new Error(
      `a matrix of ${one.a}: the working gives 0x${bits.toString(16)}, the machine 0x${executed.toString(16)}`,
    );
  return [...stepsOf(target, one, operands), ...resultOf(one, bits)];
}

function stepsOf(target: string, spec: TileSpec, operands: Operands): readonly Row[] {
  if (spec.a === "f64") return doubleRows(spec, operands);
  if (spec.a === "b1") return bitRows(spec, operands);
  return isFloatElement(spec.a) ? sumRows(target, spec, operands) : integerRows(spec, operands);
}

const resultOf = ({ d }: TileSpec, bits: bigint): readonly Row[] =>
  isFloatElement(d)
    ? valueRows("d", elementFormat(d as FloatElement), bits)
    : [row("d", `s32 ${hex(bits, 32)} = ${BigInt.asIntN(32, bits)}`, { type: "s32", bits })];

/** What the machine makes of the same operands. */
function execute(target: string, spec: TileSpec, { a, b, c, scaleA = [], scaleB = [] }: Operands): bigint {
  const words = (list: readonly bigint[]): Elements =>
    spec.a === "f64" ? BigUint64Array.from(list) : Uint32Array.from(spec.a === "b1" ? packed(list) : list, Number);
  const scales = [scaleA, scaleB].map((list) => Uint32Array.from(list, Number));
  const d: Elements = spec.a === "f64" ? new BigUint64Array(1) : new Uint32Array(1);
  const carried: Elements = spec.a === "f64" ? BigUint64Array.of(c) : Uint32Array.of(Number(c));
  tileOf(target, spec)(words(a), words(b), carried, d, ...scales);
  return BigInt(d[0] ?? 0);
}

/** 32 elements of one bit are a word. */
const packed = (bits: readonly bigint[]): bigint[] =>
  Array.from({ length: bits.length / 32 }, (_, word) =>
    bits.slice(word * 32, word * 32 + 32).reduce((sum, bit, at) => sum | (bit << BigInt(at)), 0n),
  );
