import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Device, type Kernel, must } from "../../../src/host/index.ts";
import { bf16, type Format, f16, f32, f64, toBits } from "../../../src/numeric/index.ts";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { followPrecision, type PrecisionReport } from "../precision/report.ts";

const data = join(import.meta.dirname, "../../../tests/data/precision");
const text = (name: string): string => readFileSync(join(data, `${name}.ptx`), "utf8");
const texts = { right: text("right"), wrong: text("wrong") };

/** Numbers between two, always the same. */
function between(least: number, greatest: number, count: number, seed = 1): number[] {
  let x = seed;
  return Array.from({ length: count }, () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return least + (x / 2 ** 32) * (greatest - least);
  });
}

type Argument = Uint8Array | number;

const floats =
  (format: Format) =>
  (numbers: readonly number[]): Uint8Array => {
    const bytes = new DataView(new ArrayBuffer((numbers.length * format.width) / 8));
    for (const [at, number] of numbers.entries()) {
      const bits = toBits(format, number);
      if (format.width === 16) bytes.setUint16(2 * at, Number(bits), true);
      else if (format.width === 32) bytes.setUint32(4 * at, Number(bits), true);
      else bytes.setBigUint64(8 * at, bits, true);
    }
    return new Uint8Array(bytes.buffer);
  };
const [halves, singles, doubles] = [floats(f16), floats(f32), floats(f64)];
const integers = (numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Int32Array.from(numbers, (each) => Math.round(each) | 0).buffer);
const room = (bytes: number): Uint8Array => new Uint8Array(bytes);

function runs(kernel: Kernel, device: Device, threads: number, args: readonly Argument[]): PrecisionReport {
  const session = must(
    kernel.session({
      block: threads,
      args: args.map((each) =>
        typeof each === "number" ? { bits: BigInt.asUintN(64, BigInt(each)) } : device.buffer(each),
      ),
    }),
  );
  const report = followPrecision(session);
  expect(session.run().reason).toBe("exit");
  return report();
}

const modules = new Map<string, { readonly device: Device; readonly kernel: (name: string) => Kernel }>();
function reportOf(of: "right" | "wrong", name: string, threads: number, args: readonly Argument[]): PrecisionReport {
  let known = modules.get(of);
  if (known === undefined) {
    const device = new Device();
    const module = must(device.module({ name: `${of}.ptx`, text: texts[of] }));
    known = { device, kernel: (entry) => must(module.kernel(entry)) };
    modules.set(of, known);
  }
  return runs(known.kernel(name), known.device, threads, args);
}

const near = between(999, 1001, 128);
const tiny = between(0.0001, 0.001, 8);
const opcodeAt = (report: PrecisionReport, pc: number | undefined): string | undefined =>
  report.lines.find((line) => line.pc === pc)?.instruction.opcode;

describe("code that loses digits", () => {
  it.each<[string, number, Argument[], made: string, grows: string | undefined]>([
    ["one_pass_variance", 2, [singles(near), room(8), 64], "add.f32", "sub.f32"],
    ["half_sum", 1, [halves(Array(2600).fill(1)), room(2), 2600], "add.f16", undefined],
    ["versine", 8, [singles(tiny), room(32)], "fma.rn.f32", "sub.f32"],
    ["versine_fast", 8, [singles(tiny), room(32)], "cos.approx.f32", "sub.f32"],
    ["quadratic", 8, [singles(between(1000, 2000, 8)), room(32)], "sqrt.rn.f32", "sub.f32"],
    ["log_fast", 8, [singles(between(1e-6, 1e-5, 8)), room(32)], "add.f32", "lg2.approx.f32"],
    ["log_of_more_than_one", 8, [singles(between(1e-6, 1e-5, 8)), room(32)], "add.f32", "add.f32"],
    ["slope", 8, [doubles(between(1, 2, 8)), room(64)], "add.f64", "sub.f64"],
  ])("%s", (name, threads, args, made, grows) => {
    const report = reportOf("wrong", name, threads, args);
    expect(report.buffers).toHaveLength(1);
    const { losing } = report.buffers[0]!;
    expect(losing?.excess).toBeGreaterThan(256);
    expect(opcodeAt(report, losing?.made[0]?.pc)).toBe(made);
    expect(opcodeAt(report, losing?.growth?.pc)).toBe(grows);
    expect(report.wrapped).toEqual([]);
  });
});

