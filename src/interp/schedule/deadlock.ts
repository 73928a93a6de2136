import { bitsIn, firstLane } from "../contract/lane-mask.ts";
import type { Stop } from "../contract/stop.ts";
import type { Context } from "../state/context.ts";
import { waitingPlaces } from "../warp/waiting.ts";
import type { Scheduler } from "./scheduler.ts";

/** The stop of a launch in which nobody can go on. It says who waits where; the first of them is the place of the fault. */
export function deadlock({ slots }: Scheduler, context: Context): Stop {
  const running = slots.filter((slot) => slot.running);
  const warps = running.flatMap((slot) => slot.warps).filter(({ parked }) => parked.length > 0);
  const [first] = warps;
  const group = first?.parked[0];
  if (first === undefined || group === undefined) throw new Error("nobody runs, and nobody waits");
  const threads = warps.reduce((sum, { live }) => sum + bitsIn(live), 0);
  const { span, opcode } = context.program.code[group.pc]!;
  const of = running.length === 1 ? "" : ` of ${running.length} blocks`;
  const all = threads === 1 ? `the only thread${of} waits` : `all ${threads} threads${of} wait`;
  return {
    reason: "trap",
    at: { block: first.block, warp: first.index, lane: firstLane(group.mask) },
    pc: group.pc,
    diagnostic: {
      ...{ code: "PTX3011", severity: "error", source: context.program.source, span },
      message: `${opcode} waits for ever: ${all}, and nobody can let them go on`,
      related: waitingPlaces(warps, context),
    },
  };
}
