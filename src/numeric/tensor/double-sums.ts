import { Code } from "../../wasm/code.ts";
import { fusesMultiplyAdd } from "../../wasm/fused.ts";
import { f64 } from "../format/format.ts";
import { inScratch, SCRATCH_BYTES } from "./scratch.ts";
import type { Tile, TileSpec } from "./spec.ts";

const VECTOR = 16;

/**
 * The sums of f64 to nearest, of two columns of D at once, in WebAssembly: a fused multiply-add for each k in turn (PTX ISA, mma).
 * Undefined where the engine has none.
 */
export function doubleSums({ m, n, k, rounding = "rn" }: TileSpec): Tile | undefined {
  const [b, d] = [8 * m * k, 8 * (m + n) * k];
  if (rounding !== "rn" || n % 2 !== 0 || d + 8 * m * n > SCRATCH_BYTES || !fusesMultiplyAdd()) return undefined;
  const made = inScratch((module) => {
    const code = new Code(1);
    const [row, column, to, sum] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("v128")];
    // A by rows, B by rows, D by rows: `row` is an address of A, `column` one of B's first row, `to` one of D.
    code.loop().i32(0).set(column).loop();
    code.get(to).access("v128.load", d).set(sum);
    for (let at = 0; at < k; at++) {
      code.get(row).access("v128.load64_splat", 8 * at);
      code.get(column).access("v128.load", b + 8 * n * at);
      code.get(sum).vector("f64x2.relaxed_madd").set(sum);
    }
    code.get(to).get(sum).access("v128.store", d);
    for (const [local, step] of [
      [to, VECTOR],
      [column, VECTOR],
    ] as const)
      code.get(local).i32(step).scalar("i32.add").set(local);
    code
      .get(column)
      .i32(8 * n)
      .scalar("i32.lt_u")
      .branchIf(0)
      .end();
    code
      .get(row)
      .i32(8 * k)
      .scalar("i32.add")
      .tee(row)
      .i32(b)
      .scalar("i32.lt_u")
      .branchIf(0)
      .end();
    code.i32(0);
    module.function({ takes: ["i32"], gives: ["i32"] }, code, "run");
  });
  if (made === undefined) return undefined;
  const { run, buffer } = made;
  const words = (at: number, count: number): BigUint64Array => new BigUint64Array(buffer, at, count);
  const [rows, columns, sums] = [words(0, m * k), words(b, n * k), words(d, m * n)];
  const numbers = new Float64Array(buffer, d, m * n);
  return (bitsA, bitsB, bitsC, into) => {
    rows.set(bitsA as BigUint64Array);
    for (let j = 0; j < n; j++) for (let x = 0; x < k; x++) columns[x * n + j] = bitsB[j * k + x] as bigint;
    sums.set(bitsC as BigUint64Array);
    run(0);
    for (let at = 0; at < numbers.length; at++) if (Number.isNaN(numbers[at])) sums[at] = f64.nan;
    (into as BigUint64Array).set(sums);
  };
}
