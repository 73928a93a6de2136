import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { holderOf, positionsOf } from "../../../src/interp/contract/matrix/fragment.ts";
import { scalars } from "../../../src/interp/contract/operand.ts";
import type { LinesPlan, MatrixLines } from "../../../src/interp/contract/plan/plan-lines.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import type { Asked, Made, Reader } from "./lead.ts";

/** Elements of a register, and registers of one of the matrices. */
const registersOf = ({ fragment: { bits, count } }: MatrixLines) => {
  const each = (bits === 64 ? 64 : 32) / bits;
  return { each, ofOne: count / each };
};

/** An element that a lane got from a line of a matrix in memory (ldmatrix, wmma.load). */
export function fromLine(
  { space, lines }: LinesPlan,
  { operands }: Instruction,
  step: number,
  thread: ThreadId,
  position: number,
  { low, type }: Asked,
  reader: Reader,
): Made | undefined {
  const [, address, stride] = operands;
  const { fragment, line, packed } = lines;
  if (packed !== undefined || address === undefined) return undefined;
  const { each, ofOne } = registersOf(lines);
  const { rows, columns, count, bits } = fragment;
  const i = (position % ofOne) * each + Math.floor(low / bits);
  const at = positionsOf(fragment)[thread.lane * count + i] ?? 0;
  const [row, column] = [Math.floor(at / columns), at % columns];
  const matrix = Math.floor(position / ofOne);
  const which = line === "row" ? matrix * rows + row : matrix * columns + column;
  const offset = ((line === "row" ? column : row) * bits) / 8;
  const start = lineStart(lines, which, address, stride, step, thread, reader);
  const lead = reader.memory({ step }, { space, address: start + BigInt(offset), bytes: bits / 8, thread }, halfType(type, bits)); // biome-ignore format: one row
  return {
    operands: [lead.value],
    leads: [lead],
    note: `${line} ${line === "row" ? row : column} of matrix ${matrix}`,
  };
}

/** The address of a line: of a lane of its own, or at a distance from the first. */
function lineStart(
  { stride, fragment }: MatrixLines,
  line: number,
  address: NonNullable<Instruction["operands"][number]>,
  given: Instruction["operands"][number],
  step: number,
  thread: ThreadId,
  { past }: Reader,
): bigint {
  const own = stride === undefined ? { ...thread, lane: line } : thread;
  const [start = 0n] = past.operand(step, own, address);
  if (stride === undefined) return start;
  const [distance = BigInt(stride)] = given === undefined ? [] : past.operand(step, thread, given);
  return start + (BigInt(line) * distance * BigInt(fragment.bits)) / 8n;
}

/** An element of memory that stmatrix or wmma.store has written: of the register of the lane that held it. */
export function intoLine(
  { lines }: LinesPlan,
  { operands }: Instruction,
  step: number,
  thread: ThreadId,
  offset: number,
  { type, bits: asked }: Asked,
  reader: Reader,
): Made | undefined {
  const { fragment, line, packed } = lines;
  const data = scalars(operands[1]);
  if (packed !== undefined || data.length === 0) return undefined;
  const { each, ofOne } = registersOf(lines);
  const { rows, columns, bits } = fragment;
  const across = line === "row" ? rows : columns;
  // Line i is written by lane i, as observers see it.
  const matrix = Math.floor(thread.lane / across);
  const [own, along] = [thread.lane % across, Math.floor((8 * Math.max(0, offset)) / bits)];
  const holder = line === "row" ? holderOf(fragment, own, along) : holderOf(fragment, along, own);
  const item = holder && data[matrix * ofOne + Math.floor(holder.i / each)];
  if (holder === undefined || item === undefined) return undefined;
  const part = { low: (holder.i % each) * bits, bits: Math.min(bits, asked) };
  const lead = reader.lead(step, { ...thread, lane: holder.lane }, item, type, part);
  return { operands: [lead.value], leads: [lead] };
}

/** Elements of a row that a register of movmatrix holds, and registers of a row. */
const ELEMENTS = 2;
const REGISTERS = 4;

/** movmatrix: an element of the row of another lane. */
export function transposed(
  { operands }: Instruction,
  step: number,
  thread: ThreadId,
  { low, bits, type }: Asked,
  reader: Reader,
): Made | undefined {
  const [, from] = operands;
  if (from === undefined) return undefined;
  const row = Math.floor(thread.lane / REGISTERS);
  const column = ELEMENTS * (thread.lane % REGISTERS) + Math.floor(low / 16);
  const lane = column * REGISTERS + Math.floor(row / ELEMENTS);
  const lead = reader.lead(step, { ...thread, lane }, from, halfType(type, 16), { low: 16 * (row % ELEMENTS), bits: Math.min(16, bits) }); // biome-ignore format: one row
  return { operands: [lead.value], leads: [lead] };
}

/** The type of one of the two elements of a packed type. */
const halfType = (type: string, bits: number): string =>
  type.endsWith("x2") ? type.slice(0, -2) : /^b\d/.test(type) ? `b${bits}` : type;
