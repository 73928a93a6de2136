import type { MatrixOperation } from "../../../numeric/operation/matrix.ts";
import { doubled } from "../../../numeric/tensor/block-sums.ts";
import { integerSums } from "../../../numeric/tensor/integer-sums.ts";
import type { Code } from "../../../wasm/code.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { type Fragment, positionsOf } from "../../contract/matrix/fragment.ts";
import { chunksOf } from "../../javascript/matrix/chunks.ts";
import { type Order, placesIn } from "../../javascript/matrix/gather.ts";
import { shiftOf } from "../../javascript/matrix/multiply.ts";
import { MATRIX_ROOM } from "../../state/context.ts";

/**
 * How operands of a product get from registers to where they are multiplied, and back. A function that multiplies takes the warp's
 * base, the room where matrices lie, and where each register lies from the base.
 */
export const [BASE, ROOM] = [0, 1];

/** Bytes of a vector, of four lanes of a register. */
const VECTOR = 16;

/** Pushes where four lanes of a register lie. */
export const address = (code: Code, register: number): Code => code.get(BASE).get(register).scalar("i32.add");

/** Writes the elements of a fragment as words, from registers whose parameters begin at `first`, to `at` in the room. */
type Unpacking = (code: Code, first: number, at: number) => void;

/** How elements of A or B lie where they are multiplied: as words, or as halves of words, extended as `sign` says. */
interface Elements {
  readonly bytes: 2 | 4;
  readonly sign: "s" | "u";
  /** What stands for 4 bits. */
  readonly table?: readonly number[];
  /** Bits below an element in its 8. */
  readonly shift: number;
}

/** How A's or B's elements lie: integers and products of mxf4 as halves of words, all others as words. */
export function elementsOf(op: MatrixOperation, role: "a" | "b"): Elements {
  const sign = integerSums.signs[op[role]];
  if (sign !== undefined) return { bytes: 2, sign, shift: 0 };
  if (op.scale?.kind === "mxf4") return { bytes: 2, sign: "s", table: doubled, shift: 0 };
  return { bytes: 4, sign: "u", shift: shiftOf(op, role) };
}

/** How A or B is unpacked; undefined where neighbours in registers are none in the matrix. */
export function unpacking(fragment: Fragment, order: Order, of: Elements): Unpacking | undefined {
  const { registers, each, places } = placesIn(fragment, order);
  const { bytes, sign, table, shift } = of;
  const count = VECTOR / bytes;
  const isRow = (from: number): boolean =>
    places.subarray(from, from + count).every((place, at) => place === places[from]! + at);
  for (let from = 0; from < places.length; from += count) if (!isRow(from)) return undefined;
  if (each === 8 && bytes === 4) return undefined;
  return (code, first, at) => {
    const [whole, half] = [code.local("v128"), code.local("v128")];
    let from = 0;
    const store = (push: () => void): void => {
      code.get(ROOM);
      push();
      code.access("v128.store", at + bytes * places[from]!);
      from += count;
    };
    /** Stores the halves of words in a vector as they are, or as words. */
    const halves = (push: () => void): void => {
      if (bytes === 2) {
        store(push);
        return;
      }
      push();
      code.set(half);
      for (const part of ["low", "high"] as const)
        store(() => {
          code.get(half).vector(`i32x4.extend_${part}_i16x8_u`);
          if (shift > 0) code.i32(shift).vector("i32x4.shr_u");
        });
    };
    const extended = (push: () => void): void => {
      push();
      code.set(whole);
      for (const part of ["low", "high"] as const)
        halves(() => code.get(whole).vector(`i16x8.extend_${part}_i8x16_${sign}`));
    };
    const word = code.local("v128");
    for (let register = 0; register < registers; register++)
      for (let chunk = 0; chunk < 8; chunk++) {
        address(code, first + register)
          .access("v128.load", VECTOR * chunk)
          .set(word);
        if (each === 1) store(() => code.get(word));
        else if (each === 2) halves(() => code.get(word));
        else if (each === 4) extended(() => code.get(word));
        else for (const order of [FIRST_HALF, SECOND_HALF]) extended(() => digits(code, word, order, sign, table));
      }
  };
}

