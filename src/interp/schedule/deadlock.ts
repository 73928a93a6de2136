import type { Related } from "../../source/diagnostic.ts";
import { bitsIn, firstLane, LANES } from "../contract/launch/lane-mask.ts";
import type { Stop } from "../contract/stop.ts";
import type { Context } from "../state/context.ts";
import { whoIs } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { barrierNeeds } from "../warp/barrier-needs.ts";
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
  const { needs, help } = atBarriers(first, warps, context);
  return {
    reason: "trap",
    at: { block: first.block, warp: first.index, lane: firstLane(group.mask) },
    pc: group.pc,
    diagnostic: {
      code: "PTX3011",
      severity: "error",
      source: context.program.source,
      span,
      message: `${opcode} waits forever: ${[...(needs.length > 0 && of === "" ? [] : [`${everybody}, and nothing can release them`]), ...needs].join("; ")}`,
      related: waitingPlaces(warps, context),
      ...(help.length > 0 && { help: help.map((message) => ({ message })) }),
    },
  };
}

/** Barriers that a message names at most. */
const MOST_NAMED = 3;

/** What the barriers need at which threads of the first block wait, and ways out. */
function atBarriers({ block, ctaSync }: Warp, warps: readonly Warp[], { program }: Context) {
  const groups = warps.flatMap((warp) => (warp.block === block ? warp.parked : []));
  const all = [...new Set(groups.flatMap(({ on }) => (on.kind === "barrier" ? [on.number] : [])))];
  // The threads of a barrier of vISA are SIMD threads, which a count of lanes does not tell.
  const known = all.flatMap((number) => {
    const needs = program.simd === undefined ? barrierNeeds(ctaSync, number) : undefined;
    return needs === undefined ? [] : [{ number, ...needs }];
  });
  const named = known.slice(0, MOST_NAMED);
  const most = LANES * ctaSync.warps.length;
  const help = named.flatMap(({ number, count = 0, exited }) => [
    count > most &&
      `${count} threads never come to barrier ${number} in a block of ${ctaSync.threads}: lower its count, or launch larger blocks`,
    exited > 0 &&
      `threads that exit do not arrive at barrier ${number}: have them come to it first, or leave them out of its count`,
  ]);
  const across =
    all.length > 1 &&
    `threads at barriers ${all.slice(0, -1).join(", ")} and ${all.at(-1)} wait for each other: all that meet there have to come to the same barriers, in the same order`;
  return { needs: named.map(({ text }) => text), help: [...help, across].filter((each) => each !== false) };
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
