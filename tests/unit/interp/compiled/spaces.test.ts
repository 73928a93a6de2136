import { beforeEach, describe, expect, test, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { Fallback } from "../../../../src/interp/compiled/running/fallback.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const step = vi.spyOn(Fallback.prototype, "step");
const redo = vi.spyOn(Fallback.prototype, "redo");

beforeEach(() => {
  step.mockClear();
  redo.mockClear();
});

/** i is the thread's number, l that within groups of eight; each thread stores d, e and w at the end. */
const program = (body: string): string => `.version 8.8
.target sm_90
.address_size 64
.const .align 16 .b32 table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
.entry k(.param .b64 out, .param .b64 in, .param .b32 count, .param .align 4 .b8 many[64])
{
  .local .align 16 .b8 own[64];
  .shared .align 16 .b8 tile[2048];
  .reg .b32 i, l, d, e, n, s; .reg .b64 o, a, g, x, w; .reg .b16 h; .reg .pred p;
  ld.param.b64 o, [out]; ld.param.b64 a, [in]; ld.param.b32 n, [count];
  mov.u32 i, %tid.x; and.b32 l, i, 7; mov.u32 d, 17; mov.u32 e, 18; mov.u64 w, 19; setp.lt.u32 p, i, n;
  ${body}
  mul.wide.u32 x, i, 16; add.s64 o, o, x;
  st.global.b32 [o], d; st.global.b32 [o+4], e; st.global.b64 [o+8], w;
  ret;
}`;

const BLOCK = 64;

function results(body: string, executor: Executor, n: number, of: string) {
  const device = new Device();
  const kernel = must(must(device.module(program(body))).kernel("k"));
  const out = device.buffer(new Uint8Array(16 * BLOCK));
  const data = device.buffer(Uint8Array.from({ length: 4096 }, (_, at) => (at * 37) ^ (at >> 3)));
  const many = Uint8Array.from({ length: 64 }, (_, at) => at * 3 + 1);
  const { stop, session } = must(kernel.launch({ block: BLOCK, args: [out, data, n, many], executor }))!;
  return { of, stop, steps: session.steps, findings: session.findings, out: out.read(), data: data.read() };
}

/** Both executors give the same, and compiled code asks JavaScript for none of it (`asks`: or for steps of it). */
function compare(body: string, n = BLOCK, asks = false): void {
  const expected = results(body, javascript, n, body);
  step.mockClear();
  redo.mockClear();
  const found = results(body, compiled, n, body);
  expect(found).toEqual(expected);
  if (asks) return;
  expect(step).not.toHaveBeenCalled();
  // Memory that the device has never touched is known to JavaScript first: each warp's own page.
  expect(redo.mock.calls.length).toBeLessThanOrEqual(body.includes("own") ? BLOCK / 32 : 0);
}

const inLocal = "mov.u64 x, own; mul.wide.u32 g, l, 4; add.s64 x, x, g;";
const inConst = "mov.u64 x, table; mul.wide.u32 g, l, 4; add.s64 x, x, g;";
const inGlobal = "mul.wide.u32 g, i, 8; add.s64 x, a, g;";

describe("memory that compiled code reaches", () => {
  test.each([
    ["local by a register", `${inLocal} st.local.b32 [x], i; ld.local.b32 d, [x];`],
    [
      "local by name",
      "st.local.b32 [own+8], i; st.local.b64 [own+16], a; ld.local.b32 d, [own+8]; ld.local.b32 e, [own+20];",
    ],
    ["local, 8 bits", `${inLocal} st.local.b8 [x+1], i; ld.local.s8 d, [x+1];`],
    ["local, 16 bits", `${inLocal} st.local.b16 [x+2], i; ld.local.u16 d, [x+2];`],
    ["local, vectors", "st.local.v4.b32 [own], {i, l, d, i}; ld.local.v2.b32 {d, e}, [own+8]; ld.local.b64 w, [own];"],
    [
      "local under a guard",
      `st.local.b32 [own], 5; @p st.local.b32 [own], i; @!p ld.local.b32 d, [own]; @p ld.local.b32 e, [own];`,
    ],
    ["constants by name", "ld.const.b32 d, [table+12]; ld.const.v2.b32 {e, l}, [table+8]; ld.const.b64 w, [table+16];"],
    ["constants by a register", `${inConst} ld.const.b32 d, [x]; @p ld.const.u8 e, [x+4];`],
    [
      "parameters by a register",
      "mov.u64 x, many; mul.wide.u32 g, l, 4; add.s64 x, x, g; ld.param.b32 d, [x]; ld.param.b32 e, [x+4];",
    ],
    [
      "parameters beside global memory that nobody knew",
      "mov.u64 x, many; mul.wide.u32 g, l, 4; add.s64 x, x, g; ld.global.b32 e, [a+8]; ld.param.b32 d, [x];",
    ],
    ["generic, in global memory", `${inGlobal} ld.b32 d, [x]; st.b32 [x+4], i; ld.b32 e, [x+4]; @p ld.b64 w, [x+8];`],
  ])("%s", (_, body) => {
    for (const n of [BLOCK, 37, 0]) compare(body, n);
  });
});

describe("accesses that are wrong", () => {
  test.each([
    ["behind local memory", `${inLocal} ld.local.b32 d, [x+64];`],
    ["local memory that is not initialised", `@!p st.local.b32 [own], i; ld.local.b32 d, [own];`],
    ["local memory that is not aligned", `add.u32 s, i, 4; cvt.u64.u32 x, s; st.local.b32 [x], i;`],
    ["far outside of local memory", "shl.b64 x, a, 3; ld.local.b32 d, [x];"],
    ["behind constants", `${inConst} ld.const.b32 d, [x+48];`],
    ["behind parameters", "mov.u64 x, many; mul.wide.u32 g, i, 4; add.s64 x, x, g; ld.param.b32 d, [x];"],
    ["constants by a generic store", `cvta.const.u64 x, table; st.b32 [x], i;`],
    ["a byte of local memory that is not initialised", "cvta.local.u64 x, own; st.b8 [x], i; @p ld.b8 h, [x+1];"],
    ["nowhere", "cvt.u64.u32 x, i; ld.b32 d, [x];"],
  ])("%s", (_, body) => {
    for (const n of [BLOCK, 37, 0]) compare(body, n, true);
  });
});

test("what is known to be clean grows from where the first lane that accesses has been", () => {
  const learn = vi.spyOn(Fallback.prototype, "learn");
  const device = new Device();
  const body = `setp.ge.u32 p, i, 5; ${inGlobal} @p ld.global.b32 d, [x];`;
  const kernel = must(must(device.module(program(body))).kernel("k"));
  const [out, data] = [device.buffer(new Uint8Array(16 * 32)), device.buffer(new Uint8Array(4096))];
  must(kernel.launch({ block: 32, args: [out, data, 0, new Uint8Array(64)], executor: compiled }));
  const low = Number(BigInt.asUintN(32, data.address));
  expect(learn.mock.calls.map(([, at]) => at)).toContain(low + 5 * 8);
  learn.mockRestore();
});

test("generic addresses in other windows", () => {
  const inShared = "cvta.shared.u64 x, tile; mul.wide.u32 g, i, 4; add.s64 x, x, g;";
  for (const body of [
    "cvta.local.u64 x, own; st.b32 [x+4], i; ld.b32 d, [x+4]; ld.local.b32 e, [own+4];",
    `${inShared} st.b32 [x], i; ld.b32 d, [x]; atom.add.u32 e, [x], 5; ld.shared.b32 l, [tile+8];`,
    `cvta.local.u64 x, own; st.b32 [x], 7; st.v2.b16 [x+4], {3, 4}; ${inGlobal} @p cvta.local.u64 x, own; ld.b32 d, [x];`,
  ])
    for (const n of [BLOCK, 37, 0]) {
      compare(body, n, true);
      expect(step).not.toHaveBeenCalled();
      // Pages that are touched for the first time.
      expect(redo.mock.calls.length).toBeLessThanOrEqual(2);
    }
});

test("generic addresses that are wrong", () => {
  compare("cvta.const.u64 x, table; ld.b32 d, [x+4];", BLOCK, true);
  compare("cvta.local.u64 x, own; st.b32 [x+64], i;", BLOCK, true);
  compare("cvta.shared.u64 x, tile; mul.wide.u32 g, i, 64; add.s64 x, x, g; st.b32 [x], i;", BLOCK, true);
  compare(
    "cvta.local.u64 x, own; and.b64 x, x, 0xffffffff; add.s64 x, x, 0x4f0000000000; st.b32 [x+0x2000], i;",
    BLOCK,
    true,
  );
  compare("mov.u64 x, 0x4f0200000002; st.b32 [x], i;", BLOCK, true);
});

describe("moves", () => {
  test.each([
    "mov.b64 w, {i, l};",
    "mov.b64 {d, e}, a;",
    "mov.b64 {_, e}, a;",
    "{ .reg .b16 u, v; cvt.u16.u32 u, i; mov.u16 v, 0x8001; mov.b32 d, {u, v}; mov.b32 {v, u}, d; cvt.u32.u16 e, v; }",
    "{ .reg .b16 u, v, y, z; mov.b64 {u, v, y, z}, a; mov.b64 w, {z, y, v, u}; }",
    "{ .reg .v2 .b32 u, v; mov.b64 u, a; mov.v2.b32 v, u; mov.b32 d, v.y; }",
    "{ .reg .b128 u; mov.b128 u, {a, o}; mov.b128 {g, w}, u; }",
    "@p mov.b64 w, {i, l};",
  ])("%s", (body) => {
    for (const n of [BLOCK, 37]) compare(body, n);
  });

  test.each(["global", "shared", "local", "const", "param"])("isspacep.%s", (space) => {
    compare(`setp.lt.u32 p, l, 4; mov.u64 x, own; cvta.local.u64 x, x; @p mov.u64 x, a; isspacep.${space} p, x; selp.u32 d, 1, 2, p;
      cvta.shared.u64 x, tile; isspacep.${space} p, x; selp.u32 e, 1, 2, p;`);
  });
});
