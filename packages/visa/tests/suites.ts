export type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | BigInt64Array;

/** A launch of a kernel, and what stands in its buffers afterwards; `within`: how far from it, of the larger of it and 1. */
export interface Case {
  readonly kernel: string;
  readonly grid?: readonly number[];
  readonly block: readonly number[];
  readonly args: Readonly<Record<string, Numbers | number>>;
  readonly aggregates?: Readonly<Record<string, Uint8Array>>;
  readonly gives: Readonly<Record<string, ArrayLike<number | bigint>>>;
  readonly within?: number;
}

let state = 99;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state;
};
const floats = (count: number, low = -4, high = 4): Float32Array =>
  Float32Array.from({ length: count }, () => low + ((high - low) * random()) / 2 ** 32);
const wholes = (count: number, low = -8, high = 8): Float32Array => floats(count, low, high).map(Math.round);
const ints = (count: number): Int32Array => Int32Array.from({ length: count }, () => random() | 0);
const small = (count: number, most: number): Int32Array => Int32Array.from({ length: count }, () => random() % most);
const list = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const sum = (count: number, of: (i: number) => number): number => list(count, of).reduce((all, each) => all + each, 0);
const f = Math.fround;
const e = 2e-6;

/** The bits of a number in half precision; the number is exact in it. */
function half(v: number): number {
  if (v === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(v)));
  return (v < 0 ? 0x8000 : 0) | ((15 + exponent) << 10) | ((Math.abs(v) / 2 ** exponent - 1) * 1024);
}
const halves = (values: readonly number[]): Uint16Array => Uint16Array.from(values, half);

const ones = (v: number): number => v.toString(2).replaceAll("0", "").length;

