import type { DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";
import type { World } from "./world.ts";

/** Milliseconds that the program runs before messages are processed. */
const SLICE = 20;

/** Drives one run or step of the debugger at a time, and processes the client's messages in between. */
export class Mover {
  readonly #world: World;
  #moving = false;
  #closed = false;
  #wanted: "go" | "stop" | "renew" = "go";

  constructor(world: World) {
    this.#world = world;
  }

  get moving(): boolean {
    return this.#moving;
  }

  /** Stops the run where it is. */
  stop(): void {
    this.#wanted = "stop";
  }

  /** Stops the run where it is, and every later one at once. */
  close(): void {
    this.#closed = true;
  }

  /** Restarts the run if it can be restarted: breakpoints have changed. */
  renew(): void {
    if (this.#moving && this.#wanted === "go") this.#wanted = "renew";
  }

  /** Drives a run to its end; `again` makes its replacement when breakpoints change. */
  async drive(motion: Motion, again?: () => Motion, progress?: () => void): Promise<DebugStop> {
    this.#moving = true;
    this.#wanted = "go";
    try {
      let current = motion;
      let began = this.#world.io.now();
      for (let piece = current.next(); ; ) {
        if (piece.done) return piece.value;
        if (this.#world.io.now() - began > SLICE) {
          progress?.();
          await this.#world.rest();
          began = this.#world.io.now();
        }
        const wanted = this.#closed ? "stop" : (this.#wanted as "go" | "stop" | "renew");
        piece = current.next(wanted === "stop" || (wanted === "renew" && again !== undefined));
        if (wanted !== "renew") continue;
        this.#wanted = "go";
        if (again === undefined || (piece.done && piece.value.reason !== "interrupt")) continue;
        current = again();
        piece = current.next();
      }
    } finally {
      this.#moving = false;
    }
  }
}
