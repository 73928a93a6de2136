import { ObservedAccess, observableAccesses, type Threads } from "../../javascript/observed-access.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import { type State, stateOf } from "../boundary/state-layout.ts";

/** Tells observers what a module has done: where lanes touched memory lies in the state. */
export class Notifier {
  readonly #context: Context;
  readonly #state: State;
  readonly #threads: Threads;
  /** By pc: the accesses that have been told of, each made when it is first. */
  readonly #accesses: (ObservedAccess | undefined)[] = [];

  constructor(context: Context, threads: Threads) {
    this.#context = context;
    this.#state = stateOf(context.memory.linear.buffer);
    this.#threads = threads;
  }

  /** These lanes of a warp have executed the load, store or atomic operation at `pc`. */
  access(warp: Warp, pc: number, lanes: number): void {
    this.#accesses[pc] ??= this.#make(pc);
    this.#accesses[pc].tell(warp, lanes, this.#context.observers, this.#threads);
  }

  /** These lanes have executed a warp operation together. */
  met({ block, index }: Warp, lanes: number): void {
    for (const observer of this.#context.observers) observer.warpSync?.(block, index, lanes >>> 0);
  }

  #make(pc: number): ObservedAccess {
    const { program } = this.#context;
    const { plan, operands } = program.code[pc]!;
    const { observedAddresses: addresses, observedWhere: where } = this.#state;
    return new ObservedAccess(observableAccesses(plan)[0]!, pc, operands, this.#context, { addresses, where });
  }
}
