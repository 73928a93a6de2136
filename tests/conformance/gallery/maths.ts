import { expect } from "vitest";
import { type Check, doubles, floats, halves, list, longs, Values, words } from "./gpu.ts";

export const half2math: Check = (gpu) => pairs(gpu, "half2math", 19, 3);
export const bf16math: Check = (gpu) => pairs(gpu, "bf16math", 13, 2);

function pairs(gpu: Parameters<Check>[0], name: string, rows: number, sumRows: number): void {
  const values = new Values(name);
  const n = 300;
  const [out, sums] = [gpu.buffer(rows * n * 4), gpu.buffer(sumRows * n * 4)];
  const inputs = ["x", "y", "z"].map((label) => gpu.buffer(values.u16(label)));
  gpu.launch(name, { grid: 8, block: 39, args: [...inputs, out, sums, n] });
  const got = halves(out);
  const wanted = Array.from(values.u16("out"));
  const each = 2 * n;
  for (let row = 0; row < rows; row++) {
    const part = (all: readonly number[]) => all.slice(row * each, (row + 1) * each);
    expect([row, part(got)]).toEqual([row, part(wanted)]);
  }
  // A NaN in f32 arithmetic is the canonical one on a GPU; a host may keep its operand's.
  const canonical = (bits: number) => ((bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits);
  expect(words(sums)).toEqual(Array.from(values.f32("sums"), canonical));
}

/** Rows of mathf.cu and mathd.cu with the largest error, in ULP, that CUDA's programming guide states for f32 and f64. */
const bounds: readonly (readonly [name: string, single: number, double: number])[] = [
  ["sin(x)", 2, 2],
  ["cos(x)", 2, 2],
  ["tan(y)", 4, 2],
  ["exp(y)", 2, 1],
  ["exp2(y)", 2, 1],
  ["expm1(y)", 1, 1],
  ["log(|x|)", 1, 1],
  ["log2(|x|)", 1, 1],
  ["log10(|x|)", 2, 1],
  ["log1p(|x|)", 1, 1],
  ["pow(|x|, y)", 4, 2],
  ["tanh(y)", 2, 1],
  ["sinh(y)", 3, 2],
  ["atan(x)", 2, 2],
  ["atan2(y, x)", 3, 2],
  ["asin(y / 32)", 2, 2],
  ["acos(y / 32)", 2, 2],
  ["erf(y)", 2, 2],
  ["erfc(y)", 4, 5],
  ["tgamma(y)", 5, 10],
  ["lgamma(|x|)", 6, 4],
  ["cbrt(x)", 1, 1],
  ["rsqrt(|x|)", 2, 1],
  ["hypot(x, y)", 3, 2],
  ["fmod(x, y)", 0, 0],
  ["sinpi(y)", 1, 2],
  ["sqrt(|x|)", 0, 0],
  ["x / y", 0, 0],
  ["1 / x", 0, 0],
  ["rint(y)", 0, 0],
  ["trunc(y)", 0, 0],
  ["ldexp(y, 5)", 0, 0],
];

export const mathf: Check = (gpu) => {
  const values = new Values("mathf");
  const [x, y] = [values.f32("x"), values.f32("y")];
  const out = gpu.buffer(bounds.length * x.length * 4);
  gpu.launch("mathf", { grid: 2, block: 103, args: [gpu.buffer(x), gpu.buffer(y), out, x.length] });
  const limits = bounds.map(([name, single]) => [name, single] as const);
  expect(misses(words(out).map(BigInt), Array.from(values.f32("out"), BigInt), 32n, limits)).toEqual([]);
};

export const mathd: Check = (gpu) => {
  const values = new Values("mathd");
  const [x, y] = [values.f64("x"), values.f64("y")];
  const out = gpu.buffer(bounds.length * x.length * 8);
  gpu.launch("mathd", { grid: 2, block: 103, args: [gpu.buffer(x), gpu.buffer(y), out, x.length] });
  const limits = bounds.map(([name, , double]) => [name, double] as const);
  expect(misses(longs(out), Array.from(values.f64("out")), 64n, limits)).toEqual([]);
};

/** What lies further from the right value than its row's limit. */
function misses(
  got: readonly bigint[],
  wanted: readonly bigint[],
  width: bigint,
  limits: readonly (readonly [name: string, ulps: number])[],
): string[] {
  const columns = wanted.length / limits.length;
  const infinity = width === 32n ? 0x7f800000n : 0x7ff0_0000_0000_0000n;
  const magnitude = (bits: bigint) => BigInt.asUintN(Number(width) - 1, bits);
  // In this order the numbers of one format are neighbours; both zeros lie at 0.
  const rank = (bits: bigint) => (bits === magnitude(bits) ? bits : -magnitude(bits));
  return got.flatMap((bits, at) => {
    const right = wanted[at] ?? 0n;
    const [name, limit] = limits[Math.floor(at / columns)] ?? ["", 0];
    const nan = magnitude(right) > infinity;
    const distance = rank(bits) - rank(right);
    const near = (distance < 0n ? -distance : distance) <= BigInt(limit);
    const zero = magnitude(bits) === 0n && magnitude(right) === 0n;
    if (nan ? magnitude(bits) > infinity : near && (!zero || bits === right)) return [];
    return [`${name} of input ${at % columns}: 0x${bits.toString(16)}, not 0x${right.toString(16)}`];
  });
}

/** Prices up to 100: the cancellation in them leaves f32 five digits behind the point. */
export const blackscholes: Check = (gpu) => {
  const values = new Values("blackscholes");
  const n = 300;
  const inputs = ["spot", "strike", "years"];
  const [call, put] = [gpu.buffer(n * 4), gpu.buffer(n * 4)];
  const singles = inputs.map((label) => gpu.buffer(values.f32(`${label}32`)));
  gpu.launch("options_f32", { grid: 2, block: 71, args: [...singles, call, put, n] });
  const single = (label: string) => Array.from(new Float32Array(values.f32(label).buffer));
  expect(furthest([...floats(call), ...floats(put)], [...single("call32"), ...single("put32")])).toBeLessThan(2e-5);

  const [call64, put64] = [gpu.buffer(n * 8), gpu.buffer(n * 8)];
  const wide = inputs.map((label) => gpu.buffer(values.f64(`${label}64`)));
  gpu.launch("options_f64", { grid: 2, block: 71, args: [...wide, call64, put64, n] });
  const double = (label: string) => Array.from(new Float64Array(values.f64(label).buffer));
  expect(furthest([...doubles(call64), ...doubles(put64)], [...double("call64"), ...double("put64")])).toBeLessThan(
    5e-14,
  );
};

const furthest = (got: readonly number[], wanted: readonly number[]) =>
  Math.max(...list(wanted.length, (i) => Math.abs((got[i] ?? 0) - (wanted[i] ?? 0))));
