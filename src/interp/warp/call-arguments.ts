import { type Operand, slot } from "../contract/operand.ts";
import type { ParameterLocation } from "../contract/program.ts";
import { ALLOCATED, INITIALISED, WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";

/** Does something for the lanes in `mask`. */
export type ForLanes = (warp: Warp, mask: number) => void;

/** The shadow of a word that comes from a register: initialised. */
export const WRITTEN = Math.imul(ALLOCATED | INITIALISED | WINDOWED, 0x0101_0101);

/**
 * The values that a call passes, arguments or results: for each lane their bytes and the shadow of those. All
 * arguments are read before the first parameter is written, because the parameters of a recursive function lie where
 * its arguments lie.
 */
export class CallArguments {
  readonly values: Uint32Array;
  readonly shadows: Uint32Array;
  /** Words of a lane. */
  readonly stride: number;
  readonly #bytes: Uint8Array;
  readonly #marks: Uint8Array;

  /** `words`: words a lane. */
  constructor(words: number, lanes: number) {
    this.stride = words;
    this.values = new Uint32Array(words * lanes);
    this.shadows = new Uint32Array(words * lanes);
    this.#bytes = new Uint8Array(this.values.buffer);
    this.#marks = new Uint8Array(this.shadows.buffer);
  }

  /** Fills the words from `word` on from a register or from `bytes` bytes of local memory. */
  take(from: Operand, word: number, bytes: number, context: Context): ForLanes {
    if (from.kind === "address" && from.of === "kernel") return this.#parameter(from, word, bytes, context);
    if (from.kind === "address") return this.#load(from, word, bytes, context);
    const get = registerWords(from, context.lanes);
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((mask >>> lane) & 1)) continue;
        const at = lane * this.stride + word;
        for (let index = 0; index < get.length; index++) {
          this.values[at + index] = get[index]!(warp, lane);
          this.shadows[at + index] = WRITTEN;
        }
      }
    };
  }

  /** Copies the words from `word` on to a register or to `bytes` bytes of local memory. */
  give(to: Operand, word: number, bytes: number, context: Context): ForLanes {
    if (to.kind === "sink") return () => {};
    if (to.kind === "address") return this.#store(to, word, bytes, context);
    if (to.kind === "vector") return this.#spread(to.items, word, context);
    const set = registerWriter(to, context.lanes);
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++)
        if ((mask >>> lane) & 1) set(warp, lane, this.values, lane * this.stride + word);
    };
  }

  /** Distributes bytes to the registers of an array's elements, one element after the other. */
  #spread(items: readonly Operand[], word: number, { lanes }: Context): ForLanes {
    const element = new Uint32Array(4);
    const bytes = new Uint8Array(element.buffer);
    const writers = items.map((item) => ({ set: registerWriter(item, lanes), size: slot(item).bits / 8 }));
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((mask >>> lane) & 1)) continue;
        let at = (lane * this.stride + word) * 4;
        for (const { set, size } of writers) {
          bytes.set(this.#bytes.subarray(at, at + size));
          set(warp, lane, element, 0);
          at += size;
        }
      }
    };
  }

  /** The shadow of the kernel's parameters is of another kind; what is passed counts as initialised. */
  #parameter({ offset }: Operand & { kind: "address" }, word: number, bytes: number, context: Context): ForLanes {
    const at = context.parameters + Number(offset);
    const { u8 } = context.memory.data;
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((mask >>> lane) & 1)) continue;
        const first = lane * this.stride + word;
        this.values.fill(0, first, first + wordsOf(bytes));
        this.#bytes.set(u8.subarray(at, at + bytes), first * 4);
        this.shadows.fill(WRITTEN, first, first + wordsOf(bytes));
      }
    };
  }

  /** How many of the `bytes` bytes from `word` on came from uninitialised memory. */
  unwritten(lane: number, word: number, bytes: number): number {
    const first = (lane * this.stride + word) * 4;
    let count = 0;
    for (const mark of this.#marks.subarray(first, first + bytes)) if ((mark & INITIALISED) === 0) count++;
    return count;
  }

  #load(from: Operand & { kind: "address" }, word: number, bytes: number, context: Context): ForLanes {
    const find = located(from, context);
    const { memory } = context;
    const { data, shadow } = memory;
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((mask >>> lane) & 1)) continue;
        const at = find(warp, lane);
        touch(memory, at, bytes);
        const first = lane * this.stride + word;
        if (((at | bytes) & 3) === 0) {
          for (let index = 0; index < bytes >>> 2; index++) {
            this.values[first + index] = data.u32[(at >>> 2) + index]!;
            this.shadows[first + index] = shadow.u32[(at >>> 2) + index]!;
          }
          continue;
        }
        const to = first * 4;
        if (bytes < 4) this.values[to >>> 2] = 0;
        for (let byte = 0; byte < bytes; byte++) {
          this.#bytes[to + byte] = data.u8[at + byte]!;
          this.#marks[to + byte] = shadow.u8[at + byte]!;
        }
      }
    };
  }

  #store(to: Operand & { kind: "address" }, word: number, bytes: number, context: Context): ForLanes {
    const find = located(to, context);
    const { memory } = context;
    const { data, shadow } = memory;
    return (warp, mask) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((mask >>> lane) & 1)) continue;
        const at = find(warp, lane);
        touch(memory, at, bytes);
        const first = lane * this.stride + word;
        if (((at | bytes) & 3) === 0) {
          for (let index = 0; index < bytes >>> 2; index++) {
            data.u32[(at >>> 2) + index] = this.values[first + index]!;
            shadow.u32[(at >>> 2) + index] = this.shadows[first + index]!;
          }
          continue;
        }
        const from = first * 4;
        for (let byte = 0; byte < bytes; byte++) {
          data.u8[at + byte] = this.#bytes[from + byte]!;
          shadow.u8[at + byte] = this.#marks[from + byte]!;
        }
      }
    };
  }
}

