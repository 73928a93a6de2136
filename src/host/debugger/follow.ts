import type { ThreadId } from "../../interp/contract/thread-id.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";

/** How far a thread goes: one instruction, one including its calls, or until it has left its function. */
export type Stride = "into" | "over" | "out";

/**
 * Follows a thread through a run, one of its instructions after another. A thread that waits at a barrier takes a step
 * by going on, although another one's instruction released it. For a thread that does not run, every instruction
 * counts.
 */
export class Follow {
  readonly #machine: MachineView;
  readonly #thread: ThreadId;
  readonly #stride: Stride;
  readonly #whole: boolean;
  #left: number;
  #depth: number;
  /** Whether the last instruction was the thread's, and whether the thread waited while it ran. */
  #mine = false;
  #waited = false;

  constructor(session: Session, thread: ThreadId, stride: Stride, steps: number) {
    this.#machine = new MachineView(session);
    this.#thread = thread;
    this.#stride = stride;
    this.#left = steps;
    this.#whole = !this.#machine.lives(thread);
    this.#depth = this.#machine.depth(thread);
  }

  /** Called before each instruction: whether the thread has arrived. */
  arrived(block: number, warp: number, active: number): boolean {
    const machine = this.#machine;
    const thread = this.#thread;
    const waits = !this.#whole && machine.waits(thread);
    if (this.#mine || (this.#waited && !waits)) {
      if (!this.#whole && !machine.lives(thread)) return true;
      const depth = machine.depth(thread);
      if (!this.#goesOn(depth)) {
        this.#left--;
        this.#depth = depth;
        if (this.#left === 0) return true;
      }
    }
    this.#mine =
      this.#whole || (block === thread.block && warp === thread.warp && ((active >>> thread.lane) & 1) === 1);
    this.#waited = waits;
    return false;
  }

  #goesOn(depth: number): boolean {
    if (this.#stride === "over") return depth > this.#depth;
    return this.#stride === "out" && (this.#depth === 0 || depth >= this.#depth);
  }
}
