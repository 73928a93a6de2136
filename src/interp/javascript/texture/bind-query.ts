import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step } from "../../state/warp.ts";
import { answer } from "../../texture/query.ts";
import { handleReader, show } from "./handle.ts";

/** `d, a{, lod}`. */
export function imageQuery(
  { query }: Plan & { shape: "image query" },
  [d, a, lod]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory } = context;
  const to = slot(d).slot * lanes;
  const handleOf = handleReader(a, context);
  const level = lod === undefined ? -1 : slot(lod).slot * lanes;
  return (warp) => {
    const { r, s, active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const handle = handleOf(warp, lane);
      const known = memory.images.find(handle);
      if (known?.object === undefined)
        throw new Fault(
          "PTX3040",
          lane,
          known === undefined ? `nothing has the handle ${show(handle)}` : `nothing is bound to ${known.name}`,
        );
      r[to + lane] = answer(known.object, query, level < 0 ? 0 : s[level + lane]!);
    }
  };
}

/** `p, a`: istypep. */
export function imageType(
  { type }: Plan & { shape: "image type" },
  [p, a]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory } = context;
  const to = predicate(p).slot;
  const handleOf = handleReader(a, context);
  return (warp) => {
    let is = 0;
    for (let lane = 0; lane < lanes; lane++)
      if ((warp.active >>> lane) & 1 && memory.images.find(handleOf(warp, lane))?.type === type) is |= 1 << lane;
    warp.p[to] = (warp.p[to]! & ~warp.active) | is;
  };
}
