import { type Extent, volume } from "../contract/extent.ts";
import type { Observer } from "../contract/session.ts";
import {
  clearRoom,
  makeRoom,
  moveIn,
  type Needs,
  type Remains,
  type Room,
  remainsOf,
  revive,
} from "../machine/block.ts";
import type { Template } from "../machine/template.ts";
import { view, type Warp } from "../machine/warp.ts";
import type { Memory } from "../memory/memory.ts";
import { copyPieces, putPieces } from "../memory/snapshot-pages.ts";
import { refuel } from "../warp/groups.ts";
import { blockOf, sizeOf } from "./cluster-rank.ts";
import { type MusterImage, restoreMuster, saveMuster } from "./cta-sync.ts";
import { Random, shuffled } from "./random.ts";

/** Blocks that run side by side at most. */
const MOST_ROOMS = 1024;
/** Rounds in which nobody gets anywhere before one more cluster begins. */
const STILL = 16;
/** Bytes of registers that are kept of ended blocks, and again of blocks that had their room until the launch was closed. */
const KEPT_BYTES = 64 << 20;

/** What a launch's blocks are and in which order they run. */
export interface Schedule {
  readonly needs: Needs;
  readonly grid: Extent;
  /** Blocks of a cluster, which are resident together; one without. */
  readonly cluster: Extent | undefined;
  /** A cooperative launch: all blocks begin together. */
  readonly together: boolean;
  readonly fresh: Template;
  readonly carry: 0 | 1;
  /** Permutes who goes first and for how long; undefined for the fixed order. */
  readonly seed: number | undefined;
  readonly observers: readonly Observer[];
}

/**
 * Which warp runs when. Warps of the blocks that have a room take turns, in order; a cluster that ends leaves its rooms
 * to the next. When all that can run have burnt their fuel time and again, they may be waiting for a block that
 * has not begun, so one more cluster is let in. With a seed the next warp, the length of its turn and the order of the
 * clusters are drawn. Nothing here depends on time.
 */
export class Scheduler {
  rooms: Room[] = [];
  /** Registers of blocks that have ended, by block. */
  #kept: Map<number, Remains> = new Map();
  /** Whose turn it is: the warp of the room; `next` counts the clusters that have begun. */
  room = 0;
  warp = 0;
  next = 0;
  /** Instructions left in this turn. */
  slice: number = Number.POSITIVE_INFINITY;
  /** True when all live threads of all resident blocks wait, and no block can begin. */
  stuck = false;
  /** Rounds since a warp came to a barrier or to its end. */
  #still = 0;
  #keptBytes = 0;
  readonly #memory: Memory;
  readonly #schedule: Schedule;
  readonly #clusters: number;
  /** Which cluster begins as the nth. */
  readonly #order: (index: number) => number;
  readonly #random: Random | undefined;
  #generation: number;

  constructor(memory: Memory, schedule: Schedule) {
    const { grid, cluster, seed } = schedule;
    this.#memory = memory;
    this.#schedule = schedule;
    this.#clusters = volume(grid) / sizeOf(cluster);
    this.#random = seed === undefined ? undefined : new Random(seed);
    this.#order = this.#random === undefined ? (index) => index : shuffled(this.#clusters, this.#random);
    this.#generation = memory.generation;
  }

