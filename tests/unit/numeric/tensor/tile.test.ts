import { describe, expect, it } from "vitest";
import { type ElementType, elementBits, type ScaleType } from "../../../../src/numeric/tensor/element.ts";
import { tensorReference, tensorWork } from "../../../../src/numeric/tensor/reference.ts";
import type { Elements, TileSpec } from "../../../../src/numeric/tensor/spec.ts";
import { tileOf } from "../../../../src/numeric/tensor/tile.ts";
import { draws } from "../../../share.ts";
import { hardBits, hardTile, type Mood, moodFrom, type Random, randomFrom } from "./hard-operands.ts";

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
      spec("mma", 4, "f16 f16 f32 f32", { shape: "m8n8k4" }),
      spec("mma", 4, "f16 f16 f32 f16", { shape: "m8n8k4" }),
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
    for (let round = 0; round < draws(6, 40); round++) agree(target, one, moodFrom(random), random);
  });
});

/** One tile of hard operands, each element of D against the reference. */
function agree(target: string, one: TileSpec, mood: Mood, random: Random): void {
  const { m, n, k, scale } = one;
  const { a, b, c } = hardTile(one, mood, random);
  const draw = (type: ScaleType, count: number): bigint[] =>
    Array.from({ length: count }, () => hardBits(type, mood, random));
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

describe("a sum that is carried to the next group", () => {
  const one = (target: string, of: TileSpec, a: readonly number[], b: readonly number[], c: number): string => {
    const d = new Uint32Array(1);
    const full = (list: readonly number[]): Uint32Array => Uint32Array.from({ length: of.k }, (_, at) => list[at] ?? 0);
    const scale = of.scale && Uint32Array.from({ length: of.k / of.scale.block }, () => SMALL);
    tileOf(target, { ...of, m: 1, n: 1 })(full(a), full(b), Uint32Array.of(c), d, scale, scale);
    return `0x${d[0]!.toString(16)}`;
  };
  const SMALL = 127 - 81;
  const halves = spec("mma", 16, "f16 f16 f16 f16");
  const eighth = (...first: number[]): number[] => [...first, ...Array.from({ length: 8 - first.length }, () => 0)];

  it("stays infinite once it is rounded beyond f16", () => {
    const ones = Array.from({ length: 16 }, () => 0x3c00);
    // 65504 + 16 is a tie, and even is 2^16; then -1000.
    expect(one("sm_80", halves, [...eighth(0x7bff, 0x4c00), 0xe3d0], ones, 0)).toBe("0x7c00");
    expect(one("sm_80", halves, [...eighth(0x7bff, 0x4bff), 0xe3d0], ones, 0)).toBe("0x7be0");
  });

  it("has no exponent where it has cancelled to zero", () => {
    // 2^15 - 2^15, then 2^-28, which lies more than 24 bits below 2^15.
    const two = spec("mma", 16, "f16 f16 f32 f32");
    const [a, b] = [
      [...eighth(0x7800, 0xf800), 0x0400],
      [...eighth(0x3c00, 0x3c00), 0x0400],
    ];
    expect(one("sm_80", two, a, b, 0)).toBe("0x31800000");
    expect(one("sm_80", two, a, b, 0x8000_0000)).toBe("0x31800000");
    // In halves those with k mod 4 in {0, 1} come first: 2^15 - 2^15, then 2^-14 times 1.
    expect(one("sm_90", spec("mma", 32, "e5m2 e5m2 f32 f32"), [0x78, 0xf8, 0x04], [0x3c, 0x3c, 0x3c], 0)).toBe(
      "0x38800000",
    );
    // C cancels with the first group, too.
    expect(one("sm_80", two, [...eighth(0x7800), 0x0400], b, 0xc700_0000)).toBe("0x31800000");
  });

  it("is aligned at the least exponent of a normal number where it is subnormal", () => {
    // 2^-23 is carried; then 2^-25 makes a tie, and 2^-39, which would break it, lies below 2^-14 by more than 24 bits.
    const a = [...eighth(0x0002), 0x0c00, 0x0010];
    const b = [...eighth(0x3c00), 0x0800, 0x0020];
    expect(one("sm_80", halves, a, b, 0)).toBe("0x2");
  });

  it("is infinite from 2^128 on in f32, and cut to 2^-149", () => {
    const single = spec("mma", 16, "bf16 bf16 f32 f32");
    // Twice 2^127, then -2^127.
    const [large, rest] = [eighth(0x7e80, 0x7e80), eighth(0x4000, 0x4000)];
    expect(one("sm_80", single, [...large, 0xfe80], [...rest, 0x4000], 0)).toBe("0x7f800000");
    // 1.5 * 2^-149, which to nearest would be even.
    expect(one("sm_80", single, [0x1ac0], [0x1a00], 0)).toBe("0x1");
    expect(one("sm_80", single, [0x9ac0], [0x1a00], 0)).toBe("0x80000001");
  });

  it("has C added last where products are summed in halves: it does not align them", () => {
    const fp8 = spec("mma", 32, "e5m2 e5m2 f32 f32");
    // 1 is half a unit of C, which is 2^24, and 2^-10 is more.
    expect(one("sm_90", fp8, [0x3c, 0x3c], [0x3c, 0x14], 0x4b80_0000)).toBe("0x4b800001");
    expect(one("sm_90", fp8, [0x3c], [0x3c], 0x4b80_0000)).toBe("0x4b800000");
    // -2^-32 is -0 in f16, and so is C.
    expect(one("sm_90", spec("mma", 32, "e5m2 e5m2 f16 f16"), [0x81], [0x01], 0x8000)).toBe("0x0");
  });

  it("has no more groups than K has, and elements of its own row alone", () => {
    const eight = { ...spec("mma", 8, "f16 f16 f32 f32"), m: 2, n: 1 };
    const [a, b, d] = [new Uint32Array(16).fill(0x3c00), new Uint32Array(8).fill(0x3c00), new Uint32Array(2)];
    tileOf("sm_90", eight)(a, b, Uint32Array.of(0, 0), d);
    expect([...d]).toEqual([0x4100_0000, 0x4100_0000]);
  });

  it("has that least exponent with block scale, too", () => {
    const blocks = spec("mma", 64, "e2m1 e2m1 f32 f32", scaled("mxf4", "ue8m0", 32));
    // C is 2^-149; -1/4 at 2^-162 lies more than 35 bits below 2^-126, and would else make a 0 of it.
    expect(one("sm_120a", blocks, [0x9], [0x1], 1)).toBe("0x1");
  });
});

it("a scale that is no number makes D none, on either side and in its block alone", () => {
  for (const [target, types, k, more, nan] of [
    ["sm_120a", "e5m2 e5m2 f32 f32", 64, scaled("mxf8f6f4", "ue8m0", 32), 0xff],
    ["sm_120a", "e2m1 e2m1 f32 f32", 64, scaled("mxf4", "ue8m0", 32), 0xff],
    ["sm_120a", "e2m1 e2m1 f32 f32", 64, scaled("mxf4", "ue4m3", 16), 0x7f],
  ] as const) {
    const one = { ...spec("mma", k, types, more), m: 2, n: 2 };
    const blocks = k / more.scale!.block;
    const zeros = new Uint32Array(2 * k);
    const isNan = (scaleA: Uint32Array, scaleB: Uint32Array): boolean[] => {
      const d = new Uint32Array(4);
      tileOf(target, one)(zeros, zeros, new Uint32Array(4), d, scaleA, scaleB);
      return [...d].map((bits) => bits === 0x7fff_ffff);
    };
    const plain = (): Uint32Array => new Uint32Array(2 * blocks).fill(0x30);
    const last = plain().fill(nan, 2 * blocks - 1);
    expect(isNan(plain(), plain())).toEqual([false, false, false, false]);
    expect(isNan(last, plain())).toEqual([false, false, true, true]);
    expect(isNan(plain(), last)).toEqual([false, true, false, true]);
  }
});

it("elements have as many bits as their types say, scales a byte, and an empty sum is +0", () => {
  const types = [
    "f16",
    "bf16",
    "tf32",
    "f32",
    "f64",
    "e4m3",
    "e5m2",
    "e3m2",
    "e2m3",
    "e2m1",
    "s8",
    "u4",
    "s32",
    "b1",
    "ue8m0",
    "ue4m3",
  ] as const;
  expect(types.map(elementBits)).toEqual([16, 16, 32, 32, 64, 8, 8, 6, 6, 4, 8, 4, 32, 1, 8, 8]);
  const row = { a: Array(8).fill(0x8000n), b: Array(8).fill(0n), c: 0x8000_0000n };
  const { bits, groups } = tensorWork("sm_75", spec("mma", 8, "f16 f16 f32 f32"), row);
  expect([bits, groups[0]?.sum.neg, groups[0]?.top]).toEqual([0n, false, undefined]);
});
