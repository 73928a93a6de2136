import { lineOf } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { firstLane } from "../../contract/launch/lane-mask.ts";
import type { Operand } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "./site.ts";

/** Each lane closes its own group (PTX ISA, cp.async.commit_group). */
export function commitGroup({ line }: PlanOf<"commit group">, _: readonly unknown[], context: Context): Step {
  const { asynchrony } = context;
  return each(context, (warp, lane, lanes) =>
    asynchrony.commit(lineOf(line, { block: warp.block, warp: warp.index, lane }), lanes),
  );
}

/** Each lane waits for its own groups (PTX ISA, cp.async.wait_group): they have completed when it goes on. */
export function waitGroup(
  { line, reads }: PlanOf<"wait group">,
  [n]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { asynchrony } = context;
  const site = siteOf(context);
  const pending = Number(constantValue(n, context.program) ?? 0n);
  return each(context, (warp, lane, lanes) => {
    const number = lineOf(line, { block: warp.block, warp: warp.index, lane });
    if (n === undefined) asynchrony.waitAll(number, site(warp), lanes);
    else asynchrony.wait(number, pending, site(warp), reads, lanes);
  });
}

/** Calls `act` once for all lanes, with the first one; or once per lane if the engine keeps their queues apart. */
function each({ lanes, asynchrony: { apart } }: Context, act: (warp: Warp, lane: number, lanes: number) => void): Step {
  if (!apart)
    return (warp) => {
      if (warp.active !== 0) act(warp, firstLane(warp.active), warp.active >>> 0);
    };
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) act(warp, lane, (1 << lane) >>> 0);
  };
}
