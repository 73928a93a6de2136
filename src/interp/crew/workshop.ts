import type { Program } from "../contract/program.ts";
import { type Ledger, ledgerBytes, ledgerOf } from "../memory/ledger.ts";
import { Linear } from "../memory/linear.ts";
import { type Memory, PAGE } from "../memory/memory.ts";
import { Board, standing } from "./board.ts";
import type { Crew } from "./crew.ts";

/** What a worker works on, as the launch sees it. */
export interface Bench {
  readonly own: Linear;
  readonly buffer: SharedArrayBuffer;
  readonly ledger: Ledger;
}

/** What a crew keeps from one launch to the next: memories, and programs that its workers know. */
export class Workshop {
  readonly board: Board;
  readonly #crew: Crew;
  #memory: WeakRef<Memory> | undefined;
  #benches: readonly Bench[] = [];
  #changed: SharedArrayBuffer = new SharedArrayBuffer(1);
  readonly #programs: WeakMap<Program, number> = new WeakMap();
  #made = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
    this.board = new Board(crew.size);
  }

  /** False while a worker still does what another launch has asked for. */
  get isIdle(): boolean {
    return Array.from({ length: this.#crew.size }).every((_, worker) => this.board.state(worker) === standing.idle);
  }

  get benches(): readonly Bench[] {
    return this.#benches;
  }

  /** By page: 1 for those that workers have put something into since the last round. */
  get changed(): Uint8Array {
    return new Uint8Array(this.#changed);
  }

  /** Lets workers work on a device's memory; false where the system has no room for theirs. */
  open(memory: Memory): boolean {
    if (this.#memory?.deref() === memory) return true;
    const pages = Math.ceil(memory.linear.distance / PAGE);
    const benches: Bench[] = [];
    for (let worker = 0; worker < this.#crew.size; worker++) {
      const own = new Linear(memory.linear.distance);
      if (own.wasm === undefined || own.distance !== memory.linear.distance) return false;
      const buffer = new SharedArrayBuffer(ledgerBytes(pages));
      benches.push({ own, buffer, ledger: ledgerOf(buffer, pages) });
    }
    this.#changed = new SharedArrayBuffer(pages);
    for (const [index, { own, buffer }] of benches.entries())
      this.#crew.post(index, {
        kind: "memory",
        ...{ index, limit: memory.limit, ground: memory.linear.wasm!, own: own.wasm!, board: this.board.buffer },
        ...{ ledger: buffer, changed: this.#changed },
      });
    this.#benches = benches;
    this.#memory = new WeakRef(memory);
    return true;
  }

  /** A program's number, and the program itself where workers have not got it yet. */
  program(program: Program): { readonly id: number; readonly program: Program | undefined } {
    const known = this.#programs.get(program);
    if (known !== undefined) return { id: known, program: undefined };
    this.#made += 1;
    this.#programs.set(program, this.#made);
    return { id: this.#made, program };
  }
}

const workshops = new WeakMap<Crew, Workshop>();

/** The workshop of a crew. */
export function workshopOf(crew: Crew): Workshop {
  const found = workshops.get(crew) ?? new Workshop(crew);
  workshops.set(crew, found);
  return found;
}
