import { type Dim3, volume } from "../contract/launch/dim3.ts";
import { LANES, lowest } from "../contract/launch/lane-mask.ts";
import type { Allocation } from "../memory/allocation.ts";
import type { Memory } from "../memory/memory.ts";
import { ALLOCATED, WINDOWED } from "../memory/shadow.ts";
import { clearCtaSync, newCtaSync, threadsLeft } from "../state/cta-sync.ts";
import type { Template } from "../state/template.ts";
import { banksAt, type CtaSync, layout, type Warp, type WarpShape } from "../state/warp.ts";
import { YIELD_BUDGET } from "../warp/groups.ts";

/**
 * Memory for one resident block: the state of its warps, its shared memory, its threads' local memory. When the block
 * has ended, another one may use the slot.
 */
export interface CtaSlot {
  readonly state: Allocation;
  readonly shared: Allocation | undefined;
  /** Bytes at the end of the shared memory that the system reserves, and that count as initialised. */
  readonly reserved: number;
  readonly local: Allocation | undefined;
  /** Tensor memory, where the program uses it. */
  readonly tensor: Allocation | undefined;
  readonly warps: readonly Warp[];
  readonly ctaSync: CtaSync;
  /** Linear index of the block in the slot. */
  block: number;
  /** False once the block has ended, until the next one starts. */
  running: boolean;
}

/** What a slot allocates, in this order. */
const allOwn = ["state", "shared", "local", "tensor"] as const;
type Own = (typeof allOwn)[number];

/** What a block of a launch needs, bytes. */
export interface CtaNeeds {
  readonly shape: WarpShape;
  readonly block: Dim3;
  readonly sharedBytes: number;
  /** How many of the shared bytes, the last ones, the system reserves. */
  readonly reservedBytes: number;
  readonly localBytes: number;
  readonly localStride: number;
  /** 0 where the program uses no tensor memory. */
  readonly tensorBytes: number;
}

/** Bytes of a block's registers. */
export const registerBytes = ({ shape, block }: CtaNeeds): number =>
  Math.ceil(volume(block) / LANES) * layout(shape).bytes;

/** Bytes of a resident block in all. */
export const bytesOfBlock = (needs: CtaNeeds): number => {
  const { block, sharedBytes, localBytes, localStride, tensorBytes } = needs;
  const local = localBytes === 0 ? 0 : localStride * LANES * Math.ceil(volume(block) / LANES);
  return registerBytes(needs) + sharedBytes + local + tensorBytes;
};

/** Allocates the memory of a slot; undefined when the memory's limit is reached. */
function reserve(memory: Memory, needs: CtaNeeds, index: number): Pick<CtaSlot, Own> | undefined {
  const { shape, sharedBytes, localBytes, localStride, tensorBytes } = needs;
  const count = Math.ceil(volume(needs.block) / LANES);
  const taken: Allocation[] = [];
  let short = false;
  const take = (
    name: string,
    bytes: number,
    kind: "window" | "state",
    shadow: number = kind === "window" ? ALLOCATED | WINDOWED : 0,
  ): Allocation | undefined => {
    if (bytes === 0) return undefined;
    const start = memory.reserve({ name: `${name} of slot ${index}`, bytes, align: 256, kind, shadow });
    const found = start === undefined ? undefined : memory.allocations.find(start);
    if (found === undefined) short = true;
    else taken.push(found);
    return found;
  };
  const state = take("registers", count * layout(shape).bytes, "state");
  const shared = take("shared memory", sharedBytes, "window");
  const local = take("local memory", localBytes === 0 ? 0 : localStride * LANES * count, "window");
  // Its columns belong to no block until tcgen05.alloc allocates them.
  const tensor = take("tensor memory", tensorBytes, "window", WINDOWED);
  if (state !== undefined && !short) return { state, shared, local, tensor };
  for (const allocation of taken) memory.release(allocation);
  return undefined;
}

/** Allocates memory for one more resident block; undefined when the memory's limit is reached. */
export function allocateCtaSlot(memory: Memory, needs: CtaNeeds, index: number): CtaSlot | undefined {
  const { shape, localStride } = needs;
  const count = Math.ceil(volume(needs.block) / LANES);
  const stride = layout(shape).bytes;
  const own = reserve(memory, needs, index);
  if (own === undefined) return undefined;
  const { state, shared, local, tensor } = own;
  const ctaSync = newCtaSync();
  for (let at = 0; at < count; at++) {
    const warp = newWarp(at, state.start + at * stride, memory.linear.buffer, shape, ctaSync);
    warp.shared = shared?.start ?? 0;
    warp.local = (local?.start ?? 0) + at * LANES * localStride;
    warp.tensor = tensor?.start ?? 0;
    ctaSync.warps.push(warp);
  }
  const reserved = needs.reservedBytes;
  return { state, shared, local, tensor, reserved, warps: ctaSync.warps, ctaSync, block: -1, running: false };
}

/** A launch's only slot once more, after it was freed; undefined where a new one would not lie in the same place. */
export function reopenCtaSlot(memory: Memory, needs: CtaNeeds, slot: CtaSlot): CtaSlot | undefined {
  const own = reserve(memory, needs, 0);
  if (own === undefined) return undefined;
  const again = { ...slot, ...own, block: -1, running: false };
  if (allOwn.every((each) => own[each]?.start === slot[each]?.start)) return again;
  freeCtaSlot(memory, again);
  return undefined;
}

/** Releases the memory of a slot. */
export function freeCtaSlot(memory: Memory, slot: CtaSlot): void {
  for (const each of allOwn) if (slot[each] !== undefined) memory.releaseOwn(slot[each]);
}

