import { ObservedAccess, observableAccesses, type Threads } from "../../javascript/observed-access.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import { type State, stateOf } from "../boundary/state-layout.ts";
import type { ProgramCode } from "../module/program-code.ts";
import { LateAccesses } from "./late-accesses.ts";

/** Notifies observers of what a module has done; the state has the addresses of the lanes. */
export class Notifier {
  readonly #context: Context;
  readonly #state: State;
  readonly #threads: Threads;
  /** By pc: the accesses, each made when it first happens. */
  readonly #accesses: (ObservedAccess | undefined)[] = [];

  /** Accesses that wait in the module, where the observer allows that. */
  readonly late: LateAccesses | undefined;

  constructor(context: Context, threads: Threads, { late }: Pick<ProgramCode, "late">) {
    this.late = LateAccesses.of(context, late);
    this.#context = context;
    this.#state = stateOf(context.memory.linear.buffer);
    this.#threads = threads;
  }

  /** Notifies observers that lanes of a warp have executed the load, store or atomic operation at `pc`; with no lanes, makes room for what waits. */
  access(warp: Warp, pc: number, lanes: number): void {
    if (lanes === 0) {
      this.late?.makeRoom();
      return;
    }
    if (this.late?.accessed(warp.index, pc, lanes, this.#state.observedWhere)) return;
    this.#accesses[pc] ??= this.#make(pc);
    const access = this.#accesses[pc];
    this.late?.drain();
    access.notify(warp, lanes, this.#context.observers, this.#threads);
    this.late?.refresh();
  }

  /** Notifies observers that lanes have executed a warp operation together. */
  met({ block, index }: Warp, lanes: number): void {
    if (this.late?.met(index, lanes)) return;
    this.late?.drain();
    for (const observer of this.#context.observers) observer.warpSync?.(block, index, lanes >>> 0);
    this.late?.refresh();
  }

  #make(pc: number): ObservedAccess {
    const { program } = this.#context;
    const { plan, operands } = program.code[pc]!;
    const { observedAddresses: addresses, observedWhere: where } = this.#state;
    return new ObservedAccess(observableAccesses(plan)[0]!, pc, operands, this.#context, { addresses, where });
  }
}
