import { expect, it } from "vitest";
import { MultiplyFunctions } from "../../../src/interp/compiled/matrix/multiply-code.ts";
import { lowest } from "../../../src/interp/contract/launch/lane-mask.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { placesIn } from "../../../src/interp/javascript/matrix/gather.ts";
import { type MatrixOperation, tileSpecOf } from "../../../src/numeric/operation/matrix.ts";
import { tileOf } from "../../../src/numeric/tensor/tile.ts";
import { Code } from "../../../src/wasm/code.ts";
import { compileModule, instantiate, sharedMemory } from "../../../src/wasm/engine.ts";
import { ModuleWriter } from "../../../src/wasm/module.ts";
import { hardBits, type Random, randomFrom } from "../numeric/tensor/hard-operands.ts";

const operation = (
  [m, n, k]: readonly [number, number, number],
  type: MatrixOperation["a"],
  more: Partial<MatrixOperation> = {},
): MatrixOperation => ({ m, n, k, a: type, b: type, c: "f32", d: "f32", by: "mma", ...more });

const [half, whole] = [{ c: "f16", d: "f16" } as const, { c: "s32", d: "s32" } as const];

/** Hard numbers: those of a sum of f16 near each other, since others are too large for it. */
function draw(type: MatrixOperation["c"], count: number, { d }: MatrixOperation, random: Random): Uint32Array {
  const mood = d === "f16" ? "near" : "spread";
  return Uint32Array.from({ length: count }, () => Number(hardBits(type, mood, random)));
}

/** As many registers as each operand has: D, A, B, C, from slot 3 on, none beside its neighbour. */
function operandsOf(op: MatrixOperation): readonly Operand[] {
  const { a, b, c, d } = fragmentsOf(op);
  let next = 3;
  return [d, a, b, c].map((fragment) => ({
    kind: "vector",
    items: Array.from({ length: placesIn(fragment, "rows").registers }, (): Operand => {
      next += 2;
      return { kind: "slot", bank: "r", slot: next, bits: 32 };
    }),
  }));
}

const [BASE, ROOM] = [1 << 16, 1 << 17];

it.each([
  ["sm_80", operation([16, 8, 16], "bf16")],
  ["sm_90", operation([16, 8, 16], "f16")],
  ["sm_80", operation([16, 8, 8], "f16")],
  ["sm_80", operation([16, 8, 8], "tf32")],
  ["sm_80", operation([16, 8, 4], "tf32")],
  ["sm_89", operation([16, 8, 32], "e4m3")],
  ["sm_90", operation([16, 8, 32], "e4m3")],
  ["sm_80", operation([16, 16, 16], "f16", { by: "wmma" })],
  ["sm_80", operation([32, 8, 16], "bf16", { by: "wmma" })],
  ["sm_80", operation([16, 8, 16], "f16", half)],
  ["sm_90", operation([16, 8, 8], "f16", half)],
  ["sm_80", operation([16, 16, 16], "f16", { by: "wmma", c: "f32", d: "f16" })],
  ["sm_80", operation([16, 16, 16], "f16", { by: "wmma", c: "f16", d: "f32" })],
  ["sm_80", operation([8, 8, 16], "s8", whole)],
  ["sm_80", operation([16, 8, 16], "u8", { ...whole, b: "s8" })],
  ["sm_80", operation([16, 8, 32], "s8", { ...whole, satfinite: true })],
  ["sm_80", operation([16, 8, 32], "u8", whole)],
  ["sm_80", operation([8, 8, 32], "u4", { ...whole, satfinite: true })],
  ["sm_80", operation([16, 8, 64], "s4", whole)],
  ["sm_80", operation([16, 8, 32], "s4", { ...whole, b: "u4" })],
  ["sm_80", operation([16, 16, 16], "s8", { ...whole, by: "wmma", satfinite: true })],
  ["sm_80", operation([8, 32, 16], "u8", { ...whole, by: "wmma" })],
] as const)("a product in registers is the tile's: %s %o", (target, op) => {
  const module = new ModuleWriter(4);
  const operands = operandsOf(op);
  const { index, slots } = new MultiplyFunctions(module, target, false).of(op, operands)!;
  const call = new Code(0).i32(BASE).i32(ROOM);
  for (const slot of slots) call.i32(128 * slot);
  module.function({ takes: [], gives: ["i32"] }, call.call(index), "multiply");
  const memory = sharedMemory(4);
  const { multiply } = instantiate(compileModule(module.result()), { memory }) as { multiply: () => number };
  const spec = tileSpecOf(op);
  const layout = fragmentsOf(op);
  const words = new Uint32Array(memory.buffer);
  const random = randomFrom(op.k + op.n);
  const tile = tileOf(target, spec);
  for (let round = 0; round < 20; round++) {
    const [a, b] = [draw(op.a, op.m * op.k, op, random), draw(op.b, op.n * op.k, op, random)];
    const [c, d] = [draw(op.c, op.m * op.n, op, random), new Uint32Array(op.m * op.n)];
    tile(a, b, c, d);
    let first = 0;
    /** Moves a fragment to its registers, or out of them. */
    const through = (matrix: Uint32Array, role: "a" | "b" | "c" | "d", back = false): void => {
      const { registers, each, places } = placesIn(layout[role], role === "b" ? "columns" : "rows");
      const bits = 32 / each;
      for (let register = 0; register < registers; register++)
        for (let lane = 0; lane < 32; lane++) {
          const at = (BASE + 128 * slots[first + register]!) / 4 + lane;
          const from = (register * 32 + lane) * each;
          if (back)
            for (let e = 0; e < each; e++) matrix[places[from + e]!] = (words[at]! >>> (bits * e)) & lowest(bits);
          else
            words[at] = Array.from({ length: each }, (_, e) => matrix[places[from + e]!]! << (bits * e)).reduce(
              (x, y) => x | y,
            );
        }
      first += registers;
    };
    through(a, "a");
    through(b, "b");
    through(c, "c");
    expect(multiply()).toBe(0);
    const got = new Uint32Array(op.m * op.n);
    through(got, "d", true);
    expect(got).toEqual(d);
  }
});