function functions(): Case[] {
  const n = 40;
  const [a, b] = [floats(n, 0.5, 3), floats(n, -2, 2)];
  const [x, y] = [ints(n), ints(n).map((each) => each % 1000 || 7)];
  const longs = BigInt64Array.from({ length: n }, () =>
    BigInt.asIntN(64, (BigInt(random()) << 32n) | BigInt(random())),
  );
  const divisors = BigInt64Array.from({ length: n }, () => BigInt.asIntN(64, BigInt(random()) - 2n ** 31n) || 3n);
  const [v, w] = [wholes(4 * n), wholes(4 * n)];
  const u = Uint32Array.from(ints(n), (each) => each >>> 0);
  const bytes = Uint8Array.from({ length: 18 * n + 8 }, () => random() >>> 24);
  const grid = { grid: [2], block: [20] };
  const struct = new Uint8Array(16);
  new DataView(struct.buffer).setFloat32(0, 1.5, true);
  new DataView(struct.buffer).setFloat32(4, -2.25, true);
  new DataView(struct.buffer).setInt32(8, 100, true);
  struct[12] = 65;
  const vector = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
  const pair = new Uint8Array(Int32Array.of(5, -6).buffer);
  return [
    { kernel: "power", ...grid, args: { a, b, c: new Float32Array(n) }, gives: { c: list(n, (i) => a[i]! ** b[i]!) }, within: e },
    {
      kernel: "natively", ...grid, args: { a, c: new Float32Array(n) }, within: e,
      gives: { c: [...a].map((z) => z ** 1.7 + Math.exp(z) + Math.log(z) + Math.sqrt(z) + 1 / z + z / 3 + Math.sin(z) + 1 / Math.sqrt(z)) },
    },
    { kernel: "quotient", ...grid, args: { a, b, c: new Float32Array(n) }, gives: { c: list(n, (i) => a[i]! / b[i]!) }, within: e },
    {
      kernel: "transcendental", ...grid, args: { a, c: new Float32Array(n) }, within: e,
      gives: {
        c: [...a].map((z) => Math.exp(z) + Math.log(z) + Math.sin(z) + Math.cos(z) + Math.tanh(z) + Math.atan2(z, 2) + 2 ** z + Math.log2(z) + Math.cbrt(z) + (z % 1.5) + Math.hypot(z, 3)),
      },
    },
    {
      kernel: "whole_quotient", ...grid, args: { a: x, b: y, c: new Int32Array(n) },
      gives: { c: list(n, (i) => (Math.trunc(x[i]! / y[i]!) + Math.imul(x[i]! % y[i]!, 7)) | 0) },
    },
    {
      kernel: "long_quotient", ...grid, args: { a: longs, b: divisors, c: new BigInt64Array(n) },
      gives: { c: list(n, (i) => BigInt.asIntN(64, longs[i]! / divisors[i]! + (longs[i]! % divisors[i]!) * 7n)) },
    },
    {
      kernel: "blend", ...grid, args: { a: b, b: a, c: new Float32Array(n) }, within: e,
      gives: {
        c: list(n, (i) => {
          const [p, q] = [b[i]!, a[i]!];
          return p + (q - p) * 0.25 + Math.min(Math.max(p, 0), 1) + Math.abs(q) + Math.min(p, q) + (q < p ? 0 : 1) + Math.sign(q);
        }),
      },
    },
    { kernel: "dots", ...grid, args: { a: v, b: w, c: new Float32Array(n) }, gives: { c: list(n, (i) => sum(4, (k) => v[4 * i + k]! * w[4 * i + k]!)) } },
    { kernel: "reversed8", block: [20], args: { a: v, c: new Float32Array(4 * n) }, gives: { c: list(4 * n, (i) => 2 * v[(i & ~7) + 7 - (i & 7)]!) } },
    {
      kernel: "bytes16", block: [32], args: { a: bytes.slice(0, 512), c: new Uint8Array(512) },
      gives: { c: list(512, (i) => (bytes[i]! + 3) & 255) },
    },
    { kernel: "prints", ...grid, args: { a: x.map((each) => each % 10), c: new Int32Array(n) }, gives: { c: [...x].map((each) => (each % 10) + 1) } },
    {
      kernel: "structs", block: [16], aggregates: { s: struct }, args: { out: new Uint8Array(256), c: new Float32Array(16) },
      gives: {
        c: list(16, () => -2.25),
        out: list(16, (i) => {
          const each = struct.slice();
          new DataView(each.buffer).setFloat32(0, 1.5 * i, true);
          new DataView(each.buffer).setInt32(8, 100 + i, true);
          return [...each];
        }).flat(),
      },
    },
    {
      kernel: "vectors_as_arguments", block: [16], aggregates: { v: vector, w: pair },
      args: { u: 200, s: -3, l: 10, c: new Float32Array(64) },
      gives: { c: list(64, (i) => ((i & 3) + 1) * (i >> 2) + [5, -6, 200, 7][i & 3]!) },
    },
    {
      kernel: "cases", ...grid, args: { a: x, c: new Int32Array(n) },
      gives: {
        c: [...x].map((z) => {
          const by: Readonly<Record<number, number>> = { 0: 5, 1: Math.imul(z, 3), 2: 77, 3: z >> 2, 7: -z | 0, 9: 1 };
          return by[z & 15] ?? z ^ 0x55;
        }),
      },
    },
    {
      kernel: "counters", ...grid, args: { c: Int32Array.of(1, -5, 0, 0), a: x },
      gives: { c: [x.reduce((all, each) => (all + each) | 0, 1), Math.max(...x), x[0]!, n] },
    },
    { kernel: "mirrored", block: [n], args: { c: x }, gives: { c: [...x].reverse() } },
    { kernel: "copied", grid: [2], block: [16], args: { a: v.slice(0, 32), c: new Float32Array(32) }, gives: { c: list(32, (i) => v[(i & 16) + 15 - (i & 15)]!) } },
    {
      kernel: "integers", ...grid, args: { a: u, c: new Uint32Array(n) },
      gives: {
        c: [...u].map(
          (z) =>
            (ones(z) + Math.clz32(z) + (((z << 5) | (z >>> 27)) >>> 0) + Number((BigInt(z) * 12345n) >> 32n) +
              ((z & 0xffff) * 3 + 7) + Math.abs(z - 99) + Math.min(0xffff_ffff, z + 0x8000_0000) + Number((BigInt(z) + 6n) >> 1n)) >>> 0,
        ),
      },
    },
    {
      kernel: "halves", block: [16], args: { a: halves(list(16, (i) => i / 4)), c: new Uint16Array(16), f: Float32Array.from(list(16, (i) => i)) },
      gives: { c: halves(list(16, (i) => 1.5 * i)) },
    },
    {
      kernel: "two_parts", grid: [2], block: [16], args: { a: x.slice(0, 32), c: new Int32Array(32) },
      gives: { c: list(32, (i) => (x[(i & 16) + 15 - (i & 15)]! + Math.imul(x[(i & 16) + ((i + 1) & 15)]!, 10)) | 0) },
    },
    {
      kernel: "dimensions", grid: [2, 3, 1], block: [4, 2, 2], args: { c: new Int32Array(96) },
      gives: { c: list(96, (i) => 3_030_200 + 10 * ((i & 7) >> 2) + (Math.floor(i / 8) & 1)) },
    },
    {
      kernel: "any_bytes", ...grid, args: { a: bytes, c: new Uint32Array(n) },
      gives: {
        c: list(n, (i) => {
          const view = new DataView(bytes.buffer);
          return (view.getUint32(18 * i + 2, true) ^ view.getUint32(18 * i + 1, true)) >>> 0;
        }),
      },
    },
  ]; // biome-ignore format: a case a line
}

