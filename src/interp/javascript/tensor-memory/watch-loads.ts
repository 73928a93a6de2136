import { writtenBy } from "../../contract/plan/effects.ts";
import type { Instruction, Program } from "../../contract/program.ts";
import type { Context } from "../../state/context.ts";
import { report } from "../../state/fault.ts";
import type { Step } from "../../state/warp.ts";
import { guardOf } from "../../warp/guard.ts";
import { siteOf } from "../async/site.ts";
import { nameOf, slotsIn } from "../matrix/watch-registers.ts";
import { warpThread } from "./wait.ts";

/** Registers that some tcgen05.ld of a program fills, and those that they are moved to; undefined if it has none. */
export function registersOfLoads({ code }: Program): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const { plan, operands } of code)
    if (plan.shape === "tcgen05 load") for (const slot of slotsIn(operands.slice(0, writtenBy(plan)))) found.add(slot);
  if (found.size === 0) return undefined;
  const moves = code.filter(({ plan }) => plan.shape === "move");
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { operands } of moves)
      if (slotsIn(operands.slice(1)).some((slot) => found.has(slot)))
        for (const slot of slotsIn(operands.slice(0, 1))) found.add(slot);
  }
  return found;
}

/**
 * The check before an instruction that touches registers of loads: reports those that are still being filled. A plain
 * move is not reported, since compilers place moves anywhere: its target then counts as not yet filled either.
 */
export function watchLoads(
  { plan, operands, guard }: Instruction,
  watched: ReadonlySet<number>,
  context: Context,
): Step | undefined {
  const count = writtenBy(plan);
  const inSet = (slot: number): boolean => watched.has(slot);
  const writes = slotsIn(operands.slice(0, count)).filter(inSet);
  const reads = slotsIn(operands.slice(count)).filter(inSet);
  const { loads } = context.asynchrony.fences;
  const site = siteOf(context);
  if (writes.length === 0 && reads.length === 0) return undefined;
  const lanes = guardOf(guard);
  if (plan.shape === "tcgen05 load")
    return (warp) => {
      if (lanes(warp) !== 0) loads.hold(warpThread(warp), site(warp), writes);
    };
  const packs = plan.shape === "pack" || plan.shape === "unpack";
  return (warp) => {
    const thread = warpThread(warp);
    const read = loads.find(thread, reads);
    const found = read ?? loads.find(thread, writes);
    if (found === undefined || lanes(warp) === 0) return;
    if (plan.shape === "move" && read !== undefined) {
      loads.hold(thread, read.site, writes);
      return;
    }
    if (!packs) loads.wait(thread);
    const what = `${read === undefined ? "writes" : "reads"} ${nameOf(found.slot, context)}`;
    const made = report(context, warp, 0, "PTX4064", `${what}, which ${found.site.opcode} still fills`);
    const { source, span, opcode } = found.site;
    context.report({
      ...made,
      // nvcc -G moves each register to memory behind each instruction.
      ...((packs || context.program.debug) && { severity: "note" }),
      related: [{ source, span, message: `${opcode}, not waited for yet` }, ...(made.related ?? [])],
      help: [...(made.help ?? []), { message: "execute tcgen05.wait::ld.sync.aligned before it" }],
    });
  };
}
