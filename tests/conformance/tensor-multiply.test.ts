import { describe, expect, test } from "vitest";
import { share } from "../share.ts";
import { type ElementName, elements, pick } from "./tensor-memory/elements.ts";
import { COLUMNS, Lanes, runOne } from "./tensor-memory/one-multiply.ts";
import { type Layout, place } from "./tensor-memory/shared-layout.ts";

/**
 * One tcgen05.mma at a time, on whole numbers, whose sums are exact: kinds, types, layouts in shared and tensor memory, scales, metadata and
 * masks, each placed by a second formulation of the layouts.
 */
const depths = { f16: 16, tf32: 8, f8f6f4: 32, i8: 32, ti16: 16, mxf8f6f4: 32, mxf4: 64, mxf4nvf4: 64 } as const;
type Kind = keyof typeof depths;

interface Case {
  readonly kind: Kind;
  readonly a: ElementName;
  readonly b: ElementName;
  readonly m?: 32 | 64 | 128;
  readonly n?: number;
  readonly layoutA?: Layout | "tensor memory";
  readonly layoutB?: Layout;
  readonly ws?: true;
  readonly sparse?: true;
  readonly negate?: true;
  readonly half?: true;
  /** Lane of D where only half of the lanes are used. */
  readonly lane?: 0 | 16;
  readonly accumulate?: true;
  /** Bits of `disable-output-lane`. */
  readonly mask?: readonly number[];
  readonly scale?: { readonly words: string; readonly count: number; readonly id?: number; readonly ue5m3?: true };
  readonly words?: string;
}

const plain: Layout = { major: "K", swizzle: "none" };

/** Where row and column of D lie (PTX ISA, Data Path Layout Organization), lane and column. */
function placeOfD({ m = 128, n = 16, ws, lane = 0 }: Case, row: number, column: number): readonly [number, number] {
  if (m === 128) return [row, column];
  if (m === 32) return [row + 32 * Math.floor(column / (n / 4)), column % (n / 4)];
  if (ws) return [row + 64 * Math.floor(column / (n / 2)), column % (n / 2)];
  return [lane + (row % 16) + 32 * Math.floor(row / 16), column];
}

/** All lanes that compute with a row. */
const lanesOf = (one: Case, row: number): readonly number[] => {
  const { n = 16 } = one;
  return [...new Set([0, n / 4, n / 2, (3 * n) / 4].map((column) => placeOfD(one, row, column)[0]))];
};