/** Fills in the shadow of a page that is touched for the first time; a test each time would cost more than the copy. */
function touch(memory: Context["memory"], at: number, bytes: number): void {
  const { u8 } = memory.shadow;
  if (u8[at] === 0 || u8[at + bytes - 1] === 0) memory.know(at, bytes);
}

/** Size of a parameter or result, bytes. */
export const bytesOf = (place: ParameterLocation): number =>
  place.kind === "memory" ? place.bytes : place.slot.kind === "predicate" ? 4 : place.slot.bits / 8;

/** Words of `CallArguments` that `bytes` bytes need: registers are moved as a whole. */
export const wordsOf = (bytes: number): number => Math.max(4, Math.ceil(bytes / 4));

/** The buffer offset of a variable of the function's body: always inside the local window, hence unchecked. */
function located({ base, offset }: Operand & { kind: "address" }, context: Context): (w: Warp, lane: number) => number {
  const { localStride, lanes } = context;
  const fixed = Number(offset);
  if (base === undefined) return (warp, lane) => warp.local + lane * localStride + fixed;
  const from = 2 * base.slot * lanes;
  if (base.bank !== "q") throw new Error("a frame's address has 64 bits");
  return (warp, lane) => warp.local + lane * localStride + warp.w[from + 2 * lane]! + fixed;
}

/** Reads a register word by word, low first. */
function registerWords(from: Operand, lanes: number): readonly ((warp: Warp, lane: number) => number)[] {
  if (from.kind === "predicate") {
    const { slot, negated } = from;
    return [({ p }, lane) => ((p[slot]! >>> lane) & 1) ^ (negated ? 1 : 0)];
  }
  if (from.kind !== "slot") throw new Error(`a ${from.kind} cannot be passed`);
  const base = from.slot * lanes;
  if (from.bank === "r") return [({ r }, lane) => r[base + lane]!];
  return Array.from({ length: from.bits === 128 ? 4 : 2 }, (_, word) => {
    const first = 2 * (base + (word >> 1) * lanes) + (word & 1);
    return ({ w }: Warp, lane: number) => w[first + 2 * lane]!;
  });
}

type Writer = (warp: Warp, lane: number, values: Uint32Array, at: number) => void;

function registerWriter(to: Operand, lanes: number): Writer {
  if (to.kind === "predicate") {
    const { slot } = to;
    return ({ p }, lane, values, at) => {
      p[slot] = values[at]! & 1 ? p[slot]! | (1 << lane) : p[slot]! & ~(1 << lane);
    };
  }
  if (to.kind !== "slot") throw new Error(`nothing can be passed to a ${to.kind}`);
  const base = to.slot * lanes;
  if (to.bank === "r") {
    const mask = to.bits >= 32 ? 0xffff_ffff : (1 << to.bits) - 1;
    return ({ r }, lane, values, at) => {
      r[base + lane] = values[at]! & mask;
    };
  }
  const words = to.bits === 128 ? 4 : 2;
  return ({ w }, lane, values, at) => {
    for (let word = 0; word < words; word++)
      w[2 * (base + (word >> 1) * lanes + lane) + (word & 1)] = values[at + word]!;
  };
}
