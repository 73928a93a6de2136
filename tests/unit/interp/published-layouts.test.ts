import { describe, expect, it } from "vitest";
import { type Fragment, placeOf } from "../../../src/interp/contract/matrix/fragment.ts";
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
  warpgroupAccumulator,
} from "../../../src/interp/contract/matrix/fragment-layouts.ts";
import { tensorFragment } from "../../../src/interp/contract/matrix/tensor-fragments.ts";
import { cellAt, TENSOR_BYTES } from "../../../src/interp/contract/matrix/tensor-memory.ts";
import { selected } from "../../../src/interp/javascript/tensor-memory/matrix/metadata.ts";
import { scaleOf } from "../../../src/interp/javascript/tensor-memory/matrix/tensor-matrix.ts";
import { agree } from "../../agree.ts";

/**
 * The layouts that the manual only draws, as numbers that others have published: CUTLASS's maps from (thread, value) to a
 * place, where a number of mixed radix is split by its shape, the first digit the fastest, and each digit has a stride.
 */
type Digits = readonly (readonly [size: number, stride: number])[];

const at = (digits: Digits, number: number): number => {
  let [rest, sum] = [number, 0];
  for (const [size, stride] of digits) {
    sum += (rest % size) * stride;
    rest = Math.floor(rest / size);
  }
  return sum;
};
const count = (digits: Digits): number => digits.reduce((product, [size]) => product * size, 1);

interface Published {
  readonly thread: Digits;
  readonly value: Digits;
}

/** Holds a fragment's places against a map into a matrix that is stored by columns of `rows` rows (by rows of B's k). */
function compare(fragment: Fragment, { thread, value }: Published, turned = false, laneOf = (t: number) => t): void {
  const rows = turned ? fragment.columns : fragment.rows;
  const threads = Math.min(32, count(thread));
  expect(fragment.count).toBe(count(value));
  for (let t = 0; t < threads; t++)
    for (let i = 0; i < fragment.count; i++) {
      const place = at(thread, t) + at(value, i);
      const [row, column] = [place % rows, Math.floor(place / rows)];
      const found = placeOf(fragment, laneOf(t), i);
      agree([found.row, found.column], turned ? [column, row] : [row, column], `thread ${t}, value ${i}`);
    }
}

describe("mma, as CUTLASS's traits have it", () => {
  const quadPair = (t: number): number => at([[4, 1], [2, 16]], t); // biome-ignore format: one thought
  const byRow: Published = { thread: [[8, 1]], value: [[4, 8]] };
  const byColumn: Published = { thread: [[4, 8], [2, 4]], value: [[4, 1]] }; // biome-ignore format: one thought
  const of32 = { thread: [[2, 1], [2, 16], [2, 4]], value: [[2, 8], [2, 2], [2, 32]] } as const; // biome-ignore format: one thought

  it.each([
    ["A .row", quadPairA.row, byRow, false],
    ["A .col", quadPairA.col, byColumn, false],
    ["B .col", quadPairB.col, byRow, true],
    ["B .row", quadPairB.row, byColumn, true],
    ["C of .f16", quadPairAccumulator("c", 16), { thread: [[8, 1]], value: [[8, 8]] }, false],
    ["D of .f32", quadPairAccumulator("d", 32), of32, false],
  ] as const)("m8n8k4 of .f16, %s", (_, fragment, published, turned) => {
    for (const first of [0, 4, 8, 12]) compare(fragment, published, turned, (t) => first + quadPair(t));
  });

  const f64A = (steps: Digits): Published => ({ thread: [[4, 16], [8, 1]], value: [[2, 8], ...steps] }); // biome-ignore format: one thought
  it.each([
    ["m16n8k4 .f64 A", multiplicandA(16, 4, 64), f64A([]), false],
    ["m16n8k8 .f64 A", multiplicandA(16, 8, 64), f64A([[2, 64]]), false],
    ["m16n8k16 .f64 A", multiplicandA(16, 16, 64), f64A([[4, 64]]), false],
    ["m16n8k4 .f64 B", multiplicandB(4, 8, 64), { thread: [[4, 8], [8, 1]], value: [] }, true],
    ["m16n8k8 .f64 B", multiplicandB(8, 8, 64), { thread: [[4, 8], [8, 1]], value: [[2, 32]] }, true],
    ["m16n8k16 .f64 B", multiplicandB(16, 8, 64), { thread: [[4, 8], [8, 1]], value: [[4, 32]] }, true],
    ["m16n8 .f64 C", accumulator("c", 16, 8, 64), { thread: [[4, 32], [8, 1]], value: [[2, 16], [2, 8]] }, false],
    ["m16n8k64 of 4 bits A", multiplicandA(16, 64, 4), { thread: [[4, 128], [8, 1]], value: [[8, 16], [2, 8], [2, 512]] }, false],
    ["m16n8k64 of 4 bits B", multiplicandB(64, 8, 4), { thread: [[4, 64], [8, 1]], value: [[8, 8], [2, 256]] }, true],
    ["m16n8k64.sp of 8 bits B", multiplicandB(64, 8, 8), { thread: [[4, 32], [8, 1]], value: [[4, 8], [4, 128]] }, true],
    ["m16n8k128.sp of 4 bits B", multiplicandB(128, 8, 4), { thread: [[4, 64], [8, 1]], value: [[8, 8], [4, 256]] }, true],
  ] as const)("%s", (_, fragment, published, turned) => compare(fragment, published, turned)); // biome-ignore format: one thought

  it("D of wgmma has it for every N", () => {
    for (let n = 8; n <= 256; n += 8) {
      const thread = [[4, 128], [8, 1], [4, 16]] as const; // biome-ignore format: one thought
      const value = [[2, 64], [2, 8], [n / 8, 512]] as const; // biome-ignore format: one thought
      const fragment = warpgroupAccumulator(n, 32);
      expect(fragment.count).toBe(count(value));
      for (let t = 0; t < 128; t++)
        for (let i = 0; i < fragment.count; i++) {
          const place = at(thread, t) + at(value, i);
          const { row, column } = placeOf(fragment, t % 32, i);
          if (row + 16 * Math.floor(t / 32) !== place % 64 || column !== Math.floor(place / 64))
            expect.fail(`N ${n}, thread ${t}, value ${i}`);
        }
    }
  });
});

