/**
 * How the elements of a matrix lie in the registers of a warp, as data in the manual's notation (PTX ISA, mma): row and
 * column of element `i` of a thread are sums of parts of `groupID` (`%laneid >> 2`), `threadID_in_group`
 * (`%laneid % 4`) and `i`.
 */
export interface Fragment {
  /** What the manual calls an element: `a` of `a0`. */
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** Bits of one element in its register; elements follow each other from the low bits on. */
  readonly bits: FragmentBits;
  /** Elements that each thread holds, copies included. */
  readonly count: number;
  readonly row: readonly Term[];
  readonly column: readonly Term[];
  /** Matrices that the warp holds side by side, and which one has an element (mma.m8n8k4 with .f16 has four). */
  readonly matrices?: { readonly count: number; readonly which: readonly Term[] };
  /** Only some threads of each group of four hold it, which an operand of the instruction selects. */
  readonly holders?: Holders;
}

export type FragmentBits = 1 | 4 | 8 | 16 | 32 | 64;

/**
 * How many threads of a group hold a fragment: the first is `selector * threads` (PTX ISA, Sparse matrix storage, Block
 * Scaling for mma.sync).
 */
export interface Holders {
  readonly threads: 1 | 2 | 4;
}

/** `((source >> shift) & (2^bits - 1)) * weight`; without `bits`, all that are left. */
export interface Term {
  readonly source: Source;
  readonly shift: number;
  readonly bits?: number;
  readonly weight: number;
}

/** `holder` counts the threads of a group that hold the fragment, from the first of them on. */
export type Source = "groupID" | "threadID_in_group" | "%laneid" | "i" | "holder";

export const term = (source: Source, weight = 1, shift = 0, bits?: number): Term =>
  bits === undefined ? { source, shift, weight } : { source, shift, bits, weight };

/** Where one element lies in its matrix. */
export interface Place {
  readonly row: number;
  readonly column: number;
  /** Which of several matrices; 0 where there is one. */
  readonly matrix: number;
}

function sumOf(terms: readonly Term[], lane: number, i: number): number {
  let sum = 0;
  for (const { source, shift, bits, weight } of terms) {
    const part = sources[source](lane, i) >> shift;
    sum += (bits === undefined ? part : part & ((1 << bits) - 1)) * weight;
  }
  return sum;
}

const sources: Readonly<Record<Source, (lane: number, i: number) => number>> = {
  groupID: (lane) => lane >> 2,
  threadID_in_group: (lane) => lane % 4,
  "%laneid": (lane) => lane,
  i: (_, i) => i,
  // Callers number the holders of a group from 0; the selector says which lane that is.
  holder: (lane) => lane % 4,
};

/** Row and column of element `i` of a lane. With holders, lanes count from the first holder as lane 0 of its group. */
export const placeOf = (fragment: Fragment, lane: number, i: number): Place => ({
  row: sumOf(fragment.row, lane, i),
  column: sumOf(fragment.column, lane, i),
  matrix: fragment.matrices === undefined ? 0 : sumOf(fragment.matrices.which, lane, i),
});

const tables = new WeakMap<Fragment, Int32Array>();

/**
 * For `lane * count + i`, the element's position in the matrix by rows: `(matrix * rows + row) * columns + column`.
 * Each call returns the same array: callers must not write to it.
 */
export function positionsOf(fragment: Fragment): Int32Array {
  const known = tables.get(fragment);
  if (known !== undefined) return known;
  const { rows, columns, count, holders } = fragment;
  const made = new Int32Array(32 * count).fill(-1);
  for (let lane = 0; lane < 32; lane++) {
    if (holders !== undefined && lane % 4 >= holders.threads) continue;
    for (let i = 0; i < count; i++) {
      const { row, column, matrix } = placeOf(fragment, lane, i);
      made[lane * count + i] = (matrix * rows + row) * columns + column;
    }
  }
  tables.set(fragment, made);
  return made;
}

/** Registers of 32 bits (64 for elements of 64) that a thread holds. */
export const registersOf = ({ bits, count }: Fragment): number => (count * bits) / (bits === 64 ? 64 : 32);

/** The first lane and element that hold this position: fragments of wmma have copies. */
export function holderOf(
  fragment: Fragment,
  row: number,
  column: number,
  matrix = 0,
): { lane: number; i: number } | undefined {
  const { rows, columns, count } = fragment;
  const at = positionsOf(fragment).indexOf((matrix * rows + row) * columns + column);
  return at < 0 ? undefined : { lane: Math.floor(at / count), i: at % count };
}

/** The layout as the manual writes it: `row = groupID + ((i >> 1) & 0x1) * 8`. */
export function layoutLines(fragment: Fragment): readonly string[] {
  const { name, count, row, column, matrices } = fragment;
  const every = [...row, ...column, ...(matrices?.which ?? [])];
  const uses = (source: Source): boolean => every.some((each) => each.source === source);
  const reach = count === 1 ? `${name}0` : count === 2 ? "i = {0, 1}" : `i = {0,..,${count - 1}}`;
  return [
    ...(uses("groupID") ? ["groupID = %laneid >> 2"] : []),
    ...(uses("threadID_in_group") ? ["threadID_in_group = %laneid % 4"] : []),
    ...(matrices === undefined ? [] : [`matrix = ${sumText(matrices.which)}`]),
    `row = ${sumText(row)}`,
    `col = ${sumText(column)}   for ${count === 1 ? reach : `${name}i where ${reach}`}`,
  ];
}

const sumText = (terms: readonly Term[]): string => (terms.length === 0 ? "0" : terms.map(termText).join(" + "));

function termText({ source, shift, bits, weight }: Term): string {
  const shifted = shift === 0 ? source : `(${source} >> ${shift})`;
  const masked = bits === undefined ? shifted : `(${shifted} & 0x${(2 ** bits - 1).toString(16).toUpperCase()})`;
  return weight === 1 ? masked : `${masked} * ${weight}`;
}
