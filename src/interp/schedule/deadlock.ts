import type { Related } from "../../source/diagnostic.ts";
import { bitsIn, firstLane } from "../contract/launch/lane-mask.ts";
import type { Stop } from "../contract/stop.ts";
import type { Context } from "../state/context.ts";
import { whoIs } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { waitingPlaces } from "../warp/waiting.ts";
import type { Scheduler } from "./scheduler.ts";

/** The stop of a launch in which no thread can go on: lists waiting threads, the first as the place of the fault. */
export function deadlock({ slots }: Scheduler, context: Context): Stop {
  const running = slots.filter((slot) => slot.running);
  const all = running.flatMap((slot) => slot.warps);
  const warps = all.filter(({ parked }) => parked.length > 0);
  const forever = barrierForever(warps, context);
  if (forever !== undefined) return forever;
  const [first] = warps;
  const group = first?.parked[0];
  if (first === undefined || group === undefined) throw new Error("nobody runs, and nobody waits");
  const threads = warps.reduce((sum, { live }) => sum + bitsIn(live), 0);
  const { span, opcode } = context.program.code[group.pc]!;
  const of = running.length === 1 ? "" : ` of ${running.length} blocks`;
  const everybody = threads === 1 ? `the only thread${of} waits` : `all ${threads} threads${of} wait`;
  return {
    reason: "trap",
    at: { block: first.block, warp: first.index, lane: firstLane(group.mask) },
    pc: group.pc,
    diagnostic: {
      code: "PTX3011",
      severity: "error",
      source: context.program.source,
      span,
      message: `${opcode} waits forever: ${everybody}, and nothing can release them`,
      related: waitingPlaces(warps, context),
    },
  };
}

/** The same where a thread waits for a phase of an mbarrier object, or tests it again and again. */
function barrierForever(warps: readonly Warp[], context: Context): Stop | undefined {
  const { asynchrony, program, grid, block, memory } = context;
  const held = warps.flatMap((warp) => warp.parked.map((group) => ({ warp, group })));
  const waits = held.find(({ group: { on } }) => on.kind === "until" && on.until.barrier !== undefined);
  const [poll] = asynchrony.polls;
  const on = waits?.group.on;
  const at = on?.kind === "until" ? on.until.barrier : poll?.[0];
  if (at === undefined || (waits === undefined && poll === undefined)) return undefined;
  const thread =
    waits === undefined
      ? poll![1].thread
      : { block: waits.warp.block, warp: waits.warp.index, lane: firstLane(waits.group.mask) };
  const pc = waits?.group.pc ?? poll![1].site.pc;
  const { span, opcode } = program.code[pc]!;
  const owner = memory.allocations.find(at);
  const place = owner === undefined ? "" : ` at 0x${(at - owner.start).toString(16)} of shared memory`;
  const wants = on?.kind === "until" ? on.until.what() : `the mbarrier object${place}`;
  const maker = asynchrony.barriers.maker(at);
  const made: readonly Related[] =
    maker === undefined
      ? []
      : [
          {
            source: maker.site.source,
            span: maker.site.span,
            message: `${maker.site.opcode}, which has made the object, in ${whoIs(maker.thread, grid, block)}`,
          },
        ];
  return {
    reason: "trap",
    at: thread,
    pc,
    diagnostic: {
      code: "PTX3034",
      severity: "error",
      source: program.source,
      span,
      message: `${opcode} waits forever for ${wants}, and nothing is left that could complete it: it is in ${asynchrony.barriers.describe(at)}, in ${whoIs(thread, grid, block)}`,
      related: [...made, ...waitingPlaces(warps, context)],
      help: [{ message: remedy(at, context) }],
    },
  };
}

/** What a phase still misses, and where the reader should look. */
function remedy(at: number, { asynchrony: { barriers } }: Context): string {
  const { pending, tx } = barriers.state(at);
  if (tx > 0 && pending === 0)
    return `all have arrived, but ${tx} bytes more were expected than copies bring: compare .expect_tx with what is copied`;
  if (tx < 0) return `copies have brought ${-tx} bytes more than .expect_tx said`;
  if (tx > 0) return `arrivals are missing, and ${tx} bytes`;
  return "arrivals are missing: compare the count of mbarrier.init with who arrives, and the phase with those that are over";
}
