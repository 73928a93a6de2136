import { expect, it } from "vitest";
import { MultiplyFunctions } from "../../../src/interp/compiled/matrix/multiply-code.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { PlanOf } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import { chunksOf } from "../../../src/interp/javascript/matrix/chunks.ts";
import { placesIn } from "../../../src/interp/javascript/matrix/gather.ts";
import { multiply as byJavaScript } from "../../../src/interp/javascript/matrix/multiply.ts";
import type { Context } from "../../../src/interp/state/context.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import { type MatrixOperation, storedColumns } from "../../../src/numeric/operation/matrix.ts";
import type { ScaleType } from "../../../src/numeric/tensor/element.ts";
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

/** What instructions say of metadata, and of scales: byte and thread of A's and of B's. */
interface Chosen {
  readonly selector?: number;
  readonly scales?: readonly [number, number, number, number];
}

/** As many registers as each operand has: D, A, B, C ..., from slot 3 on, none beside its neighbour; numbers behind them. */
function operandsOf(op: MatrixOperation, { selector = 0, scales = [0, 0, 0, 0] }: Chosen) {
  const { a, b, c, d } = fragmentsOf(op);
  const constants: { bank: "r"; slot: number; value: bigint }[] = [];
  let next = 3;
  const register = (): Operand => {
    next += 2;
    return { kind: "slot", bank: "r", slot: next, bits: 32 };
  };
  const number = (value: number): Operand => {
    const made = register();
    constants.push({ bank: "r", slot: next, value: BigInt(value) });
    return made;
  };
  const operands: Operand[] = [d, a, b, c].map((fragment) => ({
    kind: "vector",
    items: Array.from({ length: placesIn(fragment, "rows").registers }, register),
  }));
  if (op.sparse) operands.push(register(), number(selector));
  if (op.scale)
    for (const at of [0, 2])
      operands.push(register(), { kind: "vector", items: [number(scales[at]!), number(scales[at + 1]!)] });
  return { operands, constants };
}

const sorted: Partial<MatrixOperation> = { sparse: { sorted: true } };
const narrow: Partial<MatrixOperation> = { contained: true };
const scaled = (vector: 1 | 2 | 4, type: "ue8m0" | "ue4m3" = "ue8m0"): Partial<MatrixOperation> =>
  vector === 1
    ? { contained: true, scale: { kind: "mxf8f6f4", type, vector } }
    : { scale: { kind: "mxf4", type, vector } };

const [BASE, ROOM] = [1 << 16, 1 << 17];

const cases: readonly (readonly [string, MatrixOperation, Chosen?])[] = [
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
  ["sm_120a", operation([16, 8, 32], "e2m1", narrow)],
  ["sm_120a", operation([16, 8, 32], "e3m2", { ...narrow, b: "e4m3" })],
  ["sm_120a", operation([16, 8, 32], "e2m1", { ...narrow, b: "e2m3", ...half })],
  ["sm_120a", operation([16, 8, 32], "e4m3", scaled(1)), { scales: [2, 1, 3, 2] }],
  ["sm_120a", operation([16, 8, 32], "e2m1", { ...scaled(1), b: "e5m2" }), { scales: [0, 0, 1, 3] }],
  ["sm_120a", operation([16, 8, 64], "e2m1", scaled(2)), { scales: [2, 1, 0, 3] }],
  ["sm_120a", operation([16, 8, 64], "e2m1", scaled(4, "ue4m3")), { scales: [0, 1, 0, 2] }],
  ["sm_80", operation([16, 8, 16], "bf16", sorted), { selector: 3 }],
  ["sm_80", operation([16, 8, 32], "f16", { ...sorted, ...half }), { selector: 1 }],
  ["sm_90", operation([16, 8, 32], "bf16", { sparse: { sorted: false } }), { selector: 1 }],
  ["sm_80", operation([16, 8, 8], "tf32", sorted), { selector: 2 }],
  ["sm_90", operation([16, 8, 16], "tf32", sorted), { selector: 1 }],
  ["sm_89", operation([16, 8, 64], "e4m3", sorted)],
  ["sm_90", operation([16, 8, 64], "e5m2", { ...sorted, b: "e4m3" })],
  ["sm_80", operation([16, 8, 32], "s8", { ...sorted, ...whole }), { selector: 1 }],
  ["sm_80", operation([16, 8, 64], "u8", { ...sorted, ...whole, b: "s8", satfinite: true })],
  ["sm_80", operation([16, 8, 64], "u4", { ...sorted, ...whole }), { selector: 1 }],
  ["sm_80", operation([16, 8, 128], "s4", { ...sorted, ...whole, b: "u4" })],
  ["sm_120a", operation([16, 8, 64], "e3m2", { ...sorted, ...narrow, b: "e2m1" })],
  ["sm_120a", operation([16, 8, 64], "e5m2", { ...sorted, ...scaled(1) }), { scales: [1, 0, 0, 1] }],
  ["sm_120a", operation([16, 8, 128], "e2m1", { ...sorted, ...scaled(2) }), { scales: [0, 1, 2, 0] }],
  ["sm_120a", operation([16, 8, 128], "e2m1", { ...sorted, ...scaled(4, "ue4m3") }), { scales: [0, 0, 0, 3] }],
];

