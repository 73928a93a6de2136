import { widthOf } from "../numeric/format/value-type.ts";
import { printable } from "./text/escape.ts";
import type { Palette } from "./text/palette.ts";
import { hex, number } from "./value.ts";

/** A buffer or variable; `brief` shows only its beginning in text. */
export interface BufferState {
  readonly name: string;
  /** An element type; in a view also a format of one byte, such as `e4m3`. */
  readonly type: string;
  /** Its elements, or the first of them. */
  readonly bits: readonly bigint[];
  /** How many it has, if `bits` are not all. */
  readonly length?: number;
  readonly brief: boolean;
  /** How many elements that is; 8 without it. */
  readonly few?: number;
  /** Numbers alone, in rows of the last axis; the slowest axis first. */
  readonly shape?: readonly number[];
  /** Every line in text; a long one is cut otherwise. */
  readonly all?: boolean;
  /** How many elements of a row are one cell: the channels of a texel. */
  readonly channels?: number;
  /** Text shows all digits of the bits: in the place of numbers, or before them, as it does for `.bN` alone. */
  readonly digits?: "alone" | "beside";
}

/** How many elements of a buffer its one-line form shows, and each line of its long form. */
export const BRIEF = 8;

/** Lines of a dump that are shown, unless all are asked for: the first ones, and the last. */
const LINES = 64;

/** A buffer as text: one line, or a head and lines. `pad`: how wide the names of brief ones are. */
export function renderBuffer(buffer: BufferState, pad: number, palette: Palette): string {
  const { name, type, bits, brief, few = BRIEF, shape, length = bits.length, digits } = buffer;
  const head = `${printable(name).padEnd(brief ? pad : 0)}  ${type}x${shape?.join("x") ?? length}`;
  if (brief) {
    const shown = bits.slice(0, few).map((each) => number(each, type));
    const rest = length > few ? ` ... ${palette.faint(`(${length - few} more)`)}` : "";
    return `${head}  ${shown.join(" ")}${rest}\n`;
  }
  const isNumbers = shape !== undefined || !(digits === "beside" || /^b\d/.test(type));
  const lines = isNumbers ? shaped(buffer, shape ?? [bits.length], palette) : listed(buffer, palette);
  const cut =
    shape === undefined && length > bits.length ? [`  ... ${palette.faint(`(${length - bits.length} more)`)}`] : [];
  return [head, ...folded(lines, buffer, palette), ...cut].map((line) => `${line}\n`).join("");
}

/** The first lines and the last one, and how many there are between them. */
function folded(lines: readonly string[], { name, all }: BufferState, palette: Palette): readonly string[] {
  if (all || lines.length <= LINES) return lines;
  const left = `(${lines.length - LINES} more lines; ${printable(name)}:all shows them)`;
  return [...lines.slice(0, LINES - 1), `  ... ${palette.faint(left)}`, ...lines.slice(-1)];
}

/** Eight elements a line, bits and numbers. */
function listed({ type, bits }: BufferState, palette: Palette): string[] {
  const digits = String(Math.max(0, bits.length - 1)).length;
  const width = widthOf(type);
  return chunks(bits, BRIEF).map((line, at) => {
    const raw = line.map((each) => hex(each, width)).join(" ");
    const values = line.map((each) => number(each, type)).join(type.includes("x") ? " | " : " ");
    return `  ${palette.faint(`[${String(at * BRIEF).padStart(digits)}]`)} ${raw}  ${values}`;
  });
}

/** Numbers alone: a line for each row, with its indices in front, columns aligned. */
function shaped(
  { type, bits, channels = 1, digits }: BufferState,
  sizes: readonly number[],
  palette: Palette,
): string[] {
  const shape = channels > 1 ? sizes.slice(0, -1) : sizes;
  const across = shape.length > 1 ? (shape.at(-1) ?? 1) : BRIEF;
  const cell = (each: bigint): string =>
    digits === "alone" ? hex(each, widthOf(type)) : number(each, type).replaceAll(", ", ",");
  const cells = chunks(bits, channels).map((texel) => texel.map(cell).join(","));
  const width = cells.reduce((most, { length }) => Math.max(most, length), 0);
  const axes = shape.slice(0, -1);
  const names = chunks(cells, across).map((_, row) => (axes.length === 0 ? `${row * across}` : indices(row, axes)));
  const pad = names.reduce((most, { length }) => Math.max(most, length), 0);
  return chunks(cells, across).map(
    (line, row) =>
      `  ${palette.faint(`[${(names[row] ?? "").padStart(pad)}]`)} ${line.map((cell) => cell.padStart(width)).join(" ")}`,
  );
}

/** `1,3`: the indices of a row. */
function indices(row: number, axes: readonly number[]): string {
  let rest = row;
  return axes
    .toReversed()
    .map((size) => {
      const index = rest % size;
      rest = Math.floor(rest / size);
      return index;
    })
    .toReversed()
    .join(",");
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
