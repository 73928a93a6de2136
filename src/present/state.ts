import { widthOf } from "../numeric/format/value-type.ts";
import { type BufferState, renderBuffer } from "./buffer.ts";
import { printable } from "./text/escape.ts";
import { type Palette, plain } from "./text/palette.ts";
import { hex, number } from "./value.ts";

/** One value of a register: a scalar, or one element of a vector register, then named `v.x`. */
export interface RegisterRow {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly bits: bigint;
}

/** A thread by its linear indices, and its registers. */
export interface ThreadState {
  readonly block: number;
  readonly thread: number;
  readonly registers: readonly RegisterRow[];
}

/** A part of a block's tensor memory. */
export interface TensorState {
  readonly block: number;
  /** The first lane and column. */
  readonly lane: number;
  readonly column: number;
  /** By lane and column, 32 bits; undefined where nothing was written. */
  readonly words: readonly (readonly (number | undefined)[])[];
}

/** The state after a run, as far as it was asked for. */
export interface FinalState {
  readonly threads: readonly ThreadState[];
  readonly buffers: readonly BufferState[];
  /** Absent when it was not requested. */
  readonly tensor?: readonly TensorState[];
}

/** The rows of a vector register or scalar: `v.x`, `v.y` or just its name. */
export const rows = (register: { name: string; type: string; width: number; bits: readonly bigint[] }): RegisterRow[] =>
  register.bits.map((bits, index) => ({
    name: register.bits.length === 1 ? register.name : `${register.name}.${"xyzw"[index] ?? index}`,
    type: register.type,
    width: register.width,
    bits,
  }));

/** The state as aligned text; stable, so that it can be a golden file. Ends with a line end unless it is empty. */
export function renderState({ threads, buffers, tensor = [] }: FinalState, palette: Palette = plain): string {
  const blocks = threads.map(({ block, thread, registers }) => {
    const head = threads.length > 1 ? [palette.faint(`block ${block}, thread ${thread}`)] : [];
    return [...head, ...table(registers)].map((line) => `${line}\n`).join("");
  });
  const listed = buffers.map((buffer) => renderBuffer(buffer, nameWidth(buffers), palette)).join("");
  return [...blocks, listed, ...tensor.map(renderTensor)].filter((text) => text !== "").join("\n");
}

function table(registers: readonly RegisterRow[]): string[] {
  const cells = registers.map(({ name, type, width, bits }) => [
    printable(name),
    type,
    hex(bits, width),
    width === 1 ? (bits === 0n ? "false" : "true") : number(bits, type),
  ]);
  return aligned(cells);
}

/** Columns two spaces apart. */
function aligned(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const nameWidth = (buffers: readonly BufferState[]): number =>
  Math.max(0, ...buffers.map(({ name }) => printable(name).length));

/** A head, and a line for each lane. */
function renderTensor({ block, lane, column, words }: TensorState): string {
  const across = words[0]?.length ?? 0;
  if (across === 0) return `tensor memory of block ${block}: nothing was written\n`;
  const rows = words.map((line, at) => [`lane ${lane + at}`, ...line.map((word) => word32(word) ?? "-")]);
  const head = ["", ...Array.from({ length: across }, (_, at) => `column ${column + at}`)];
  return `tensor memory of block ${block}\n${aligned([head, ...rows])
    .map((line) => `  ${line}\n`)
    .join("")}`;
}

const word32 = (word: number | undefined): string | undefined =>
  word === undefined ? undefined : hex(BigInt(word), 32);

type Nested = readonly (string | Nested)[];

/** Values as arrays of arrays, the slowest axis outside. */
function nested(values: readonly string[], [, ...inner]: readonly number[]): Nested {
  if (inner.length === 0) return values;
  const each = inner.reduce((product, size) => product * size, 1);
  const count = each === 0 ? 0 : Math.ceil(values.length / each);
  return Array.from({ length: count }, (_, at) => nested(values.slice(at * each, (at + 1) * each), inner));
}

/** The same as data: bits as hexadecimal strings, keys in one order. */
export const stateToJson = ({ threads, buffers, tensor }: FinalState): Record<string, unknown> => ({
  threads: threads.map(({ block, thread, registers }) => ({
    block,
    thread,
    registers: registers.map(({ name, type, width, bits }) => ({
      name,
      type,
      bits: hex(bits, width === 1 ? 4 : width),
      value: width === 1 ? (bits === 0n ? "false" : "true") : number(bits, type),
    })),
  })),
  buffers: buffers.map(({ name, type, bits, shape, length = bits.length }) => ({
    name,
    type,
    length,
    ...(shape && { shape }),
    bits: bits.map((each) => hex(each, widthOf(type))),
    values: bits.map((each) => number(each, type)),
    ...(shape &&
      shape.length > 1 && {
        rows: nested(
          bits.map((each) => number(each, type)),
          shape,
        ),
      }),
  })),
  ...(tensor && {
    tensor: tensor.map(({ block, lane, column, words }) => ({
      block,
      lane,
      column,
      words: words.map((line) => line.map((word) => word32(word) ?? null)),
    })),
  }),
});
