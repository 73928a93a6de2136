import { sizeOf } from "../contract/launch/cluster-rank.ts";
import { volume } from "../contract/launch/dim3.ts";
import { firstLane, lowest } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import { cellAt, mostColumns } from "../contract/matrix/tensor-memory.ts";
import type { Program, Register } from "../contract/program.ts";
import type { HostSpace } from "../contract/space.ts";
import type { BarrierView, CallView, GroupView, TensorMemoryView, WarpView } from "../contract/views.ts";
import type { LaunchState } from "../machine/launch.ts";
import type { Session } from "../machine/session.ts";
import { type CtaRegisters, copyCtaRegisters, warpFromCopy } from "../schedule/cta-slot.ts";
import { bitsOf } from "../state/registers.ts";
import type { Parked, Warp } from "../state/warp.ts";
import { writtenWord } from "../state/written-word.ts";
import { passing } from "../warp/guard.ts";

/**
 * The machine as a debugger sees it: between two instructions of a session, and in its `before`. Views
 * change nothing and cache nothing: each reads the state at the time of the call.
 */
export class MachineView {
  readonly #program: Program;
  /** Undefined for a launch that did not begin: then there are no threads. */
  readonly #state: LaunchState | undefined;

  // No destructuring: it would appear in the declarations, and name what is not public.
  constructor(session: Session) {
    this.#program = session.program;
    this.#state = session.state;
  }

  /** The thread that executes next, the lowest lane of its group; undefined when no thread can go on. */
  get current(): ThreadId | undefined {
    const warp = this.#state?.scheduler.current;
    if (warp === undefined || warp.active === 0) return undefined;
    return { block: warp.block, warp: warp.index, lane: firstLane(warp.active) };
  }

  /** Warps of the blocks that run now. */
  warps(): readonly WarpView[] {
    return this.#running().flatMap(({ warps }) => warps.map((warp) => this.#view(warp)));
  }

  /** How many blocks have ended, how many run, and how many the launch has. */
  blocks(): { readonly done: number; readonly running: number; readonly all: number } {
    const { scheduler, context } = this.#state ?? {};
    if (scheduler === undefined || context === undefined) return { done: 0, running: 0, all: 0 };
    const running = this.#running().length;
    const begun = scheduler.next * sizeOf(context.cluster);
    return { done: begun - running, running, all: volume(context.grid) };
  }

  /** One warp; undefined when its block does not run. */
  warp(block: number, index: number): WarpView | undefined {
    const warp = this.#resident(block, index);
    return warp && this.#view(warp);
  }

