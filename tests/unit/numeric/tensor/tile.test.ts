import { describe, expect, it } from "vitest";
import type { ElementType } from "../../../../src/numeric/tensor/element.ts";
import { tensorReference } from "../../../../src/numeric/tensor/reference.ts";
import type { Elements, TileSpec } from "../../../../src/numeric/tensor/spec.ts";
import { tileOf } from "../../../../src/numeric/tensor/tile.ts";
import { hardBits, type Mood, moodFrom, type Random, randomFrom } from "./hard-operands.ts";

const spec = (unit: TileSpec["unit"], k: number, types: string, more: Partial<TileSpec> = {}): TileSpec => {
  const [a, b, c, d] = types.split(" ") as ElementType[];
  return { m: 3, n: 2, k, unit, a: a!, b: b!, c: c!, d: d!, ...more };
};
const scaled = (kind: "mxf8f6f4" | "mxf4", type: "ue8m0" | "ue4m3", block: 16 | 32): Partial<TileSpec> => ({
  scale: { kind, type, block },
});

const cases: readonly (readonly [string, readonly TileSpec[]])[] = [
  ["sm_70", [spec("mma", 4, "f16 f16 f32 f32"), spec("mma", 16, "f16 f16 f16 f32"), spec("mma", 4, "f16 f16 f16 f16")]],
  ["sm_75", [spec("mma", 8, "f16 f16 f32 f32"), spec("mma", 16, "f16 f16 f16 f16")]],
  [
    "sm_80",
    [
      spec("mma", 16, "f16 f16 f16 f16"),
      spec("mma", 16, "f16 f16 f32 f16"),
      spec("mma", 16, "bf16 bf16 f32 f32"),
      spec("mma", 8, "tf32 tf32 f32 f32"),
      ...(["rn", "rz", "rm", "rp"] as const).map((rounding) => spec("mma", 4, "f64 f64 f64 f64", { rounding })),
      spec("mma", 32, "s8 u8 s32 s32"),
      spec("mma", 32, "u8 u8 s32 s32", { satfinite: true }),
      spec("mma", 64, "s4 u4 s32 s32", { satfinite: true }),
      spec("mma", 64, "u4 s4 s32 s32"),
      spec("mma", 128, "b1 b1 s32 s32", { bits: "xor" }),
      spec("mma", 256, "b1 b1 s32 s32", { bits: "and" }),
    ],
  ],
  ["sm_89", [spec("mma", 32, "e4m3 e5m2 f32 f32"), spec("mma", 32, "e5m2 e5m2 f16 f16")]],
  [
    "sm_90a",
    [
      spec("mma", 16, "bf16 bf16 f32 f32"),
      spec("mma", 8, "tf32 tf32 f32 f32"),
      spec("mma", 32, "e4m3 e5m2 f32 f32"),
      spec("mma", 32, "e5m2 e5m2 f16 f16"),
      spec("mma", 16, "e5m2 e4m3 f16 f16"),
      spec("wgmma", 32, "e4m3 e4m3 f32 f32"),
      spec("wgmma", 32, "e5m2 e4m3 f16 f16"),
    ],
  ],
  [
    "sm_100a",
    [
      spec("tcgen05", 16, "f16 f16 f32 f32"),
      spec("tcgen05", 32, "e5m2 e2m1 f32 f32"),
      spec("tcgen05", 32, "e3m2 e2m3 f16 f16"),
      spec("tcgen05", 32, "e5m2 e4m3 f32 f32", scaled("mxf8f6f4", "ue8m0", 32)),
      spec("tcgen05", 64, "e2m1 e2m1 f32 f32", scaled("mxf4", "ue8m0", 32)),
      spec("tcgen05", 96, "e2m1 e2m1 f32 f32", scaled("mxf4", "ue4m3", 16)),
    ],
  ],
  [
    "sm_120a",
    [
      spec("mma", 32, "e3m2 e5m2 f32 f32"),
      spec("mma", 32, "e2m1 e3m2 f32 f32", scaled("mxf8f6f4", "ue8m0", 32)),
      spec("mma", 64, "e2m1 e2m1 f32 f32", scaled("mxf4", "ue4m3", 16)),
    ],
  ],
];

const nameOf = ({ unit, k, a, b, c, d, scale, rounding, satfinite, bits }: TileSpec): string =>
  [unit, `k${k}`, a, b, c, d, scale?.kind, scale?.type, rounding, satfinite && "satfinite", bits]
    .filter(Boolean)
    .join(" ");

describe.each(cases)("a tile of %s", (target, specs) => {
  it.each(specs.map((one) => [nameOf(one), one] as const))("is the reference: %s", (_, one) => {
    const random = randomFrom(one.k + target.length);
    for (let round = 0; round < 40; round++) agree(target, one, moodFrom(random), random);
  });
});

/** One tile of hard operands, each element of D against the reference. */
function agree(target: string, one: TileSpec, mood: Mood, random: Random): void {
  const { m, n, k, scale } = one;
  const draw = (type: Parameters<typeof hardBits>[0], count: number): bigint[] =>
    Array.from({ length: count }, () => hardBits(type, mood, random));
  const [a, b, c] = [draw(one.a, m * k), draw(one.b, n * k), draw(one.c, m * n)];
  // What cancels does so within a row: pairs of one size.
  if (mood === "cancel") for (let at = 1; at < a.length; at += 2) a[at] = a[at - 1]!;
  const blocks = scale ? k / scale.block : 0;
  const [scaleA, scaleB] = scale ? [draw(scale.type, m * blocks), draw(scale.type, n * blocks)] : [[], []];
  const d: Elements = one.d === "f64" ? new BigUint64Array(m * n) : new Uint32Array(m * n);
  const words = (list: readonly bigint[]): Uint32Array => Uint32Array.from(list, Number);
  tileOf(target, one)(packed(one.a, a), packed(one.b, b), packed(one.c, c), d, words(scaleA), words(scaleB));
  const part = (list: readonly bigint[], row: number, length: number) => list.slice(row * length, (row + 1) * length);
  for (let at = 0; at < m * n; at++) {
    const [i, j] = [Math.floor(at / n), at % n];
    const row = {
      a: part(a, i, k),
      b: part(b, j, k),
      c: c[at]!,
      scaleA: part(scaleA, i, blocks),
      scaleB: part(scaleB, j, blocks),
    };
    const [got, expected] = [BigInt(d[at]!), tensorReference(target, one, row)];
    if (got !== expected) expect({ mood, row, got }).toEqual({ mood, row, got: expected });
  }
}

function packed(type: ElementType, list: readonly bigint[]): Elements {
  if (type === "f64") return BigUint64Array.from(list);
  if (type !== "b1") return Uint32Array.from(list, Number);
  return Uint32Array.from({ length: list.length / 32 }, (_, word) =>
    list.slice(word * 32, word * 32 + 32).reduce((bits, bit, at) => bits + Number(bit) * 2 ** at, 0),
  );
}
