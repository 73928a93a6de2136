import { LANES } from "../contract/lane-mask.ts";
import { cellAt, columnOf, LANE_BYTES, laneOf, TENSOR_LANES } from "../contract/matrix/tensor-memory.ts";
import { type HostSpace, isOwn } from "../contract/space.ts";
import type { ThreadId } from "../contract/thread-id.ts";
import { spaceOf } from "../contract/window.ts";
import type { Memory } from "../memory/memory.ts";
import type { CtaSlot } from "../schedule/cta-slot.ts";

/** Where the host finds the bytes of a space that it names. */
export class HostAddresses {
  readonly #memory: Memory;
  readonly #sizes: { readonly shared: number; readonly local: number; readonly stride: number; readonly param: number };
  readonly #parameters: number;
  readonly #slots: () => readonly CtaSlot[];
  #closed = false;

  constructor(
    memory: Memory,
    sizes: { readonly shared: number; readonly local: number; readonly stride: number; readonly param: number },
    parameters: number,
    slots: () => readonly CtaSlot[],
  ) {
    this.#memory = memory;
    this.#sizes = sizes;
    this.#parameters = parameters;
    this.#slots = slots;
  }

  /** From now on only global and constant memory is found. */
  close(): void {
    this.#closed = true;
  }

  /**
   * The offset in memory's buffer of `bytes` bytes. Throws a RangeError when they do not lie in the space, when a
   * space of a block or a thread is named without a thread, when the block's memory has gone to another block, or when
   * the launch was closed.
   */
  find(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): number {
    if (space === "generic") return this.#generic(address, bytes, thread);
    if (space !== "tensor" && !isOwn(space)) {
      if (spaceOf(address) !== space || !this.#memory.holds(address, bytes)) throw miss(space, address);
      return Number(BigInt.asUintN(32, address));
    }
    if (this.#closed) throw new RangeError(`${space} memory of a launch that was closed`);
    if (space === "tensor") return this.#tensor(address, bytes, thread);
    const offset = Number(address);
    if (offset < 0 || offset + bytes > this.#sizes[space]) throw miss(space, address);
    if (space === "param") return this.#parameters + offset;
    const slot = this.#slots().find(({ block }) => block === thread?.block);
    const start = (space === "shared" ? slot?.shared : slot?.local)?.start;
    if (thread === undefined || start === undefined) throw new RangeError(`${space} memory of a block that has none`);
    return space === "shared"
      ? start + offset
      : start + (thread.warp * LANES + thread.lane) * this.#sizes.stride + offset;
  }

  /** Bytes of one lane, from a column on. */
  #tensor(address: bigint, bytes: number, thread?: ThreadId): number {
    const slot = this.#slots().find(({ block }) => block === thread?.block);
    if (slot?.tensor === undefined) throw new RangeError("tensor memory of a block that has none");
    const lane = laneOf(Number(BigInt.asUintN(32, address)));
    const column = columnOf(Number(BigInt.asUintN(32, address)));
    if (address >> 32n !== 0n || lane >= TENSOR_LANES || 4 * column + bytes > LANE_BYTES) throw miss("tensor", address);
    return slot.tensor.start + cellAt(lane, column);
  }

  #generic(address: bigint, bytes: number, thread?: ThreadId): number {
    const space = spaceOf(address);
    if (space === undefined) throw miss("generic", address);
    return this.find(space, isOwn(space) ? BigInt.asUintN(32, address) : address, bytes, thread);
  }
}

const miss = (space: HostSpace, address: bigint): RangeError =>
  new RangeError(`0x${address.toString(16)} is outside ${space} memory`);