/** Blocks of 32 quantised values: a scale of half precision, and nibbles or bytes. */
function blocks(count: number, bytes: number) {
  const scales = list(count, (i) => 0.25 * (1 + (i % 5)));
  const data = Uint8Array.from({ length: count * (bytes + 2) }, () => random() >>> 24);
  for (const [i, scale] of scales.entries()) new DataView(data.buffer).setUint16(i * (bytes + 2), half(scale), true);
  const nibble = (i: number): number => {
    const [block, j] = [Math.floor(i / 32), i % 32];
    const byte = data[block * 18 + 2 + (j & 15)]!;
    return ((j < 16 ? byte & 15 : byte >> 4) - 8) * scales[block]!;
  };
  const byte = (i: number): number => (data[Math.floor(i / 32) * 34 + 2 + (i % 32)]! << 24) >> 24;
  return { data, nibble, byte };
}

function language(): Case[] {
  const four = blocks(12, 16);
  const [eight, other] = [blocks(20, 32), blocks(20, 32)];
  const y = wholes(4 * 32, -3, 3);
  const levels = [-1, -0.69, -0.52, -0.39, -0.28, -0.18, -0.09, 0, 0.08, 0.16, 0.25, 0.34, 0.44, 0.56, 0.72, 1].map(f);
  const codes = Uint8Array.from({ length: 40 }, () => random() >>> 24);
  const rows = floats(3 * 50);
  const weights = floats(50);
  const row = (r: number): number[] => [...rows.slice(50 * r, 50 * r + 50)];
  const turned = floats(64);
  const values = floats(40);
  const [p, q] = [list(64, () => random() % 4), list(64, () => random() % 5)];
  const table = new Uint8Array(5 * 80).map(() => random() >>> 24);
  const picks = Int32Array.of(4, 0, 2);
  return [
    { kernel: "dequantised", grid: [12], block: [32], args: { x: four.data, y: new Float32Array(384) }, gives: { y: list(384, four.nibble) } },
    {
      kernel: "product4", grid: [3], block: [16], args: { x: four.data, y, out: new Float32Array(3), blocks: 4 },
      gives: { out: list(3, (r) => sum(128, (j) => four.nibble(128 * r + j) * y[j]!)) }, within: e,
    },
    {
      kernel: "product8", block: [20], args: { x: eight.data, y: other.data, out: new Int32Array(20) },
      gives: { out: list(20, (i) => sum(32, (j) => eight.byte(32 * i + j) * other.byte(32 * i + j))) },
    },
    { kernel: "looked_up", grid: [2], block: [20], args: { x: codes, y: new Float32Array(40) }, gives: { y: [...codes].map((c) => f(levels[c & 15]! + levels[c >> 4]!)) } },
    {
      kernel: "softmax_rows", grid: [3], block: [16], args: { x: rows, y: new Float32Array(150), n: 50 }, within: e,
      gives: {
        y: list(3, row).flatMap((each) => {
          const most = Math.max(...each);
          const all = sum(50, (i) => Math.exp(each[i]! - most));
          return each.map((v) => Math.exp(v - most) / all);
        }),
      },
    },
    {
      kernel: "root_mean_square", grid: [3], block: [16], args: { x: rows, w: weights, y: new Float32Array(150), n: 50 }, within: e,
      gives: {
        y: list(3, row).flatMap((each) => {
          const scale = 1 / Math.sqrt(sum(50, (i) => each[i]! ** 2) / 50 + 1e-5);
          return each.map((v, i) => v * scale * weights[i]!);
        }),
      },
    },
    {
      kernel: "rotary", block: [32], args: { x: turned, n: 64, at: 7, base: 10000 }, within: 1e-5,
      gives: {
        x: list(64, (k) => {
          const i = k >> 1;
          const angle = 7 * 10000 ** ((-2 * i) / 64);
          const [a, b] = [turned[2 * i]!, turned[2 * i + 1]!];
          return k & 1 ? a * Math.sin(angle) + b * Math.cos(angle) : a * Math.cos(angle) - b * Math.sin(angle);
        }),
      },
    },
    {
      kernel: "gelu", block: [40], args: { x: values, y: new Float32Array(40) }, within: e,
      gives: { y: [...values].map((v) => 0.5 * v * (1 + Math.tanh(0.79788456 * v * (1 + 0.044715 * v * v)))) },
    },
    { kernel: "silu", block: [40], args: { x: values, y: new Float32Array(40) }, gives: { y: [...values].map((v) => v / (1 + Math.exp(-v))) }, within: e },
    {
      kernel: "half_product", block: [8, 8], args: { a: halves(p), b: halves(q), c: new Uint16Array(64), n: 8 },
      gives: { c: halves(list(64, (i) => sum(8, (k) => p[8 * (i >> 3) + k]! * q[8 * k + (i & 7)]!))) },
    },
    {
      kernel: "rows", grid: [1, 3], block: [32, 1], args: { src: table, dst: new Uint8Array(240), step: 80, count: 20, which: picks },
      gives: { dst: [...picks].flatMap((r) => [...table.slice(80 * r, 80 * r + 80)]) },
    },
  ]; // biome-ignore format: a case a line
}

