import { describe, expect, it } from "vitest";
import {
  type Fragment,
  type FragmentBits,
  holderOf,
  layoutLines,
  placeOf,
  positionsOf,
  registersOf,
} from "../../../src/interp/contract/matrix/fragment.ts";
import {
  accumulator,
  metadata,
  multiplicandA,
  multiplicandB,
  quadPairA,
  quadPairAccumulator,
  quadPairB,
  scaleA,
  scaleB,
  wmmaFragment,
} from "../../../src/interp/contract/matrix/fragment-layouts.ts";
import { agree } from "../../agree.ts";

/**
 * What the manual says of one fragment, formula by formula (PTX ISA, Matrix Fragments for mma): row and column of
 * element i of a lane.
 */
type Formula = (lane: number, i: number) => readonly [row: number, column: number];

const g = (lane: number): number => lane >> 2;
const t = (lane: number): number => lane % 4;

const formulas: readonly (readonly [string, Fragment, Formula])[] = [
  ["m8n8k4 .f16 A row", quadPairA.row, (l, i) => [l < 16 ? l % 4 : (l % 4) + 4, i]],
  ["m8n8k4 .f16 A col", quadPairA.col, (l, i) => [l < 16 ? i % 4 : (i % 4) + 4, l % 4]],
  ["m8n8k4 .f16 B row", quadPairB.row, (l, i) => [l % 4, l < 16 ? i : i + 4]],
  ["m8n8k4 .f16 B col", quadPairB.col, (l, i) => [i, l < 16 ? l % 4 : (l % 4) + 4]],
  ["m8n8k4 .f16 C", quadPairAccumulator("c", 16), (l, i) => [l < 16 ? l % 4 : (l % 4) + 4, i]],
  [
    "m8n8k4 .f32 C",
    quadPairAccumulator("c", 32),
    (l, i) => {
      const x = (l & 0b1) + (i & 0b10);
      return [l < 16 ? x : x + 4, (i & 0b100) + (l & 0b10) + (i & 0b1)];
    },
  ],
  ["m8n8k4 .f64 A", multiplicandA(8, 4, 64), (l) => [l >> 2, l % 4]],
  ["m8n8k4 .f64 B", multiplicandB(4, 8, 64), (l) => [l % 4, l >> 2]],
  ["m8n8k4 .f64 C", accumulator("c", 8, 8, 64), (l, i) => [g(l), t(l) * 2 + (i & 1)]],
  ["m8n8k16 A", multiplicandA(8, 16, 8), (l, i) => [g(l), t(l) * 4 + i]],
  ["m8n8k16 B", multiplicandB(16, 8, 8), (l, i) => [t(l) * 4 + i, g(l)]],
  ["m8n8k32 A", multiplicandA(8, 32, 4), (l, i) => [g(l), t(l) * 8 + i]],
  ["m8n8k32 B", multiplicandB(32, 8, 4), (l, i) => [t(l) * 8 + i, g(l)]],
  ["m8n8k128 A", multiplicandA(8, 128, 1), (l, i) => [g(l), t(l) * 32 + i]],
  ["m8n8k128 B", multiplicandB(128, 8, 1), (l, i) => [t(l) * 32 + i, g(l)]],
  ["m16n8k4 .tf32 A", multiplicandA(16, 4, 32), (l, i) => [i === 0 ? g(l) : g(l) + 8, t(l)]],
  ["m16n8k4 .f64 A", multiplicandA(16, 4, 64), (l, i) => [i === 0 ? g(l) : g(l) + 8, t(l)]],
  ["m16n8k4 .tf32 B", multiplicandB(4, 8, 32), (l) => [t(l), g(l)]],
  ["m16n8 C", accumulator("c", 16, 8, 32), (l, i) => [i < 2 ? g(l) : g(l) + 8, t(l) * 2 + (i & 1)]],
  ["m16n8k8 .f16 A", multiplicandA(16, 8, 16), (l, i) => [i < 2 ? g(l) : g(l) + 8, t(l) * 2 + (i & 1)]],
  [
    "m16n8k8 .tf32 A",
    multiplicandA(16, 8, 32),
    (l, i) => [i === 0 || i === 2 ? g(l) : g(l) + 8, i < 2 ? t(l) : t(l) + 4],
  ],
  [
    "m16n8k8 .f64 A",
    multiplicandA(16, 8, 64),
    (l, i) => [i === 0 || i === 2 ? g(l) : g(l) + 8, i < 2 ? t(l) : t(l) + 4],
  ],
  ["m16n8k8 .f16 B", multiplicandB(8, 8, 16), (l, i) => [t(l) * 2 + i, g(l)]],
  ["m16n8k8 .tf32 B", multiplicandB(8, 8, 32), (l, i) => [i === 0 ? t(l) : t(l) + 4, g(l)]],
  [
    "m16n8k16 .f16 A",
    multiplicandA(16, 16, 16),
    (l, i) => [
      (0 <= i && i < 2) || (4 <= i && i < 6) ? g(l) : g(l) + 8,
      i < 4 ? t(l) * 2 + (i & 1) : t(l) * 2 + (i & 1) + 8,
    ],
  ],
  [
    "m16n8k16 .f64 A",
    multiplicandA(16, 16, 64),
    (l, i) => [i % 2 === 0 ? g(l) : g(l) + 8, i % 2 === 0 ? i * 2 + t(l) : i * 2 - 2 + t(l)],
  ],
  ["m16n8k16 .f16 B", multiplicandB(16, 8, 16), (l, i) => [i < 2 ? t(l) * 2 + (i & 1) : t(l) * 2 + (i & 1) + 8, g(l)]],
  ["m16n8k16 .f64 B", multiplicandB(16, 8, 64), (l, i) => [t(l) + i * 4, g(l)]],
  ["m16n8k16 .s8 A", multiplicandA(16, 16, 8), (l, i) => [i < 4 ? g(l) : g(l) + 8, t(l) * 4 + (i & 3)]],
  ["m16n8k16 .s8 B", multiplicandB(16, 8, 8), (l, i) => [t(l) * 4 + i, g(l)]],
  ["m16n8k32 .s4 A", multiplicandA(16, 32, 4), (l, i) => [i < 8 ? g(l) : g(l) + 8, t(l) * 8 + (i & 7)]],
  ["m16n8k32 .s4 B", multiplicandB(32, 8, 4), (l, i) => [t(l) * 8 + (i & 7), g(l)]],
  [
    "m16n8k32 .s8 A",
    multiplicandA(16, 32, 8),
    (l, i) => [
      (0 <= i && i < 4) || (8 <= i && i < 12) ? g(l) : g(l) + 8,
      i < 8 ? t(l) * 4 + (i & 3) : t(l) * 4 + (i & 3) + 16,
    ],
  ],
  ["m16n8k32 .s8 B", multiplicandB(32, 8, 8), (l, i) => [t(l) * 4 + (i & 3) + (i < 4 ? 0 : 16), g(l)]],
  [
    "m16n8k64 .s4 A",
    multiplicandA(16, 64, 4),
    (l, i) => [
      (0 <= i && i < 8) || (16 <= i && i < 24) ? g(l) : g(l) + 8,
      i < 16 ? t(l) * 8 + (i & 7) : t(l) * 8 + (i & 7) + 32,
    ],
  ],
  ["m16n8k64 .s4 B", multiplicandB(64, 8, 4), (l, i) => [t(l) * 8 + (i & 7) + (i < 8 ? 0 : 32), g(l)]],
  ["m16n8k128 .b1 A", multiplicandA(16, 128, 1), (l, i) => [i < 32 ? g(l) : g(l) + 8, t(l) * 32 + (i & 0x1f)]],
  ["m16n8k128 .b1 B", multiplicandB(128, 8, 1), (l, i) => [t(l) * 32 + i, g(l)]],
  [
    "m16n8k256 .b1 A",
    multiplicandA(16, 256, 1),
    (l, i) => [i < 32 || (64 <= i && i < 96) ? g(l) : g(l) + 8, t(l) * 32 + (i & 0x1f) + (i < 64 ? 0 : 128)],
  ],
  ["m16n8k256 .b1 B", multiplicandB(256, 8, 1), (l, i) => [t(l) * 32 + (i & 0x1f) + (i < 32 ? 0 : 128), g(l)]],
];

