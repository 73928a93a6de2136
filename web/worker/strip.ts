import type { Session } from "../../src/interp/machine/session.ts";
import type { Strip } from "../page/client.ts";

/** Steps of a warp that are kept at most, and instructions that are executed at most to find them. */
const MOST_KEPT = 20_000;
const MOST_STEPS = 2_000_000;

interface Recorded {
  readonly positions: number[];
  readonly pcs: number[];
  readonly active: number[];
}

/**
 * What a warp executes in a launch of its own, which takes the same course as the one that is looked at; it goes as far as that
 * has come.
 */
export class StripRecorder {
  readonly #session: Session;
  readonly #recorded: Recorded = { positions: [], pcs: [], active: [] };

  constructor(session: Session, ofBlock: number, ofWarp: number) {
    this.#session = session;
    const { positions, pcs, active } = this.#recorded;
    session.observe({
      instruction(block, warp, pc, lanes) {
        if (block !== ofBlock || warp !== ofWarp || pcs.length >= MOST_KEPT) return;
        positions.push(session.steps);
        pcs.push(pc);
        active.push(lanes >>> 0);
      },
    });
  }

  /** The steps before a position. */
  upTo(furthest: number): Strip {
    const { positions, pcs, active } = this.#recorded;
    const left = Math.min(furthest, MOST_STEPS) - this.#session.steps;
    if (left > 0 && pcs.length < MOST_KEPT) this.#session.run({ budget: left });
    return {
      positions: Uint32Array.from(positions),
      pcs: Uint32Array.from(pcs),
      active: Uint32Array.from(active),
    };
  }

  close(): void {
    this.#session.close();
  }
}
