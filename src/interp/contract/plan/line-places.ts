import { positionsOf } from "../matrix/fragment.ts";
import { bitsInMemory, type MatrixLines } from "./plan-lines.ts";

/**
 * Where the bits of a fragment's registers lie in the lines of its matrices. A piece is as many bits as lie side by side
 * in all registers: a whole register, or one element.
 */
export interface LinePlaces {
  /** Registers of a lane, pieces of a register, bits of a piece in its register and in memory. */
  readonly registers: number;
  readonly pieces: number;
  readonly bits: number;
  readonly inMemory: number;
  /** By `(lane * registers + register) * pieces + piece`: the line, and how many bits behind its start. */
  readonly line: Uint8Array;
  readonly offset: Uint16Array;
}

/** Maps a fragment's registers to the lines of its matrices. */
export function linePlaces(lines: MatrixLines): LinePlaces {
  const { fragment, matrices, line: which } = lines;
  const { rows, columns, count, bits } = fragment;
  const width = bits === 64 ? 64 : 32;
  const perRegister = width / bits;
  const inMemory = bitsInMemory(lines);
  const positions = positionsOf(fragment);
  const ofOne = count / perRegister;
  const registers = matrices * ofOne;
  const line = new Uint8Array(32 * registers * perRegister);
  const offset = new Uint16Array(line.length);
  for (let lane = 0; lane < 32; lane++)
    for (let matrix = 0; matrix < matrices; matrix++)
      for (let i = 0; i < count; i++) {
        const at = positions[lane * count + i]!;
        const [row, column] = [Math.floor(at / columns), at % columns];
        const to = (lane * registers + matrix * ofOne) * perRegister + i;
        line[to] = which === "row" ? matrix * rows + row : matrix * columns + column;
        offset[to] = (which === "row" ? column : row) * inMemory;
      }
  const apart = { registers, pieces: perRegister, bits, inMemory, line, offset };
  return inMemory === bits && wholeRegisters(apart) ? merged(apart) : apart;
}

/** True if the elements of each register are consecutive in one line, from a word boundary on. */
function wholeRegisters({ pieces, bits, line, offset }: LinePlaces): boolean {
  for (let at = 0; at < line.length; at++) {
    const first = at - (at % pieces);
    if (line[at] !== line[first] || offset[at] !== offset[first]! + (at - first) * bits || offset[first]! % 32 !== 0)
      return false;
  }
  return true;
}

function merged({ registers, pieces, bits, line, offset }: LinePlaces): LinePlaces {
  const every = <A extends Uint8Array | Uint16Array>(of: A): A => of.filter((_, at) => at % pieces === 0) as A;
  return {
    registers,
    pieces: 1,
    bits: bits * pieces,
    inMemory: bits * pieces,
    line: every(line),
    offset: every(offset),
  };
}