function check(one: Case): void {
  const {
    kind,
    a,
    b,
    m = 128,
    n = 16,
    layoutA = plain,
    layoutB = plain,
    ws,
    sparse,
    negate,
    half,
    accumulate,
    mask,
    scale,
    words = "",
  } = one;
  const four = kind === "mxf4" || kind === "mxf4nvf4";
  const integer = kind === "i8" || kind === "ti16";
  const k = depths[kind] * (sparse ? 2 : 1);
  const stored = sparse ? k / 2 : k;
  const per = (name: ElementName): number => (four ? 32 : elements[name].bits <= 8 ? 16 : 128 / elements[name].bits);
  const shared = new Uint8Array(32768);
  const before = new Lanes();
  const valueA = (row: number, at: number): readonly [number, number] => pick(a, row * stored + at, 1);
  const valueB = (column: number, at: number): readonly [number, number] => pick(b, column * k + at, 2);
  // B first: A has up to 16 KiB.
  const descriptorB = place(
    shared,
    0,
    layoutB,
    { rows: n, k, bits: elements[b].bits, per: per(b) },
    (column, at) => valueB(column, at)[0],
  );
  let descriptorA = 0n;
  if (layoutA === "tensor memory") {
    const container = four ? 4 : Math.max(8, elements[a].bits);
    const shift = elements[a].bits === 4 && !four ? 2 : 0;
    for (let row = 0; row < m; row++)
      for (const lane of lanesOf(one, row))
        for (let at = 0; at < stored; at++)
          before.put(lane, 64 * 32 + at * container, container, valueA(row, at)[0] << shift);
  } else
    descriptorA = place(
      shared,
      16384,
      layoutA,
      { rows: m, k: stored, bits: elements[a].bits, per: per(a) },
      (row, at) => valueA(row, at)[0],
    );
  // Which of K the stored elements are: pairs of four, one of two, two pairs of four pairs.
  const pairs = [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ] as const;
  const chosen = (row: number, at: number): number => {
    const group = kind === "tf32" ? 1 : four ? 4 : 2;
    const chunk = Math.floor(at / group);
    if (kind === "tf32") return 2 * chunk + ((row + chunk) % 2);
    const pair = pairs[(row * 5 + chunk) % 6]!;
    const within = at % group;
    return four ? 8 * chunk + 2 * pair[Math.floor(within / 2)]! + (within % 2) : 4 * chunk + pair[within]!;
  };
  if (sparse)
    for (let row = 0; row < m; row++)
      for (const lane of lanesOf(one, row)) {
        const chunks = kind === "tf32" ? k / 2 : four ? k / 8 : k / 4;
        for (let chunk = 0; chunk < chunks; chunk++) {
          const pair = pairs[(row * 5 + chunk) % 6]!;
          const bits = kind === "tf32" ? ((row + chunk) % 2 === 0 ? 0b0100 : 0b1110) : pair[0] | (pair[1] << 2);
          if (kind === "f16" || kind === "tf32" || kind === "ti16") {
            // Rows i and i + 8 of 16 lanes: both halves of K are in the lanes i and i + 8, one row in the low and one in the high half.
            const first = lane - (lane % 16);
            const holder = first + (lane % 8) + (chunk < 4 ? 0 : 8);
            before.put(holder, 80 * 32 + (lane % 16 < 8 ? 0 : 16) + 4 * (chunk % 4), 4, bits);
          } else before.put(lane, 80 * 32 + 4 * chunk, 4, bits);
        }
      }
  const exponent = (at: number, i: number, seed: number): number => (at * 3 + i * 5 + seed) % 4;
  const type = scale?.ue5m3 ? 2 : kind === "mxf4nvf4" && scale?.count === 4 ? 0 : 1;
  const code = (e: number): number => [(7 + e) << 3, 127 + e, (15 + e) << 3][type]!;
  if (scale)
    for (let part = 0; part < 4; part++)
      for (const [count, column, seed] of [
        [m, 96, 1],
        [n, 104, 2],
      ] as const)
        for (let at = 0; at < count; at++)
          for (let i = 0; i < scale.count; i++)
            before.put(
              32 * part + (at % 32),
              (column + Math.floor(at / 32)) * 32 + 8 * ((scale.id ?? 0) + i),
              8,
              code(exponent(at, i, seed)),
            );
  const initial = (row: number, column: number): number => (accumulate ? ((row * 7 + column) % 32) - 16 : 0);
  if (accumulate)
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        const [lane, at] = placeOfD(one, row, column);
        before.put(lane, 32 * at, 32, integer ? initial(row, column) >>> 0 : single(initial(row, column)));
      }
  const types = ((four ? 1 : elements[a].id) << 7) | ((four ? 1 : elements[b].id) << 10);
  const turned =
    (layoutA !== "tensor memory" && layoutA.major === "MN" ? 1 << 15 : 0) | (layoutB.major === "MN" ? 1 << 16 : 0);
  const common = (sparse ? 4 : 0) | types | turned | (negate ? 3 << 13 : 0) | ((n >> 3) << 17);
  const id = scale?.id ?? 0;
  const idesc = kind.startsWith("mx")
    ? common | ((m >> 7) << 27) | (id << 4) | (id << 29) | (type << 23)
    : common | ((m >> 4) << 24) | (integer ? 2 << 4 : half ? 0 : 1 << 4);
  const address = one.lane === 16 ? "add.u32 %r11, %t, 0x100000;" : "mov.b32 %r11, %t;";
  const list = [
    "[%r11]",
    layoutA === "tensor memory" ? "[%r12]" : "%da",
    "%db",
    ...(sparse ? ["[%r13]"] : []),
    "%i",
    ...(scale ? ["[%r14]", "[%r15]"] : []),
    ...(mask ? ["{%r16, %r17, %r18, %r19}"] : []),
    accumulate ? "1" : "0",
  ];
  const masks = (mask ?? []).map((word, at) => `mov.b32 %r${16 + at}, ${word};`).join(" ");
  const lane = one.lane === 16 ? 0x100000 : 0;
  const line = `${address} add.u32 %r12, %t, ${64 + lane}; add.u32 %r13, %t, ${80 + lane}; add.u32 %r14, %t, 96; add.u32 %r15, %t, 104; ${masks}
  tcgen05.mma${ws ? ".ws" : ""}${sparse ? ".sp" : ""}.cta_group::1.kind::${kind}${scale ? `.block_scale${scale.words}` : ""}${words} ${list.join(", ")};`;
  const target = kind === "ti16" || scale?.ue5m3 || words.includes("::b::") ? "sm_107a" : "sm_100a";
  const left = runOne({ line, idesc, a: descriptorA, b: descriptorB, shared, before: before.lanes, target });
  const wrong: string[] = [];
  for (let row = 0; row < m; row++)
    for (let column = 0; column < n; column++) {
      let sum = initial(row, column);
      for (let at = 0; at < stored; at++) {
        const from = sparse ? chosen(row, at) : at;
        const factor = scale
          ? 2 **
            (exponent(row, Math.floor(at / (stored / scale.count)), 1) +
              exponent(column, Math.floor(at / (stored / scale.count)), 2))
          : 1;
        sum += valueA(row, at)[1] * valueB(column, from)[1] * factor;
      }
      const [in_, at] = placeOfD(one, row, column);
      if (mask && (mask[in_ >> 5]! >>> (in_ % 32)) & 1) sum = initial(row, column);
      const got = left[in_ * COLUMNS + at]!;
      const wanted = integer ? sum >>> 0 : half ? halfBits(sum) : single(sum);
      if (got !== wanted && !(sum === 0 && got === 0))
        wrong.push(`D[${row}][${column}] is 0x${got.toString(16)}, not 0x${wanted.toString(16)}`);
    }
  expect(wrong.slice(0, 5)).toEqual([]);
}

