import { describe, expect, test, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor } from "../../../../src/interp/index.ts";

const BLOCK = 45;
const K = 0x9e37_79b9_7f4a_7c15n;
const mask = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
/** What a thread has in its 64-bit registers `x` and `y`. */
const xOf = (thread: number): bigint => BigInt.asUintN(64, BigInt(thread) * K + 0x1234_5678_9abc_def0n);
const yOf = (thread: number): bigint => BigInt.asUintN(64, ~xOf(thread) * 3n);

/** Runs `body`, which leaves words of 64 bits behind `[o]`, as many as `count`; gives them by thread. */
function run(body: string, count: number, executor: Executor = compiled): bigint[][] {
  const device = new Device();
  const out = device.buffer(new Uint8Array(8 * count * BLOCK));
  const text = `.version 8.8 .target sm_100 .address_size 64 .global .b32 g[4]; .const .b32 k[4] = {1, 2, 3, 4};
    .entry e(.param .b64 out, .param .b64 seed, .param .b64 more) { .shared .b32 s[4]; .local .b32 l[4];
    .reg .b8 b<9>; .reg .b16 h<9>; .reg .b32 t, r<9>; .reg .b64 o, w, x, y, d<9>; .reg .b128 q<3>; .reg .pred p<9>;
    ld.param.b64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 w, t, ${8 * count}; add.u64 o, o, w; cvt.u64.u32 w, t;
    ld.param.b64 x, [seed]; ld.param.b64 y, [more]; mad.lo.u64 x, w, x, y; not.b64 y, x; mul.lo.u64 y, y, 3;
    ${body} ret; }`;
  const outside = vi.spyOn(CompiledProgram.prototype, "outside");
  const kernel = must(must(device.module(text)).kernel("e"));
  const { stop } = must(kernel.launch({ block: BLOCK, args: [out, K, 0x1234_5678_9abc_def0n], executor }))!;
  expect(stop.reason).toBe("exit");
  expect(outside).not.toHaveBeenCalled();
  outside.mockRestore();
  const words = [...new BigUint64Array(out.read().buffer)];
  return Array.from({ length: BLOCK }, (_, thread) => words.slice(thread * count, (thread + 1) * count));
}

const threads = Array.from({ length: BLOCK }, (_, thread) => thread);
/** Registers of so many bits, by name, and how one of them becomes 64. */
const names: Readonly<Record<number, string>> = { 8: "b", 16: "h", 32: "r", 64: "d" };
const wider = (bits: number, register: string, at: number): string =>
  bits === 64 ? `st.b64 [o+${at}], ${register};` : `cvt.u64.u${bits} w, ${register}; st.b64 [o+${at}], w;`;

describe("a register as parts, and parts as a register (PTX ISA, mov)", () => {
  test.each([
    [16, 8],
    [32, 8],
    [32, 16],
    [64, 16],
    [64, 32],
    [128, 64],
    [128, 32],
  ])("%i bits of parts of %i", (whole, part) => {
    const count = whole / part;
    const list = Array.from({ length: count }, (_, at) => `${names[part]}${at}`);
    const from = {
      16: "cvt.u16.u64 h8, x;",
      32: "cvt.u32.u64 r8, x;",
      64: "mov.b64 d8, x;",
      128: "mov.b128 q0, {x, y};",
    };
    const source = { 16: "h8", 32: "r8", 64: "d8", 128: "q0" }[whole]!;
    const goal = { 16: "h7", 32: "r7", 64: "d7", 128: "q1" }[whole]!;
    const shown = whole === 128 ? "mov.b128 {d7, d6}, q1; st.b64 [o], d7; st.b64 [o+8], d6;" : wider(whole, goal, 0);
    const body = `${from[whole as 16]} mov.b${whole} {${list}}, ${source}; mov.b${whole} ${goal}, {${list.toReversed()}}; ${shown}
      ${list.map((each, at) => wider(part, each, 16 + 8 * at)).join(" ")}`;
    const found = run(body, 2 + count);
    for (const thread of threads) {
      const value = BigInt.asUintN(whole, xOf(thread) | (yOf(thread) << 64n));
      const parts = list.map((_, at) => (value >> BigInt(part * at)) & mask(part));
      const turned = parts.toReversed().reduce((sum, each, at) => sum | (each << BigInt(part * at)), 0n);
      const wanted = [turned & mask(64), turned >> 64n, ...parts];
      if (whole < 128) wanted[1] = 0n;
      expect([thread, found[thread]]).toEqual([thread, wanted]);
    }
  });

  test("with parts that nobody wants", () => {
    const body = `mov.b64 {_, r1}, x; mov.b64 {h1, _, _, h2}, y; cvt.u64.u32 w, r1; st.b64 [o], w;
      ${wider(16, "h1", 8)} ${wider(16, "h2", 16)}`;
    for (const [thread, found] of run(body, 3).entries())
      expect(found).toEqual([xOf(thread) >> 32n, yOf(thread) & 0xffffn, yOf(thread) >> 48n]);
  });
});

