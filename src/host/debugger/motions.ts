import { MachineView } from "../../interp/tools/machine-view.ts";
import type { Course } from "./course.ts";
import type { Motion } from "./stop.ts";

/** All moves of a debugger, each to be executed incrementally; see `Motion`. */
export class Motions {
  readonly #course: Course;

  constructor(course: Course) {
    this.#course = course;
  }

  /** `n` instructions of the focused thread; a barrier is two, arriving and continuing. */
  step(n: number = 1): Motion {
    return this.#course.stride("into", n);
  }

  /** The same, counting a call as one instruction. */
  next(n: number = 1): Motion {
    return this.#course.stride("over", n);
  }

  /**
   * Until the focused thread is at another line of the program that this was compiled from, `n` times; with `over` not inside of
   * calls. Instructions of no line belong to the line before them.
   */
  stepLine(n: number = 1, over: boolean = false): Motion {
    return this.#course.strideLines(over ? "over" : "into", n);
  }

  /** Until the focused thread has left its function; from the kernel itself, until it exits. */
  finish(): Motion {
    return this.#course.stride("out", 1);
  }

  /** Until a point holds, or the launch ends. */
  continue(): Motion {
    return this.#course.forward(undefined);
  }

  /** The same, but points at the current position are checked too: continues a run that was interrupted. */
  resume(): Motion {
    return this.#course.forward(undefined, true);
  }

  /** Until the focused thread is about to execute the instruction at `pc`. */
  until(pc: number): Motion {
    const { session, focus } = this.#course;
    const from = session.steps;
    const { block, warp, lane } = focus;
    return this.#course.forward(
      (atBlock, atWarp, at, active) =>
        at === pc && atBlock === block && atWarp === warp && ((active >>> lane) & 1) === 1 && session.steps > from,
    );
  }

  /** Back to before the focused thread's last instruction, `n` times. Points do not stop it. */
  stepBack(n: number = 1): Motion {
    return this.#course.strideBack(n, () => true);
  }

  /** The same, with calls that have returned as one instruction. */
  nextBack(n: number = 1): Motion {
    let deepest = this.#depth();
    return this.#course.strideBack(n, (depth) => {
      if (depth > deepest) return false;
      deepest = depth;
      return true;
    });
  }

  /** Back to the call of the focused thread's function; in the kernel itself to the beginning. */
  finishBack(): Motion {
    const inside = this.#depth();
    return this.#course.strideBack(1, (depth) => depth < inside);
  }

  /** Back to the last position where a point holds, or to the beginning. Ignore counts do not matter, hits are not counted. */
  continueBack(): Motion {
    return this.#course.continueBack();
  }

  /** To a position, forward or back; points do not stop it. It stops at the end of the launch. */
  goTo(step: number): Motion {
    return this.#course.goTo(step);
  }

  #depth(): number {
    const { session, focus } = this.#course;
    return new MachineView(session).depth(focus);
  }
}
