import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readProgramText } from "../../../src/environment/program-file.ts";
import { type Argument, type Buffer, Device } from "../../../src/host/index.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { filesFrom } from "../../../src/system/files.ts";
import { sample } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { besideOf } from "../src/index.ts";
import { archived, besides } from "./archive.ts";

const world = new World();
afterAll(() => world.remove());

const folder = resolve(import.meta.dirname, "../../../tests/data/visa/opencl");

type Data =
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Uint8Array
  | BigInt64Array
  | Float64Array;

interface Launch {
  readonly grid?: number | readonly [number, number];
  readonly block: number | readonly [number, number];
  readonly shared?: number;
  /** Bytes of local memory come first, as Intel's compiler puts them; then what the source names, in its order. */
  readonly args: readonly (Data | number)[];
}

/**
 * Runs what Intel's compiler made of a kernel, by the library and by the command line, and gives its buffers afterwards.
 * Dumps with their `.zeinfo` get arguments by the names of the source, the others by their numbers.
 */
async function run(name: string, device: string, launch: Launch): Promise<Data[]> {
  const file = fileOf(name, device);
  const { buffers, names } = byLibrary(file, launch);
  expect(await byCommand(file, launch, names)).toEqual(buffers);
  return buffers;
}

/** `dg2` is a dump alone; `igc2/dg2` one of the archive, with what the compiler wrote beside it. */
function fileOf(name: string, device: string): string {
  if (!device.includes("/")) return join(folder, `${name}.${device}.visaasm`);
  const dump = `${device}/${name}`.replaceAll("/", ".");
  for (const [each, bytes] of besides(device, name)) world.write(`${dump}.${each}`, bytes);
  return join(world.folder, `${dump}.visaasm`);
}