describe("code that leaves the range", () => {
  it.each<[string, number, Argument[], leaves: string]>([
    ["half_norm", 1, [halves(between(10, 20, 1024)), room(2), 1024], "fma.rn.f16"],
    ["naive_softmax", 1, [singles(between(80, 120, 32)), room(128), 32], "mul.f32"],
    ["naive_hypot", 4, [singles(between(1e19, 1e21, 4)), singles(between(1e19, 1e21, 4, 2)), room(16)], "mul.f32"],
    ["softplus", 4, [singles(between(89, 100, 4)), room(16)], "fma.rn.f32"],
  ])("%s", (name, threads, args, leaves) => {
    const report = reportOf("wrong", name, threads, args);
    const { lost, firstLost } = report.buffers[0]!;
    expect(lost).toBeGreaterThan(0);
    expect(opcodeAt(report, firstLost?.loss?.pc)).toBe(leaves);
  });

  it("does not count results that have no place in their format", () => {
    const report = reportOf("wrong", "half_sum", 1, [halves(Array(64).fill(6e4)), room(2), 64]);
    expect(report.buffers[0]).toMatchObject({ lost: 0, beyond: 1, losing: undefined });
  });
});

describe("integers that wrap", () => {
  const [low, high] = [between(1.2e9, 2e9, 4), between(1.2e9, 2e9, 4, 7)];
  it.each<[string, number, Argument[], use: string, why: string]>([
    ["cells", 4, [integers(between(5e4, 6e4, 4)), integers(between(5e4, 6e4, 4)), room(32)], "widened", "wrapped"],
    ["middle", 4, [integers(low), integers(high), room(16)], "with its sign", "wrapped"],
    ["squares", 4, [integers(between(5e4, 6e4, 4)), room(16)], "with its sign", "wrapped"],
    ["byte_counts", 2, [room(600).fill(1), room(2), 600], "narrowed", "counted"],
    ["to_int", 4, [singles(between(3e3, 4e3, 4)), room(16)], "stored", "saturated"],
    ["far_element", 1, [singles(between(0, 1, 16)), integers([70000]), integers([70000]), room(4), 605032704], "as an address", "wrapped"],
  ])("%s", (name, threads, args, use, why) => {
    const { wrapped } = reportOf("wrong", name, threads, args);
    expect(wrapped).toMatchObject([{ use, why, count: name === "byte_counts" ? 1 : threads }]);
  }); // biome-ignore format: a table

  it("says what they should have been", () => {
    const { wrapped } = reportOf("wrong", "cells", 1, [integers([50000]), integers([60000]), room(8)]);
    expect(wrapped).toMatchObject([{ value: 3000000000n - 2n ** 32n, exact: 3000000000n }]);
  });
});

describe("code that is right", () => {
  const noise = between(-2, 2, 256);
  const keys = integers(between(-(2 ** 31), 2 ** 31, 32));
  const kernels: readonly [string, number, Argument[]][] = [
    ["dot", 4, [singles(noise), singles(between(-2, 2, 256, 5)), room(16), 64]],
    ["softmax", 2, [singles(between(80, 120, 64)), room(256), 32]],
    ["welford", 2, [singles(near), room(8), 64]],
    ["two_pass_variance", 2, [singles(near), room(8), 64]],
    ["kahan", 2, [singles(noise), room(8), 32]],
    ["two_sum", 2, [singles(noise), room(8), 32]],
    ["gelu", 32, [singles(between(-3, 3, 32)), room(128)]],
    ["gelu_erf", 32, [singles(between(-3, 3, 32)), room(128)]],
    ["layernorm", 32, [singles(between(-3, 3, 32)), room(128), 32]],
    ["half_dot", 1, [halves(noise), halves(between(-2, 2, 256, 5)), room(2), 64]],
    ["half_pairs", 8, [halves(noise.slice(0, 16)), halves(noise.slice(16, 32)), room(32)]],
    ["log_of_one_plus", 8, [singles(between(1e-6, 1e-5, 8)), room(32)]],
    ["versine_by_sine", 8, [singles(tiny), room(32)]],
    ["elementary", 8, [singles(between(-3, 3, 8)), room(256)]],
    ["elementary_double", 4, [doubles(between(-3, 3, 4)), room(128)]],
    ["far_cosine", 2, [doubles(between(1e9, 1e10, 2)), room(16)]],
    ["stable_quadratic", 8, [singles(between(1000, 2000, 8)), room(32)]],
    ["sigmoid", 32, [singles(between(-120, 120, 32)), room(128)]],
    ["atomic_sum", 32, [singles(between(-3, 3, 32)), room(4)]],
    ["matrix_sum", 32, [halves(between(-3, 3, 64)), room(512), 1]],
    ["xorshift", 8, [room(32)]],
    ["lcg", 8, [room(32), room(64)]],
    ["murmur", 32, [keys, room(128), 1000]],
    ["fnv", 1, [room(32).map((_, at) => at * 37), room(8), 32]],
    ["djb", 1, [room(64).map((_, at) => at * 37), room(8), 64]],
    ["elapsed", 4, [integers([-100, -50, -1, 5]), room(16)]],
    ["bytes_of", 32, [keys, room(128)]],
    ["nibbles", 32, [keys, room(256)]],
    ["quantise", 32, [singles(between(-2, 2, 32)), room(32)]],
    ["cells_wide", 4, [integers(between(5e4, 6e4, 4)), integers(between(5e4, 6e4, 4)), room(32)]],
    ["remainders", 32, [keys, integers(between(1, 50, 32)), room(512)]],
  ];
  it.each(share(kernels, 4))("%s", (name, threads, args) => {
    const { buffers, wrapped } = reportOf("right", name, threads, args);
    expect(wrapped).toEqual([]);
    for (const { worst, losing, lost } of buffers) {
      expect({ losing, lost }).toEqual({ losing: undefined, lost: 0 });
      expect(worst?.excess ?? 0).toBeLessThan(20);
    }
  }); // biome-ignore format: a table
});

