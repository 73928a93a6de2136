import type { Program } from "../contract/program.ts";
import { type Ledger, ledgerBytes, ledgerOf } from "../memory/ledger.ts";
import { Linear } from "../memory/linear.ts";
import { type Memory, PAGE } from "../memory/memory.ts";
import { Board, workerState } from "./board.ts";
import type { LaunchMessage } from "./message.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** The memory of a worker, as the launch sees it. */
export interface WorkerMemory {
  readonly own: Linear;
  readonly buffer: SharedArrayBuffer;
  readonly ledger: Ledger;
}

/** A program sent to the workers: its number, and whether the executor's compiled code was sent too. */
interface Sent {
  readonly id: number;
  readonly made: boolean;
}

/** State that a worker pool keeps from one launch to the next: memories, and programs that its workers know. */
export class PoolState {
  readonly board: Board;
  readonly #workerPool: WorkerPool;
  #memory: WeakRef<Memory> | undefined;
  #memories: readonly WorkerMemory[] = [];
  #changed: SharedArrayBuffer = new SharedArrayBuffer(1);
  readonly #programs: WeakMap<Program, Sent> = new WeakMap();
  readonly #missed: WeakMap<Program, number> = new WeakMap();
  readonly #lost: WeakMap<Program, number> = new WeakMap();
  #made = 0;
  /** The launch that has asked last for workers that were not there, its milliseconds, and those of launches before. */
  #asking: object | undefined;
  #asked = 0;
  #earlier = 0;

  constructor(workerPool: WorkerPool) {
    this.#workerPool = workerPool;
    this.board = new Board(workerPool.size);
  }

  /** False while a worker still works for another launch. */
  get isIdle(): boolean {
    return Array.from({ length: this.#workerPool.size }).every(
      (_, worker) => this.board.state(worker) === workerState.idle,
    );
  }

  get memories(): readonly WorkerMemory[] {
    return this.#memories;
  }

  /** By page: 1 for pages that workers have committed to since the last round. */
  get changed(): Uint8Array {
    return new Uint8Array(this.#changed);
  }

  /** Opens a device's memory to the workers; false where the system has no room for theirs. */
  open(memory: Memory): boolean {
    if (this.#memory?.deref() === memory) return true;
    const pages = Math.ceil(memory.linear.distance / PAGE);
    const memories: WorkerMemory[] = [];
    for (let worker = 0; worker < this.#workerPool.size; worker++) {
      const own = new Linear(memory.linear.distance);
      if (own.wasm === undefined || own.distance !== memory.linear.distance) return false;
      const buffer = new SharedArrayBuffer(ledgerBytes(pages));
      memories.push({ own, buffer, ledger: ledgerOf(buffer, pages) });
    }
    this.#changed = new SharedArrayBuffer(pages);
    for (const [index, { own, buffer }] of memories.entries())
      this.#workerPool.post(index, {
        kind: "memory",
        index,
        limit: memory.limit,
        base: memory.linear.wasm!,
        own: own.wasm!,
        board: this.board.buffer,
        ledger: buffer,
        changed: this.#changed,
      });
    this.#memories = memories;
    this.#memory = new WeakRef(memory);
    return true;
  }

  /**
   * Milliseconds of work for workers that have not been started: the rest of a launch, which has taken `spent` so far, and all of
   * the earlier ones that asked. So many short launches want them as one long one does.
   */
  wanted(launch: object, rest: number, spent: number): number {
    if (this.#asking !== launch) {
      this.#earlier += this.#asked;
      this.#asking = launch;
      this.#asked = 0;
    }
    this.#asked = Math.max(this.#asked, rest + spent);
    return rest + this.#earlier;
  }

  /** Whether workers have received a program. */
  knows(program: Program): boolean {
    return this.#programs.has(program);
  }

  /** Milliseconds that launches of a program would have gained from workers that knew it. */
  missed(program: Program): number {
    return this.#missed.get(program) ?? 0;
  }

  miss(program: Program, gain: number): void {
    this.#missed.set(program, this.missed(program) + gain);
  }

  /** Milliseconds that workers have taken for a program's blocks beyond what one thread would have. */
  lost(program: Program): number {
    return this.#lost.get(program) ?? 0;
  }

  /** A round of a program's blocks has taken `loss` milliseconds longer than one thread, or less where that is below 0. */
  lose(program: Program, loss: number): void {
    this.#lost.set(program, Math.max(0, this.lost(program) + loss));
  }

  /** A program's number, with what workers lack: the program itself, and the code that an executor has `made` of it. */
  program(program: Program, made: object | undefined): Pick<LaunchMessage, "id" | "program" | "made"> {
    const known = this.#programs.get(program);
    const id = known?.id ?? ++this.#made;
    this.#programs.set(program, { id, made: known?.made === true || made !== undefined });
    return { id, program: known ? undefined : program, made: known?.made ? undefined : made };
  }
}

const workshops = new WeakMap<WorkerPool, PoolState>();

/** The workshop of a worker pool. */
export function poolStateOf(workerPool: WorkerPool): PoolState {
  const found = workshops.get(workerPool) ?? new PoolState(workerPool);
  workshops.set(workerPool, found);
  return found;
}
