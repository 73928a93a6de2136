import { VectorEmitter } from "../../../numeric/vector/emit.ts";
import type { Vector } from "../../../numeric/vector/vector.ts";
import { type Frame, pushMask } from "./frame.ts";

// How code of warp operations reads and writes one register. All but `storeLanes` are for use within `eachChunk`.

/** Pushes a chunk of a register of up to 32 bits. */
export function pushChunk({ code, rowR, bankR, row }: Frame, slot: number): void {
  code.get(rowR).access("v128.load", bankR + slot * row);
}

/** Puts what `push` leaves into a chunk of a register, in the lanes that execute. */
export function storeChunk(frame: Frame, slot: number, push: () => void): void {
  const { code, rowR, bankR, active, full, row } = frame;
  code.get(rowR);
  push();
  if (!full) {
    pushChunk(frame, slot);
    code.get(active);
    pushMask(frame);
    code.vector("v128.bitselect");
  }
  code.access("v128.store", bankR + slot * row);
}

/** Sets a predicate to the word that `push` leaves, in the lanes that execute. */
export function storeLanes({ code, base, bankP, active, full }: Frame, slot: number, push: () => void): void {
  const offset = bankP + 4 * slot;
  code.get(base);
  push();
  if (!full) {
    code.get(active).scalar("i32.and").get(base).access("i32.load", offset);
    code.get(active).i32(-1).scalar("i32.xor").scalar("i32.and").scalar("i32.or");
  }
  code.access("i32.store", offset);
}

/** Adds the chunk of a mask that is on the stack to a local with a bit a lane. */
export function addFlags({ code, chunk }: Frame, sum: number): void {
  code.vector("i32x4.bitmask").get(chunk).i32(2).scalar("i32.shr_u").scalar("i32.shl");
  code.get(sum).scalar("i32.or").set(sum);
}

/** Pushes a vector whose inputs are locals, by number. */
export function pushVector({ code, functions, vectors }: Frame, of: Vector, inputs: readonly number[]): void {
  const source = {
    input: (at: number) => void code.get(inputs[at]!),
    function: (made: Parameters<typeof functions.index>[0]) => functions.index(made),
  };
  const emitter = new VectorEmitter(code, source, vectors);
  emitter.expect(of);
  emitter.push(of);
}
