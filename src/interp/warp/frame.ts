import type { FunctionCode } from "../contract/program.ts";
import { ALLOCATED, WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import { Fault } from "../state/fault.ts";
import type { Activation, Warp } from "../state/warp.ts";

type Recursive = NonNullable<FunctionCode["recursive"]>;
type Saved = NonNullable<Activation["saved"]>;

/** Bytes that lie in two pages at most. */
const SMALL = 256;

// Calls share arrays of this many words: one array a call would cost more than it holds.
const SLAB = 1 << 14;
let slab = new Int32Array(0);
let used = 0;

/** Saves the registers of a recursive function before another call of it uses the same slots. */
export function save({ p, s, w, lanes }: Warp, { saves }: Recursive): Saved {
  const count = saves.p.length + (saves.r.length + 2 * saves.q.length) * lanes;
  if (used + count > slab.length) {
    slab = new Int32Array(Math.max(SLAB, count));
    used = 0;
  }
  const saved = { words: slab, at: used, count };
  let at = used;
  used += count;
  for (const slot of saves.p) slab[at++] = p[slot]!;
  for (const slot of saves.r) {
    const from = slot * lanes;
    for (let lane = 0; lane < lanes; lane++) slab[at++] = s[from + lane]!;
  }
  for (const slot of saves.q) {
    const from = 2 * slot * lanes;
    for (let word = 0; word < 2 * lanes; word++) slab[at++] = w[from + word]!;
  }
  return saved;
}

/** Restores those registers for the lanes that return. */
export function restore({ p, s, w, lanes }: Warp, mask: number, { saves }: Recursive, { words, at }: Saved): void {
  let from = at;
  for (const slot of saves.p) p[slot] = (p[slot]! & ~mask) | (words[from++]! & mask);
  for (const slot of saves.r) {
    const to = slot * lanes;
    for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) s[to + lane] = words[from + lane]!;
    from += lanes;
  }
  for (const slot of saves.q) {
    const to = 2 * slot * lanes;
    for (let word = 0; word < 2 * lanes; word++) if ((mask >>> (word >> 1)) & 1) w[to + word] = words[from + word]!;
    from += 2 * lanes;
  }
}

/**
 * The stack of a thread is the end of its local memory and grows down (PTX ISA, stacksave). A slot of the program
 * holds how many bytes of it are in use; that is 0 at the start, without any set-up.
 */
export class Stack {
  readonly #context: Context;
  readonly #top: number;
  readonly #bottom: number;
  readonly #used: number;

  constructor(context: Context) {
    const { program, localBytes, lanes } = context;
    this.#context = context;
    this.#top = localBytes;
    this.#bottom = program.localBytes;
    this.#used = (program.stackSlot ?? 0) * lanes;
  }

  /** The local address of the lane's last allocation. */
  pointer({ r }: Warp, lane: number): number {
    return this.#top - r[this.#used + lane]!;
  }

  /** Sets the stack pointer to `pointer`; false when that lies outside the stack. */
  set({ r }: Warp, lane: number, pointer: number): boolean {
    if (pointer < this.#bottom || pointer > this.#top) return false;
    r[this.#used + lane] = this.#top - pointer;
    return true;
  }

  /** Allocates `bytes` uninitialised bytes and returns their address; stack overflow is a fault. */
  take(warp: Warp, lane: number, bytes: number, align: number): number {
    const before = this.pointer(warp, lane);
    const pointer = Math.floor((before - bytes) / align) * align;
    if (!this.set(warp, lane, pointer)) {
      const size = this.#top - this.#bottom;
      throw new Fault(
        "PTX3020",
        lane,
        `needs ${bytes} bytes of the thread's stack where ${before - this.#bottom} of ${size} are left`,
      );
    }
    const { memory, localStride } = this.#context;
    const at = warp.local + lane * localStride + pointer;
    const size = before - pointer;
    const { u8 } = memory.shadow;
    if (size > SMALL || u8[at] === 0 || u8[at + size - 1] === 0) memory.know(at, size);
    for (let byte = at; byte < at + size; byte++) u8[byte] = ALLOCATED | WINDOWED;
    return pointer;
  }

  /** Allocates a frame for a recursive function, and sets the addresses of its variables. */
  open(warp: Warp, mask: number, { frameBytes, frameAlign, frameSlots }: Recursive): void {
    const { r, w, lanes } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const frame = frameBytes === 0 ? 0 : this.take(warp, lane, frameBytes, frameAlign);
      for (const { bank, slot, offset } of frameSlots)
        if (bank === "r") r[slot * lanes + lane] = frame + offset;
        else {
          w[2 * (slot * lanes + lane)] = frame + offset;
          w[2 * (slot * lanes + lane) + 1] = 0;
        }
    }
  }
}