describe("exact values", () => {
  it("go through shared memory, shuffles and functions", () => {
    const x = between(-3, 3, 32).map(Math.fround);
    const { buffers } = reportOf("right", "layernorm", 32, [singles(x), room(128), 32]);
    const mean = x.reduce((sum, each) => sum + each, 0) / 32;
    const variance = x.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 32;
    const [{ worst } = { worst: undefined }] = buffers;
    const wanted = (x[worst!.index]! - mean) / Math.sqrt(variance + Math.fround(1e-5));
    expect(worst!.exact).toBeCloseTo(wanted, 12);
    expect(worst!.value).toBe(Math.fround(worst!.value));
    expect(worst!.error).toBeCloseTo(worst!.value - worst!.exact, 14);
  });

  it("are those of the products of matrices", () => {
    const { buffers } = reportOf("right", "matrix_sum", 32, [halves(Array(64).fill(0.1)), room(512), 3]);
    // 0.1 in f16, 48 times.
    expect(buffers).toMatchObject([{ values: 128, size: 48 * 0.0999755859375 }]);
  });

  it("are those of an atomic operation, lane after lane", () => {
    const x = between(-3, 3, 32).map(Math.fround);
    const { buffers } = reportOf("right", "atomic_sum", 32, [singles(x), room(4)]);
    expect(buffers[0]?.worst?.exact).toBeCloseTo(
      x.reduce((sum, each) => sum + each, 0),
      12,
    );
  });
});

describe("snippets", () => {
  const snippet = (ptx: string, registers: Readonly<Record<string, bigint>>): PrecisionReport => {
    const device = new Device();
    const kernel = must(device.snippet(ptx));
    const session = must(
      kernel.session({ registers: new Map(Object.entries(registers).map(([name, bits]) => [name, [bits]])) }),
    );
    const report = followPrecision(session);
    session.run();
    return report();
  };
  const one = toBits(f32, 1);

  it("have their registers as results", () => {
    const { buffers, lines } = snippet("add.f32 d, a, b; sub.f32 e, d, a;", { a: toBits(f32, 1e8), b: one });
    expect(buffers.map(({ name, losing }) => [name, losing?.exact])).toEqual([
      ["d", undefined],
      ["e", 1],
    ]);
    expect(lines[0]?.pc).toBe(0);
  });

  it("keep a value whose exponent or sign is edited as bits", () => {
    const edited = "add.f32 d, a, b; sub.f32 d, d, a; add.s32 d, d, 0x00800000; xor.b32 e, d, 0x80000000;";
    const { buffers } = snippet(edited, { a: toBits(f32, 2 ** 24), b: toBits(f32, 2.5) });
    expect(buffers.at(-1)?.losing ?? buffers.at(-1)?.worst).toMatchObject({ value: -4, exact: -5 });
  });

  it("lose one whose digits are edited", () => {
    const edited = "add.f32 d, a, b; sub.f32 d, d, a; or.b32 e, d, 1;";
    const { buffers } = snippet(edited, { a: toBits(f32, 2 ** 24), b: toBits(f32, 2.5) });
    expect(buffers.map(({ name }) => name)).toEqual(["d"]);
  });

  it("take a sum with 1.5 * 2^23 for a rounding to an integer", () => {
    const text = "add.f32 c, a, 0f4B400000; sub.f32 d, c, 0f4B400000; sub.f32 e, a, d;";
    const { buffers } = snippet(text, { a: toBits(f32, 2.75) });
    expect(buffers.map(({ name, worst }) => [name, worst])).toEqual([
      ["c", undefined],
      ["d", undefined],
      ["e", undefined],
    ]);
  });

  it("tell of decisions that rounding makes", () => {
    const text = "add.f32 c, a, b; setp.gt.f32 p, c, a; cvt.rzi.s32.f32 i, c; add.bf16 d, e, e;";
    const { decisions } = snippet(text, { a: toBits(f32, 2 ** 24), b: one, e: toBits(bf16, 1) });
    expect(decisions).toMatchObject([
      { pc: 1, count: 1, value: 2 ** 24, exact: 2 ** 24 + 1 },
      { pc: 2, count: 1, value: 2 ** 24, exact: 2 ** 24 + 1 },
    ]);
  });

  it("take a conversion to few digits for an input", () => {
    const a = toBits(f32, 1.2345);
    const excess = ({ buffers }: PrecisionReport) => buffers.find(({ name }) => name === "d")?.worst?.excess;
    const rounded = snippet("cvt.rn.f16.f32 h, a; cvt.f32.f16 d, h; mul.f32 d, d, d;", { a });
    const wide = snippet("cvt.rn.f32.f64 f, a; cvt.f64.f32 d, f; mul.f64 d, d, d;", { a: toBits(f64, 1.2345) });
    expect(excess(rounded)).toBeLessThan(10);
    expect(excess(wide)).toBeGreaterThan(1e6);
  });

  it.each([
    ["a shift that extends a sign", "shl.b32 d, a, 24; shr.s32 e, d, 24;", 0],
    ["a product by a constant of a hash", "mul.lo.s32 d, a, 1664525; cvt.s64.s32 e, d;", 0],
    ["a product by a round number", "mul.lo.s32 d, a, 1000000; cvt.s64.s32 e, d;", 1],
    ["a difference that comes back", "add.s32 d, a, a; sub.s32 d, d, a; cvt.s64.s32 e, d;", 0],
    ["bits of a sum", "add.s32 d, a, a; and.b32 e, d, 255;", 0],
    ["a comparison with a sign", "add.s32 d, a, a; setp.lt.s32 p, d, 0;", 1],
    ["a comparison without one", "add.s32 d, a, a; setp.lt.u32 p, d, 0;", 0],
    ["a quotient with a sign", "add.s32 d, a, a; div.s32 e, d, 3;", 1],
    ["a minimum", "add.s32 d, a, a; min.s32 e, d, 3;", 1],
    ["a high product", "add.s32 d, a, a; mul.hi.s32 e, d, d;", 1],
    ["a sum of 16 bits", "cvt.u16.u32 h, a; add.s16 h, h, 30000; add.s16 h, h, h; cvt.s32.s16 e, h;", 1],
  ])("tell %s", (_, text, found) => {
    expect(snippet(text, { a: 0x7000_0000n }).wrapped).toHaveLength(found);
  });
});

