import { firstLane, LANES, lowest } from "../contract/launch/lane-mask.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { Fault } from "../state/fault.ts";
import type { Step, Warp } from "../state/warp.ts";
import { checkDivergence } from "./divergence.ts";
import { diverge, park, reconverge } from "./groups.ts";
import { guardOf } from "./guard.ts";
import { lanesIn } from "./waiting.ts";

const EVERYBODY = lowest(LANES);

/**
 * A collective: what `.sync.aligned` has all threads of a warp execute together (mma, ldmatrix ...).
 * Diverged lanes wait here for the others; then `step` runs once, with all 32 lanes active. Where some lanes can
 * never come, the manual leaves the behaviour undefined: here that is a fault.
 */
export function together({ guard }: Instruction, pc: number, context: Context, step: Step): (warp: Warp) => void {
  const lanes = guardOf(guard);
  return (warp) => {
    const taken = lanes(warp);
    const { active } = warp;
    if (taken === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    if (taken !== active)
      throw apart(taken, `but not by ${lanesIn((active & ~taken) >>> 0)}, whose guard does not hold`);
    if (warp.live !== EVERYBODY) throw missing(warp, taken);
    if (taken === EVERYBODY) {
      step(warp);
      warp.pc = pc + 1;
    } else {
      park(warp, { pc, mask: taken, depth: warp.depth, on: { kind: "warp", context } });
      const here = warp.parked.find(
        (group) => group.pc === pc && group.depth === warp.depth && group.on.kind === "warp",
      )!;
      if (here.mask === EVERYBODY) {
        warp.active = EVERYBODY;
        step(warp);
        warp.parked.splice(warp.parked.indexOf(here), 1);
        // The step may have parked them at something else.
        if (warp.active !== 0) diverge(warp, pc + 1, EVERYBODY);
      }
      warp.active = 0;
    }
    if (warp.active !== 0 || warp.parked.every(({ on }) => on.kind !== "warp")) {
      warp.executed[pc] = EVERYBODY;
      context.asynchrony.fences.proxies.met([warp]);
      for (const observer of context.observers) observer.warpSync?.(warp.block, warp.index, EVERYBODY);
    }
    reconverge(warp);
    checkDivergence(warp);
  };
}

/** Called after lanes may have exited: a collective that waits for all of the warp would then wait for ever. */
export function togetherAfterExit(warp: Warp): void {
  const group = warp.parked.find(({ on }) => on.kind === "warp");
  // An exit whose guard holds for no lane removes no lane.
  if (group === undefined || warp.live === 0 || warp.live === EVERYBODY) return;
  const { lane, message } = missing(warp, group.mask);
  throw new Fault("PTX3014", lane, message, [], group.pc);
}

const apart = (mask: number, how: string): Fault =>
  new Fault("PTX3014", firstLane(mask), `is executed by ${lanesIn(mask)}, ${how}`);

function missing({ live, lanes, index, ctaSync }: Warp, mask: number): Fault {
  const threads = Math.min(ctaSync.threads - index * LANES, lanes);
  if (threads < LANES)
    return new Fault(
      "PTX3014",
      firstLane(mask),
      `needs a warp of 32 threads, and this one has ${threads}`,
      [],
      undefined,
      ["launch blocks of a multiple of 32 threads: --block 32"],
    );
  return apart(mask, `and ${lanesIn((EVERYBODY & ~live) >>> 0)} have exited`);
}