describe("metadata of a sparse A", () => {
  /** Which element of a row's 2-bit or 4-bit indices a value is: CUTLASS counts elements of A, a chunk has four bits. */
  const chunks = (fragment: Fragment, { thread, value }: Published, rows: number, columns: number): void => {
    const perChunk = columns / fragment.columns;
    expect(count(value)).toBe(8 * perChunk);
    for (let t = 0; t < 32; t++) {
      // A selector of 0: the first threads of a group hold it.
      if (t % 4 >= fragment.holders!.threads) continue;
      for (let v = 0; v < count(value); v++) {
        const place = at(thread, t) + at(value, v);
        const { row, column } = placeOf(fragment, t, Math.floor(v / perChunk));
        expect([row, column], `thread ${t}, value ${v}`).toEqual([
          place % rows,
          Math.floor(Math.floor(place / rows) / perChunk),
        ]);
      }
    }
  };

  // biome-ignore format: a table
  it.each([
    ["wgmma of 8 bits", metadata(16, 8), { thread: [[2, 8], [2, 2048], [8, 1]], value: [[32, 64]] }, 64, 64],
    ["wgmma of 16 bits", metadata(8, 16), { thread: [[2, 1024], [2, 0], [8, 1]], value: [[16, 64], [2, 8]] }, 64, 32],
    ["wgmma of .tf32", metadata(8, 32), { thread: [[2, 512], [2, 0], [8, 1]], value: [[8, 64], [2, 8]] }, 64, 16],
    ["m16n8k64 of 8 bits", metadata(16, 8), { thread: [[2, 8], [2, 512], [8, 1]], value: [[32, 16]] }, 16, 64],
    ["m16n8k128 of .e2m1", metadata(16, 4), { thread: [[2, 8], [2, 1024], [8, 1]], value: [[64, 16]] }, 16, 128],
  ] as const)("%s", (_, fragment, published, rows, columns) => chunks(fragment, published, rows, columns));

  it("m16n8k16 of .f16 has row groupID in the lower half of a word and groupID + 8 in the upper, as Choreo loads it", () => {
    const words = Array.from({ length: 16 }, (_, row) => 0x1000 * row + 0xabc);
    const fragment = metadata(4, 16);
    for (let lane = 0; lane < 32; lane += 4) {
      const loaded = words[(lane >> 2) + 8]! * 2 ** 16 + words[lane >> 2]!;
      for (let i = 0; i < 8; i++) {
        const { row, column } = placeOf(fragment, lane, i);
        agree((loaded >>> (4 * i)) & 15, (words[row]! >>> (4 * column)) & 15);
        agree(row, (lane >> 2) + (i < 4 ? 0 : 8));
      }
    }
  });

  /**
   * CUTLASS 2 reorders the metadata of a GEMM for sm_80: units of 16 bits with elements of 16 and 32 bits, of 32 bits with
   * smaller ones. What lies side by side then is what the lanes of a warp load: `lanes` 32-bit words for 16 or 32 rows.
   */
  it.each([
    ["m16n8k32 of .f16", metadata(8, 16), 32],
    ["m16n8k16 of .tf32", metadata(8, 32), 32],
    ["m16n8k64 of .s8", metadata(16, 8), 16],
    ["m16n8k128 of .s4", metadata(16, 4), 16],
  ] as const)("%s is what CUTLASS 2 lays out for sm_80", (_, fragment, group) => {
    const interweave = group / 8;
    const unitChunks = group === 32 ? 4 : 8;
    for (let m = 0; m < group; m++)
      for (let k = 0; k < 2; k++) {
        let [row, column] = [(m % 8) * interweave + Math.floor(m / 8), k];
        if (row % 2 === 0 && column % 2 === 1) [row, column] = [row + 1, column - 1];
        else if (row % 2 === 1 && column % 2 === 0) [row, column] = [row - 1, column + 1];
        // By columns, two of them interleaved: units 0 and 1 of a row are neighbours.
        const unit = 2 * row + column;
        const lane = group === 32 ? Math.floor(unit / 2) : unit;
        const selector = group === 32 ? Math.floor(m / 16) : 0;
        const holder = (lane % 4) - 2 * selector;
        const first = group === 32 ? 4 * (unit % 2) : 0;
        for (let c = 0; c < unitChunks; c++) {
          const place = placeOf(fragment, (lane & ~3) + holder, first + c);
          agree([place.row, place.column], [m % 16, unitChunks * k + c], `row ${m}, unit ${k}`);
        }
      }
  });
});

