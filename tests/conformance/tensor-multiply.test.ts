import { describe, expect, test } from "vitest";
import { sample } from "../share.ts";
import { type ElementName, elements, pick } from "./tensor-memory/elements.ts";
import { COLUMNS, Lanes, runOne } from "./tensor-memory/one-multiply.ts";
import { type Layout, place } from "./tensor-memory/shared-layout.ts";

/**
 * One tcgen05.mma at a time, on whole numbers, whose sums are exact: kinds, types, layouts in shared and tensor memory, scales, metadata and
 * masks, each placed by a second formulation of the layouts.
 */
const firstDepths = { f16: 16, tf32: 8, f8f6f4: 32, i8: 32, ti16: 16, mxf8f6f4: 32, mxf4: 64, mxf4nvf4: 64 } as const;
type Kind = keyof typeof firstDepths;
/** K Dimension 1 and 2 of the instruction descriptor, and the bits that say so. */
const laterDepths: Partial<Record<Kind, readonly (readonly [k: number, bits: number])[]>> = {
  f8f6f4: [[64, 1 << 29]],
  mxf8f6f4: [[64, 1 << 31]],
  mxf4: [[96, 1 << 31], [128, 1 << 3]],
  mxf4nvf4: [[96, 1 << 31], [128, 1 << 3]],
}; // biome-ignore format: one kind a line

interface Case {
  readonly kind: Kind;
  readonly a: ElementName;
  readonly b: ElementName;
  readonly m?: 32 | 64 | 128 | 256;
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
  readonly scale?: {
    readonly words: string;
    readonly count: number;
    readonly id?: number;
    readonly ue5m3?: true;
    readonly lanes?: 128;
  };
  /** The number of K, of sm_107. */
  readonly depth?: 1 | 2;
  readonly words?: string;
}

const plain: Layout = { major: "K", swizzle: "none" };

