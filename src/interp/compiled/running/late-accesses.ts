import { volume } from "../../contract/launch/dim3.ts";
import { FULL, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { LateAccesses as Listener, Observer, WarpAccess } from "../../contract/observer.ts";
import { bytesTouched } from "../../contract/plan/effects.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";
import type { Allocation } from "../../memory/allocation.ts";
import type { Context } from "../../state/context.ts";
import type { Chain } from "../../state/executor.ts";
import { ADDRESSED, ADDRESSED_BYTES, happenings, late } from "../boundary/late-layout.ts";

/** The name of the memory where accesses wait, which only compiled launches have. */
export const LATE_ACCESSES = "accesses to notify of";

/** Of the first word of what waits: the instruction. */
const NUMBER = 0xffff;

/** How often the addresses of an instruction's accesses may differ otherwise than before, in vain. */
const PATIENCE = 32;

/** An instruction whose accesses wait. */
class LateInstruction implements WarpAccess {
  readonly how: WarpAccess["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly bytes: number;
  readonly addresses: Uint32Array = new Uint32Array(2 * LANES);
  readonly where: Int32Array = new Int32Array(LANES);
  block = -1;
  warp = -1;
  lanes = 0;
  /** The listener's number for accesses like the one that was learnt from. */
  noted = -1;
  patience = PATIENCE;

  constructor(pc: number, { program }: Context) {
    const { plan, operands } = program.code[pc]!;
    const access = observableAccesses(plan)[0]!;
    const { how, space, sem, scope } = access;
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.bytes = bytesTouched(access, operands);
  }

  /** Only accesses wait whose lanes store to bytes of their own: what they store makes no difference. */
  value(): bigint {
    return 0n;
  }
}

/** Accesses that the module lets wait: an observer is notified of them before anything else, many at once. */
export class LateAccesses {
  readonly #context: Context;
  readonly #observer: Observer;
  readonly #listener: Listener;
  readonly #instructions: readonly LateInstruction[];
  readonly #allocation: Allocation;
  readonly #words: Int32Array;
  /** By warp: the threads of a block, all of which come to a barrier that is notified of late. */
  readonly #everyone: Uint32Array;
  #block = -1;

  private constructor(
    context: Context,
    observer: Observer,
    listener: Listener,
    pcs: readonly number[],
    allocation: Allocation,
  ) {
    this.#context = context;
    this.#observer = observer;
    this.#listener = listener;
    this.#instructions = pcs.map((pc) => new LateInstruction(pc, context));
    this.#allocation = allocation;
    this.#words = new Int32Array(context.memory.linear.buffer, allocation.start, late.bytes / 4);
    this.#words.fill(0);
    const threads = volume(context.block);
    this.#everyone = Uint32Array.from({ length: Math.ceil(threads / LANES) }, (_, warp) => lowest(threads - LANES * warp));
  }

  /**
   * Undefined where the only observer has to hear of everything at once, or no memory is left; where a tool may take snapshots,
   * which have all allocations; or where the program calls the driver, whose allocations must not depend on the executor's.
   */
  static of(context: Context, pcs: readonly number[]): LateAccesses | undefined {
    const { memory, observers, program } = context;
    const [only, ...others] = observers;
    if (only?.late === undefined || others.length > 0 || pcs.length === 0 || context.observable) return undefined;
    if (program.functions.some(({ entry }) => typeof entry === "string")) return undefined;
    const request = { name: LATE_ACCESSES, bytes: late.bytes, align: 16, kind: "state", shadow: 0 } as const;
    const start = memory.reserve(request);
    const allocation = start === undefined ? undefined : memory.allocations.find(start);
    return allocation && new LateAccesses(context, only, only.late, pcs, allocation);
  }

  /** Gives the memory back. */
  close(): void {
    const { memory } = this.#context;
    const there = memory.allocations.find(this.#allocation.start);
    // One of a snapshot that was restored is a copy.
    if (there?.name === LATE_ACCESSES && there.start === this.#allocation.start) memory.release(there);
  }

  /** Before a module runs warps of a block: where the accesses wait in memory; 0 where none may. */
  begin(block: number): number {
    if (!this.#isThere) return 0;
    this.#block = block;
    this.refresh();
    return this.#allocation.start;
  }

  /** After the observer was notified of something: asks whether accesses may be late now. */
  refresh(): void {
    this.#words[late.open / 4] = this.#listener.isOpen(this.#block) ? 1 : 0;
  }

  /** The next block of a chain has begun. */
  follow(): void {
    this.#block++;
  }

  /** Notifies the observer of what waits; returns how many blocks of the chain have begun meanwhile. */
  drain(chain?: Chain): number {
    const words = this.#words;
    const used = words[late.used / 4]!;
    if (used === 0 || !this.#isThere) return 0;
    words[late.used / 4] = 0;
    const end = (late.waiting + used) / 4;
    let begun = 0;
    let dropped = 0;
    let at = late.waiting / 4;
    let drops = this.#dropsLoads(at, end);
    while (at < end) {
      const what = words[at]!;
      const second = words[at + 1]!;
      const warp = (what >>> 16) & 31;
      const instruction = this.#instructions[what & NUMBER];
      const addressed = (what & ADDRESSED) !== 0;
      if (instruction === undefined) {
        this.#happened(what & NUMBER, warp, second, chain);
        if ((what & NUMBER) === happenings.began) begun++;
        if ((what & NUMBER) !== happenings.met) drops = this.#dropsLoads(at + 2, end);
      } else if (drops && instruction.space === "shared") dropped++;
      else if (addressed) this.#addressed(instruction, what & NUMBER, warp, second, at + 2);
      else {
        instruction.patience = PATIENCE;
        this.#listener.access(instruction.noted, this.#block, warp, second);
      }
      at += (addressed ? ADDRESSED_BYTES : 8) / 4;
    }
    if (dropped > 0) this.#listener.drop(dropped);
    return begun;
  }

  /** Notifies the observer of what is no access. */
  #happened(what: number, warp: number, value: number, chain: Chain | undefined): void {
    const observer = this.#observer;
    if (what === happenings.met) observer.warpSync?.(this.#block, warp, value >>> 0);
    else if (what === happenings.completed) observer.barrier?.(this.#block, value, this.#everyone, true);
    else {
      chain!.notify();
      this.follow();
    }
  }

  /** Whether what waits from `at` on, up to a barrier or the end of the block, are no accesses to shared memory but loads, which may be dropped there. */
  #dropsLoads(at: number, end: number): boolean {
    const words = this.#words;
    for (let from = at; from < end; from += ((words[from]! & ADDRESSED) !== 0 ? ADDRESSED_BYTES : 8) / 4) {
      const what = words[from]! & NUMBER;
      if (what === happenings.completed || what === happenings.began)
        return from > at && this.#listener.mayDropLoads(this.#block);
      const instruction = this.#instructions[what];
      if (instruction?.space === "shared" && instruction.how !== "load") return false;
    }
    return false;
  }

  /** An access that has its addresses with it, from `at` on: the next ones like it need not. */
  #addressed(access: LateInstruction, number: number, warp: number, lanes: number, at: number): void {
    const words = this.#words;
    const { where } = access;
    for (let lane = 0; lane < LANES; lane++) where[lane] = words[at + lane]!;
    access.block = this.#block;
    access.warp = warp;
    access.lanes = lanes >>> 0;
    this.#observer.access!(access);
    if (access.lanes !== FULL || access.patience <= 0) return;
    const noted = this.#listener.note(access);
    if (noted === undefined) return;
    access.patience--;
    access.noted = noted;
    const first = where[0]!;
    const row = late.lanes / 4 + LANES * number;
    for (let lane = 0; lane < LANES; lane++) words[row + lane] = where[lane]! - first;
    words[late.learned / 4 + number] = 1;
  }

  /** A snapshot that was restored may lack the memory. */
  get #isThere(): boolean {
    return this.#context.memory.allocations.find(this.#allocation.start) === this.#allocation;
  }
}