/** The low and the high half of each byte of eight of them, one behind the other. */
const FIRST_HALF = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
const SECOND_HALF = FIRST_HALF.map((byte) => byte + 8);

/** Pushes elements of 4 bits of a vector as bytes: as integers, or what a table has for them. */
function digits(code: Code, whole: number, order: readonly number[], sign: "s" | "u", table?: readonly number[]): void {
  const as = table === undefined ? sign : "u";
  if (table !== undefined) code.v128([...new Uint32Array(Int8Array.from(table).buffer)]);
  code.get(whole).i32(4).vector("i8x16.shl").i32(4).vector(`i8x16.shr_${as}`);
  code.get(whole).i32(4).vector(`i8x16.shr_${as}`).shuffle(order);
  if (table !== undefined) code.vector("i8x16.swizzle");
}

interface Pairing {
  /** Registers to words, and back. */
  readonly read: Unpacking;
  readonly write: Unpacking;
}

/** How C and D lie: two registers, or the halves of one, hold neighbouring columns; undefined where they do not. */
export function pairing(fragment: Fragment): Pairing | undefined {
  const { registers, each, places } = placesIn(fragment, "rows");
  if (each === 2) {
    const read = unpacking(fragment, "rows", { bytes: 4, sign: "u", shift: 0 });
    return read && { read, write: (code, first, at) => packHalves(code, first, at, registers, places) };
  }
  if (each !== 1 || registers % 2 !== 0) return undefined;
  const placeOf = (register: number, lane: number): number => places[register * 32 + lane]!;
  for (let register = 0; register < registers; register += 2)
    for (let lane = 0; lane < 32; lane++) {
      const place = placeOf(register, lane - (lane % 4)) + 2 * (lane % 4);
      if (placeOf(register, lane) !== place || placeOf(register + 1, lane) !== place + 1) return undefined;
    }
  const eachChunk = (body: (register: number, chunk: number, place: number) => void): void => {
    for (let register = 0; register < registers; register += 2)
      for (let chunk = 0; chunk < 8; chunk++) body(register, chunk, placeOf(register, 4 * chunk));
  };
  return {
    read: (code, first, at) => {
      const [even, odd] = [code.local("v128"), code.local("v128")];
      eachChunk((register, chunk, place) => {
        address(code, first + register)
          .access("v128.load", VECTOR * chunk)
          .set(even);
        address(code, first + register + 1)
          .access("v128.load", VECTOR * chunk)
          .set(odd);
        for (const [half, order] of [
          [0, 4, 1, 5],
          [2, 6, 3, 7],
        ].entries())
          code
            .get(ROOM)
            .get(even)
            .get(odd)
            .shuffleWords(order)
            .access("v128.store", at + 4 * place + VECTOR * half);
      });
    },
    write: (code, first, at) => {
      const [low, high] = [code.local("v128"), code.local("v128")];
      eachChunk((register, chunk, place) => {
        code
          .get(ROOM)
          .access("v128.load", at + 4 * place)
          .set(low);
        code
          .get(ROOM)
          .access("v128.load", at + 4 * place + VECTOR)
          .set(high);
        for (const [odd, order] of [
          [0, 2, 4, 6],
          [1, 3, 5, 7],
        ].entries())
          address(code, first + register + odd)
            .get(low)
            .get(high)
            .shuffleWords(order)
            .access("v128.store", VECTOR * chunk);
      });
    },
  };
}

/** Writes words below 2^16 to registers that hold two each. */
function packHalves(code: Code, first: number, at: number, registers: number, places: Int32Array): void {
  for (let register = 0; register < registers; register++)
    for (let chunk = 0; chunk < 8; chunk++) {
      const from = 8 * (8 * register + chunk);
      address(code, first + register);
      for (const half of [from, from + 4]) code.get(ROOM).access("v128.load", at + 4 * places[half]!);
      code.vector("i16x8.narrow_i32x4_u").access("v128.store", VECTOR * chunk);
    }
}

