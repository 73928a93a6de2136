import type { VectorFunctions } from "../../../numeric/vector/function-set.ts";
import type { Code } from "../../../wasm/code.ts";

/** Locals and offsets that the code of one function works with. */
export interface Frame {
  readonly code: Code;
  readonly functions: VectorFunctions;
  /** Lanes of the warp, a multiple of four, and whether all of them execute. */
  readonly lanes: number;
  readonly full: boolean;
  /** Bytes of a row of bank r, which is 4 bytes a lane; a row of bank q has twice as many. */
  readonly row: number;
  /** Locals: where the warp's registers lie, and which lanes execute. */
  readonly base: number;
  readonly active: number;
  /** Locals: the state; the chunk, as its offset in a row of bank r; where it lies in the rows of both banks. */
  readonly state: number;
  readonly chunk: number;
  readonly rowR: number;
  readonly rowQ: number;
  /** Whether code may be repeated for each chunk: of a long program that would be too much. */
  readonly repeats: boolean;
  /** Offsets of banks r and p from the base. */
  readonly bankR: number;
  readonly bankP: number;
  /** Whether a chunk is two of four lanes side by side, in vectors of v256 (`Code.wide`), as only C has them. */
  readonly wide: boolean;
  /** Free locals for vectors. */
  readonly vectors: number[];
}

/** Bytes of one chunk of a row: four lanes of bank r. */
export const CHUNK = 16;

/** Bytes of a chunk in a frame that may be wide, and its lanes, by number. */
export const chunkOf = ({ wide }: Frame): number => (wide ? 2 * CHUNK : CHUNK);
export const lanesOf = ({ wide }: Frame): readonly number[] => (wide ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 1, 2, 3]);

/** Where a lane of 64 bits lies: in which of a chunk's two vectors, and in which place there. */
export const slotOf = (lane: number): readonly [half: number, slot: number] => [
  (lane & 3) >> 1,
  2 * (lane >> 2) + (lane & 1),
];

/** Writes code whose vectors are as wide as the frame says. */
export function inWidth<Result>({ code, wide }: Frame, body: () => Result): Result {
  const before = code.wide;
  code.wide = wide;
  const result = body();
  code.wide = before;
  return result;
}

/** Pushes the mask of a chunk's lanes, out of a word with a bit a lane that is on the stack. */
export function pushMask(frame: Frame): void {
  const { code, chunk } = frame;
  const bits = lanesOf(frame).map((lane) => 1 << lane);
  code.get(chunk).i32(2).scalar("i32.shr_u").scalar("i32.shr_u").vector("i32x4.splat");
  code.v128(bits).vector("v128.and").v128(bits).vector("i32x4.eq");
}

/** Writes code for the first chunk of a warp. */
export function firstChunk({ code, chunk, base, rowR, rowQ }: Frame, body: () => void): void {
  code.i32(0).set(chunk).get(base).tee(rowR).set(rowQ);
  body();
}

/** How `eachChunk` goes over the chunks. */
interface Course {
  /** Bytes from one to the next, where not all are wanted. */
  readonly distance?: number;
  /** The code of the body, of so many vectors, is there for each chunk where that is little. */
  readonly size?: number;
}

/** Vectors of a body at most whose code is repeated for each chunk of a full warp. */
const REPEATED = 24;

/** Writes a loop over the chunks of a warp; it skips those in which no lane executes. */
export function eachChunk(
  frame: Frame,
  body: () => void,
  { distance = chunkOf(frame), size = REPEATED + 1 }: Course = {},
): void {
  const { code, chunk, base, rowR, rowQ, full, active, row } = frame;
  if (row === chunkOf(frame) || distance >= row) {
    firstChunk(frame, body);
    return;
  }
  if (full && frame.repeats && size <= REPEATED) {
    for (let at = 0; at < row; at += distance) {
      code.i32(at).set(chunk).get(base).i32(at).scalar("i32.add").tee(rowR).i32(at).scalar("i32.add").set(rowQ);
      body();
    }
    return;
  }
  code.i32(0).set(chunk);
  code.loop().block();
  if (!full) {
    code
      .get(active)
      .get(chunk)
      .i32(2)
      .scalar("i32.shr_u")
      .scalar("i32.shr_u")
      .i32((1 << lanesOf(frame).length) - 1)
      .scalar("i32.and");
    code.scalar("i32.eqz").branchIf(0);
  }
  code.get(base).get(chunk).scalar("i32.add").set(rowR);
  code.get(rowR).get(chunk).scalar("i32.add").set(rowQ);
  body();
  code.end().get(chunk).i32(distance).scalar("i32.add").tee(chunk).i32(row).scalar("i32.lt_u").branchIf(0).end();
}
