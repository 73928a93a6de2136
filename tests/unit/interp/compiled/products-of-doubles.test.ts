import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { native } from "../../../../src/interp/compiled/executor.ts";
import { useNativeCompiler } from "../../../../src/interp/compiled/module/native-code.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";
import { systemCompiler } from "../../../../src/system/native-compiler.ts";
import { fusesMultiplyAdd } from "../../../../src/wasm/fused.ts";
import { hardBits, randomFrom } from "../../numeric/tensor/hard-operands.ts";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-native-test-"));
const system = systemCompiler({ ...process.env, HOME: folder, XDG_CACHE_HOME: folder });
afterAll(() => {
  useNativeCompiler(() => undefined);
  rmSync(folder, { recursive: true });
});

/** Registers that a lane has of A, B and of C or D. */
const shapes = { m8n8k4: [1, 1, 2], m16n8k4: [2, 1, 4] } as const;
const ROUNDS = 12;

/** Two warps add products of each shape to D; what they load last is in a row. */
function program(): string {
  const all = (of: string, count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `${of}${at}`).join(", ")}}`;
  const each = (of: string, count: number, from: number, does: (register: string, at: string) => string): string =>
    Array.from({ length: count }, (_, at) => does(`${of}${at}`, `[at+${512 * (from + at)}]`)).join(" ");
  const load = (register: string, at: string): string => `ld.global.f64 ${register}, ${at};`;
  const loops = Object.entries(shapes).map(
    ([shape, [a, b, d]]) => `mov.u32 i, 0;
again_${shape}:
  ${each("a", a, 0, load)} ${each("b", b, a, load)} ${each("c", d, a + b, load)}
  mma.sync.aligned.${shape}.row.col.f64.f64.f64.f64 ${all("d", d)}, ${all("a", a)}, ${all("b", b)}, ${all("c", d)};
  mma.sync.aligned.${shape}.row.col.f64.f64.f64.f64 ${all("d", d)}, ${all("a", a)}, ${all("b", b)}, ${all("d", d)};
  ${each("d", d, a + b, (register, to) => `st.global.f64 ${to}, ${register};`)}
  add.s64 at, at, ${512 * (a + b + d)}; add.u32 i, i, 1; setp.lt.u32 p, i, ${ROUNDS}; @p bra again_${shape};`,
  );
  return `.version 8.0
.target sm_90
.address_size 64
.entry k(.param .u64 data)
{
  .reg .f64 a<4>, b<2>, c<4>, d<4>; .reg .b64 at; .reg .b32 t, i; .reg .pred p;
  ld.param.u64 at, [data]; mov.u32 t, %tid.x; mad.wide.u32 at, t, 8, at;
  ${loops.join("\n")}
  ret;
}`;
}

function left(executor: Executor) {
  const random = randomFrom(7);
  const count =
    64 *
    ROUNDS *
    Object.values(shapes)
      .flat()
      .reduce((sum, each) => sum + each, 0);
  const mood = (at: number) => (["near", "spread", "any", "tiny"] as const)[Math.floor(at / 512) % 4]!;
  const numbers = BigUint64Array.from({ length: count }, (_, at) => hardBits("f64", mood(at), random));
  const device = new Device();
  const kernel = must(must(device.module(program())).kernel("k"));
  const data = device.buffer(numbers);
  const { stop, steps } = must(kernel.launch({ block: 64, args: [data], executor }))!;
  return { stop, steps, bytes: new BigUint64Array(data.read().buffer) };
}

/** Both round a * b + c once: C compilers do, and V8 from Node 22 on. */
it.each([
  ["a C compiler", system !== undefined, native],
  ["the engine", fusesMultiplyAdd(), compiled],
] as const)("a module multiplies f64 by %s, where that rounds a * b + c once", (_, isThere, executor) => {
  useNativeCompiler(() => system);
  const expected = left(javascript);
  const outside = vi.spyOn(CompiledProgram.prototype, "outside");
  expect(left(executor)).toEqual(expected);
  if (isThere) expect(outside).not.toHaveBeenCalled();
  outside.mockRestore();
});