describe("the layouts of mma", () => {
  it.each(formulas)("%s is the manual's", (_, fragment, formula) => {
    for (let lane = 0; lane < 32; lane++)
      for (let i = 0; i < fragment.count; i++) {
        const { row, column, matrix } = placeOf(fragment, lane, i);
        agree([row, column], formula(lane, i), `lane ${lane}, element ${i}`);
        agree(matrix, fragment.matrices === undefined ? 0 : Math.floor((lane % 16) / 4));
      }
  });

  it.each(formulas)("%s holds each element once", (_, fragment) => {
    const size = fragment.rows * fragment.columns * (fragment.matrices?.count ?? 1);
    expect([...positionsOf(fragment)].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, at) => at));
    expect(holderOf(fragment, 3, 2)).toBeDefined();
  });

  it("says how many registers a thread gives", () => {
    expect(registersOf(multiplicandA(16, 16, 16))).toBe(4);
    expect(registersOf(multiplicandB(16, 8, 16))).toBe(2);
    expect(registersOf(multiplicandA(16, 16, 64))).toBe(8);
    expect(registersOf(accumulator("d", 16, 8, 16))).toBe(2);
    expect(registersOf(multiplicandA(16, 256, 1))).toBe(4);
  });

  it("prints a layout in the manual's words", () => {
    expect(layoutLines(multiplicandA(16, 16, 16))).toEqual([
      "groupID = %laneid >> 2",
      "threadID_in_group = %laneid % 4",
      "row = groupID + ((i >> 1) & 0x1) * 8",
      "col = threadID_in_group * 2 + (i & 0x1) + ((i >> 2) & 0x1) * 8   for ai where i = {0,..,7}",
    ]);
  });
});

