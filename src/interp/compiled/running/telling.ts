import { heardOf, type Threads, ToldAccess } from "../../javascript/told-access.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import { type State, stateOf } from "../boundary/state-layout.ts";

/** Tells observers what a module has done: where lanes touched memory lies in the state. */
export class Telling {
  readonly #context: Context;
  readonly #state: State;
  readonly #threads: Threads;
  /** By pc: the accesses that have been told of, each made when it is first. */
  readonly #accesses: (ToldAccess | undefined)[] = [];

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

  #make(pc: number): ToldAccess {
    const { program } = this.#context;
    const { plan, operands } = program.code[pc]!;
    const { toldAddresses: addresses, toldWhere: where } = this.#state;
    return new ToldAccess(heardOf(plan)[0]!, pc, operands, this.#context, { addresses, where });
  }
}
