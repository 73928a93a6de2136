import { MachineView } from "../../interp/tools/machine-view.ts";
import type { ExecutionControl } from "./execution-control.ts";
import type { Move } from "./stop.ts";

/** All moves of a debugger, each to be executed incrementally; see `Motion`. */
export class Moves {
  readonly #control: ExecutionControl;

  constructor(course: ExecutionControl) {
    this.#control = course;
  }

  /** `n` instructions of the focused thread; a barrier is two, arriving and continuing. */
  step(n: number = 1): Move {
    return this.#control.stride("into", n);
  }

  /** The same, counting a call as one instruction. */
  next(n: number = 1): Move {
    return this.#control.stride("over", n);
  }

  /**
   * Until the focused thread is at another line of the program that this was compiled from, `n` times; with `over` not inside of
   * calls. Instructions of no line belong to the line before them.
   */
  stepLine(n: number = 1, over: boolean = false): Move {
    return this.#control.strideLines(over ? "over" : "into", n);
  }

  /** Until the focused thread has left its function; from the kernel itself, until it exits. */
  finish(): Move {
    return this.#control.stride("out", 1);
  }

  /** Until a point holds, or the launch ends. */
  continue(): Move {
    return this.#control.forward(undefined);
  }

  /** The same, but points at the current position are checked too: continues a run that was interrupted. */
  resume(): Move {
    return this.#control.forward(undefined, true);
  }

  /** Until the focused thread is about to execute the instruction at `pc`. */
  until(pc: number): Move {
    const { session, focus } = this.#control;
    const from = session.steps;
    const { block, warp, lane } = focus;
    return this.#control.forward(
      (atBlock, atWarp, at, active) =>
        at === pc && atBlock === block && atWarp === warp && ((active >>> lane) & 1) === 1 && session.steps > from,
    );
  }

  /** Back to before the focused thread's last instruction, `n` times. Points do not stop it. */
  stepBack(n: number = 1): Move {
    return this.#control.strideBack(n, () => true);
  }

  /** The same, with calls that have returned as one instruction. */
  nextBack(n: number = 1): Move {
    let deepest = this.#depth();
    return this.#control.strideBack(n, (depth) => {
      if (depth > deepest) return false;
      deepest = depth;
      return true;
    });
  }

  /** Back to the call of the focused thread's function; in the kernel itself to the beginning. */
  finishBack(): Move {
    const inside = this.#depth();
    return this.#control.strideBack(1, (depth) => depth < inside);
  }

  /** Back to the last position where a point holds, or to the beginning. Ignore counts do not matter, hits are not counted. */
  continueBack(): Move {
    return this.#control.continueBack();
  }

  /** To a position, forward or back; points do not stop it. It stops at the end of the launch. */
  goTo(step: number): Move {
    return this.#control.goTo(step);
  }

  #depth(): number {
    const { session, focus } = this.#control;
    return new MachineView(session).depth(focus);
  }
}