describe("the layouts of a sparse A", () => {
  /**
   * `firstcol` of Matrix Fragments for sparse mma, and how many elements of a chunk are stored, for the element that a
   * thread stores as i.
   */
  const first: readonly (readonly [string, FragmentBits, number, number, (t: number, i: number) => number])[] = [
    ["m16n8k16 .f16", 16, 16, 2, (t) => t * 4],
    ["m16n8k32 .f16", 16, 32, 2, (t, i) => t * 4 + (i < 4 ? 0 : 16)],
    ["m16n8k8 .tf32", 32, 8, 2, (t) => t * 2],
    ["m16n8k16 .tf32", 32, 16, 2, (t, i) => t * 2 + (i < 2 ? 0 : 8)],
    ["m16n8k32 .s8", 8, 32, 2, (t) => t * 8],
    ["m16n8k64 .s8", 8, 64, 2, (t, i) => t * 8 + (i < 8 ? 0 : 32)],
    ["m16n8k64 .s4", 4, 64, 2, (t) => t * 16],
    ["m16n8k128 .s4", 4, 128, 2, (t, i) => t * 16 + (i < 16 ? 0 : 64)],
  ];

  it.each(first)("%s stores each second of its columns, in order", (_, bits, k, half, firstColumn) => {
    const stored = multiplicandA(16, k / half, bits);
    const width = bits === 64 ? 1 : 32 / bits;
    for (let lane = 0; lane < 32; lane++)
      for (let i = 0; i < stored.count; i++) {
        const { column } = placeOf(stored, lane, i);
        const from = firstColumn(lane % 4, i);
        agree(Math.floor(column / width) * width * half, from);
        agree(column % width, i % width);
      }
  });

  it.each([
    ["m16n8k16 .f16", metadata(4, 16), 1],
    ["m16n8k32 .f16", metadata(8, 16), 2],
    ["m16n8k32 .s8", metadata(8, 8), 2],
    ["m16n8k64 .s8", metadata(16, 8), 4],
    ["m16n8k128 .s4", metadata(16, 4), 4],
  ] as const)("the metadata of %s holds each chunk once", (_, fragment, threads) => {
    expect(fragment.holders?.threads).toBe(threads);
    const held = [...positionsOf(fragment)].filter((at) => at >= 0).sort((a, b) => a - b);
    expect(held).toEqual(Array.from({ length: 16 * fragment.columns }, (_, at) => at));
  });

  it("has the metadata of the figures 119, 122, 129 and 136", () => {
    const at = (fragment: Fragment, lane: number, low: number) => {
      const { row, column } = placeOf(fragment, lane, low / 4);
      return [row, column];
    };
    // Bits [19..16] of the thread that the selector names: row 8, columns 0 to 3.
    expect(at(metadata(4, 16), 0, 16)).toEqual([8, 0]);
    expect(at(metadata(4, 16), 4, 12)).toEqual([1, 3]);
    // The second thread of a pair has the columns from 16 on.
    expect(at(metadata(8, 16), 1, 0)).toEqual([0, 4]);
    expect(at(metadata(8, 16), 1, 28)).toEqual([8, 7]);
    // With elements of 8 bits, it has row groupID + 8.
    expect(at(metadata(8, 8), 1, 0)).toEqual([8, 0]);
    expect(at(metadata(16, 8), 2, 4)).toEqual([0, 9]);
    expect(at(metadata(16, 8), 3, 28)).toEqual([8, 15]);
  });
});

