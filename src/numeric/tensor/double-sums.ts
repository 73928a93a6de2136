import { Code } from "../../wasm/code.ts";
import { fusesMultiplyAdd } from "../../wasm/fused.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import { f64 } from "../format/format.ts";
import { inScratch, SCRATCH_BYTES } from "./scratch.ts";
import type { Tile, TileSpec } from "./spec.ts";

const VECTOR = 16;

/** Where a function of `writeDoubleSums` has its matrices, in bytes from its room: A, B, and D, all by rows; C is in D's place. */
interface Places {
  readonly a: number;
  readonly b: number;
  readonly d: number;
}

/** Whether there is a function for these sums in so many bytes: those to nearest of an even number of columns. */
export const hasDoubleSums = ({ m, n, k, rounding = "rn" }: TileSpec, bytes: number): boolean =>
  rounding === "rn" && n % 2 === 0 && 8 * (m * n + m * k + n * k) <= bytes;

/**
 * Writes a function (room) that adds products of f64 to D, of two columns at once: a fused multiply-add for each k in turn (PTX ISA,
 * mma). The engine must round those once (`wasm/fused.ts`).
 */
export function writeDoubleSums(
  module: ModuleWriter,
  { m, n, k }: TileSpec,
  name?: string,
): { readonly index: number; readonly places: Places } {
  const places = { a: 0, b: 8 * m * k, d: 8 * (m + n) * k };
  const code = new Code(1);
  const ROOM = 0;
  const local = (): number => code.local("i32");
  const [row, column, to, lastRow, lastColumn, sum] = [local(), local(), local(), local(), local(), code.local("v128")];
  const nan = [0, 1].flatMap(() => [Number(f64.nan & 0xffff_ffffn), Number(f64.nan >> 32n)]);
  // `row` is an address of A, `column` one of B's first row, `to` one of D.
  code.get(ROOM).set(row).get(ROOM).set(to);
  code.get(ROOM).i32(places.b).scalar("i32.add").set(lastRow);
  code
    .get(ROOM)
    .i32(8 * n)
    .scalar("i32.add")
    .set(lastColumn);
  code.loop().get(ROOM).set(column).loop();
  code.get(to).access("v128.load", places.d).set(sum);
  for (let at = 0; at < k; at++) {
    code.get(row).access("v128.load64_splat", 8 * at);
    code.get(column).access("v128.load", places.b + 8 * n * at);
    code.get(sum).vector("f64x2.relaxed_madd").set(sum);
  }
  code.get(to).get(sum).v128(nan).get(sum).get(sum).vector("f64x2.eq").vector("v128.bitselect");
  code.access("v128.store", places.d);
  for (const [from, step, end] of [
    [to, VECTOR, undefined],
    [column, VECTOR, lastColumn],
    [row, 8 * k, lastRow],
  ] as const) {
    code.get(from).i32(step).scalar("i32.add").tee(from);
    if (end === undefined) code.scalar("drop");
    else code.get(end).scalar("i32.lt_u").branchIf(0).end();
  }
  code.i32(0);
  return { index: module.function({ takes: ["i32"], gives: ["i32"] }, code, name), places };
}

/** The sums of f64 by such a function; undefined where there is none. */
export function doubleSums(spec: TileSpec): Tile | undefined {
  const { m, n, k } = spec;
  if (!hasDoubleSums(spec, SCRATCH_BYTES) || !fusesMultiplyAdd()) return undefined;
  const made = inScratch((module) => writeDoubleSums(module, spec, "run").places);
  if (made === undefined) return undefined;
  const { run, places, buffer } = made;
  const words = (at: number, count: number): BigUint64Array => new BigUint64Array(buffer, at, count);
  const [rows, columns, sums] = [words(places.a, m * k), words(places.b, n * k), words(places.d, m * n)];
  return (bitsA, bitsB, bitsC, into) => {
    rows.set(bitsA as BigUint64Array);
    for (let j = 0; j < n; j++) for (let x = 0; x < k; x++) columns[x * n + j] = bitsB[j * k + x] as bigint;
    sums.set(bitsC as BigUint64Array);
    run(0);
    (into as BigUint64Array).set(sums);
  };
}
