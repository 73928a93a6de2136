import { clearRoom, copyWarp, makeRoom, moveIn, type Needs, type Room } from "./block.ts";
import { volume } from "./extent.ts";
import { refuel } from "./groups.ts";
import type { Memory } from "./memory.ts";
import type { Template } from "./template.ts";
import { view, type Warp } from "./warp.ts";

/** Blocks that run side by side at most. */
const MOST_ROOMS = 1024;
/** Bytes of registers that are kept of ended blocks, and again of blocks that had their room until the launch was closed. */
const KEPT_BYTES = 64 << 20;

/**
 * Which warp runs when. Warps of the blocks that have a room take turns, in order; a block that ends leaves its room
 * to the next. When every warp has burnt its fuel and no block has ended, they may be waiting for a block that has
 * not begun, so one more is let in. Nothing here depends on time.
 */
export class Scheduler {
  rooms: Room[] = [];
  /** Registers of blocks that have ended, by block. */
  kept: Map<number, readonly Warp[]> = new Map();
  /** Whose turn it is: the warp of the room; `next` is the block that begins next. */
  room = 0;
  warp = 0;
  next = 0;
  #ended = false;
  #keptBytes = 0;
  readonly #memory: Memory;
  readonly #needs: Needs;
  readonly #blocks: number;
  readonly #fresh: Template;
  readonly #carry: 0 | 1;
  #generation: number;

  constructor(memory: Memory, needs: Needs, blocks: number, fresh: Template, carry: 0 | 1) {
    this.#memory = memory;
    this.#needs = needs;
    this.#blocks = blocks;
    this.#fresh = fresh;
    this.#carry = carry;
    this.#generation = memory.generation;
  }

  /** Lets the first block in; false when memory does not hold even one. */
  begin(): boolean {
    return this.#admit();
  }

  /** The warp whose turn it is; undefined when all blocks have ended. */
  get current(): Warp | undefined {
    return this.rooms[this.room]?.warps[this.warp];
  }

  /** Takes the views of the buffer anew if somebody has made it grow. */
  refresh(): void {
    if (this.#generation === this.#memory.generation) return;
    this.#generation = this.#memory.generation;
    for (const { warps } of this.rooms)
      for (const warp of warps) view(warp, this.#memory.data.buffer, this.#needs.shape);
  }

  /** Ends the current warp's turn. */
  turn(): void {
    const warp = this.current;
    if (warp !== undefined && warp.live !== 0) refuel(warp);
    const room = this.rooms[this.room]!;
    if (room.warps.every(({ live }) => live === 0)) this.#retire(room);
    else this.warp++;
    this.#seek();
  }

  /** Finds the next warp that lives, from the current place on. */
  #seek(): void {
    while (this.rooms.some(({ running }) => running)) {
      const room = this.rooms[this.room];
      if (room === undefined) {
        if (!this.#ended) this.#admit();
        this.#ended = false;
        this.room = 0;
        this.warp = 0;
        continue;
      }
      const alive = room.running ? room.warps.findIndex(({ live }, at) => at >= this.warp && live !== 0) : -1;
      if (alive >= 0) {
        this.warp = alive;
        return;
      }
      this.room++;
      this.warp = 0;
    }
    this.room = this.rooms.length;
  }

  #retire(room: Room): void {
    this.#ended = true;
    this.#keep(room, room.block === 0);
    room.running = false;
    this.warp = 0;
    if (this.next < this.#blocks) this.#enter(room);
  }

  /** Copies a block's registers out of the memory. */
  #keep({ block, state, warps }: Room, always: boolean): void {
    const bytes = state.end - state.start;
    if (!always && this.#keptBytes + bytes > KEPT_BYTES) return;
    this.#keptBytes += bytes;
    const { buffer } = this.#memory.data;
    this.kept.set(
      block,
      warps.map((warp) => copyWarp(warp, buffer, this.#needs.shape)),
    );
  }

  #admit(): boolean {
    if (this.next >= this.#blocks || this.rooms.length >= MOST_ROOMS) return false;
    const room = makeRoom(this.#memory, this.#needs, this.rooms.length);
    if (room === undefined) return false;
    this.rooms.push(room);
    this.refresh();
    this.#enter(room);
    return true;
  }

  #enter(room: Room): void {
    moveIn(this.#memory, room, this.next++, volume(this.#needs.block), this.#fresh, this.#carry);
  }

  /** A copy of everything that is not in the memory's own image. */
  save(): SchedulerImage {
    const { buffer } = this.#memory.data;
    return {
      rooms: this.rooms.map((room) => ({
        room,
        block: room.block,
        running: room.running,
        state: new Uint8Array(buffer.slice(room.state.start, room.state.end)),
        warps: room.warps.map(ownLists),
      })),
      kept: new Map(this.kept),
      place: [this.room, this.warp, this.next, this.#keptBytes],
      ended: this.#ended,
    };
  }

  /** Before the memory's own image is put back: registers of rooms that did not exist then become zeros. */
  restore(image: SchedulerImage, memory: () => void): void {
    const { u8 } = this.#memory.data;
    for (const { state } of this.rooms.slice(image.rooms.length)) u8.fill(0, state.start, state.end);
    memory();
    this.rooms = image.rooms.map(({ room, block, running, state, warps }) => {
      u8.set(state, room.state.start);
      for (const [at, warp] of room.warps.entries()) {
        Object.assign(warp, ownLists(warps[at]!));
        view(warp, this.#memory.data.buffer, this.#needs.shape);
      }
      return Object.assign(room, { block, running });
    });
    this.kept = new Map(image.kept);
    [this.room, this.warp, this.next, this.#keptBytes] = image.place;
    this.#ended = image.ended;
  }

  /** Gives all room back to the memory. Registers that can be read now can be read afterwards, the current block's first. */
  close(): void {
    const current = this.rooms[this.room];
    this.#keptBytes = 0;
    if (current !== undefined) this.#keep(current, true);
    for (const room of this.rooms) {
      if (room !== current && !this.kept.has(room.block)) this.#keep(room, false);
      clearRoom(this.#memory, room);
    }
    this.rooms = [];
    this.room = 0;
  }
}

const ownLists = (warp: Warp): Warp => ({
  ...warp,
  waiting: [...warp.waiting],
  activations: [...warp.activations],
  parked: [...warp.parked],
});

export interface SchedulerImage {
  readonly rooms: readonly {
    readonly room: Room;
    readonly block: number;
    readonly running: boolean;
    readonly state: Uint8Array;
    readonly warps: readonly Warp[];
  }[];
  readonly kept: ReadonlyMap<number, readonly Warp[]>;
  readonly place: readonly [room: number, warp: number, next: number, keptBytes: number];
  readonly ended: boolean;
}