/**
 * Starts a block in a slot: memory zero and uninitialised, registers as the template has them, all threads at pc 0.
 * Registers of an earlier block stay where no thread can tell the difference.
 */
export function startBlock(
  memory: Memory,
  slot: CtaSlot,
  block: number,
  threads: number,
  fresh: Template,
  carry: 0 | 1,
): void {
  const { shared, local, tensor } = slot;
  if (shared !== undefined) memory.recycle(shared);
  if (local !== undefined) memory.recycle(local);
  if (tensor !== undefined) memory.recycle(tensor);
  // Cooperative groups clear single bits of words that nothing has set.
  if (shared !== undefined && slot.reserved > 0) {
    const at = shared.end - slot.reserved;
    memory.know(at, slot.reserved);
    memory.initialise(at, slot.reserved);
  }
  const again = slot.block >= 0;
  slot.block = block;
  slot.running = true;
  clearCtaSync(slot.ctaSync, threads);
  for (const warp of slot.warps) {
    fresh.start(warp, memory.data.u8, again);
    standAtStart(warp, block, threads);
    fresh.own?.(warp);
    if (fresh.dispatchSlot !== undefined) {
      const begun = (warp.live & warp.p[fresh.dispatchSlot]!) >>> 0;
      // A thread without an enabled channel runs nevertheless: NoMask instructions ignore the mask.
      if (begun !== 0) warp.active = warp.live = begun;
    }
    warp.carry = carry === 1 ? warp.live : 0;
    fresh.fill(warp, again);
  }
  // Narrow SIMD threads start with fewer lanes than a warp has: the other lanes are not missing.
  if (fresh.dispatchSlot !== undefined) slot.ctaSync.threads = threadsLeft(slot.ctaSync);
}

/** Puts all threads of a block's warp at pc 0. */
export const standAtStart = (warp: Warp, block: number, threads: number): void =>
  reset(warp, block, lowest(Math.min(LANES, threads - warp.index * LANES)), 0);

/** Puts every thread of the warp at pc 0. */
function reset(warp: Warp, block: number, live: number, carry: number): void {
  warp.block = block;
  warp.live = live;
  warp.active = live;
  warp.carry = carry;
  warp.depth = 0;
  // Mostly they are empty already.
  if (warp.activations.length > 0) warp.activations = [];
  if (warp.parked.length > 0) warp.parked = [];
  if (warp.waiting.length > 0) warp.waiting = [];
  warp.pc = 0;
  warp.rank = 0;
  warp.reconvergeAt = Number.POSITIVE_INFINITY;
  warp.yieldBudget = YIELD_BUDGET;
  warp.burnt = 0;
  warp.clock = 0;
  warp.from = 0;
}

/** Copies the final state of a block from a memory with the same layout. */
export function takeBlock(
  memory: Memory,
  slot: CtaSlot,
  block: number,
  carries: readonly number[],
  from: Pick<Memory, "data" | "shadow">,
): void {
  slot.block = block;
  for (const warp of slot.warps) {
    reset(warp, block, 0, carries[warp.index] ?? 0);
  }
  const { state, shared, local } = slot;
  memory.data.u8.set(from.data.u8.subarray(state.start, state.end), state.start);
  for (const window of [shared, local]) {
    if (window === undefined) continue;
    const { start, end } = window;
    memory.know(start, end - start);
    memory.data.u8.set(from.data.u8.subarray(start, end), start);
    memory.shadow.u8.set(from.shadow.u8.subarray(start, end), start);
  }
}

/** A copy of the registers and carry flags of a block. */
export interface CtaRegisters {
  readonly state: Uint8Array;
  readonly carries: readonly number[];
}

/** Copies a block's registers and carry flags out of the memory. */
export const copyCtaRegisters = ({ state, warps }: CtaSlot, { u8 }: Memory["data"]): CtaRegisters => ({
  state: new Uint8Array(u8.subarray(state.start, state.end)),
  carries: warps.map(({ carry }) => carry),
});

/** A warp for inspection only; undefined when the block has no warp of this index. */
export function warpFromCopy({ state, carries }: CtaRegisters, index: number, shape: WarpShape): Warp | undefined {
  const carry = carries[index];
  if (carry === undefined) return undefined;
  const warp = newWarp(index, state.byteOffset + index * layout(shape).bytes, state.buffer, shape);
  warp.carry = carry;
  return warp;
}

/** A warp without running threads; its registers are what the buffer holds from `base` on. */
export function newWarp(
  index: number,
  base: number,
  buffer: ArrayBufferLike,
  shape: WarpShape,
  ctaSync: CtaSync = newCtaSync(),
): Warp {
  return {
    block: -1,
    index,
    lanes: shape.lanes,
    ctaSync,
    base,
    ...banksAt(base, buffer, shape),
    carry: 0,
    live: 0,
    active: 0,
    pc: 0,
    rank: 0,
    depth: 0,
    activations: [],
    parked: [],
    waiting: [],
    reconvergeAt: Number.POSITIVE_INFINITY,
    yieldBudget: YIELD_BUDGET,
    burnt: 0,
    clock: 0,
    from: 0,
    shared: 0,
    local: 0,
    tensor: 0,
  };
}

/** Whether all threads of its block have exited; those of the last warp mostly do so last. */
export function hasEnded({ warps }: CtaSlot): boolean {
  for (let at = warps.length - 1; at >= 0; at--) if (warps[at]!.live !== 0) return false;
  return true;
}

export const isReady = ({ running, warps }: CtaSlot): boolean => running && warps.some(({ active }) => active !== 0);
