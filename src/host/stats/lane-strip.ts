import { volume } from "../../interp/contract/launch/dim3.ts";
import type { Session } from "../../interp/machine/session.ts";
import { type Request, Requests } from "./requests.ts";

/** Warps that are recorded, and steps of each: what fits on a page. */
export const MOST_WARPS = 16;
export const MOST_STEPS = 1000;

/** One instruction of a warp: the lanes that reached it, the lanes that passed its guard, and its memory traffic. */
export interface StripStep {
  readonly pc: number;
  /** Masks of lanes. */
  readonly active: number;
  readonly taken: number;
  /** Sums over its requests to global and local memory, and to shared memory; absent where it made none. */
  readonly sectors?: { readonly touched: number; readonly fewest: number };
  readonly banks?: { readonly parts: number; readonly passes: number };
}

/** The first steps of a warp. */
export interface WarpStrip {
  readonly block: number;
  readonly warp: number;
  readonly steps: readonly StripStep[];
  /** All executed steps, including those that are not recorded. */
  readonly all: number;
}

export interface LaneStrips {
  /** The warps that ran first. */
  readonly warps: readonly WarpStrip[];
  /** All warps of the launch, including those that are not recorded. */
  readonly all: number;
}

type Growing = { -readonly [K in keyof StripStep]: StripStep[K] };

/**
 * Records which lanes of the first warps are active in their first steps, from now on; the returned function returns
 * them up to the session's position. Memory traffic of asynchronous operations belongs to no step, and is left out.
 */
export function stripSession(session: Session): () => LaneStrips {
  const kept = new Map<string, { block: number; warp: number; steps: Growing[]; all: number }>();
  let current: Growing | undefined;
  const requests = new Requests(
    session,
    (request) => current !== undefined && !request.late && addTo(current, request),
  );
  const { access, load, store, atomic } = requests.observer();
  session.observe({
    // Most of a long launch is not recorded.
    access: (told) => current && access(told),
    load: (...told) => current && load(...told),
    store: (...told) => current && store(...told),
    atomic: (...told) => current && atomic(...told),
    instruction(block, warp, pc, active, taken) {
      current = undefined;
      const name = `${block} ${warp}`;
      let strip = kept.get(name);
      if (strip === undefined) {
        if (kept.size >= MOST_WARPS) return;
        strip = { block, warp, steps: [], all: 0 };
        kept.set(name, strip);
      }
      strip.all++;
      if (strip.steps.length >= MOST_STEPS) return;
      current = { pc, active, taken };
      strip.steps.push(current);
      requests.begin(block, warp, pc, taken);
    },
    after: () => requests.end(),
  });
  return () => {
    const { grid, block, lanes } = session.state?.context ?? {};
    const all = grid && block && lanes ? volume(grid) * Math.ceil(volume(block) / lanes) : kept.size;
    return { warps: [...kept.values()], all };
  };
}

function addTo(step: Growing, { sectors, banks }: Request): void {
  if (sectors !== undefined) {
    const { touched, fewest } = step.sectors ?? { touched: 0, fewest: 0 };
    step.sectors = { touched: touched + sectors.touched, fewest: fewest + sectors.fewest };
  }
  if (banks !== undefined) {
    const { parts, passes } = step.banks ?? { parts: 0, passes: 0 };
    step.banks = { parts: parts + banks.parts, passes: passes + banks.passes };
  }
}
