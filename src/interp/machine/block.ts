import { type Extent, volume } from "../contract/extent.ts";
import type { Allocation } from "../memory/allocation.ts";
import type { Memory } from "../memory/memory.ts";
import { ALLOCATED, WINDOWED } from "../memory/shadow.ts";
import { clearMuster, type Muster, newMuster } from "../schedule/cta-sync.ts";
import { FUEL } from "../warp/groups.ts";
import type { Template } from "./template.ts";
import { LANES, layout, lowest, type Shape, view, type Warp } from "./warp.ts";

/** Room for one block: the state of its warps, its shared memory, its threads' local memory. */
export interface Room {
  readonly state: Allocation;
  readonly shared: Allocation | undefined;
  /** Bytes at the end of the shared memory that the system keeps for itself, and that count as initialised. */
  readonly reserved: number;
  readonly local: Allocation | undefined;
  readonly warps: readonly Warp[];
  readonly muster: Muster;
  /** Linear index of the block that has it. */
  block: number;
  /** False once the block has ended, while nobody else has moved in. */
  running: boolean;
}

/** What a block of a launch needs, bytes. */
export interface Needs {
  readonly shape: Shape;
  readonly block: Extent;
  readonly sharedBytes: number;
  /** How many of them, at the end, the system keeps for itself. */
  readonly reservedBytes: number;
  readonly localBytes: number;
  readonly localStride: number;
}

/** Makes room for one more block; undefined when the memory's limit is reached. */
export function makeRoom(memory: Memory, needs: Needs, index: number): Room | undefined {
  const { shape, sharedBytes, localBytes, localStride } = needs;
  const threads = volume(needs.block);
  const count = Math.ceil(threads / LANES);
  const stride = layout(shape).bytes;
  const taken: Allocation[] = [];
  const reserve = (name: string, bytes: number, kind: "window" | "state"): Allocation | undefined => {
    if (bytes === 0) return undefined;
    const shadow = kind === "window" ? ALLOCATED | WINDOWED : 0;
    const start = memory.reserve({ name: `${name} of room ${index}`, bytes, align: 256, kind, shadow });
    const found = start === undefined ? undefined : memory.allocations.find(start);
    if (found !== undefined) taken.push(found);
    return found;
  };
  const state = reserve("registers", count * stride, "state");
  const shared = reserve("shared memory", sharedBytes, "window");
  const local = reserve("local memory", localBytes === 0 ? 0 : localStride * LANES * count, "window");
  if (state === undefined || (shared === undefined && sharedBytes > 0) || (local === undefined && localBytes > 0)) {
    for (const allocation of taken) memory.release(allocation);
    return undefined;
  }
  const muster = newMuster();
  for (let at = 0; at < count; at++) {
    const warp = blankWarp(at, state.start + at * stride, shape.lanes, muster);
    warp.shared = shared?.start ?? 0;
    warp.local = (local?.start ?? 0) + at * LANES * localStride;
    view(warp, memory.data.buffer, shape);
    muster.warps.push(warp);
  }
  const reserved = needs.reservedBytes;
  return { state, shared, local, reserved, warps: muster.warps, muster, block: -1, running: false };
}

/** Gives everything back. */
export function clearRoom(memory: Memory, { state, shared, local }: Room): void {
  for (const allocation of [state, shared, local]) if (allocation !== undefined) memory.release(allocation);
}

/** Lets a block move in: memory zero and uninitialised, registers as the template has them, all threads at pc 0. */
export function moveIn(
  memory: Memory,
  room: Room,
  block: number,
  threads: number,
  fresh: Template,
  carry: 0 | 1,
): void {
  for (const allocation of [room.shared, room.local]) if (allocation !== undefined) memory.recycle(allocation);
  // Cooperative groups clear single bits of words that nobody has set.
  if (room.shared !== undefined && room.reserved > 0) {
    const at = room.shared.end - room.reserved;
    memory.know(at, room.reserved);
    memory.initialise(at, room.reserved);
  }
  room.block = block;
  room.running = true;
  clearMuster(room.muster, threads);
  for (const warp of room.warps) {
    memory.data.u8.set(fresh.bytes, warp.base);
    const there = lowest(Math.min(LANES, threads - warp.index * LANES));
    const live = fresh.dispatchSlot === undefined ? there : (there & warp.p[fresh.dispatchSlot]!) >>> 0;
    reset(warp, block, live, carry === 1 ? live : 0);
    fresh.fill(warp);
  }
}

/** Every thread of the warp stands at pc 0. */
function reset(warp: Warp, block: number, live: number, carry: number): void {
  warp.block = block;
  warp.live = live;
  warp.active = live;
  warp.carry = carry;
  warp.depth = 0;
  warp.activations = [];
  warp.parked = [];
  warp.pc = 0;
  warp.rank = 0;
  warp.waiting = [];
  warp.meet = Number.POSITIVE_INFINITY;
  warp.fuel = FUEL;
  warp.burnt = 0;
  warp.clock = 0;
  warp.from = 0;
}

/** Registers and carry flags of a block that has left its room. */
export interface Remains {
  readonly state: ArrayBuffer;
  readonly carries: readonly number[];
}

/** Copies them out of the memory. */
export const remainsOf = ({ state, warps }: Room, buffer: ArrayBuffer): Remains => ({
  state: buffer.slice(state.start, state.end),
  carries: warps.map(({ carry }) => carry),
});

/** A warp to look at, not to run; undefined when the block has none of this index. */
export function revive({ state, carries }: Remains, index: number, shape: Shape): Warp | undefined {
  const carry = carries[index];
  if (carry === undefined) return undefined;
  const warp = blankWarp(index, index * layout(shape).bytes, shape.lanes);
  warp.carry = carry;
  view(warp, state, shape);
  return warp;
}

/** Views of nothing: a launch makes many warps, and each takes its own views at once. */
const none = new ArrayBuffer(0);
const blank = {
  p: new Uint32Array(none),
  r: new Uint32Array(none),
  s: new Int32Array(none),
  f: new Float32Array(none),
  q: new BigUint64Array(none),
  w: new Int32Array(none),
  d: new Float64Array(none),
  done: new Uint32Array(none),
  swept: new Uint32Array(none),
};

/** A warp without state, to be viewed somewhere. */
export function blankWarp(index: number, base: number, lanes: number, muster: Muster = newMuster()): Warp {
  return {
    block: -1,
    index,
    lanes,
    muster,
    base,
    ...blank,
    carry: 0,
    live: 0,
    active: 0,
    pc: 0,
    rank: 0,
    depth: 0,
    activations: [],
    parked: [],
    waiting: [],
    meet: Number.POSITIVE_INFINITY,
    fuel: FUEL,
    burnt: 0,
    clock: 0,
    from: 0,
    shared: 0,
    local: 0,
  };
}
