import { firstLane } from "../../contract/launch/lane-mask.ts";
import type { Activation, Warp } from "../../state/warp.ts";
import { DEEPEST } from "../../warp/call.ts";
import type { CallSite } from "../block/call-site.ts";
import { MOST_CALLS, type State } from "../boundary/state-layout.ts";

/**
 * The calls that a module has made since it was entered and that have not returned: a stack in the state, of the blocks
 * behind the calls. The activations of the lanes, which JavaScript uses, are made only when needed.
 */
export class CallStack {
  readonly #state: State;
  /** By block behind a call: the call. */
  readonly #sites: ReadonlyMap<number, CallSite>;
  /** The lanes' activation when the module was entered, and its depth. */
  #base: Activation | undefined;
  #depth = 0;
  /** The activations made for the calls on the stack, by depth. */
  #made: Activation[] = [];
  /** The warp whose lanes have activations for calls on the stack. */
  #notified: Warp | undefined;

  constructor(state: State, sites: ReadonlyMap<number, CallSite>) {
    this.#state = state;
    this.#sites = sites;
  }

  /** Prepares to enter the module for a warp; without `warp`, for several warps, none of which is in a call. */
  begin(warp?: Warp): void {
    this.#base = warp?.activations[firstLane(warp.active)];
    this.#depth = warp?.depth ?? 0;
    if (this.#made.length > 0) this.#made = [];
    this.#notified = undefined;
    this.#state.callDepth = 0;
    const room = warp === undefined || this.#isOne(warp) ? Math.min(MOST_CALLS, DEEPEST - this.#depth) : 0;
    this.#state.callRoom = room;
  }

  /** Sets the activations of a warp's lanes: those in `active`, which run, and those that wait in the module. */
  notify(warp: Warp, active: number): void {
    const state = this.#state;
    const height = state.callDepth;
    const before = this.#notified;
    // A warp does not leave its turn to another one within a call.
    if (before !== undefined && before !== warp) {
      before.activations.fill(this.#base);
      before.depth = this.#depth;
    } else if (height === 0 && before === undefined) return;
    let top = this.#base;
    for (let at = 0; at < height; at++) {
      const { pc, callee } = this.#sites.get(state.callStack[at]!)!;
      const known = this.#made[at];
      const made =
        known?.from === pc && known.caller === top
          ? known
          : { caller: top, callee, from: pc, back: pc + 1, depth: this.#depth + at + 1 };
      this.#made[at] = made;
      top = made;
    }
    let lanes = active;
    for (let group = 0; group < state.waiting; group++) lanes |= state.groups.lanes[group]!;
    for (let lane = 0; lane < warp.lanes; lane++) if ((lanes >>> lane) & 1) warp.activations[lane] = top;
    warp.depth = this.#depth + height;
    this.#notified = height > 0 ? warp : undefined;
  }

  /** Whether all lanes that may run are in one call, and no group waits for them to return. */
  #isOne({ activations, active, waiting, lanes, depth }: Warp): boolean {
    let all = active;
    for (const group of waiting) {
      // This group waits for the others to return, which JavaScript keeps track of.
      if (group.depth !== depth) return false;
      all |= group.mask;
    }
    // In the kernel itself no lane is in a call.
    if (depth === 0) return true;
    for (let lane = 0; lane < lanes; lane++) if ((all >>> lane) & 1 && activations[lane] !== this.#base) return false;
    return true;
  }
}
