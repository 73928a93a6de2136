import type { Code } from "../../../wasm/code.ts";
import { slotOf } from "../frame/frame.ts";

/**
 * Vectors of registers, which each lane has side by side in memory: each lane is moved at once, and four lanes are
 * transposed.
 */
export interface Cells {
  readonly code: Code;
  /** The lanes of a chunk, by number. */
  readonly lanes: readonly number[];
  /** Pushes the address of a lane; returns what has to be added to it. */
  push(lane: number): number;
  /** A free local of v128. */
  local(): number;
}

/** How the elements of four lanes are moved, for one size and count. */
interface Transposition {
  load(cells: Cells): readonly number[];
  /** Leaves rows in locals; then `storeLane` writes one of them. */
  rows(cells: Cells, values: readonly (readonly number[])[]): readonly number[];
  storeLane(cells: Cells, rows: readonly number[], lane: number): void;
}

/** How `count` elements of `bits` bits a lane are moved together; undefined if each is moved by itself. */
export const transpositionOf = (bits: number, count: number): Transposition | undefined =>
  transpositions.get(`${count}x${bits}`);

const whole: Pick<Transposition, "storeLane"> = {
  storeLane({ code, push }, rows, lane) {
    const at = push(lane);
    code.get(rows[lane & 3]!);
    if (code.wide) code.half(lane < 4 ? "low" : "high");
    narrow(code, () => code.access("v128.store", at));
  },
};

/** Writes one instruction on a v128, also where vectors are wide. */
function narrow(code: Code, write: () => void): void {
  const { wide } = code;
  code.wide = false;
  write();
  code.wide = wide;
}

/** Sixteen bytes of each lane, of two lanes side by side where vectors are wide. */
const loadRows = ({ code, lanes, push, local }: Cells): readonly number[] =>
  [0, 1, 2, 3].map((first) => {
    const row = local();
    for (const lane of lanes) {
      if ((lane & 3) !== first) continue;
      const at = push(lane);
      narrow(code, () => code.access("v128.load", at));
    }
    if (code.wide) code.join();
    code.set(row);
    return row;
  });

/** A new local with four words of two others, the second's numbered from 4. */
function picked(cells: Cells, a: number, b: number, words: readonly number[]): number {
  const local = cells.local();
  cells.code
    .get(a)
    .get(b)
    .shuffle(words.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3]))
    .set(local);
  return local;
}

/** Transposes a 4x4 matrix of words. */
function transposed(cells: Cells, [a, b, c, d]: readonly number[]): readonly number[] {
  const pick = (one: number, other: number, words: readonly number[]): number => picked(cells, one, other, words);
  const [low, high] = [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ] as const;
  const [ab, AB, cd, CD] = [pick(a!, b!, low), pick(a!, b!, high), pick(c!, d!, low), pick(c!, d!, high)];
  const [first, second] = [
    [0, 1, 4, 5],
    [2, 3, 6, 7],
  ] as const;
  return [pick(ab, cd, first), pick(ab, cd, second), pick(AB, CD, first), pick(AB, CD, second)];
}

const transpositions: ReadonlyMap<string, Transposition> = new Map<string, Transposition>([
  [
    "4x32",
    {
      load: (cells) => transposed(cells, loadRows(cells)),
      rows: (cells, values) =>
        transposed(
          cells,
          values.map(([only]) => only!),
        ),
      ...whole,
    },
  ],
  [
    "2x64",
    {
      load(cells) {
        const rows = loadRows(cells);
        return [
          [0, 1, 4, 5],
          [2, 3, 6, 7],
        ].flatMap((words) => [0, 2].map((lane) => picked(cells, rows[lane]!, rows[lane + 1]!, words)));
      },
      rows: (cells, [first, second]) =>
        [0, 1].flatMap((half) =>
          [
            [0, 1, 4, 5],
            [2, 3, 6, 7],
          ].map((words) => picked(cells, first![half]!, second![half]!, words)),
        ),
      ...whole,
    },
  ],
  [
    "2x32",
    {
      load(cells) {
        const { code, lanes, push } = cells;
        const [a, b] = [0, 1].map((half) => {
          const pair = cells.local();
          const all = lanes.filter((lane) => slotOf(lane)[0] === half);
          const offsets = all.slice(1).map(push);
          code.access("v128.load64_zero", push(all[0]!), 0);
          for (let at = all.length - 1; at > 0; at--) code.laneAccess("v128.load64_lane", at, offsets[at - 1]);
          code.set(pair);
          return pair;
        });
        return [
          [0, 2, 4, 6],
          [1, 3, 5, 7],
        ].map((words) => picked(cells, a!, b!, words));
      },
      rows: (cells, [first, second]) =>
        [
          [0, 4, 1, 5],
          [2, 6, 3, 7],
        ].map((words) => picked(cells, first![0]!, second![0]!, words)),
      storeLane({ code, push }, rows, lane) {
        const at = push(lane);
        const [half, slot] = slotOf(lane);
        code.get(rows[half]!).laneAccess("v128.store64_lane", slot, at);
      },
    },
  ],
]);