function byLibrary(file: string, { grid = 1, block, shared, args }: Launch) {
  const machine = new Device();
  const { value: source } = readProgramText(file, { files: filesFrom(world.folder) }, 2 ** 24);
  const { value: module, diagnostics } = machine.module(source!);
  expect(diagnostics).toEqual([]);
  const { value: kernel, diagnostics: wrong } = module!.kernel(module!.entries[0]!);
  expect(wrong).toEqual([]);
  const { program } = kernel!;
  const names = besideOf(source!) && namesOf(program);
  const buffers: [Data, Buffer][] = [];
  const given = args.slice(0, names?.length).map((each): Argument => {
    if (typeof each === "number") return each;
    const buffer = machine.allocate(each.byteLength)!;
    buffer.write(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    buffers.push([each, buffer]);
    return buffer;
  });
  // Offsets into buffers, and what private memory would be, are 0.
  const rest = program.parameters.slice(given.length).map((): Argument => 0);
  const dynamicShared = shared === undefined ? {} : { dynamicShared: shared };
  const all = names ? new Map(names.map((each, at) => [each, given[at]!])) : [...given, ...rest];
  const launched = kernel!.launch({ grid, block, ...dynamicShared, args: all });
  expect(launched.diagnostics).toEqual([]);
  const { stop } = launched.value!;
  expect(stop.reason === "trap" ? stop.diagnostic.message : stop.reason).toBe("exit");
  return { names, buffers: buffers.map(([data, buffer]) => like(data, buffer.read())) };
}

/** The names of the source in the order of the compiler: pointers to local and other memory, values. */
function namesOf({ parameters, simd }: Program): string[] {
  const local = parameters.filter((_, at) => simd!.locals.includes(at));
  const pointers = parameters.filter((each) => each.type === "u64" && !local.includes(each));
  return [...new Set([...local, ...pointers, ...parameters])].map(({ name }) => name);
}

const like = (data: Data, bytes: Uint8Array): Data =>
  new (data.constructor as new (of: ArrayBuffer) => Data)(Uint8Array.from(bytes).buffer as ArrayBuffer);

/** `ptxrun run NAME.DEVICE.visaasm --grid G --block B -a 0=@0.bin -a 1=100 ... --dump 0=@0.out.bin`. */
async function byCommand(
  file: string,
  { grid = 1, block, shared, args: all }: Launch,
  names: readonly string[] | undefined,
): Promise<Data[]> {
  const args = all.slice(0, names?.length);
  const words = args.flatMap((each, at) => {
    const name = names?.[at] ?? at;
    if (typeof each === "number") return ["-a", `${name}=${each}`];
    world.write(`${at}.bin`, new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    return ["-a", `${name}=@${at}.bin`, "--dump", `${name}=@${at}.out.bin`];
  });
  const { out, err, exit } = await world.ptxrun([
    ...["run", file, "--grid", `${grid}`, "--block", `${block}`],
    ...(shared === undefined ? [] : ["--smem", `${shared}`]),
    ...["--sanitize", "mem,init,sync,race"],
    ...words,
  ]);
  // Offsets into buffers that nobody gives are 0, sizes are guessed, and that is said; with a .zeinfo neither is.
  const notes = names ? err : err.replace(/^note PTX22(?:05|13)[\s\S]*?(?:VALUE|64,1,1).*$/gm, "");
  expect([out, notes.trim(), exit]).toEqual(["", "", 0]);
  return args.flatMap((each, at) =>
    typeof each === "number" ? [] : [like(each, readFileSync(join(world.folder, `${at}.out.bin`)))],
  );
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state;
};
const floats = (count: number): Float32Array => Float32Array.from({ length: count }, () => random() / 2 ** 28 - 8);
const ints = (count: number): Int32Array => Int32Array.from({ length: count }, () => random() | 0);
const f = Math.fround;
// The others' dumps are judged by the kernels of suites.
const devices = sample(["dg2", "pvc", ...archived.filter((_, at) => at % 3 === 0)], 4);

describe.each(devices)("kernels on %s", (device) => {
  it("add", async () => {
    const [a, b] = [floats(100), floats(100)];
    const [, , c] = await run("add", device, { grid: 3, block: 40, args: [a, b, new Float32Array(100), 100] });
    expect(c).toEqual(a.map((each, i) => f(each + b[i]!)));
  });

  it("saxpy", async () => {
    const [x, y] = [Float32Array.from({ length: 64 }, (_, i) => i), Float32Array.from({ length: 64 }, (_, i) => 3 * i)];
    const [, out] = await run("saxpy", device, { grid: 2, block: 32, args: kernelOrder("saxpy", [2.5, x, y]) });
    expect(out).toEqual(x.map((each, i) => 2.5 * each + 3 * i));
  });

  it("reduce, in local memory", async () => {
    const a = ints(256);
    const [, out] = await run("reduce", device, { grid: 4, block: 64, args: [0, a, new Int32Array(4)] });
    const sum = (part: Int32Array): number => part.reduce((all, each) => (all + each) | 0, 0);
    expect([...out!]).toEqual([0, 1, 2, 3].map((group) => sum(a.slice(64 * group, 64 * group + 64))));
  });

  it("split-barrier, whose threads signal first and wait later", async () => {
    const a = ints(128);
    const args = [0, a, new Int32Array(128)];
    const [, out] = await run("split-barrier", device, { grid: 2, block: 64, shared: 256, args });
    const turn = (values: Int32Array): Int32Array => values.map((_, i) => values[(i & 64) + 63 - (i & 63)]!);
    let sums = new Int32Array(128);
    for (let round = 0; round < 3; round++) {
      const tile = turn(a.map((each, i) => (each + Math.imul(round, sums[i]!)) | 0));
      sums = sums.map((each, i) => (each + Math.imul(3, a[i]!) + tile[i]!) | 0);
    }
    expect(out).toEqual(sums);
  });

  it("scan", async () => {
    const a = ints(96);
    const [, out] = await run("scan", device, { grid: 1, block: 96, shared: 384, args: [0, a, new Int32Array(96)] });
    let sum = 0;
    expect([...out!]).toEqual([...a].map((each) => (sum = (sum + each) | 0)));
  });

  it("transpose", async () => {
    const a = ints(32 * 16);
    const [, out] = await run("transpose", device, {
      grid: [2, 1] as const,
      block: [16, 16] as const,
      shared: 4096,
      args: [a, new Int32Array(32 * 16), 32, 16],
    });
    expect([...out!]).toEqual(Array.from({ length: 512 }, (_, i) => a[(i % 16) * 32 + Math.floor(i / 16)]));
  });

  it("sgemm", async () => {
    const [a, b] = [floats(256).map(Math.round), floats(256).map(Math.round)];
    const [, , c] = await run("sgemm", device, {
      grid: [1, 2],
      block: [16, 8],
      args: [a, b, new Float32Array(256), 16],
    });
    const at = (y: number, x: number): number =>
      Array.from({ length: 16 }, (_, k) => a[16 * y + k]! * b[16 * k + x]!).reduce((all, each) => all + each, 0);
    expect([...c!]).toEqual(Array.from({ length: 256 }, (_, i) => at(Math.floor(i / 16), i % 16)));
  });

  it("collatz", async () => {
    const a = Uint32Array.from({ length: 48 }, (_, i) => i + 1);
    const steps = (n: number): number => (n === 1 ? 0 : 1 + steps(n % 2 ? 3 * n + 1 : n / 2));
    const [, out] = await run("collatz", device, { grid: 1, block: 48, args: [a, new Uint32Array(48)] });
    expect([...out!]).toEqual([...a].map(steps));
  });

  it("choose, by a switch", async () => {
    const op = Int32Array.from({ length: 64 }, (_, i) => i % 7);
    const [a, b] = [ints(64), ints(64)];
    const [, , , out] = await run("switch", device, { block: 64, args: [op, a, b, new Int32Array(64)] });
    const by = [
      (x: number, y: number) => (x + y) | 0,
      (x: number, y: number) => (x - y) | 0,
      (x: number, y: number) => Math.imul(x, y),
      Math.min,
      Math.max,
      (x: number) => ~x,
      (x: number) => ~x,
    ];
    expect([...out!]).toEqual([...op].map((which, i) => by[which]!(a[i]!, b[i]!)));
  });

  it("bits", async () => {
    const a = Uint32Array.from({ length: 32 }, random);
    const [, out] = await run("bits", device, { block: 32, args: [a, new Uint32Array(160)] });
    const ones = (v: number): number => v.toString(2).replaceAll("0", "").length;
    const low = (v: number): number => 31 - Math.clz32(v & -v);
    expect([...out!]).toEqual(
      [...a].flatMap((v) => [
        ...[ones(v), Math.clz32(v), low(v | 0x8000_0000), ((v << 13) | (v >>> 19)) >>> 0],
        (((v >>> 3) & 0x1f) | ((v << 5) & 0xff00)) >>> 0,
      ]),
    );
  });

  it("mulhigh", async () => {
    const [a, b] = [Uint32Array.from({ length: 32 }, random), Uint32Array.from({ length: 32 }, random)];
    const [, , high, low] = await run("mulhigh", device, {
      block: 32,
      args: [a, b, new Uint32Array(32), new Int32Array(32)],
    });
    expect([...high!]).toEqual([...a].map((v, i) => Number((BigInt(v) * BigInt(b[i]!)) >> 32n)));
    expect([...low!]).toEqual([...a].map((v, i) => (Number((BigInt(v | 0) * BigInt(b[i]! | 0)) >> 32n) + 7) | 0));
  });

  it("dot4", async () => {
    const [a, b, c] = [ints(32), ints(32), ints(32)];
    const [, , out] = await run("dot4", device, { block: 32, args: [a, b, c] });
    const byte = (v: number, k: number): number => (v << (24 - 8 * k)) >> 24;
    expect([...out!]).toEqual(
      [...c].map((v, i) => [0, 1, 2, 3].reduce((all, k) => (all + byte(a[i]!, k) * byte(b[i]!, k)) | 0, v)),
    );
  });

  it("xorshift", async () => {
    const a = Uint32Array.from({ length: 32 }, random);
    const [out] = await run("xorshift", device, { block: 32, args: [a, 20] });
    const shift = (v: number): number => {
      let x = v;
      for (let k = 0; k < 20; k++) {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
      }
      return x >>> 0;
    };
    expect([...out!]).toEqual([...a].map(shift));
  });

  it("long", async () => {
    const a = BigInt64Array.from({ length: 32 }, () => BigInt.asIntN(64, (BigInt(random()) << 32n) | BigInt(random())));
    const b = BigInt64Array.from({ length: 32 }, () => BigInt.asIntN(64, (BigInt(random()) << 32n) | BigInt(random())));
    const [, , out] = await run("long", device, { block: 32, args: [a, b, new BigInt64Array(32)] });
    const mix = (x: bigint, y: bigint): bigint =>
      BigInt.asIntN(64, BigInt.asIntN(64, (x + y) * 3n - (x >> 7n)) ^ BigInt.asIntN(64, (y << 5n) + (x < y ? x : -y)));
    expect([...(out as BigInt64Array)]).toEqual([...a].map((x, i) => mix(x, b[i]!)));
  });

  it("round", async () => {
    const a = Float32Array.of(1.5, -1.5, 2.5, -0.25, 7, 0.75, -3.999, 1e9, ...floats(24));
    const [, out] = await run("round", device, { block: 32, args: [a, new Float32Array(128)] });
    const even = (v: number): number => {
      const low = Math.floor(v);
      return v - low === 0.5 ? low + (low % 2 === 0 ? 0 : 1) : Math.round(v);
    };
    const plus = (v: number): number => v + 0;
    expect([...out!].map((v) => plus(v as number))).toEqual(
      [...a].flatMap((v) => [Math.floor(v), Math.ceil(v), Math.trunc(v), even(v)].map(plus)),
    );
  });

  it("bytes", async () => {
    const a = Uint8Array.from({ length: 32 }, () => random() >>> 24);
    const w = Uint16Array.from({ length: 32 }, () => random() >>> 16);
    const [, out, , sums] = await run("bytes", device, {
      block: 32,
      args: [a, new Uint8Array(32), w, new Uint16Array(32)],
    });
    expect([...out!]).toEqual([...a].map((v) => Math.min(255, v + 100)));
    expect([...sums!]).toEqual([...w].map((v, i) => (v + a[i]!) & 0xffff));
  });

  it("select", async () => {
    const a = Float32Array.of(Number.NaN, 1, 2, -0, ...floats(28));
    const b = Float32Array.of(1, 1, 1, 0, ...floats(28));
    const [, , c, d] = await run("select", device, {
      block: 32,
      args: [a, b, new Float32Array(32), new Int32Array(32)],
    });
    expect([...c!]).toEqual([...a].map((v, i) => [b[i], v][Number(v < b[i]!)]));
    expect([...d!]).toEqual(
      [...a].map((v, i) => Number(v === b[i]) + 2 * Number(v > b[i]!) + 4 * Number(Number.isNaN(v))),
    );
  });

  it("mandelbrot", async () => {
    const out = new Int32Array(32 * 8);
    const [got] = await run("mandelbrot", device, {
      grid: [2, 2],
      block: [16, 4],
      args: [out, 32, 50, -2, -1, 0.0625],
    });
    const point = (i: number): number => {
      const [cr, ci] = [-2 + (i % 32) * 0.0625, -1 + Math.floor(i / 32) * 0.0625];
      let [zr, zi, n] = [0, 0, 0];
      while (n < 50 && zr * zr + zi * zi < 4) {
        [zr, zi] = [zr * zr - zi * zi + cr, 2 * zr * zi + ci];
        n++;
      }
      return n;
    };
    // Where rounding decides between two counts, doubles may say otherwise.
    const unlike = [...got!].filter((n, i) => n !== point(i));
    expect(unlike.length).toBeLessThan(6);
  });

  it("stencil", async () => {
    const a = floats(32 * 8).map(Math.round);
    const [, out] = await run("stencil", device, {
      grid: [2, 2],
      block: [16, 4],
      args: [a, new Float32Array(256), 32, 8],
    });
    const at = (x: number, y: number): number => a[32 * Math.min(7, Math.max(0, y)) + Math.min(31, Math.max(0, x))]!;
    expect([...out!]).toEqual(
      Array.from({ length: 256 }, (_, i) => {
        const [x, y] = [i % 32, Math.floor(i / 32)];
        return 0.5 * at(x, y) + 0.125 * (at(x - 1, y) + at(x + 1, y)) + 0.125 * (at(x, y - 1) + at(x, y + 1)) + 0;
      }),
    );
  });

  it("vectors", async () => {
    const [a, c] = [floats(128).map(Math.round), ints(64)];
    const [, b, , d] = await run("vectors", device, {
      block: 32,
      args: [a, new Float32Array(128), c, new Int32Array(64)],
    });
    expect([...b!]).toEqual([...a].map((_, i) => a[(i & ~3) + 3 - (i & 3)]! * 2 + (i & 3) + 1));
    expect([...d!]).toEqual([...c].map((_, i) => (c[i ^ 1]! - (i & 1 ? 7 : 5)) | 0));
  });

  it("half", async () => {
    // Small integers are exact in 11 bits.
    const bits = (v: number): number =>
      v === 0 ? 0 : ((15 + Math.floor(Math.log2(v))) << 10) | ((v / 2 ** Math.floor(Math.log2(v)) - 1) * 1024);
    const of = (value: (i: number) => number): Uint16Array =>
      Uint16Array.from({ length: 32 }, (_, i) => bits(value(i)));
    const args = [of((i) => i), of((i) => (i % 5) + 1), of((i) => 2 * i)];
    const [, , c] = await run("half", device, { block: 32, args });
    expect([...c!]).toEqual([...of((i) => i * ((i % 5) + 1) + 2 * i + 0.5)]);
  });

  it("convert", async () => {
    const a = Float32Array.of(-5, 300, 2.5, 3.5, -2.5, 40000, -40000, 0.999, ...floats(24));
    const args = [a, new Uint8Array(32), new Int16Array(32), new Int32Array(32)];
    const [, bytes, shorts, whole] = await run("convert", device, { block: 32, args });
    const even = (v: number): number => (Math.abs(v % 1) === 0.5 ? 2 * Math.round(v / 2) : Math.round(v));
    const clamp = (v: number, low: number, high: number): number => Math.min(high, Math.max(low, v)) + 0;
    expect([...bytes!]).toEqual([...a].map((v) => clamp(Math.trunc(v), 0, 255)));
    expect([...shorts!]).toEqual([...a].map((v) => clamp(even(v), -32768, 32767)));
    expect([...whole!]).toEqual([...a].map((v) => Math.trunc(v) + 0));
  });

  it("math, the true values rounded", async () => {
    const a = Float32Array.from({ length: 32 }, (_, i) => 0.25 * i + 0.125);
    const [, out] = await run("math", device, { block: 32, args: [a, new Float32Array(256)] });
    const functions = [
      ...[Math.sqrt, (v: number) => 1 / Math.sqrt(v), (v: number) => 1 / v, (v: number) => 2 ** v],
      ...[Math.log2, Math.sin, Math.cos, (v: number) => 1.5 / v],
    ];
    for (const [i, got] of [...(out as Float32Array)].entries()) {
      const exact = functions[i % 8]!(a[Math.floor(i / 8)]!);
      expect(Math.abs(got - exact)).toBeLessThanOrEqual(Math.abs(exact) * 2 ** -22);
    }
  });

  it("an array of registers that an index chooses from, and a hyperbolic tangent", async () => {
    const a = Float32Array.from({ length: 64 }, (_, i) => 0.0625 * i + 0.03125);
    const [, out] = await run("choose", device, { grid: 2, block: 32, args: [a, new Float32Array(64), 5] });
    for (const [i, got] of [...(out as Float32Array)].entries()) {
      const x = a[i]!;
      const held = Float32Array.from({ length: 16 }, (_, k) => x + k);
      let sum = 0;
      for (let k = 0; k < 5; k++) {
        const at = (Math.trunc(x * 7) + k) & 15;
        sum += held[at]!;
        held[at] = sum;
      }
      const exact = sum + Math.tanh(x);
      expect(Math.abs(got - exact)).toBeLessThanOrEqual(Math.abs(exact) * 2 ** -20);
    }
  });

  it("softmax, a row each group", async () => {
    const a = floats(3 * 40);
    const [, out] = await run("softmax", device, {
      grid: 3,
      block: 32,
      shared: 128,
      args: [0, a, new Float32Array(120), 40],
    });
    for (let row = 0; row < 3; row++) {
      const values = a.slice(40 * row, 40 * row + 40);
      const most = Math.max(...values);
      const sum = values.reduce((all, each) => all + Math.exp(each - most), 0);
      for (const [i, each] of values.entries())
        expect(Math.abs((out![40 * row + i] as number) - Math.exp(each - most) / sum)).toBeLessThan(1e-6);
    }
  });

  it("atomics", async () => {
    const values = ints(64);
    const [cell, , old] = await run("atomics", device, {
      grid: 2,
      block: 32,
      args: [Int32Array.of(7, -5, 5, 1, 2, 0, 10), values, new Int32Array(64)],
    });
    const all = (by: (a: number, b: number) => number, from: number): number => values.reduce((x, y) => by(x, y), from);
    expect([...cell!.slice(0, 5)]).toEqual([
      all((x, y) => (x + y) | 0, 7),
      all(Math.max, -5),
      all(Math.min, 5),
      all((x, y) => x | y, 1),
      all((x, y) => x ^ y, 2),
    ]);
    expect([values[0], 74]).toEqual([cell![5], cell![6]]);
    // Each old value is what a sum of some of the values leaves; the first is 7.
    expect(old![0]).toBe(7);
    expect([...old!].map((each, i) => ((each as number) + values[i]!) | 0)).toEqual(
      [...old!.slice(1), cell![0]].map(Number),
    );
  });

  it("histogram, in local and then in global memory", async () => {
    const bytes = Uint8Array.from({ length: 300 }, () => random() >>> 26);
    const [, bins] = await run("histogram", device, {
      grid: 2,
      block: 64,
      shared: 1024,
      args: [bytes, new Uint32Array(256), 300],
    });
    expect([...bins!]).toEqual(Array.from({ length: 256 }, (_, byte) => bytes.filter((each) => each === byte).length));
  });

  it("a function that is called, by some work-items more often than by others", async () => {
    const values = ints(64);
    const [, out] = await run("call", device, { grid: 2, block: 32, args: [values, new Int32Array(64)] });
    const weight = (x: number, y: number): number => (Math.imul(x, 31) + (y ^ (x >> 3))) | 0;
    for (const [i, value] of values.entries()) {
      let held = value;
      for (let k = 0; k < (i & 3); k++) held = weight(held, k);
      expect(out![i]).toBe(weight(held, i));
    }
  });

  it("blocks of a sub-group, read and written in one piece", async () => {
    const values = Uint32Array.from(ints(128), (each) => each >>> 0);
    const [, out] = await run("blocks", device, { grid: 2, block: 32, args: [values, new Uint32Array(128)] });
    const swapped = [...values.keys()].map((i) => {
      const lane = i & 15;
      return (i & 16) === 0 ? values[i + 16]! : (values[i - 16]! + lane) >>> 0;
    });
    expect([...out!]).toEqual(swapped);
  });

  it("quotients and remainders of integers, for which there is no instruction", async () => {
    const edges = [0, 1, -1, 7, -7, 0x7fffffff, -0x80000000, 12345];
    const a = Int32Array.from([...edges.flatMap((x) => edges.map(() => x)), ...ints(64)]);
    const b = Int32Array.from([...edges.flatMap(() => edges.map((y) => y || 3)), ...ints(64).map((y) => y || 1)]);
    const [, , out] = await run("divide", device, { grid: 4, block: 32, args: [a, b, new Int32Array(512)] });
    for (const [i, x] of a.entries()) {
      const y = b[i]!;
      const [ux, uy] = [x >>> 0, y >>> 0];
      expect([...out!.slice(4 * i, 4 * i + 4)], `${x} and ${y}`).toEqual([
        ...[Math.trunc(x / y) | 0, (x % y) | 0, Math.trunc(ux / uy) | 0, (ux % uy) | 0],
      ]);
    }
  });

  it("constant memory, the program's own table behind the arguments", async () => {
    const table = Int32Array.of(3, 1, 4, 1, 5, 9, 2, 6);
    const more = Int32Array.of(100, 200, 300, 400);
    const a = Int32Array.from({ length: 40 }, (_, i) => i * 5);
    const [, out] = await run("constant", device, { grid: 2, block: 20, args: [a, new Int32Array(40), more, table] });
    expect([...out!]).toEqual([...a].map((each) => table[each & 7]! + more[each & 3]!));
  });

  it("a loop that strides by the global size", async () => {
    const a = ints(300);
    const [, out] = await run("stride", device, { grid: 2, block: 40, args: [a, new Int32Array(80), 300] });
    const sums = Array.from({ length: 80 }, (_, i) => a.filter((_, at) => at % 80 === i).reduce((x, y) => (x + y) | 0));
    expect([...out!]).toEqual(sums);
  });

  it.runIf(device.includes("/"))("sizes", async () => {
    const [out] = await run("sizes", device, { grid: 3, block: 32, args: [new Int32Array(96)] });
    expect([...out!]).toEqual(Array(96).fill(3032));
  });

  it.skipIf(device.includes("/"))(
    "sizes, which a dump does not name: those that were guessed can be said",
    async () => {
      world.write("sizes.visaasm", readFileSync(join(folder, `sizes.${device}.visaasm`)));
      const launch = [
        "run",
        "sizes.visaasm",
        "--grid",
        "3",
        "--block",
        "32",
        "-a",
        "0=s32x96",
        "--dump",
        "0=@sizes.bin",
      ];
      const guessed = await world.ptxrun(launch);
      const names = [...guessed.err.matchAll(/note PTX2213: (V\d+) is taken for the ([a-z ]+),/gm)];
      expect(names.map(({ 2: of }) => of)).toEqual(["global size", "local size", "local size"]);
      const said = await world.ptxrun([...launch, "-a", `${names[0]?.[1]}=3,1,1`]);
      expect([said.exit, said.err.match(/PTX2213/g)]).toEqual([0, ["PTX2213", "PTX2213"]]);
      const words = like(new Int32Array(), readFileSync(join(world.folder, "sizes.bin")));
      expect([...words]).toEqual(Array(96).fill(3032));
    },
  );

  it("a race of two threads in local memory is found, and what one thread stores and loads is none", async () => {
    const file = fileOf("race", device);
    const buffer = device.includes("/") ? ["-a", "out=s32x2"] : ["-a", "0=0", "-a", "1=s32x2"];
    const launch = ["run", file, ...buffer, "--sanitize", "race"];
    const { err } = await world.ptxrun([...launch, "--block", "64"]);
    expect(err).toMatch(/PTX4002: thread \(\d+,0,0\) of block \(0,0,0\) writes .* while thread \(\d+,0,0\) reads it/);
    // The last dword is loaded with another index: one thread alone is in order.
    const alone = await world.ptxrun([...launch, "--block", "32"]);
    expect(alone.err).not.toContain("PTX4002");
  });

  it("a fault names the work-item, where a thread has 16 of them", async () => {
    const file = fileOf("subgroup", device);
    const { err, exit } = await world.ptxrun(["run", file, "--block", "32", "-a", "0=s32x20", "-a", "1=s32x128"]);
    expect(exit).toBe(4);
    expect(err).toMatch(/reads 4 bytes at 0x[\da-f]+, just past the end of .* in thread \(20,0,0\) of block \(0,0,0\)/);
  });

  it("arrays in private memory", async () => {
    const a = ints(64);
    // DG2 finds each thread's part after an address that it is given, by where the thread runs; PVC in scratch space.
    const memory = new Uint8Array(4 * 0x8000);
    const args = [a, new Int32Array(128), 50, memory];
    const [, out] = await run("arrays", device, { grid: 2, block: 64, args });
    for (const [i, got] of out!.entries()) {
      const held = Int32Array.from({ length: 256 }, (_, k) => a[(i + k) & 63]!);
      let sum = 0;
      for (let k = 0; k < 50; k++) {
        const at = (sum + k * 7) & 255;
        sum = (sum + held[at]!) | 0;
        held[at] = sum;
      }
      expect(got).toBe(sum);
    }
  });

  it("sub-groups", async () => {
    const values = ints(64);
    const [, out] = await run("subgroup", device, { grid: 2, block: 32, args: [values, new Int32Array(256)] });
    for (const [i, value] of values.entries()) {
      const own = values.slice(i & ~15, (i & ~15) + 16);
      const sum = (each: Int32Array): number => each.reduce((x, y) => (x + y) | 0, 0);
      expect([...out!.slice(4 * i, 4 * i + 4)], `${value}`).toEqual([
        ...[sum(own), sum(own.slice(0, (i & 15) + 1))],
        ...[own[(i + 3) & 15], own[5]],
      ]);
    }
  });

  it("eight values of each work-item, sorted", async () => {
    const values = Int32Array.from(ints(512), (each) => each % 10);
    const [sorted] = await run("private", device, { grid: 2, block: 32, args: [values] });
    for (let at = 0; at < 512; at += 8)
      expect([...sorted!.slice(at, at + 8)]).toEqual([...values.slice(at, at + 8)].sort((x, y) => x - y));
  });

  it("ids", async () => {
    const [out] = await run("offset", device, { grid: [2, 3], block: [8, 4], args: [new Uint32Array(6 * 16 * 12)] });
    for (let y = 0; y < 12; y++)
      for (let x = 0; x < 16; x++) {
        const at = 6 * (16 * y + x);
        expect([...out!.slice(at, at + 6)]).toEqual([x % 8, y % 4, Math.floor(x / 8), Math.floor(y / 4), 8, 3]);
      }
  });
});

it("double on pvc", async () => {
  const [a, b, c] = [0, 1, 2].map(() => Float64Array.from({ length: 32 }, (_, i) => i * 0.25 + 1));
  const [, , out] = await run("double", "pvc", { block: 32, args: [a!, b!, c!] });
  expect([...out!]).toEqual([...a!].map((v, i) => v * b![i]! + c![i]! - v));
});

/** The order of arguments that the compiler chose: pointers before a scalar. */
function kernelOrder(name: string, [first, ...others]: readonly (Data | number)[]): (Data | number)[] {
  return name === "saxpy" ? [...others, first!] : [first!, ...others];
}

it("atomic operations on floats on dg2", async () => {
  // Sums of few bits, which are the same in any order.
  const a = Float32Array.from({ length: 64 }, (_, i) => ((i * 37) % 64) / 8 - 3);
  const [cells] = await run("floats-atomic", "dg2", { grid: 2, block: 32, args: [Float32Array.of(0.5, -100, 100), a] });
  expect([...cells!]).toEqual([a.reduce((x, y) => x + y, 0.5), Math.max(...a), Math.min(...a)]);
});

// What Intel's compiler makes of named barriers for DG2 in software lets only one team meet, and reads a counter that it
// has never written.
describe("named barriers on pvc", () => {
  it("named-barrier, where two teams meet at barriers of their own", async () => {
    const a = ints(256);
    const [, out] = await run("named-barrier", "pvc", { grid: 2, block: 128, args: [a, new Int32Array(256)] });
    const other = a.map((_, i) => a[(i & ~63) + 63 - (i & 63)]!);
    expect(out).toEqual(other.map((each, i) => (i & 64 ? (2 * each + 1) | 0 : each)));
  });
});
