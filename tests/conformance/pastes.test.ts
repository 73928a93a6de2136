import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Buffer, Device, lint, must } from "../../src/index.ts";

const folder = new URL("../data/pastes/", import.meta.url);
/** `square/demangled.ptx`: the source, and the form in which it is shown. */
const pastes = readdirSync(folder, { recursive: true })
  .map((path) => String(path).replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ptx") && !path.startsWith("source/"))
  .sort();

/** One paste on a device of its own. */
class Bench {
  readonly device = new Device();
  readonly #module: ReturnType<typeof must<NonNullable<ReturnType<Device["module"]>["value"]>>>;
  printed = "";

  constructor(name: string) {
    this.#module = must(this.device.module({ name, text: readFileSync(new URL(name, folder), "utf8") }));
  }

  buffer(values: ArrayBufferView): Buffer {
    return this.device.buffer(values);
  }

  /** Runs the kernel whose name holds `part`. */
  run(part: string, block: number, args: readonly (Buffer | number | Uint8Array)[]): void {
    const name = this.#module.entries.find((each) => each.includes(part));
    expect(name, part).toBeDefined();
    const kernel = must(this.#module.kernel(name ?? ""));
    const { stop } = must(kernel.launch({ block, args: [...args], print: (text) => (this.printed += text) }));
    expect(stop.reason === "trap" ? stop.diagnostic.message : stop.reason).toBe("exit");
  }
}

const { fround } = Math;
const f32 = (values: readonly number[]): number[] => [...new Float32Array(values)];

/** By the source of a paste: runs its kernels and compares with what JavaScript computes. */
const programs: Readonly<Record<string, (bench: Bench) => void>> = {
  square(bench) {
    const p = bench.buffer(new Int32Array([3, -4, 65536, 7, 5]));
    bench.run("square", 8, [p, 4]);
    expect([...p.toArray("s32")]).toEqual([9, 16, 0, 49, 5]);
  },
  template(bench) {
    const a = Array.from({ length: 8 }, (_, i) => fround(i * 1.25));
    const b = bench.buffer(new Float32Array(8).fill(0.1));
    bench.run("mix", 8, [bench.buffer(new Float32Array(a)), b]);
    // One fused multiply-add; the products are exact here.
    const wanted = a.map((_, i) => fround(fround(0.1) + fround(fround((a[7 - i] ?? 0) * 0.5) + [1, 2, 3, 4][i & 3]!)));
    expect([...b.toArray("f32")]).toEqual(wanted);
  },
  calls(bench) {
    const f = bench.buffer(new Float32Array([1, 3]));
    const u = bench.buffer(new Uint32Array([5, 0xf000_0001]));
    bench.run("calls", 1, [f, u, 7]);
    expect([...f.toArray("f32")]).toEqual([1.5, 3]);
    expect([...u.toArray("u32")]).toEqual([36, 0x10]);
  },
  print(bench) {
    const p = bench.buffer(new Int32Array([1, 2, 3]));
    bench.run("report", 1, [p, 3]);
    expect([...p.toArray("s32")]).toEqual([3, 2, 1]);
    expect(bench.printed).toBe("3 turned, first 3\n");
  },
  lambda(bench) {
    const p = bench.buffer(new Int32Array([1, 2, 3, 4]));
    const capture = new Uint8Array(new Int32Array([10]).buffer);
    bench.run("apply", 4, [capture, p]);
    expect([...p.toArray("s32")]).toEqual([17, 27, 37, 47]);
    bench.run("through", 4, [0, p]);
    expect([...p.toArray("s32")]).toEqual([17, 27, 37, 47].map((each) => each ^ 0xff));
    bench.run("hidden", 4, [p]);
    expect([...p.toArray("s32")]).toEqual([17, 27, 37, 47].map((each) => (each ^ 0xff) + 1));
  },
  widths(bench) {
    const f = [2, 3, 16, 25, 1, 2, 3, 4];
    const [d, s] = [bench.buffer(new Float64Array([1, 2, 3, 4])), bench.buffer(new Int16Array([1, -2, 30000, 4]))];
    const [w, v] = [bench.buffer(new BigInt64Array([1n, 2n, -1n, 4n])), bench.buffer(new Float32Array(f))];
    bench.run("widths", 4, [d, s, bench.buffer(new Uint8Array([1, 2, 250, 4])), w, v]);
    expect([...d.toArray("f64")]).toEqual([1, 2, 3, 4].map((each, i) => each * 1.5 + (f[i] ?? 0)));
    const halves = [...new Int16Array([1 * 3 - 1, -2 * 3 - 2, 30000 * 3 - 250, 4 * 3 - 4])];
    expect([...s.toArray("s16")]).toEqual(halves);
    expect([...w.toArray("s64")]).toEqual(
      [1n, 2n, -1n, 4n].map((each, i) => BigInt.asIntN(64, BigInt(halves[i] ?? 0) << 33n) ^ each),
    );
    expect([...v.toArray("f32")]).toEqual([...f32([2, 3, 16, 25].map(Math.sqrt)), 4, 3, 2, 1]);
  },
  warp(bench) {
    const total = bench.buffer(new Int32Array(2));
    bench.run("sum", 32, [bench.buffer(Int32Array.from({ length: 32 }, (_, i) => i * i - 100)), total]);
    expect([...total.toArray("s32")]).toEqual([
      Array.from({ length: 32 }, (_, i) => i * i - 100).reduce((a, b) => a + b),
      1,
    ]);
  },
  plain(bench) {
    const y = bench.buffer(new Float32Array([10, 20, 30]));
    bench.run("axpy", 2, [0.5, bench.buffer(new Float32Array([1, 2, 3])), y, 3]);
    expect([...y.toArray("f32")]).toEqual([10.5, 21, 31.5]);
  },
  clang(bench) {
    const out = bench.buffer(new Int32Array(6).fill(-1));
    bench.run("scan", 32, [bench.buffer(new Int32Array([1, 2, 3, 4, 5, 6])), out, 6]);
    expect([...out.toArray("s32")]).toEqual([2, 6, 12, 20, 30, 42]);
  },
  triton(bench) {
    const at = (times: number) => Float32Array.from({ length: 130 }, (_, i) => fround(i * times));
    const out = bench.buffer(new Float32Array(132).fill(-1));
    bench.run("add_kernel", 128, [bench.buffer(at(0.1)), bench.buffer(at(0.7)), out, 130, 0]);
    const sums = Array.from({ length: 130 }, (_, i) => fround((at(0.1)[i] ?? 0) + (at(0.7)[i] ?? 0)));
    expect([...out.toArray("f32")]).toEqual([...sums, -1, -1]);
  },
};

describe("what sites show of a compiler's output", () => {
  it("is here in many forms, of every source", () => {
    expect(pastes.length).toBeGreaterThanOrEqual(40);
    expect(new Set(pastes.map((name) => name.split("/")[0]))).toEqual(new Set(Object.keys(programs)));
  });

  it.each(pastes)("%s runs as it stands", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    expect(lint({ name, text }).filter(({ severity }) => severity === "error")).toEqual([]);
    programs[name.split("/")[0] ?? ""]?.(new Bench(name));
  });
});
