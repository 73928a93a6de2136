import { TENSOR_LANES } from "../../../../src/interp/contract/matrix/tensor-memory.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";

const usage = "info tensor [LANE[-LANE] [COLUMN[-COLUMN]]]";

/** What a program's tensor memory looks like: its allocations, and words by lane and column. */
export interface Shown {
  readonly lines: readonly string[];
  /** A head and a row for each lane. */
  readonly table: readonly (readonly string[])[];
}

interface View {
  readonly block: number;
  readonly columns: number;
  readonly allocations: readonly { readonly column: number; readonly columns: number; readonly group: 1 | 2 }[];
  word(lane: number, column: number): number | undefined;
}

/** `info tensor 0-7 32-39`: the allocations, and a table of lanes by columns; `-` where nothing has been written. */
export function tensorRows(view: View | undefined, names: readonly LinePart[]): Shown {
  if (view === undefined) return { lines: ["the block has no tensor memory"], table: [] };
  const { block, allocations, word } = view;
  const lines = allocations.map(
    ({ column, columns, group }) =>
      `b${block} columns ${column} to ${column + columns - 1}${group === 2 ? ", with its peer" : ""}, address 0x${column.toString(16)}`,
  );
  const [first] = allocations;
  if (first === undefined) return { lines: [`b${block} has allocated no tensor memory`], table: [] };
  const lanes = range(names[0], TENSOR_LANES) ?? [0, 7];
  const columns = range(names[1], view.columns) ?? [first.column, first.column + 7];
  const across = Array.from({ length: columns[1] - columns[0] + 1 }, (_, at) => columns[0] + at);
  const rows = Array.from({ length: lanes[1] - lanes[0] + 1 }, (_, at) => {
    const lane = lanes[0] + at;
    return [
      `lane ${lane}`,
      ...across.map((column) => word(lane, column)?.toString(16).padStart(8, "0").replace(/^/, "0x") ?? "-"),
    ];
  });
  return { lines, table: [["", ...across.map((column) => `column ${column}`)], ...rows] };
}

/** `3` or `0-7`. */
function range(part: LinePart | undefined, end: number): readonly [number, number] | undefined {
  if (part === undefined) return undefined;
  const found = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part.text);
  const from = Number(found?.[1]);
  const to = Number(found?.[2] ?? found?.[1]);
  if (from <= to && to < end) return [from, to];
  throw refuse("PTX2402", `${part.text} names no lanes or columns`, part, { expected: usage });
}
