import type { DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";
import type { World } from "./world.ts";

/** Milliseconds that the program runs before messages may come in. */
const SLICE = 20;

/** Drives one motion of the debugger at a time, and hears in between what the client wants. */
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

  /** The motion ends where it is. */
  stop(): void {
    this.#wanted = "stop";
  }

  /** The motion ends where it is, and so does each that is begun afterwards. */
  close(): void {
    this.#closed = true;
  }

  /** A motion that can be made anew is: points have changed. */
  renew(): void {
    if (this.#moving && this.#wanted === "go") this.#wanted = "renew";
  }

  /** Drives a motion to its end; `again` makes what goes on in its place when points change. */
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
