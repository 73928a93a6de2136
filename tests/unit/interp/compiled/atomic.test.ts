import { describe, expect, test, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { Fallback } from "../../../../src/interp/compiled/running/fallback.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const step = vi.spyOn(Fallback.prototype, "step");
const redo = vi.spyOn(Fallback.prototype, "redo");

/** Three threads meet at each address x; s is the same in shared memory, which each thread has set before. */
const program = (body: string): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out, .param .b64 in, .param .b32 count)
{
  .shared .align 16 .b8 tile[1024];
  .reg .b32 i, l, d, e, n, s; .reg .b64 o, a, g, x, y, w, v; .reg .f32 f; .reg .f64 z; .reg .b16 h; .reg .pred p;
  ld.param.b64 o, [out]; ld.param.b64 a, [in]; ld.param.b32 n, [count];
  mov.u32 i, %tid.x; mov.u32 d, 17; mov.u64 w, 19; setp.lt.u32 p, i, n;
  div.u32 l, i, 3; mul.wide.u32 g, l, 8; add.s64 x, a, g;
  mul.lo.u32 e, i, 2654435761; cvt.u64.u32 v, e; mul.lo.u64 v, v, v; and.b32 s, e, 0x3fffffff; mov.b32 f, s;
  cvt.f64.f32 z, f; cvt.u16.u32 h, e; mov.u64 y, tile; mul.wide.u32 g, i, 8; add.s64 y, y, g; st.shared.b64 [y], v;
  mov.u64 y, tile; mul.wide.u32 g, l, 8; add.s64 y, y, g;
  bar.sync 0;
  ${body}
  bar.sync 0;
  mul.wide.u32 g, i, 24; add.s64 o, o, g;
  st.global.b32 [o], d; cvt.u32.u16 d, h; st.global.b32 [o+4], d; st.global.b64 [o+8], w;
  mov.u64 y, tile; mul.wide.u32 g, i, 8; add.s64 y, y, g; ld.shared.b64 w, [y]; st.global.b64 [o+16], w;
  ret;
}`;

const BLOCK = 64;

function results(body: string, executor: Executor, n: number) {
  const device = new Device();
  const kernel = must(must(device.module(program(body))).kernel("k"));
  const out = device.buffer(new Uint8Array(24 * BLOCK));
  const data = device.buffer(Uint8Array.from({ length: 512 }, (_, at) => ((at * 37) ^ (at >> 3)) & 0xbf));
  const { stop, session } = must(kernel.launch({ block: BLOCK, args: [out, data, n], executor }))!;
  return { body, stop, steps: session.steps, findings: session.findings, out: out.read(), data: data.read() };
}

/** Both executors give the same. */
function compare(body: string, n: number): void {
  const expected = results(body, javascript, n);
  step.mockClear();
  redo.mockClear();
  expect(results(body, compiled, n)).toEqual(expected);
}

/** The same, and compiled code has done it by itself. */
function compareAlone(body: string): void {
  for (const n of [BLOCK, 37]) {
    compare(body, n);
    expect(step).not.toHaveBeenCalled();
    // Shared memory that nobody has touched is known to JavaScript first.
    expect(redo.mock.calls.length).toBeLessThanOrEqual(2);
  }
}

describe("one lane after the other", () => {
  test.each([
    "add.u32",
    "min.s32",
    "min.u32",
    "max.s32",
    "max.u32",
    "and.b32",
    "or.b32",
    "xor.b32",
    "inc.u32",
    "dec.u32",
    "exch.b32",
  ])("atom.%s", (what) => {
    compareAlone(`atom.global.${what} d, [x], e; @p atom.shared.${what} e, [y+4], e; @p atom.${what} e, [x+4], 77;`);
    if (!what.startsWith("exch")) compareAlone(`red.global.${what} [x], e; @p red.shared.${what} [y], e;`);
  });

  test.each(["add.u64", "min.s64", "min.u64", "max.s64", "max.u64", "and.b64", "or.b64", "xor.b64", "exch.b64"])(
    "atom.%s",
    (what) => {
      compareAlone(`atom.global.${what} w, [x], v; @p atom.shared.${what} w, [y], v; @p atom.${what} w, [x+8], w;`);
    },
  );

  test("what is compared", () => {
    compareAlone("ld.global.b32 d, [x]; atom.global.cas.b32 d, [x], d, e; @p atom.shared.cas.b32 e, [y], d, 5;");
    compareAlone("ld.global.b64 w, [x]; atom.global.cas.b64 w, [x], w, v;");
    compareAlone("ld.global.b16 h, [x]; atom.global.cas.b16 h, [x], h, 7;");
  });

  test("what is added to floats", () => {
    compareAlone("atom.global.add.f32 f, [x], f; mov.b32 d, f; @p red.shared.add.f32 [y], f;");
    compareAlone("atom.global.add.f64 z, [x], z; mov.b64 w, z; @p red.shared.add.f64 [y], z;");
    compareAlone(
      "{ .reg .f32 tiny; mov.f32 tiny, 0f00000001; red.shared.add.f32 [y], tiny; red.global.add.f32 [x], tiny; }",
    );
  });

  test("an address that a load has given", () => {
    for (const n of [BLOCK, 37])
      compare("st.global.b64 [x], x; ld.global.b64 w, [x]; atom.global.add.u32 d, [w], 1; mov.b64 w, 0;", n);
  });

  test("a register that is address and result, and one that takes what is there", () => {
    compareAlone("atom.global.add.u64 x, [x], 5; mov.u64 w, x;");
    compareAlone("atom.global.add.u32 e, [x], e; add.u32 d, e, 1; atom.global.or.b32 _, [x], d;");
  });
});

describe("what JavaScript reports", () => {
  test.each([
    "atom.global.add.u32 d, [x+2], 1;",
    "atom.global.add.u32 d, [x+500], 1;",
    "@p atom.shared.add.u32 d, [y+1000], 1;",
    "red.shared.add.u32 [tile+600], 1;",
    "cvta.shared.u64 y, y; atom.add.u32 d, [y], 1; atom.add.f32 f, [y], f; mov.b32 e, f;",
  ])("%s", (body) => {
    for (const n of [BLOCK, 37, 0]) compare(body, n);
  });
});
