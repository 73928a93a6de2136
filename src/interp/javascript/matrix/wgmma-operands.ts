import { type Fragment, positionsOf } from "../../contract/matrix/fragment.ts";
import { chunkAddresses, type MatrixDescriptor } from "../../contract/matrix/shared-matrix.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Warp } from "../../state/warp.ts";

/** Bits of the low words of registers, spread to elements of a matrix by rows, and back. */
export interface FragmentMover {
  gather(warp: Warp, into: Uint32Array): void;
  scatter(warp: Warp, from: Uint32Array): void;
}

/** Moves a fragment of at most 32 bits an element; `slots` are the registers of bank r. Elements of one bit stay words of 32. */
export function fragmentMover(fragment: Fragment, slots: readonly number[], lanes: number): FragmentMover {
  const { count, bits } = fragment;
  const positions = positionsOf(fragment);
  const per = 32 / bits;
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  const words = bits === 1;
  return {
    gather({ r }, into) {
      slots.forEach((slot, register) => {
        for (let lane = 0; lane < 32; lane++) {
          const word = r[slot * lanes + lane]!;
          const first = lane * count + register * per;
          if (words) into[positions[first]! / 32] = word;
          else for (let i = 0; i < per; i++) into[positions[first + i]!] = (word >>> (i * bits)) & mask;
        }
      });
    },
    scatter({ r }, from) {
      slots.forEach((slot, register) => {
        for (let lane = 0; lane < 32; lane++) {
          const first = lane * count + register * per;
          let word = 0;
          for (let i = 0; i < per; i++) word |= (from[positions[first + i]!]! & mask) << (i * bits);
          r[slot * lanes + lane] = word;
        }
      });
    },
  };
}

/** A matrix in shared memory: where its 16-byte chunks lie in memory's buffer, and how elements lie in them. */
export interface SharedMatrix {
  /** By `major * chunks + chunk`. */
  readonly places: Int32Array;
  readonly kMajor: boolean;
  /** Rows of A or columns of B, and elements along K. */
  readonly rows: number;
  readonly k: number;
  readonly bits: 1 | 8 | 16 | 32;
}

/**
 * The matrix of a descriptor: `rows` of them from `from` on, `k` elements each. `shared` is where the block's shared memory
 * begins in the buffer.
 */
export function sharedMatrix(
  descriptor: MatrixDescriptor,
  { kMajor, from, rows, k, bits }: Omit<SharedMatrix, "places"> & { readonly from: number },
  shared: number,
): SharedMatrix {
  const per = 128 / bits;
  const chunks = (kMajor ? k : rows) / per;
  const places = chunkAddresses(descriptor, kMajor, kMajor ? from : from / per, kMajor ? rows : k, chunks);
  return { places: places.map((at) => at + shared), kMajor, rows, k, bits };
}

/** Reads all elements: row by row, `k` of each; elements of one bit as words of 32. */
export function readMatrix({ places, kMajor, rows, k, bits }: SharedMatrix, memory: Memory, into: Uint32Array): void {
  const { u8, u16, u32 } = memory.data;
  const per = 128 / Math.max(bits, 8);
  const width = bits === 1 ? 8 : bits;
  const view = width === 8 ? u8 : width === 16 ? u16 : u32;
  const shift = width === 8 ? 0 : width === 16 ? 1 : 2;
  if (bits === 1) {
    for (let at = 0; at < places.length; at++)
      for (let word = 0; word < 4; word++) into[4 * at + word] = u32[(places[at]! >>> 2) + word]!;
    return;
  }
  if (kMajor) {
    for (let at = 0; at < places.length; at++) {
      const first = places[at]! >>> shift;
      for (let i = 0; i < per; i++) into[at * per + i] = view[first + i]!;
    }
    return;
  }
  const chunks = rows / per;
  for (let at = 0; at < places.length; at++) {
    const first = places[at]! >>> shift;
    const row = (at % chunks) * per;
    const column = Math.floor(at / chunks);
    for (let i = 0; i < per; i++) into[(row + i) * k + column] = view[first + i]!;
  }
}

/** The bytes of a matrix as ranges that do not touch each other. */
export function rangesOf(places: Int32Array): readonly { start: number; bytes: number }[] {
  const sorted = Int32Array.from(places).sort();
  const found: { start: number; bytes: number }[] = [];
  let last: { start: number; bytes: number } | undefined;
  for (const start of sorted) {
    if (last !== undefined && start <= last.start + last.bytes)
      last.bytes = Math.max(last.bytes, start + 16 - last.start);
    else {
      last = { start, bytes: 16 };
      found.push(last);
    }
  }
  return found;
}