  /** Lets the first blocks in; false when memory does not hold even one cluster. */
  begin(): boolean {
    if (!this.#admit()) return false;
    // They will wait for each other; to let them in one by one would cost each of them a turn of spinning a block.
    while (this.#schedule.together && this.#admit());
    if (this.#random !== undefined) {
      for (let more = this.#random.below(8); more > 0; more--) this.#admit();
      this.#draw(this.#random);
    }
    return true;
  }

  /** The warp whose turn it is; undefined when all blocks have ended, or when nobody can go on. */
  get current(): Warp | undefined {
    return this.rooms[this.room]?.warps[this.warp];
  }

  /** Where registers lie, and how. */
  get buffer(): ArrayBuffer {
    return this.#memory.data.buffer;
  }

  get shape(): Needs["shape"] {
    return this.#schedule.needs.shape;
  }

  /** Takes the views of the buffer anew if somebody has made it grow. */
  refresh(): void {
    if (this.#generation === this.#memory.generation) return;
    this.#generation = this.#memory.generation;
    for (const { warps } of this.rooms)
      for (const warp of warps) view(warp, this.#memory.data.buffer, this.#schedule.needs.shape);
  }

  /** Ends the current warp's turn. */
  turn(): void {
    const warp = this.current;
    if (warp?.active === 0) this.#still = -1;
    else if (warp !== undefined && warp.fuel <= 0) refuel(warp);
    const room = this.rooms[this.room]!;
    if (warp?.live === 0 && room.warps.every(({ live }) => live === 0)) this.#retire(room);
    else this.warp++;
    if (this.#random === undefined) this.#seek();
    else this.#draw(this.#random);
  }

  /** Finds the next warp that can run, from the current place on. */
  #seek(): void {
    for (;;) {
      const room = this.rooms[this.room];
      if (room === undefined) {
        if (!this.#another()) return;
        continue;
      }
      const ready = room.running ? room.warps.findIndex(({ active }, at) => at >= this.warp && active !== 0) : -1;
      if (ready >= 0) {
        this.warp = ready;
        return;
      }
      this.room++;
      this.warp = 0;
    }
  }

  /** At the end of a round: begins the next one, with one more cluster if nobody got anywhere; false when there is none. */
  #another(): boolean {
    this.#still++;
    let more = this.#still >= STILL && this.rooms.some(({ running }) => running) && this.#admit();
    if (more) this.#still = 0;
    if (!more && !this.rooms.some(isReady)) {
      const running = this.rooms.some(({ running }) => running);
      more = running && this.#admit();
      this.stuck = running && !more;
      if (!more) return false;
    }
    this.room = 0;
    this.warp = 0;
    return true;
  }

  /** Draws the warp that runs next, and for how many instructions. */
  #draw(random: Random): void {
    // Ever more rarely: one of many blocks may wait for one that has not begun, and the rest is only slower.
    if (random.below(8 * this.rooms.length ** 2) === 0) this.#admit();
    do {
      let ready = 0;
      for (const room of this.rooms) if (room.running) for (const { active } of room.warps) if (active !== 0) ready++;
      if (ready === 0) continue;
      this.slice = 1 + random.below(1 << random.below(10));
      let left = random.below(ready);
      for (this.room = 0; ; this.room++) {
        const { running, warps } = this.rooms[this.room]!;
        for (this.warp = 0; running && this.warp < warps.length; this.warp++)
          if (warps[this.warp]!.active !== 0 && left-- === 0) return;
      }
    } while (this.#admit());
    this.room = this.rooms.length;
    this.stuck = this.rooms.some(({ running }) => running);
  }

  #retire(room: Room): void {
    this.#keep(room, room.block === 0);
    room.running = false;
    this.warp = 0;
    for (const observer of this.#schedule.observers) observer.end?.(room.block);
    const team = this.#team(room);
    if (this.next < this.#clusters && team.every(({ running }) => !running)) this.#enter(team);
  }

  /** The rooms of one cluster. */
  #team(room: Room): readonly Room[] {
    const size = sizeOf(this.#schedule.cluster);
    const first = size * Math.floor(this.rooms.indexOf(room) / size);
    return this.rooms.slice(first, first + size);
  }

  /** Copies a block's registers out of the memory. */
  #keep(room: Room, always: boolean): void {
    const bytes = room.state.end - room.state.start;
    if (!always && this.#keptBytes + bytes > KEPT_BYTES) return;
    this.#keptBytes += bytes;
    this.#kept.set(room.block, remainsOf(room, this.#memory.data.buffer));
  }

  /** A warp whose threads still run, or have run and are remembered. */
  find(block: number, warp: number): Warp | undefined {
    const room = this.rooms.find((room) => room.block === block);
    if (room !== undefined) return room.warps[warp];
    const remains = this.#kept.get(block);
    return remains && revive(remains, warp, this.#schedule.needs.shape);
  }

  #admit(): boolean {
    const size = sizeOf(this.#schedule.cluster);
    if (this.next >= this.#clusters || this.rooms.length + size > MOST_ROOMS) return false;
    const team: Room[] = [];
    for (let rank = 0; rank < size; rank++) {
      const room = makeRoom(this.#memory, this.#schedule.needs, this.rooms.length + rank);
      if (room === undefined) {
        for (const made of team) clearRoom(this.#memory, made);
        return false;
      }
      team.push(room);
    }
    const musters = team.map(({ muster }) => muster);
    for (const muster of musters) muster.team = musters;
    this.rooms.push(...team);
    this.refresh();
    this.#enter(team);
    return true;
  }

  #enter(team: readonly Room[]): void {
    const { grid, cluster, needs, fresh, carry, observers } = this.#schedule;
    const index = this.#order(this.next++);
    for (const [rank, room] of team.entries()) {
      const block = cluster === undefined ? index : blockOf(index, rank, grid, cluster);
      moveIn(this.#memory, room, block, volume(needs.block), fresh, carry);
      for (const observer of observers) observer.begin?.(block);
    }
  }

  /** A copy of everything that is not in the memory's own image; registers that are as `before` has them are shared. */
  save(before?: SchedulerImage): SchedulerImage {
    const { u8 } = this.#memory.data;
    return {
      rooms: this.rooms.map((room, at) => ({
        room,
        block: room.block,
        running: room.running,
        state: copyPieces(u8.subarray(room.state.start, room.state.end), before?.rooms[at]?.state),
        warps: room.warps.map(ownLists),
        muster: saveMuster(room.muster),
      })),
      kept: new Map(this.#kept),
      place: [this.room, this.warp, this.next, this.#keptBytes],
      slice: this.slice,
      stuck: this.stuck,
      random: this.#random?.state,
      still: this.#still,
    };
  }

  /** Before the memory's own image is put back: registers of rooms that did not exist then become zeros. */
  restore(image: SchedulerImage, memory: () => void): void {
    const { u8 } = this.#memory.data;
    for (const { state } of this.rooms.slice(image.rooms.length)) u8.fill(0, state.start, state.end);
    memory();
    this.rooms = image.rooms.map(({ room, block, running, state, warps, muster }) => {
      restoreMuster(room.muster, muster);
      putPieces(state, u8, room.state.start);
      for (const [at, warp] of room.warps.entries()) {
        Object.assign(warp, ownLists(warps[at]!));
        view(warp, this.#memory.data.buffer, this.#schedule.needs.shape);
      }
      return Object.assign(room, { block, running });
    });
    this.#kept = new Map(image.kept);
    [this.room, this.warp, this.next, this.#keptBytes] = image.place;
    this.#still = image.still;
    this.slice = image.slice;
    this.stuck = image.stuck;
    if (this.#random !== undefined && image.random !== undefined) this.#random.state = image.random;
  }

  /** Gives all room back to the memory. Registers that can be read now can be read afterwards, the current block's first. */
  close(): void {
    const current = this.rooms[this.room];
    this.#keptBytes = 0;
    if (current !== undefined) this.#keep(current, true);
    for (const room of this.rooms) {
      if (room !== current && !this.#kept.has(room.block)) this.#keep(room, false);
      clearRoom(this.#memory, room);
    }
    this.rooms = [];
    this.room = 0;
  }
}

const isReady = ({ running, warps }: Room): boolean => running && warps.some(({ active }) => active !== 0);

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
    readonly state: readonly Uint8Array[];
    readonly warps: readonly Warp[];
    readonly muster: MusterImage;
  }[];
  readonly kept: ReadonlyMap<number, Remains>;
  readonly place: readonly [room: number, warp: number, next: number, keptBytes: number];
  readonly still: number;
  readonly slice: number;
  readonly stuck: boolean;
  readonly random: number | undefined;
}