it.each(cases.map(([target, op, chosen = {}]) => ({ target, op, chosen })))(
  "a product in registers is JavaScript's: $target $op $chosen",
  ({ target, op, chosen }) => {
    const module = new ModuleWriter(4);
    const { operands, constants } = operandsOf(op, chosen);
    const program = { constants };
    const { index, slots } = new MultiplyFunctions(module, target, false).of(op, operands, program)!;
    const call = new Code(0).i32(BASE).i32(ROOM);
    for (const slot of slots) call.i32(128 * slot);
    module.function({ takes: [], gives: ["i32"] }, call.call(index), "multiply");
    const memory = sharedMemory(4);
    const { multiply } = instantiate(compileModule(module.result()), { memory }) as { multiply: () => number };
    const layout = fragmentsOf(op);
    const registers = new Uint32Array(memory.buffer, BASE, 32 * (slots.length + operands.length + 8) * 2);
    for (const { slot, value } of constants) registers.fill(Number(value), 32 * slot, 32 * (slot + 1));
    const random = randomFrom(op.k + op.n);
    const context = { target, lanes: 32, program, sanitize: { init: true }, report } as unknown as Context;
    const step = byJavaScript({ op } as PlanOf<"multiply">, operands, context);
    // Powers of two far from 1 have their own tests.
    const drawScale = (type: ScaleType): number =>
      type === "ue8m0" ? 112 + random(30) : Number(hardBits(type, "spread", random));
    for (let round = 0; round < 20; round++) {
      const container = (role: "a" | "b"): number => (op.contained && op[role] === "e2m1" ? 2 : 0);
      let first = 0;
      /** Draws a fragment into its registers, which `shift` bits may precede in each. */
      const fill = (role: "a" | "b" | "c", count: number, shift = 0): void => {
        const matrix = draw(op[role], count, op, random);
        const { registers: own, each, places } = placesIn(layout[role], role === "b" ? "columns" : "rows");
        const bits = 32 / each;
        for (let register = 0; register < own; register++)
          for (let lane = 0; lane < 32; lane++) {
            const from = (register * 32 + lane) * each;
            registers[32 * slots[first + register]! + lane] = Array.from(
              { length: each },
              (_, e) => matrix[places[from + e]!]! << (bits * e + shift),
            ).reduce((x, y) => x | y);
          }
        first += own;
      };
      fill("a", op.m * storedColumns(op), container("a"));
      fill("b", op.n * op.k, container("b"));
      fill("c", op.m * op.n);
      first += placesIn(layout.d, "rows").registers;
      const words = (draw: () => number): void => {
        for (let lane = 0; lane < 32; lane++) registers[32 * slots[first]! + lane] = draw();
        first++;
      };
      const chunk = chunksOf(op);
      const allowed = [...chunk.sound.keys()].filter((at) => chunk.sound[at] === 1);
      if (op.sparse)
        words(() =>
          Array.from({ length: 8 }, (_, at) => allowed[random(allowed.length)]! << (4 * at)).reduce((x, y) => x | y),
        );
      for (const _ of op.scale ? ["a", "b"] : [])
        words(() =>
          Array.from({ length: 4 }, (_, at) => drawScale(op.scale!.type) << (8 * at)).reduce((x, y) => x | y),
        );
      const r = registers.slice();
      step({ r } as unknown as Warp);
      expect(multiply()).toBe(0);
      expect(registers).toEqual(r);
    }
  },
);

const report = (): void => expect.unreachable("nothing is reported");

it("leaves metadata that are undefined to JavaScript, and scales of which it says what is wrong", () => {
  const op = operation([16, 8, 32], "f16", sorted);
  const { operands, constants } = operandsOf(op, {});
  const module = new ModuleWriter(4);
  const { index, slots } = new MultiplyFunctions(module, "sm_80", false).of(op, operands, { constants })!;
  const call = new Code(0).i32(BASE).i32(ROOM);
  for (const slot of slots) call.i32(128 * slot);
  module.function({ takes: [], gives: ["i32"] }, call.call(index), "multiply");
  const memory = sharedMemory(4);
  const { multiply } = instantiate(compileModule(module.result()), { memory }) as { multiply: () => number };
  const metadata = new Uint32Array(memory.buffer, BASE + 128 * slots.at(-1)!, 32);
  metadata.fill(0x4444_4444);
  expect(multiply()).toBe(0);
  // Another thread's, which the selector does not name.
  metadata[6] = 0;
  expect(multiply()).toBe(0);
  for (const indices of [0x5, 0x1, 0xb]) {
    metadata[5] = 0x4444_4044 | (indices << 8);
    expect(multiply()).toBe(1);
  }
  const block = operation([16, 8, 32], "e4m3", scaled(1));
  const made = (scales: readonly [number, number, number, number]) => {
    const { operands, constants } = operandsOf(block, { scales });
    return new MultiplyFunctions(module, "sm_120a", false).of(block, operands, { constants });
  };
  expect(made([3, 1, 3, 3])).toBeDefined();
  expect(made([4, 1, 3, 3])).toBeUndefined();
  expect(made([3, 2, 3, 3])).toBeUndefined();
  expect(made([3, 1, 3, 4])).toBeUndefined();
});
