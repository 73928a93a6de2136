import { laneRanges } from "../../present/lane-ranges.ts";
import { hex } from "../../present/value.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import { type LinePart, Refusal, within } from "../expression/refusal.ts";
import { type ExpressionValue, widthIn } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { type DisplayFormat, plainly, show, write } from "./format.ts";

/** `lanes %r1 [%rd2]:f32`: a row an expression, a column a lane; neighbours that hold the same in all rows share one. */
export function laneTable(shell: Shell, whole: LinePart, format: DisplayFormat | undefined): void {
  // In braces, a register may be called as a matrix is.
  const braced = whole.text.startsWith("{") && whole.text.endsWith("}");
  const read = shell.expressions(braced ? within(whole, 1, whole.text.length - 1) : whole);
  const rows = read.map((each) => lanesOf(shell, each, format));
  const columns: { lanes: number; readonly cells: readonly string[] }[] = [];
  for (let lane = 0; lane < 32; lane++) {
    const cells = rows.map((row) => row[lane] ?? "-");
    const last = columns.at(-1);
    if (last?.cells.every((cell, at) => cell === cells[at])) last.lanes |= 1 << lane;
    else columns.push({ lanes: 1 << lane, cells });
  }
  const names = ["", ...read.map(({ part }) => part.text)];
  const all = columns.map(({ lanes, cells }) => [laneRanges(lanes >>> 0, 0), ...cells]);
  const head = Math.max(...names.map(({ length }) => length));
  for (const piece of pieces(all, shell.columns - head))
    for (const [row, name] of names.entries()) {
      const cells = piece.map((column) => (column[row] ?? "").padStart(widthOf(column)));
      const line = `${name.padEnd(head)}  ${cells.join("  ")}`.trimEnd();
      shell.out(`${row === 0 ? shell.palette.faint(line) : line}\n`);
    }
}

/** What each lane of the focused warp has; undefined for a lane without a thread, or without such a value. */
function lanesOf(shell: Shell, each: Evaluation, format: DisplayFormat | undefined): (string | undefined)[] {
  const { block, warp, lane: focused } = shell.debugger.focus;
  // What is wrong in every lane is said once.
  if (each.expression.kind !== "memory") each.at(shell, { block, warp, lane: focused });
  return Array.from({ length: 32 }, (_, lane) => {
    if (!shell.debugger.machine.exists({ block, warp, lane })) return undefined;
    try {
      return cell(each.at(shell, { block, warp, lane }), format);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  });
}

/** A value in a table: bits without a meaning as bits. */
function cell(value: ExpressionValue, format: DisplayFormat | undefined): string {
  const { bits, type, calculated } = value;
  if (format !== undefined) return calculated ? show(value, format) : write(bits, widthIn(type), format);
  if (type === "pred") return `${bits}`;
  return type.startsWith("b") && !type.startsWith("bf") ? hex(bits, widthIn(type)) : plainly(bits, type);
}

const widthOf = (column: readonly string[]): number => Math.max(...column.map(({ length }) => length));

/** Columns that fit beside each other. */
function pieces(all: readonly (readonly string[])[], columns: number): (readonly string[])[][] {
  const found: (readonly string[])[][] = [];
  let left = 0;
  for (const column of all) {
    const width = widthOf(column) + 2;
    if (left < width || found.length === 0) {
      found.push([]);
      left = columns;
    }
    found.at(-1)?.push(column);
    left -= width;
  }
  return found;
}
