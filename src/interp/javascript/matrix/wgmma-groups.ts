import { lineOf } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Context } from "../../state/context.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { needWarpgroup } from "./wgmma.ts";

const leaderOf = ({ block, index }: Warp) => ({ block, warp: index, lane: 0 });

/** wgmma.fence. */
export const wgmmaFence = (context: Context): Step =>
  each(context, (warp) => context.asynchrony.fences.registers.fence(leaderOf(warp)));

/** wgmma.commit_group. */
export const wgmmaCommit = (context: Context): Step =>
  each(context, (warp) => context.asynchrony.commit(lineOf("wgmma", leaderOf(warp))));

/** wgmma.wait_group. */
export function wgmmaWait([n]: readonly (Operand | undefined)[], context: Context): Step {
  const pending = Number(constantValue(n, context.program) ?? 0n);
  const site = siteOf(context);
  return each(context, (warp) => context.asynchrony.wait(lineOf("wgmma", leaderOf(warp)), pending, site(warp)));
}

function each(context: Context, act: (warp: Warp) => void): Step {
  const site = siteOf(context);
  return (warp) => {
    needWarpgroup(warp);
    context.asynchrony.fences.together({ site: site(warp), thread: leaderOf(warp), given: "" });
    act(warp);
  };
}

/** fence.proxy.async and fence.mbarrier_init, of each active lane. */
export function proxyFence(inits: true | undefined, { asynchrony }: Context): Step {
  const { proxies } = asynchrony.fences;
  if (inits) return ({ block, index, active }) => proxies.fenceInits(block, index, active);
  return ({ block, index, active }) => proxies.fence(block, index, active);
}
