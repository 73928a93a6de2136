import { afterAll, describe, expect, it } from "vitest";
import { loadAnew } from "../../sources.ts";

// The comment of `Format` promises that a format is one entry: here are all that ptxrun has, and one.
const world = "tests/unit/cli/world.ts";
const library = "src/index.ts";
const sessions = "src/interp/create-session.ts";
const load = await loadAnew([world, library, sessions], {
  "src/numeric/format/format.ts": "tests/unit/numeric/one-format.ts",
  "src/isa/integer/integer.ts": "tests/unit/numeric/one-format-instructions.ts",
});
const { World, twice } = load<typeof import("../cli/world.ts")>(world);

/** What a code of the format is: a sign, three bits of exponent and three of fraction. */
function numberOf(code: number): number {
  const [exponent, fraction] = [(code >> 3) & 7, code & 7];
  const size = exponent === 0 ? (fraction / 8) * 2 ** -2 : (1 + fraction / 8) * 2 ** (exponent - 3);
  return code & 0x40 ? -size : size;
}
const codes = Array.from({ length: 128 }, (_, code) => code);

/** The nearest number of the format: of two as near, the one whose code is even; beyond the largest, that. */
function nearest(value: number): number {
  const own = codes.filter((code) => code >= 0x40 === (value < 0 || Object.is(value, -0)));
  const away = (code: number): number => Math.abs(numberOf(code) - value);
  return own.reduce((best, code) => {
    const nearer = away(code) - away(best) || (code & 1) - (best & 1);
    return nearer < 0 ? code : best;
  });
}

const kernel = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 r) {
  .reg .b16 %c; .reg .b32 %i, %h; .reg .f32 %f; .reg .b64 %p, %q, %r;
  mov.u32 %i, %tid.x;
  ld.param.u64 %p, [p]; mad.wide.u32 %p, %i, 4, %p; ld.global.f32 %f, [%p];
  narrow.rn.satfinite.e3m3x2.f32 %c, 0f3F800000, %f;
  ld.param.u64 %q, [q]; mad.wide.u32 %q, %i, 2, %q; st.global.u16 [%q], %c;
  widen.rn.f16x2.e3m3x2 %h, %c;
  mov.b32 {%c, _}, %h; cvt.f32.f16 %f, %c;
  ld.param.u64 %r, [r]; mad.wide.u32 %r, %i, 4, %r; st.global.f32 [%r], %f;
  ret; }`;

describe("a format that does not exist, written as one entry", () => {
  const here = new World().write("k.ptx", kernel).write("twice.ptx", twice);
  afterAll(() => here.remove());
  const text = async (...argv: string[]): Promise<string> => {
    const { exit, out, err } = await here.ptxrun(argv);
    expect([exit, err]).toEqual([0, ""]);
    return out;
  };

  // All numbers, what lies half between two of them, and what is too large.
  const numbers = codes.map(numberOf);
  const given = [...numbers, ...numbers.map((each, at) => (each + (numbers[at + 1] ?? 99)) / 2)];

  it.each(["js", "wasm"])("is rounded to and read by instructions that name it, executed by %s", async (executor) => {
    const { executors } = load<typeof import("../../../src/interp/create-session.ts")>(sessions);
    const device = new (load<typeof import("../../../src/index.ts")>(library).Device)();
    const [p, q, r] = [Float32Array.from(given), new Uint16Array(given.length), new Float32Array(given.length)].map(
      (each) => device.buffer(new Uint8Array(each.buffer)),
    );
    const { must } = load<typeof import("../../../src/index.ts")>(library);
    const launched = must(
      must(must(device.module(kernel)).kernel("k")).launch({
        block: given.length,
        args: [p!, q!, r!],
        executor: executors.get(executor)!,
      }),
    );
    expect(launched.stop.reason).toBe("exit");
    const wanted = given.map(nearest);
    expect(q!.toBits("u16").map(Number)).toEqual(wanted.map((code) => 0x1800 + code));
    expect(Uint32Array.from(r!.toBits("u32"), Number)).toEqual(
      new Uint32Array(Float32Array.from(wanted, numberOf).buffer),
    );
  });

  it("is a type of instructions, and of no variable", async () => {
    const { exit, err } = await here
      .write("v.ptx", `${kernel.slice(0, kernel.indexOf(".visible"))}.global .e3m3x2 v;`)
      .ptxrun(["lint", "v.ptx"]);
    expect([exit, err]).toEqual([3, expect.stringContaining("e3m3x2")]);
    expect(err).toMatch(/is a type for/);
  });

  it("is what somebody may read a value as", async () => {
    const out = await text("explain", "0x5c", "--as", "e3m3,e3m3x2");
    // 0x5c is -(1 + 4/8) * 2^0.
    expect(out).toMatch(/-1\.5/);
  });

  it("is what a buffer may be dumped as", async () => {
    const out = await text(
      "twice.ptx",
      "--block",
      "1",
      "-q",
      "-a",
      "x=u8x4:0x1c,0x3f,0x7f,0x01",
      "-a",
      "y=f32x1",
      "-a",
      "n=0",
      "-d",
      "x:e3m3",
    );
    expect(out).toBe("x  e3m3x4\n  [0]     1.5    30.0   -30.0 0.03125\n");
  });
});