describe("run --precision", () => {
  const world = new World();
  afterAll(() => world.remove());
  const sums = ["-e", "add.f32 d, a, b; sub.f32 e, d, a;", "-r", "a=1e8", "-r", "b=1.5", "-d", "none", "--precision"];

  it("says what is lost, and where", async () => {
    expect(await world.ptxrun(sums)).toEqual({
      exit: 0,
      out: "",
      err: `d: a value of f32, correctly rounded
  the worst: d[0] is 100000000 and should be 100000000: off by 1.5e-8 of it, 0.37085 times what rounding its inputs does
e: a value of f32, which is not what is nearest
  e[0] is 0 and should be 1.5: 100% off, 22911000 times what rounding its inputs does
    100% of the error is made at line 1: add.f32 d, a, b;
    sub.f32 cancels 25 bits at line 1: sub.f32 e, d, a;
lines that make errors, the worst first, by how many times what rounding the inputs does:
  line 1: up to 22911000 times, most of the error in 2 values: add.f32 d, a, b;
`,
    });
  });

  it("says where integers wrap", async () => {
    const { err } = await world.ptxrun([
      ...["-e", "add.s32 s, t, t; cvt.s64.s32 u, s;", "-r", "t=2000000000", "-d", "none", "--precision"],
    ]);
    expect(err).toBe(
      "add.s32 at line 1 wraps: -294967296 where it should be 4000000000, and cvt.s64.s32 at line 1 makes it wider; 1 time\n",
    );
  });

  it("says so where there is nothing to say", async () => {
    const { err } = await world.ptxrun(["-e", "add.s32 s, t, t;", "-d", "none", "--precision"]);
    expect(err).toContain("precision: no float was computed that is left in a buffer\n");
  });

  it("has the same in JSON", async () => {
    const { out } = await world.ptxrun([...sums, "--json"]);
    expect(JSON.parse(out).precision).toMatchObject({
      buffers: [{ name: "d" }, { name: "e", losing: { exact: 1.5, made: [{ line: 1, opcode: "add.f32", part: 1 }] } }],
      wrapped: [],
    });
  });

  it.each([["weak"], ["weak:random"]])("refuses --memory %s", async (memory) => {
    const { exit, err } = await world.ptxrun([...sums, "--memory", memory]);
    expect([exit, err]).toEqual([2, expect.stringContaining("--precision follows no weak memory")]);
  });
});
