import type { Channels } from "../contract/launch/channels.ts";
import { lowest } from "../contract/launch/lane-mask.ts";
import type { Warp } from "../state/warp.ts";

/** The lanes for which an instruction with these channels is enabled, as a function of the warp. */
export function enabled({ first, count, all, dispatch, predicate }: Channels): (warp: Warp) => number {
  const range = (lowest(count) << first) >>> 0;
  const base = (warp: Warp): number => (all ? range : (range & warp.active & warp.p[dispatch]!) >>> 0);
  if (predicate === undefined) return base;
  const { slot, combine, inverted } = predicate;
  const flip = inverted ? -1 : 0;
  return (warp) => {
    const set = (warp.p[slot]! & range) >>> 0;
    const bits = combine === undefined ? set : (combine === "any" ? set !== 0 : set === range) ? range : 0;
    return (base(warp) & (bits ^ flip)) >>> 0;
  };
}