/** Where row and column of D lie (PTX ISA, Data Path Layout Organization), lane and column. */
function placeOfD({ m = 128, n = 16, ws, lane = 0 }: Case, row: number, column: number): readonly [number, number] {
  // Of two blocks the second has the lanes from 128 on.
  if (m >= 128) return [row, column];
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
    depth = 0,
    words = "",
  } = one;
  const four = kind === "mxf4" || kind === "mxf4nvf4";
  const integer = kind === "i8" || kind === "ti16";
  const blocks = m === 256 ? 2 : 1;
  const [first, depthBits] = depth === 0 ? [firstDepths[kind], 0] : laterDepths[kind]![depth - 1]!;
  const k = first * (sparse ? 2 : 1);
  const stored = sparse ? k / 2 : k;
  const per = (name: ElementName): number | "packed" =>
    depth > 0 || four ? "packed" : elements[name].bits <= 8 ? 16 : 128 / elements[name].bits;
  const shared = new Uint8Array(32768 * blocks);
  const before = new Lanes();
  const valueA = (row: number, at: number): readonly [number, number] => pick(a, row * stored + at, 1);
  const valueB = (column: number, at: number): readonly [number, number] => pick(b, column * k + at, 2);
  // B first: A has up to 16 KiB. Each of two blocks has half of the columns of B and of the rows of A.
  const [rowsOfA, columnsOfB] = [m / blocks, n / blocks];
  const placeAll = (
    start: number,
    layout: Layout,
    rows: number,
    name: ElementName,
    k: number,
    code: (row: number, at: number) => number,
  ): bigint =>
    Array.from({ length: blocks }, (_, block) =>
      place(
        shared.subarray(32768 * block, 32768 * (block + 1)),
        start,
        layout,
        { rows, k, bits: elements[name].bits, per: per(name) },
        (row, at) => code(block * rows + row, at),
      ),
    )[0]!;
  const descriptorB = placeAll(0, layoutB, columnsOfB, b, k, (column, at) => valueB(column, at)[0]);
  let descriptorA = 0n;
  if (layoutA === "tensor memory") {
    const container = four || depth > 0 ? elements[a].bits : Math.max(8, elements[a].bits);
    const shift = elements[a].bits === 4 && container === 8 ? 2 : 0;
    for (let row = 0; row < m; row++)
      for (const lane of lanesOf(one, row))
        for (let at = 0; at < stored; at++)
          before.put(lane, 64 * 32 + at * container, container, valueA(row, at)[0] << shift);
  } else descriptorA = placeAll(16384, layoutA, rowsOfA, a, stored, (row, at) => valueA(row, at)[0]);
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
  const type = scale?.ue5m3 ? 2 : kind === "mxf4nvf4" && scale!.count >= 4 ? 0 : 1;
  const code = (e: number): number => [(7 + e) << 3, 127 + e, (15 + e) << 3][type]!;
  if (scale)
    for (let block = 0; block < blocks; block++)
      for (let part = 0; part < 4; part++)
        for (const [count, column, seed] of [
          [rowsOfA, 96, 1],
          [n, 104, 2],
        ] as const)
          for (let at = 0; at < count; at++)
            for (let i = 0; i < scale.count; i++) {
              const byte = (scale.id ?? 0) + i;
              // With 128 lanes each lane has what is of its row of A.
              const own = scale.lanes === 128 && seed === 1;
              if (own && at >> 5 !== part) continue;
              const word = column + (own ? byte >> 2 : (at >> 5) + 4 * (byte >> 2));
              const value = code(exponent(seed === 1 ? block * rowsOfA + at : at, i, seed));
              before.put(128 * block + 32 * part + (at & 31), 32 * word + 8 * (byte & 3), 8, value);
            }
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
  const target =
    kind === "ti16" || scale?.ue5m3 || scale?.lanes || depth > 0 || words.includes("::b::") ? "sm_107a" : "sm_100a";
  // On sm_107 the metadata of 4-bit kinds has version 1.
  const version = sparse && four && target === "sm_107a" ? 1 << 12 : 0;
  const layout = scale?.lanes === 128 ? 1 << 26 : 0;
  const idesc = kind.startsWith("mx")
    ? common | ((m >> 7) << 27) | (id << 4) | (id << 29) | (type << 23) | version | layout
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
  tcgen05.mma${ws ? ".ws" : ""}${sparse ? ".sp" : ""}.cta_group::${blocks}.kind::${kind}${scale ? `.block_scale${scale.words}` : ""}${words} ${list.join(", ")};`;
  const left = runOne({
    line,
    idesc: (idesc | depthBits) >>> 0,
    ...(blocks === 2 && { pair: true }),
    a: descriptorA,
    b: descriptorB,
    shared,
    before: before.lanes,
    target,
  });
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
  ["K = 64 of e4m3", { kind: "f8f6f4", a: "e4m3", b: "e5m2", depth: 1, layoutA: K("64"), layoutB: MN("128"), n: 128 }],
  [
    "K = 64 with .ws, M = 32",
    { kind: "f8f6f4", a: "e5m2", b: "e4m3", depth: 1, m: 32, n: 64, ws: true, layoutA: inTensor },
  ],
  ["K = 64 of two blocks", { kind: "f8f6f4", a: "e4m3", b: "e4m3", depth: 1, m: 256 }],
  ["sparse K = 128, M = 64", { kind: "f8f6f4", a: "e4m3", b: "e4m3", depth: 1, m: 64, sparse: true }],
  [
    "mxf8f6f4, K = 64 of 6 bits in 48 bytes, factors in 128 lanes",
    {
      kind: "mxf8f6f4",
      a: "e2m3",
      b: "e3m2",
      depth: 1,
      layoutB: K("128"),
      scale: { words: ".block32", count: 1, id: 3, lanes: 128 },
    },
  ],
  [
    "mxf8f6f4, K = 64 of 6 bits in tensor memory",
    { kind: "mxf8f6f4", a: "e3m2", b: "e2m1", depth: 1, layoutA: inTensor, scale: { words: "", count: 1 } },
  ],
  [
    "sparse mxf8f6f4, K = 128",
    { kind: "mxf8f6f4", a: "e5m2", b: "e4m3", depth: 1, sparse: true, scale: { words: "", count: 1 } },
  ],
  [
    "mxf4, K = 96, factors in 128 lanes",
    { kind: "mxf4", a: "e2m1", b: "e2m1", depth: 1, scale: { words: ".block32", count: 3, id: 2, lanes: 128 } },
  ],
  [
    "sparse mxf4nvf4, K = 192",
    { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", depth: 1, sparse: true, scale: { words: ".block16", count: 6 } },
  ],
  ["mxf4, K = 128", { kind: "mxf4", a: "e2m1", b: "e2m1", depth: 2, m: 256, scale: { words: ".block32", count: 4 } }],
  [
    "mxf4nvf4, K = 128",
    { kind: "mxf4nvf4", a: "e2m1", b: "e2m1", depth: 2, m: 256, scale: { words: ".block16", count: 8, ue5m3: true } },
  ],
];

describe("one tcgen05.mma", () => {
  test.each(sample(cases, 14))("%s", (_, one) => check(one));
});

/** Instruction descriptors that other kinds, targets or numbers of blocks have, and what is said of each. */
const refused: readonly (readonly [target: string, kind: string, idesc: number, says: RegExp])[] = [
  ["sm_100a", "f8f6f4", 0x2802_0010, /K is 64, which is for sm_107,/],
  ["sm_107f", "f8f6f4", 0x2402_0010, /M is 64, and .* it is 128,/],
  ["sm_107f", "f8f6f4", 0x2802_0190, /K is 64, with which A and B are E4M3 or E5M2/],
  ["sm_107f", "f8f6f4.sp", 0x0802_0015, /sparsity selector \(bits 0 to 1\) is 1, and with .kind::f8f6f4 it is 0/],
  ["sm_107f", "mxf8f6f4", 0x8884_8180, /K is 64, with which elements of 4 and 6 bits are not transposed/],
  ["sm_103a", "mxf8f6f4", 0x0c82_0000, /scale factor A layout \(bit 26\) is 1, which only sm_107 has/],
  ["sm_107f", "mxf4", 0x8882_0480, /K is 96, which is for sm_103a and sm_107a,/],
  ["sm_103a", "mxf4.sp", 0x8882_0484, /K is 192, which is for sm_107,/],
  ["sm_107f", "mxf4", 0x0882_0488, /K is 128, which is for .cta_group::2/],
  ["sm_107f", "mxf4", 0x8882_0488, /K dimension is 3, and with .kind::mxf4 it is less/],
  ["sm_107a", "mxf4.sp", 0x0882_148c, /K dimension is 2, and with .kind::mxf4 and a sparse A it is less/],
  ["sm_103a", "mxf4nvf4", 0x0802_0480, /scale type is UE4M3, which only sm_107 has for 32 elements/],
  ["sm_107a", "mxf4", 0x2882_0480, /scale factor A ID is 1, and of 2 factors it is 0 or 2/],
  ["sm_100a", "mxf4.sp", 0x0882_1484, /sparsity version \(bit 12\) is 1, and on sm_100a it is 0/],
  ["sm_107a", "mxf4.sp", 0x0882_0484, /sparsity version \(bit 12\) is 0, and on sm_107a it is 1/],
]; // biome-ignore format: one a line

test.each(refused)("%s has no .kind::%s with the instruction descriptor %i", (target, kind, idesc, says) => {
  const [name = "", sparse] = kind.split(".");
  const scaled = name.startsWith("mx");
  const line = `tcgen05.mma${sparse ? ".sp" : ""}.cta_group::1.kind::${name}${scaled ? ".block_scale.block32" : ""} [%t], %da, %db, ${sparse ? "[%t], " : ""}%i, ${scaled ? "[%t], [%t], " : ""}0;`;
  const none = 1n << 46n;
  const one = { line, idesc, a: none, b: none, shared: new Uint8Array(0), before: new Map(), target };
  expect(() => runOne(one)).toThrow(says);
});