describe("scales of mma, as CUTLASS's traits for sm_120 have them", () => {
  it.each([1, 2, 4] as const)("%i for a row", (vector) => {
    // Of the two digits that a pair of threads is, the second has no stride: thread-id-a chooses.
    const [a, b] = [scaleA(vector), scaleB(vector)];
    for (let t = 0; t < 32; t++)
      for (let i = 0; i < vector; i++) {
        const row = at([[2, 8], [2, 0], [8, 1]], t); // biome-ignore format: one thought
        if (t % 4 < 2) expect(placeOf(a, t, i)).toMatchObject({ row, column: i });
        if (t % 4 === 0) expect(placeOf(b, t, i)).toMatchObject({ row: i, column: at([[4, 0], [8, 1]], t) }); // biome-ignore format: one thought
      }
  });
});

describe("ldmatrix and stmatrix of 8 bits", () => {
  const thread = [[4, 32], [8, 1]] as const; // biome-ignore format: one thought

  it("m16n16.trans is what CUTLASS's copy traits make of it, whose bytes it exchanges first", () => {
    const fragment = multiplicandA(16, 16, 8);
    // The line that a lane's address has in CUTLASS's matrix, and which byte of the registers each value is.
    const lineOf = Array.from({ length: 16 }, (_, lane) => at([[2, 1], [2, 8], [4, 2]], lane)); // biome-ignore format: one thought
    const exchanged = [0, 1, 4, 5, 2, 3, 6, 7];
    for (let t = 0; t < 32; t++)
      for (let v = 0; v < 8; v++) {
        const byte = at(thread, t) + at([[2, 16], [2, 8], [2, 128]], v); // biome-ignore format: one thought
        // Lines are columns of the fragment, bytes of a line its rows.
        const expected = { row: byte % 16, column: lineOf.indexOf(Math.floor(byte / 16)) };
        expect(placeOf(fragment, t, exchanged[v]!)).toMatchObject(expected);
      }
  });

  it("m16n16.trans is what was measured on sm_120a: four lines of column lane / 4, then of the column 8 further", () => {
    const fragment = multiplicandA(16, 16, 8);
    for (let t = 0; t < 32; t++)
      for (let v = 0; v < 8; v++) {
        const expected = { row: (t >> 2) + (v < 4 ? 0 : 8), column: 4 * (t & 3) + (v % 4) };
        expect(placeOf(fragment, t, v)).toMatchObject(expected);
      }
  });

  it("m16n8.trans takes the bytes of a register as CUTLASS's copy traits do", () => {
    const fragment = accumulator("d", 16, 8, 8);
    for (let t = 0; t < 32; t++)
      for (let v = 0; v < 4; v++) {
        const byte = at(thread, t) + at([[2, 16], [2, 8]], v); // biome-ignore format: one thought
        expect(placeOf(fragment, t, v)).toMatchObject({ row: byte % 16, column: Math.floor(byte / 16) });
      }
  });
});