/** Where the stored elements of a sparse A lie, and which bytes of them each indices choose, at the end of the room. */
export const STORED: number = MATRIX_ROOM - 2048 - 256;
const CHOSEN: number = MATRIX_ROOM - 256;

/**
 * Writes a sparse A to where it is multiplied, zeros between the elements that are stored (PTX ISA, Sparse matrix storage).
 * Returns from the function where the manual leaves indices undefined.
 */
export function spread(
  code: Code,
  op: MatrixOperation,
  metadata: Fragment,
  {
    selector,
    register,
    to,
    bytes,
  }: { readonly selector: number; readonly register: number; readonly to: number; readonly bytes: number },
): void {
  const { columns, stored, column, sound } = chunksOf(op);
  for (let indices = 0; indices < 16; indices++) {
    const from = new Uint8Array(VECTOR).fill(0xff);
    for (let at = 0; at < stored * bytes; at++)
      from[column[indices * stored + Math.floor(at / bytes)]! * bytes + (at % bytes)] = at;
    code
      .get(ROOM)
      .v128([...new Uint32Array(from.buffer)])
      .access("v128.store", CHOSEN + VECTOR * indices);
  }
  const [word, indices, unsound] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const mask = sound.reduce((bits, one, at) => bits | (one === 0 ? 1 << at : 0), 0);
  const threads = metadata.holders?.threads ?? 4;
  const first = (selector % (4 / threads)) * threads;
  const positions = positionsOf(metadata);
  const load = stored * bytes === 4 ? "v128.load32_zero" : "v128.load64_zero";
  for (let lane = 0; lane < LANES; lane++) {
    if (lane % 4 >= threads) continue;
    address(code, register)
      .access("i32.load", 4 * (lane + first))
      .set(word);
    for (let i = 0; i < 8; i++) {
      const at = positions[8 * lane + i]!;
      code
        .get(word)
        .i32(4 * i)
        .scalar("i32.shr_u")
        .i32(15)
        .scalar("i32.and")
        .set(indices);
      code.i32(mask).get(indices).scalar("i32.shr_u").get(unsound).scalar("i32.or").set(unsound);
      code.get(ROOM);
      code.get(ROOM).access(load, STORED + at * stored * bytes);
      code.get(indices).i32(VECTOR).scalar("i32.mul").get(ROOM).scalar("i32.add").access("v128.load", CHOSEN);
      code.vector("i8x16.swizzle");
      const place = to + at * columns * bytes;
      if (columns * bytes === VECTOR) code.access("v128.store", place);
      else code.laneAccess("v128.store64_lane", 0, place);
    }
  }
  code.get(unsound).i32(1).scalar("i32.and").if().i32(1).scalar("return").end();
}

/** Which byte of the scales' register is the first, of which thread. */
export interface ScaleChoice {
  readonly byte: number;
  readonly thread: number;
}

/** Reads the scales of all rows of A or columns of B, each from a register's bytes of a lane (PTX ISA, Block Scaling for mma.sync). */
export function readScales(
  code: Code,
  role: "a" | "b",
  {
    register,
    choice: { byte, thread },
    vector,
    to,
  }: { readonly register: number; readonly choice: ScaleChoice; readonly vector: 1 | 2 | 4; readonly to: number },
): void {
  for (let row = 0; row < (role === "a" ? 16 : 8); row++) {
    const lane = role === "a" ? 4 * (row & 7) + 2 * thread + (row >> 3) : 4 * row + thread;
    const place = to + 4 * vector * row;
    code.get(ROOM);
    address(code, register).access("v128.load32_zero", 4 * lane);
    code.vector("i16x8.extend_low_i8x16_u").vector("i32x4.extend_low_i16x8_u");
    if (vector === 4) code.access("v128.store", place);
    else code.laneAccess(vector === 2 ? "v128.store64_lane" : "v128.store32_lane", byte / vector, place);
  }
}
