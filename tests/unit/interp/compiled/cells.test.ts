import { expect, test, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { Fallback } from "../../../../src/interp/compiled/running/fallback.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const step = vi.spyOn(Fallback.prototype, "step");
const redo = vi.spyOn(Fallback.prototype, "redo");

/** Threads read at x and write at y, which lie as `by` says: `bytes` apart, together, or anywhere. */
const program = (by: string, bytes: number, load: string, store: string): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out, .param .b64 in, .param .b32 count)
{
  .reg .b32 i, l, n, e0, e1, e2, e3; .reg .b64 x, y, g, w0, w1; .reg .b16 h0, h1, h2, h3; .reg .pred p;
  ld.param.b64 y, [out]; ld.param.b64 x, [in]; ld.param.b32 n, [count];
  mov.u32 i, %tid.x; setp.lt.u32 p, i, n;
  mov.b32 e0, 1; mov.b32 e1, 2; mov.b32 e2, 3; mov.b32 e3, 4; mov.b64 w0, 5; mov.b64 w1, 6;
  mov.b16 h0, 7; mov.b16 h1, 8; mov.b16 h2, 9; mov.b16 h3, 10;
  ${by} mul.wide.u32 g, l, ${bytes}; add.s64 x, x, g; add.s64 y, y, g;
  ${load}
  ${store}
  ret;
}`;

const BLOCK = 64;

function results(text: string, executor: Executor, n: number) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(new Uint8Array(2048));
  const data = device.buffer(Uint8Array.from({ length: 2048 }, (_, at) => (at * 37) ^ (at >> 3)));
  const { stop, session } = must(kernel.launch({ block: BLOCK, args: [out, data, n], executor }))!;
  return { text, n, stop, steps: session.steps, findings: session.findings, out: out.read() };
}

const lies = {
  "in a row": "mov.u32 l, i;",
  together: "mov.u32 l, 3;",
  apart: "xor.b32 l, i, 5;",
  "some of them together": "shr.u32 l, i, 1;",
};

const cells: readonly (readonly [string, number, string])[] = [
  ["b8", 1, "h0"],
  ["b16", 2, "h0"],
  ["b32", 4, "e0"],
  ["b64", 8, "w0"],
  ["v2.b8", 2, "{h0, h1}"],
  ["v4.b8", 4, "{h0, h1, h2, h3}"],
  ["v2.b16", 4, "{h0, h1}"],
  ["v4.b16", 8, "{h0, h1, h2, h3}"],
  ["v2.b32", 8, "{e0, e1}"],
  ["v4.b32", 16, "{e0, e1, e2, e3}"],
  ["v2.b64", 16, "{w0, w1}"],
];

test.each(Object.entries(lies))("cells that lie %s", (_, by) => {
  for (const [cell, bytes, registers] of cells) {
    const text = program(by, bytes, `ld.global.${cell} ${registers}, [x];`, `@p st.global.${cell} [y], ${registers};`);
    for (const n of [BLOCK, 37]) {
      const expected = results(text, javascript, n);
      step.mockClear();
      redo.mockClear();
      expect(results(text, compiled, n)).toEqual(expected);
      expect([step, redo].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    }
  }
});

test("signed cells, holes, and lanes that do not load", () => {
  const loads = [
    ["ld.global.s8 e0, [x];", 1],
    ["ld.global.s16 e0, [x];", 2],
    ["ld.global.s8 w0, [x];", 1],
    ["ld.global.s32 w0, [x];", 4],
    ["@p ld.global.v4.b32 {e0, _, e2, e3}, [x];", 16],
    ["@p ld.global.v2.b64 {w1, w0}, [x]; cvt.u32.u64 e1, w1;", 16],
    ["@!p ld.global.u8 e0, [x]; @p ld.global.u16 e1, [x];", 2],
  ] as const;
  for (const [load, bytes] of loads)
    for (const n of [BLOCK, 37]) {
      const text = program(
        "mov.u32 l, i;",
        bytes,
        load,
        "mul.wide.u32 g, i, 16; ld.param.b64 y, [out]; add.s64 y, y, g; st.global.v4.b32 [y], {e0, e1, e2, e3}; @p st.global.b64 [y], w0;",
      );
      expect(results(text, compiled, n)).toEqual(results(text, javascript, n));
    }
});
