import type { FunctionCode } from "../contract/program.ts";
import { ALLOCATED, WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import { Fault } from "../state/fault.ts";
import type { Activation, Warp } from "../state/warp.ts";

type Recursive = NonNullable<FunctionCode["recursive"]>;
type Saved = NonNullable<Activation["saved"]>;

/** Copies the registers of a recursive function, before another call of it uses the same slots. */
export function save({ p, r, q, lanes }: Warp, { saves }: Recursive): Saved {
  const narrow = new Uint32Array(saves.r.length * lanes);
  const wide = new BigUint64Array(saves.q.length * lanes);
  for (const [at, slot] of saves.r.entries()) narrow.set(r.subarray(slot * lanes, (slot + 1) * lanes), at * lanes);
  for (const [at, slot] of saves.q.entries()) wide.set(q.subarray(slot * lanes, (slot + 1) * lanes), at * lanes);
  return { p: Uint32Array.from(saves.p, (slot) => p[slot]!), r: narrow, q: wide };
}

/** Puts those registers back for the lanes that return. */
export function restore(warp: Warp, mask: number, { saves }: Recursive, saved: Saved): void {
  const { p, r, q, lanes } = warp;
  for (const [at, slot] of saves.p.entries()) p[slot] = (p[slot]! & ~mask) | (saved.p[at]! & mask);
  for (const [at, slot] of saves.r.entries())
    for (let lane = 0; lane < lanes; lane++)
      if ((mask >>> lane) & 1) r[slot * lanes + lane] = saved.r[at * lanes + lane]!;
  for (const [at, slot] of saves.q.entries())
    for (let lane = 0; lane < lanes; lane++)
      if ((mask >>> lane) & 1) q[slot * lanes + lane] = saved.q[at * lanes + lane]!;
}

/**
 * The stack of a thread is the end of its local memory and grows down (PTX ISA 9.7.17). A slot of the program holds how
 * many bytes of it are in use; that is 0 at the start, so nobody has to set it up.
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

  /** Makes `pointer` the end of what is in use; false when it lies outside the stack. */
  set({ r }: Warp, lane: number, pointer: number): boolean {
    if (pointer < this.#bottom || pointer > this.#top) return false;
    r[this.#used + lane] = this.#top - pointer;
    return true;
  }

  /** Takes `bytes` bytes that nothing has written; gives their address. Too many are a fault. */
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
    memory.know(at, before - pointer);
    memory.shadow.u8.fill(ALLOCATED | WINDOWED, at, at + before - pointer);
    return pointer;
  }

  /** Gives a recursive function its frame, and its variables their addresses in it. */
  open(warp: Warp, mask: number, { frameBytes, frameAlign, frameSlots }: Recursive): void {
    const { r, q, lanes } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const frame = frameBytes === 0 ? 0 : this.take(warp, lane, frameBytes, frameAlign);
      for (const { bank, slot, offset } of frameSlots)
        if (bank === "r") r[slot * lanes + lane] = frame + offset;
        else q[slot * lanes + lane] = BigInt(frame + offset);
    }
  }
}