describe("the layouts of scales", () => {
  it("takes those of A from a pair of threads, those of B from one", () => {
    for (const vector of [1, 2, 4] as const) {
      const a = [...positionsOf(scaleA(vector))].filter((at) => at >= 0).sort((x, y) => x - y);
      expect(a).toEqual(Array.from({ length: 16 * vector }, (_, at) => at));
      const b = [...positionsOf(scaleB(vector))].filter((at) => at >= 0).sort((x, y) => x - y);
      expect(b).toEqual(Array.from({ length: 8 * vector }, (_, at) => at));
    }
    expect(placeOf(scaleA(2), 5, 1)).toMatchObject({ row: 9, column: 1 });
    expect(placeOf(scaleB(4), 4, 3)).toMatchObject({ row: 3, column: 1 });
  });
});

describe("the layouts of wmma", () => {
  const shapes = [
    [{ m: 16, n: 16, k: 16 }, 16, true],
    [{ m: 8, n: 32, k: 16 }, 16, true],
    [{ m: 32, n: 8, k: 16 }, 16, true],
    [{ m: 16, n: 16, k: 16 }, 16, false],
    [{ m: 8, n: 32, k: 16 }, 16, false],
    [{ m: 32, n: 8, k: 16 }, 16, false],
    [{ m: 16, n: 16, k: 8 }, 32, false],
    [{ m: 8, n: 8, k: 4 }, 64, false],
    [{ m: 16, n: 16, k: 16 }, 8, false],
    [{ m: 8, n: 32, k: 16 }, 8, false],
    [{ m: 32, n: 8, k: 16 }, 8, false],
    [{ m: 8, n: 8, k: 32 }, 4, false],
    [{ m: 8, n: 8, k: 128 }, 1, false],
  ] as const;

  it.each(shapes)("%o of %i bits hold each element as often as every other", (shape, bits, sixteen) => {
    for (const role of ["a", "b", "c", "d"] as const) {
      const fragment = wmmaFragment(role, shape, role === "a" || role === "b" ? bits : 32, sixteen);
      const held = new Map<number, number>();
      for (const at of positionsOf(fragment)) held.set(at, (held.get(at) ?? 0) + 1);
      expect(held.size).toBe(fragment.rows * fragment.columns);
      expect(new Set(held.values()).size).toBe(1);
      expect(Math.min(...held.keys())).toBe(0);
    }
  });

  it("is that of mma for the first sixteen rows and eight columns", () => {
    const shape = { m: 16, n: 16, k: 16 };
    for (let lane = 0; lane < 32; lane++)
      for (let i = 0; i < 4; i++) {
        expect(placeOf(wmmaFragment("b", shape, 16, true), lane, i)).toEqual(
          placeOf(multiplicandB(16, 8, 16), lane, i),
        );
        expect(placeOf(wmmaFragment("c", shape, 32, false), lane, i)).toEqual(
          placeOf(accumulator("c", 16, 8, 32), lane, i),
        );
      }
    // The other eight columns, and copies behind the elements.
    expect(placeOf(wmmaFragment("c", shape, 32, false), 0, 4)).toMatchObject({ row: 0, column: 8 });
    expect(placeOf(wmmaFragment("a", shape, 16, true), 7, 9)).toEqual(
      placeOf(wmmaFragment("a", shape, 16, true), 7, 1),
    );
  });
});