function linear(): Case[] {
  const n = 16;
  const [a, b, c] = [wholes(n * n), wholes(n * n), wholes(n * n)];
  const at = (m: ArrayLike<number>, i: number, j: number): number => m[n * i + j]!;
  const [x, y] = [wholes(200), wholes(200)];
  const w = wholes(9, -2, 2);
  const inside = (i: number): boolean => i > 0 && i < n - 1;
  const edges = Int32Array.of(1, 2, 3, 4, 0, 5, 4, 3);
  const nodes = Int32Array.of(0, 2, 2, 2, 4, 1, 5, 1, 6, 1, 7, 1);
  const points = wholes(60);
  const centres = floats(6);
  const near = (i: number): number => {
    const d = list(3, (k) => sum(2, (j) => f(points[30 * j + i]! - centres[2 * k + j]!) ** 2));
    return d.indexOf(Math.min(...d));
  };
  const counts = small(32, 100);
  const pairs = ints(32);
  const cost = small(64, 50);
  const from = small(64, 50);
  const bodies = floats(4 * 12, 0.5, 2);
  const pulls = (i: number): number[] =>
    list(12, (j) => {
      const d = [0, 1, 2].map((k) => bodies[4 * j + k]! - bodies[4 * i + k]!);
      const r = d.reduce((all, each) => all + each * each, 0) + 0.01;
      const mass = bodies[4 * j + 3]!;
      return [...d.map((each) => (each * mass) / Math.sqrt(r ** 3)), mass / Math.sqrt(r)];
    }).reduce((all, each) => all.map((v, k) => v + each[k]!));
  return [
    {
      kernel: "gemm", grid: [2, 2], block: [8, 8], args: { a, b, c, n, alpha: 2, beta: 0.5 },
      gives: { c: list(n * n, (k) => 2 * sum(n, (j) => at(a, k >> 4, j) * at(b, j, k & 15)) + 0.5 * c[k]!) },
    },
    { kernel: "gemv", block: [32], args: { a, x, y: new Float32Array(32), m: n, n }, gives: { y: list(32, (i) => (i < n ? sum(n, (j) => at(a, i, j) * x[j]!) : 0)) } },
    {
      kernel: "dot_groups", grid: [2], block: [64], args: { x, y, out: new Float32Array(2), n: 200 },
      gives: { out: [0, 1].map((g) => sum(200, (i) => ((i >> 6) % 2 === g ? x[i]! * y[i]! : 0))) },
    },
    {
      kernel: "largest", block: [32], args: { x, out: new Int32Array(1), n: 200 },
      gives: { out: [[...x].map(Math.abs).indexOf(Math.max(...[...x].map(Math.abs)))] },
    },
    {
      kernel: "jacobi", grid: [2, 2], block: [8, 8], args: { a, b: new Float32Array(n * n), n }, within: e,
      gives: {
        b: list(n * n, (k) => {
          const [i, j] = [k >> 4, k & 15];
          return inside(i) && inside(j) ? 0.2 * (at(a, i, j) + at(a, i, j - 1) + at(a, i, j + 1) + at(a, i - 1, j) + at(a, i + 1, j)) : 0;
        }),
      },
    },
    {
      kernel: "convolved", grid: [2, 2], block: [8, 8], args: { a, b: new Float32Array(n * n), n, w },
      gives: {
        b: list(n * n, (k) => sum(9, (m) => {
          const clamped = (v: number): number => Math.min(n - 1, Math.max(0, v));
          return w[m]! * at(a, clamped((k >> 4) + Math.floor(m / 3) - 1), clamped((k & 15) + (m % 3) - 1));
        })),
      },
    },
    {
      kernel: "bfs", block: [8],
      args: {
        nodes, edges, mask: Uint8Array.of(1, 0, 0, 0, 0, 0), next: new Uint8Array(6), seen: Uint8Array.of(1, 0, 0, 0, 0, 0),
        cost: new Int32Array(6), more: new Uint8Array(1), n: 6,
      },
      gives: { mask: list(6, () => 0), next: [0, 1, 1, 0, 0, 0], cost: [0, 1, 1, 0, 0, 0], more: [1] },
    },
    {
      kernel: "nearest", block: [20], args: { p: points.slice(0, 40), d: new Float32Array(20), x: 1.5, y: -2 }, within: e,
      gives: { d: list(20, (i) => Math.hypot(1.5 - points[2 * i]!, -2 - points[2 * i + 1]!)) },
    },
    { kernel: "clusters", block: [32], args: { points, centres, member: new Int32Array(30), n: 30, k: 3, f: 2 }, gives: { member: list(30, near) } },
    { kernel: "prefix", block: [32], args: { a: counts, b: new Int32Array(32), t: 0 }, gives: { b: list(32, (i) => sum(i, (k) => counts[k]!)) } },
    {
      kernel: "bitonic", block: [32], args: { a: pairs, j: 2, k: 4 },
      gives: {
        a: list(32, (i) => {
          const [low, high] = [Math.min(pairs[i]!, pairs[i ^ 2]!), Math.max(pairs[i]!, pairs[i ^ 2]!)];
          return ((i & 4) === 0) === ((i & 2) === 0) ? low : high;
        }),
      },
    },
    {
      kernel: "lud_row", block: [16], args: { m: a.map((v) => v || 1), n, at: 2 }, within: 1e-5,
      gives: {
        m: list(n * n, (k) => {
          const m = a.map((v) => v || 1);
          const [j, i] = [k >> 4, k & 15];
          if (j <= 2 || i < 2) return m[k]!;
          const factor = f(at(m, j, 2) / at(m, 2, 2));
          return i === 2 ? factor : at(m, j, i) - factor * at(m, 2, i);
        }),
      },
    },
    {
      kernel: "path", grid: [2], block: [32], args: { wall: cost, from, to: new Int32Array(64), n: 64 },
      gives: { to: list(64, (i) => cost[i]! + Math.min(from[i]!, from[i - 1] ?? 2 ** 31 - 1, from[i + 1] ?? 2 ** 31 - 1)) },
    },
    { kernel: "cell_list", block: [12], args: { p: bodies, force: new Float32Array(48), n: 12 }, gives: { force: list(12, pulls).flat() }, within: 1e-4 },
  ]; // biome-ignore format: a case a line
}

