import type { Allocation } from "./allocation.ts";
import { type Extent, volume } from "./extent.ts";
import { FUEL } from "./groups.ts";
import type { Memory } from "./memory.ts";
import { clearMuster, type Muster, newMuster } from "./muster.ts";
import { ALLOCATED, WINDOWED } from "./shadow.ts";
import type { Template } from "./template.ts";
import { LANES, layout, lowest, type Shape, view, type Warp } from "./warp.ts";

/** Room for one block: the state of its warps, its shared memory, its threads' local memory. */
export interface Room {
  readonly state: Allocation;
  readonly shared: Allocation | undefined;
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
  return { state, shared, local, warps: muster.warps, muster, block: -1, running: false };
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
  room.block = block;
  room.running = true;
  clearMuster(room.muster, threads);
  for (const warp of room.warps) {
    const live = lowest(Math.min(LANES, threads - warp.index * LANES));
    memory.data.u8.set(fresh.bytes, warp.base);
    Object.assign(warp, { block, live, active: live, carry: carry === 1 ? live : 0 });
    Object.assign(warp, { depth: 0, activations: [], parked: [] });
    Object.assign(warp, { pc: 0, rank: 0, waiting: [], meet: Number.POSITIVE_INFINITY, fuel: FUEL, clock: 0, from: 0 });
    fresh.fill(warp);
  }
}

/** A copy of a warp whose state lies in a buffer of its own. */
export function copyWarp(warp: Warp, buffer: ArrayBuffer, shape: Shape): Warp {
  const { bytes } = layout(shape);
  const copy: Warp = { ...warp, base: 0, waiting: [...warp.waiting], activations: [], parked: [] };
  view(copy, buffer.slice(warp.base, warp.base + bytes), shape);
  return copy;
}

/** A warp without state, to be viewed somewhere. */
export function blankWarp(index: number, base: number, lanes: number, muster: Muster = newMuster()): Warp {
  const none = new ArrayBuffer(0);
  return {
    block: -1,
    index,
    lanes,
    muster,
    base,
    p: new Uint32Array(none),
    r: new Uint32Array(none),
    s: new Int32Array(none),
    f: new Float32Array(none),
    q: new BigUint64Array(none),
    w: new Int32Array(none),
    d: new Float64Array(none),
    done: new Uint32Array(none),
    swept: new Uint32Array(none),
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
    clock: 0,
    from: 0,
    shared: 0,
    local: 0,
  };
}