const floats = new Float32Array(1);
const bitsOfFloats = new Uint32Array(floats.buffer);
function single(value: number): number {
  floats[0] = value;
  return bitsOfFloats[0]!;
}
/** f16 of a whole number below 2048. */
function halfBits(value: number): number {
  if (value === 0) return 0;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

const K = (swizzle: Layout["swizzle"]): Layout => ({ major: "K", swizzle });
const MN = (swizzle: Layout["swizzle"]): Layout => ({ major: "MN", swizzle });
const inTensor = "tensor memory" as const;
const cases: readonly (readonly [string, Case])[] = [
  ["f16, both K-major without swizzling", { kind: "f16", a: "f16", b: "f16" }],
  ["bf16 with 32 bytes", { kind: "f16", a: "bf16", b: "bf16", layoutA: K("32"), layoutB: K("32") }],
  ["f16 with 64 bytes", { kind: "f16", a: "f16", b: "f16", layoutA: K("64"), layoutB: K("64") }],
  [
    "f16 with 128 bytes, negated",
    { kind: "f16", a: "f16", b: "bf16", layoutA: K("128"), layoutB: K("128"), negate: true },
  ],
  [
    "f16 MN-major without swizzling",
    { kind: "f16", a: "f16", b: "f16", n: 64, layoutA: MN("none"), layoutB: MN("none") },
  ],
  ["f16 MN-major with 32 bytes", { kind: "f16", a: "f16", b: "f16", n: 32, layoutA: MN("32"), layoutB: MN("32") }],
  ["f16 MN-major with 64 bytes", { kind: "f16", a: "f16", b: "f16", n: 64, layoutA: MN("64"), layoutB: MN("64") }],
  ["f16 MN-major with 128 bytes", { kind: "f16", a: "f16", b: "f16", n: 64, layoutA: MN("128"), layoutB: MN("128") }],
  ["tf32 K-major with 128 bytes", { kind: "tf32", a: "tf32", b: "tf32", layoutA: K("128"), layoutB: K("32") }],
  ["tf32 MN-major", { kind: "tf32", a: "tf32", b: "tf32", n: 32, layoutA: MN("128 by 32"), layoutB: MN("128 by 32") }],
  ["e4m3 by e5m2", { kind: "f8f6f4", a: "e4m3", b: "e5m2", layoutA: K("32") }],
  ["e2m1 by e3m2", { kind: "f8f6f4", a: "e2m1", b: "e3m2", layoutB: K("128") }],
  ["e2m3 in tensor memory by e4m3", { kind: "f8f6f4", a: "e2m3", b: "e4m3", layoutA: inTensor }],
  ["e2m1 in tensor memory", { kind: "f8f6f4", a: "e2m1", b: "e2m1", layoutA: inTensor }],
  ["e4m3 MN-major", { kind: "f8f6f4", a: "e4m3", b: "e4m3", n: 32, layoutA: MN("128"), layoutB: MN("32") }],
  ["a D of f16", { kind: "f16", a: "f16", b: "f16", half: true }],
  ["s8 by u8, accumulated", { kind: "i8", a: "s8", b: "u8", n: 24, accumulate: true }],
  [
    "f16 accumulated, some lanes kept",
    { kind: "f16", a: "f16", b: "f16", accumulate: true, mask: [0x8000_0001, 0, -1 >>> 0, 0xf0] },
  ],
  ["M = 64", { kind: "f16", a: "f16", b: "f16", m: 64 }],
  [
    "M = 64 from lane 16, with A in tensor memory",
    { kind: "f16", a: "f16", b: "f16", m: 64, lane: 16, layoutA: inTensor },
  ],
  [".ws, M = 64", { kind: "f16", a: "f16", b: "f16", m: 64, n: 64, ws: true }],
  [
    ".ws, M = 32, with A in tensor memory",
    { kind: "f16", a: "bf16", b: "bf16", m: 32, n: 64, ws: true, layoutA: inTensor },
  ],
  ["sparse f16", { kind: "f16", a: "f16", b: "f16", sparse: true }],
  ["sparse f16, M = 64", { kind: "f16", a: "f16", b: "f16", sparse: true, m: 64 }],
  ["sparse f16, .ws, M = 32", { kind: "f16", a: "f16", b: "f16", sparse: true, m: 32, n: 64, ws: true }],
  ["sparse tf32 with A in tensor memory", { kind: "tf32", a: "tf32", b: "tf32", sparse: true, layoutA: inTensor }],
  ["sparse s8", { kind: "i8", a: "s8", b: "s8", sparse: true }],
  [
    "ti16, accumulated and negated",
    { kind: "ti16", a: "s1z4m11", b: "s1z4m11", layoutA: K("64"), accumulate: true, negate: true },
  ],
  ["ti16, M = 64", { kind: "ti16", a: "s1z4m11", b: "s1z4m11", m: 64, n: 8, words: ".collector::b::fill" }],
  ["ti16 MN-major", { kind: "ti16", a: "s1z4m11", b: "s1z4m11", n: 64, layoutA: MN("128"), layoutB: MN("64") }],
  ["ti16, .ws, M = 32", { kind: "ti16", a: "s1z4m11", b: "s1z4m11", m: 32, n: 64, ws: true, layoutA: inTensor }],
  ["sparse ti16", { kind: "ti16", a: "s1z4m11", b: "s1z4m11", sparse: true }],
  ["f16 with collectors", { kind: "f16", a: "f16", b: "f16", words: ".collector::a::use.collector::b::lastuse" }],
  [
    "mxf4nvf4 with ue5m3",
    { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", scale: { words: ".block16", count: 4, ue5m3: true } },
  ],
  [
    "mxf4nvf4 with ue5m3, 32 to a scale",
    { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", scale: { words: ".block32", count: 2, id: 2, ue5m3: true } },
  ],
  ["mxf8f6f4", { kind: "mxf8f6f4", a: "e4m3", b: "e2m1", scale: { words: "", count: 1 } }],
  [
    "mxf8f6f4, scale factors 2",
    { kind: "mxf8f6f4", a: "e5m2", b: "e4m3", scale: { words: ".scale_vec::1X", count: 1, id: 2 } },
  ],
  ["mxf4", { kind: "mxf4", a: "e2m1", b: "e2m1", scale: { words: ".block32", count: 2, id: 2 } }],
  ["mxf4nvf4, 16 to a scale", { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", scale: { words: ".block16", count: 4 } }],
  [
    "mxf4 with A in tensor memory",
    { kind: "mxf4", a: "e2m1", b: "e2m1", layoutA: inTensor, scale: { words: ".scale_vec::2X", count: 2 } },
  ],
  ["sparse mxf8f6f4", { kind: "mxf8f6f4", a: "e4m3", b: "e4m3", sparse: true, scale: { words: "", count: 1 } }],
  [
    "sparse mxf4nvf4",
    { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", sparse: true, scale: { words: ".scale_vec::4X", count: 4 } },
  ],
];

describe("one tcgen05.mma", () => {
  test.each(share(cases, 7))("%s", (_, one) => check(one));
});