function others(): Case[] {
  const a = wholes(64);
  const group = (i: number): number[] => [...a.slice(i & ~15, (i & ~15) + 16)];
  const [words, dwords] = [Uint16Array.from(ints(256)), Uint32Array.from(ints(256))];
  const [p, q] = [Float64Array.from(floats(20, 0.5, 3)), Float64Array.from(floats(20, 0.5, 3))];
  const m = Float64Array.from(wholes(400));
  const d = Float64Array.from(wholes(20));
  return [
    {
      kernel: "exchanges", grid: [2], block: [32], args: { a, c: new Float32Array(64) },
      gives: {
        c: list(64, (i) => {
          const [own, l] = [group(i), i & 15];
          const down = l + 2 < 16 ? own[l + 2]! : own[l + 2 - 16]!;
          return sum(16, (k) => own[k]!) + 2 * Math.max(...own) + 3 * sum(l, (k) => own[k]!) + own[l ^ 1]! + down + own[3]! + ((i & 31) >> 4) + l + 16 + (own.some((v) => v > 5) ? 1 : 0);
        }),
      },
    },
    {
      kernel: "pieces", block: [32], args: { a: words, c: new Uint16Array(256), d: dwords, e: new Uint32Array(256) },
      gives: { c: [...words].map((v) => (v + 1) & 0xffff), e: dwords },
    },
    {
      kernel: "double_functions", block: [20], args: { a: p, b: q, c: new Float64Array(20) }, within: 1e-14,
      gives: { c: list(20, (i) => p[i]! / q[i]! + Math.sqrt(p[i]!) + p[i]! * q[i]! + 1 + f(q[i]!) + Math.trunc(p[i]!)) },
    },
    { kernel: "double_exp", block: [20], args: { a: p, c: new Float64Array(20) }, gives: { c: [...p].map((v) => Math.exp(v) + Math.log(v)) }, within: 1e-13 },
    { kernel: "atax", block: [20], args: { a: m, x: d, y: new Float64Array(20), n: 20 }, gives: { y: list(20, (i) => sum(20, (j) => m[20 * i + j]! * d[j]!)) } },
  ]; // biome-ignore format: a case a line
}

export const cases: readonly Case[] = [...functions(), ...language(), ...linear(), ...others()];