  /** Barriers with arrivals, the blocks in the order of their slots. */
  barriers(): readonly BarrierView[] {
    return this.#running().flatMap(({ block, ctaSync }) =>
      ctaSync.barriers.flatMap((barrier, number) => {
        if (barrier === undefined) return [];
        const { threads, arrived, reduction } = barrier;
        return [{ block, number, threads, arrived: [...arrived], reduction }];
      }),
    );
  }

  /**
   * Tensor memory of a block that runs, or that has ended and whose slot no other block uses yet; undefined for
   * others, and where the program uses none.
   */
  tensorMemory(block: number): TensorMemoryView | undefined {
    const slot = this.#state?.scheduler.slots.find((each) => each.block === block);
    const context = this.#state?.context;
    if (slot?.tensor === undefined || context === undefined) return undefined;
    const { memory, target } = context;
    const { start } = slot.tensor;
    return {
      block,
      columns: mostColumns(true, target),
      allocations: slot.ctaSync.tensor.blocks.map(({ column, columns, group }) => ({ column, columns, group })),
      word: (lane, column) => writtenWord(memory, start + cellAt(lane, column)),
    };
  }

  /** The group of a thread, with its pc; undefined when the thread has exited or not begun. */
  thread({ block, warp, lane }: ThreadId): GroupView | undefined {
    const found = this.#resident(block, warp);
    if (found === undefined || !((found.live >>> lane) & 1)) return undefined;
    return groupsOf(found).find(({ mask }) => (mask >>> lane) & 1);
  }

  /** Whether a thread's registers can be read: it has begun, and its registers are kept if it has exited. */
  exists({ block, warp, lane }: ThreadId): boolean {
    const found = this.#state?.scheduler.find(block, warp);
    return found !== undefined && lane >= 0 && lane < 32 && warp * 32 + lane < this.#threads();
  }

  /** Whether a thread has begun and not exited. */
  lives({ block, warp, lane }: ThreadId): boolean {
    return (((this.#resident(block, warp)?.live ?? 0) >>> lane) & 1) === 1;
  }

  /** Whether a thread cannot go on before others arrive somewhere. */
  waits({ block, warp, lane }: ThreadId): boolean {
    return this.#resident(block, warp)?.parked.some(({ mask }) => (mask >>> lane) & 1) ?? false;
  }

  /** The call depth of a thread. */
  depth({ block, warp, lane }: ThreadId): number {
    return this.#resident(block, warp)?.activations[lane]?.depth ?? 0;
  }

  /** The calls of a thread, innermost first. */
  calls({ block, warp, lane }: ThreadId): readonly CallView[] {
    const calls: CallView[] = [];
    const found = this.#resident(block, warp);
    if (found === undefined || !((found.live >>> lane) & 1)) return calls;
    for (let at = found.activations[lane]; at !== undefined; at = at.caller)
      calls.push({ callee: at.callee, from: at.from });
    return calls;
  }

  /** Lanes of a warp's running group for which the guard of the instruction at its pc holds. */
  executing(block: number, index: number): number {
    const warp = this.#resident(block, index);
    return warp === undefined ? 0 : passing(this.#program.code[warp.pc]?.guard, warp);
  }

  /** A register's bits in a thread, one value an element, also after its end; undefined when they are not known. */
  value(thread: ThreadId, register: Register): readonly bigint[] | undefined {
    const warp = this.#state?.scheduler.find(thread.block, thread.warp);
    return warp && bitsOf(register, warp, thread.lane);
  }

  /** CC.CF of a thread; undefined when it is not known. */
  carry({ block, warp, lane }: ThreadId): 0 | 1 | undefined {
    const found = this.#state?.scheduler.find(block, warp);
    return found && (((found.carry >>> lane) & 1) as 0 | 1);
  }

  /**
   * Copies the present registers of the running blocks: all of them if they are at most `most` bytes, or those of
   * `block` alone. Returns a function from thread and register to bits, undefined where they were not kept.
   */
  saveRegisters(block: number, most: number): (thread: ThreadId, register: Register) => readonly bigint[] | undefined {
    const scheduler = this.#state?.scheduler;
    const slots = this.#running();
    const bytes = slots.reduce((sum, { state }) => sum + state.end - state.start, 0);
    const kept = new Map<number, CtaRegisters>();
    for (const slot of slots)
      if (bytes <= most || slot.block === block) kept.set(slot.block, copyCtaRegisters(slot, scheduler!.data));
    return (thread, register) => {
      const remains = kept.get(thread.block);
      const warp = remains && warpFromCopy(remains, thread.warp, scheduler!.shape);
      return warp && bitsOf(register, warp, thread.lane);
    };
  }

  /** The buffer offset of an address, as observers receive it; undefined where `Session.read` would throw. */
  bufferOffset(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): number | undefined {
    try {
      return this.#state?.addresses.find(space, address, bytes, thread);
    } catch (miss) {
      if (miss instanceof RangeError) return undefined;
      throw miss;
    }
  }

  /** Threads of a block. */
  #threads(): number {
    return this.#state === undefined ? 0 : volume(this.#state.context.block);
  }

  #running() {
    return this.#state?.scheduler.slots.filter(({ running }) => running) ?? [];
  }

  #resident(block: number, index: number): Warp | undefined {
    return this.#state?.scheduler.slots.find((slot) => slot.block === block)?.warps[index];
  }

  #view(warp: Warp): WarpView {
    return {
      block: warp.block,
      warp: warp.index,
      threads: lowest(Math.min(32, this.#threads() - warp.index * 32)),
      live: warp.live,
      current: warp === this.#state?.scheduler.current,
      groups: groupsOf(warp),
    };
  }
}

/** Live lanes grouped by pc and wait. */
function groupsOf({ active, pc, depth, waiting, parked }: Warp): readonly GroupView[] {
  const first: GroupView[] = active === 0 ? [] : [{ mask: active, pc, depth, state: "running" }];
  const ready = waiting.map(({ mask, pc, depth }): GroupView => ({ mask, pc, depth, state: "ready" }));
  return [...first, ...ready, ...parked.map(held)];
}

function held({ mask, pc, depth, on }: Parked): GroupView {
  if (on.kind === "barrier") return { mask, pc, depth, state: "barrier", barrier: on.number };
  if (on.kind === "warp") return { mask, pc, depth, state: "lanes", members: 0xffff_ffff };
  if (on.kind === "lanes") return { mask, pc, depth, state: "lanes", members: on.members };
  return { mask, pc, depth, state: on.kind === "cluster" ? "cluster" : "until" };
}