test("vectors are moved element by element, those too that nobody gives or takes", () => {
  const body = `.reg .v2 .b32 v, u; cvt.u32.u64 r1, x; cvt.u32.u64 r2, y; mov.v2.b32 v, {r1, r2}; mov.v2.b32 {_, r3}, v;
    mov.v2.b32 u, {r3, _}; mov.v2.b32 {r4, _}, u; ${wider(32, "r3", 0)} ${wider(32, "r4", 8)}`;
  for (const [thread, found] of run(body, 2).entries()) {
    const high = yOf(thread) & mask(32);
    expect(found).toEqual([high, high]);
  }
});

test("registers are read by the bits that an operation takes, and written by those that they have", () => {
  const body = `cvt.u32.u64 r1, x; cvt.u16.u64 h1, x; cvt.s64.s16 d1, h1; st.b64 [o], d1; cvt.s32.s8 r2, r1; cvt.s64.s32 d2, r2;
    st.b64 [o+8], d2; cvt.u64.u8 d3, r1; st.b64 [o+16], d3; shr.s64 d4, x, 60; st.b64 [o+24], d4; add.u16 h2, h1, h1;
    ${wider(16, "h2", 32)} ld.param.s16 r3, [seed]; cvt.s64.s32 d5, r3; st.b64 [o+40], d5;`;
  for (const [thread, found] of run(body, 6).entries()) {
    const x = xOf(thread);
    const signed = (bits: number, value = x): bigint => BigInt.asUintN(64, BigInt.asIntN(bits, value));
    expect(found).toEqual([
      ...[signed(16), signed(8), x & 0xffn, BigInt.asUintN(64, BigInt.asIntN(64, x) >> 60n), (2n * x) & 0xffffn],
      signed(16, K),
    ]);
  }
});

test("predicates are joined, turned, chosen by and moved", () => {
  const bits = ["p3", "p4", "p5", "p6", "p7", "p8"];
  const body = `setp.lt.s64 p1, x, 0; setp.gt.and.s64 p2|p3, y, 0, !p1; and.pred p4, p1, p2; or.pred p5, p1, p3; xor.pred p6, p4, p5;
    not.pred p7, p6; mov.pred p8, p1; selp.b64 d1, x, y, p1; selp.b32 r1, 1, 2, p2; st.b64 [o], d1; cvt.u64.u32 w, r1; st.b64 [o+8], w;
    ${bits.map((p, at) => `selp.u64 d2, 1, 0, ${p}; st.b64 [o+${16 + 8 * at}], d2;`).join(" ")}`;
  for (const [thread, found] of run(body, 8).entries()) {
    const [p1, above] = [BigInt.asIntN(64, xOf(thread)) < 0n, BigInt.asIntN(64, yOf(thread)) > 0n];
    const [p2, p3] = [above && !p1, !above && !p1];
    const [p4, p5] = [p1 && p2, p1 || p3];
    const flags = [p3, p4, p5, p4 !== p5, p4 === p5, p1].map((each) => (each ? 1n : 0n));
    expect(found).toEqual([p1 ? xOf(thread) : yOf(thread), p2 ? 1n : 2n, ...flags]);
  }
});

test("carries go from word to word", () => {
  const body = `mov.b64 {r1, r2}, x; mov.b64 {r3, r4}, y; add.cc.u32 r5, r1, r3; addc.cc.u32 r6, r2, r4; addc.u32 r7, 0, 0;
    mov.b64 d1, {r5, r6}; st.b64 [o], d1; cvt.u64.u32 d2, r7; st.b64 [o+8], d2; sub.cc.u32 r5, r1, r3; subc.u32 r6, r2, r4;
    mov.b64 d1, {r5, r6}; st.b64 [o+16], d1; add.cc.u64 d3, x, y; addc.u64 d4, 0, 0; st.b64 [o+24], d3; st.b64 [o+32], d4;`;
  for (const [thread, found] of run(body, 5).entries()) {
    const [x, y] = [xOf(thread), yOf(thread)];
    const [sum, above] = [(x + y) & mask(64), (x + y) >> 64n];
    expect(found).toEqual([sum, above, BigInt.asUintN(64, x - y), sum, above]);
  }
});

test("addresses change their window, and say in which one they lie", () => {
  const spaces = ["global", "shared", "local", "const"];
  const variables = ["g", "s", "l", "k"];
  const body = spaces
    .map(
      (
        space,
        at,
      ) => `mov.u64 d1, ${variables[at]}; cvta.${space}.u64 d2, d1; cvta.to.${space}.u64 d3, d2; sub.u64 d3, d3, d1;
      st.b64 [o+${40 * at}], d3; ${spaces
        .map(
          (other, index) =>
            `isspacep.${other} p1, d2; selp.u64 d4, 1, 0, p1; st.b64 [o+${40 * at + 8 + 8 * index}], d4;`,
        )
        .join(" ")}`,
    )
    .join("\n");
  const wanted = spaces.flatMap((space) => [0n, ...spaces.map((other) => (other === space ? 1n : 0n))]);
  for (const found of run(body, 20)) expect(found).toEqual(wanted);
});