describe("tensor memory", () => {
  /** In words of a lane, `num` times `words` of them; CUTLASS counts bits. */
  const maps = (num: number) => {
    const wide = (words: number): number => num * words;
    return {
      "16x64b": { words: 2, thread: [[2, 8 * wide(2)], [2, 1], [8, wide(2)]], value: [[num, 2]] },
      "16x128b": { words: 4, thread: [[4, 1], [8, wide(4)]], value: [[2, 8 * wide(4)], [num, 4]] },
      "16x256b": { words: 8, thread: [[4, 2], [8, wide(8)]], value: [[2, 1], [2, 8 * wide(8)], [num, 8]] },
      "32x32b": { words: 1, thread: [[32, wide(1)]], value: [[num, 1]] },
    } as const; // biome-ignore format: a table
  };

  it.each(["16x64b", "16x128b", "16x256b", "32x32b"] as const)("%s is CUTLASS's TMEM_LOAD", (shape) => {
    for (const num of [1, 2, 4, 32]) {
      const { words, thread, value } = maps(num)[shape];
      const fragment = tensorFragment(shape, num);
      for (let t = 0; t < 32; t++)
        for (let i = 0; i < fragment.count; i++) {
          const place = at(thread, t) + at(value, i);
          const expected = { row: Math.floor(place / (words * num)), column: place % (words * num) };
          expect(placeOf(fragment, t, i)).toMatchObject(expected);
        }
    }
  });

  it("16x32bx2 gives the second columns to the upper sixteen threads", () => {
    for (const num of [1, 2, 8])
      for (let t = 0; t < 32; t++)
        for (let i = 0; i < num; i++)
          expect(placeOf(tensorFragment("16x32bx2", num), t, i)).toMatchObject({
            row: t % 16,
            column: i,
            matrix: Math.floor(t / 16),
          });
  });

  /** Where element k of row m has its bits of metadata: lane, and bits from the address on, in CUTLASS's fragments. */
  const fragments = {
    tf32: { k: 16, bits: 2, row: [[8, 1], [2, 1024], [8, 16]], column: [[8, 128], [2, 8]], chunk: 2 },
    f16: { k: 32, bits: 1, row: [[8, 1], [2, 2048], [8, 16]], column: [[16, 128], [2, 8]], chunk: 4 },
    f8f6f4: { k: 64, bits: 1, row: [[128, 1]], column: [[64, 128]], chunk: 4 },
    mxf4: { k: 128, bits: 0.5, row: [[128, 1]], column: [[128, 128]], chunk: 8 },
  } as const; // biome-ignore format: a table

  it.each(["tf32", "f16", "f8f6f4", "mxf4"] as const)(
    "metadata of .kind::%s lie as in CUTLASS's tmem_e_frg",
    (kind) => {
      const { k, bits, row, column, chunk } = fragments[kind];
      const u32 = new Uint32Array(TENSOR_BYTES / 4);
      const data = { u32 } as unknown as Parameters<typeof selected>[0];
      const into = new Int32Array(k / 2);
      const base = 5;
      for (let m = 0; m < 128; m++) {
        for (let first = 0; first < k; first += chunk) {
          // Everywhere the lower two elements (of .tf32 the first), here the upper two.
          u32.fill(0x4444_4444);
          const place = at(row, m) + at(column, first);
          const bit = Math.floor(place / 128) * bits;
          const word = cellAt(place % 128, base + Math.floor(bit / 32)) >>> 2;
          u32[word] = (u32[word]! | (0xe << (bit % 32))) >>> 0;
          selected(data, 0, base, kind, m, k, into);
          const changed = [...into].filter((one, i) => one !== lower(kind, chunk, i));
          const upper = { 2: [1], 4: [2, 3], 8: [4, 5, 6, 7] }[chunk];
          expect(changed, `row ${m}, column ${first}`).toEqual(upper.map((one) => first + one));
          if (m > 40 && m < 120) break;
        }
      }
    },
  );

  /** The element that stored element i is with indices of 0b0100 everywhere. */
  const lower = (kind: string, chunk: number, i: number): number =>
    kind === "tf32" ? 2 * i : chunk * Math.floor((2 * i) / chunk) + (i % (chunk / 2));

  it("scale factors lie as in CUTLASS's tmem_sf_frg, the same in the lanes of all four parts", () => {
    const u8 = new Uint8Array(TENSOR_BYTES);
    for (let i = 0; i < u8.length; i++) u8[i] = (i * 7 + (i >>> 11) * 13) & 0xff;
    const data = { u8 } as unknown as Parameters<typeof scaleOf>[0];
    for (let row = 0; row < 128; row++)
      for (let part = 0; part < 4; part++)
        for (let i = 0; i < 4; i++) {
          // Bytes of a lane are columns here, 128 apart.
          const place = at([[32, 1], [4, 512], [4, 32]], row + 128 * part) + at([[4, 128]], i); // biome-ignore format: one thought
          const byte = cellAt(place % 128, 9) + Math.floor(place / 128);
          const found = scaleOf(data, 0, 9, { lane: 32 * part + (row & 31), at: row, id: 0, i, stride: 4 });
          expect(found, `row ${row}, part ${part}, factor ${i}`).toBe(u8[byte]);
        }
  });
});
