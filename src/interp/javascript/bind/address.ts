import { rankOf } from "../../contract/launch/cluster-rank.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { genericHigh, windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import type { Step } from "../../state/warp.ts";

/**
 * `d, a` or `d, a+offset`: cvta adds or subtracts the start of the space's window. A 32-bit address
 * cannot name a window, so it is the same in both spaces.
 */
export function address(
  { space, to, bits }: Plan & { shape: "address" },
  [d, a]: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  const source = a?.kind === "address" ? slot(a.base) : slot(a);
  const offset = a?.kind === "address" ? a.offset : 0n;
  const [base, from] = [slot(d).slot * lanes, source.slot * lanes];
  if (bits === 32) {
    const more = Number(BigInt.asUintN(32, offset));
    return ({ r, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[base + lane] = r[from + lane]! + more;
    };
  }
  const window = BigInt(genericHigh(space)) << 32n;
  const more = BigInt.asUintN(64, offset + (to === "generic" ? window : -window));
  return ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[base + lane] = BigInt.asUintN(64, q[from + lane]! + more);
  };
}

/**
 * `p, a`: whether a generic address lies in the window of `space` (PTX ISA, isspacep). A supplier's memory outside of
 * all windows is global memory.
 */
export function within(
  { space }: Plan & { shape: "within" },
  [p, a]: readonly (Operand | undefined)[],
  { lanes, memory }: Context,
): Step {
  const to = predicate(p).slot;
  const { bank, slot: from } = slot(a);
  // A 32-bit address lies in no window.
  if (bank === "r")
    return (warp) => {
      warp.p[to]! &= ~warp.active;
    };
  const window = windows[space];
  // Kernel parameters lie in a window within the global one.
  const also = space === "global" ? windows.param : window;
  const isWindow = new Set<number>(Object.values(windows));
  const { supply } = memory;
  // An address in the supplier's memory may have the high word of a window.
  const isSupplied = (low: number, high: number): boolean =>
    supply !== undefined && (!isWindow.has(high) || supply.reach(high, low, 1) >= 0);
  return ({ w, p, active }) => {
    let found = 0;
    for (let lane = 0; lane < lanes; lane++) {
      const low = w[2 * (from * lanes + lane)]!;
      const high = w[2 * (from * lanes + lane) + 1]!;
      const there =
        (active >>> lane) & 1 && isSupplied(low, high) ? space === "global" : high === window || high === also;
      if (there) found |= 1 << lane;
    }
    p[to] = (p[to]! & ~active) | (found & active);
  };
}

/**
 * `d, a`: getctarank. Bits 31 to 24 of a shared address are the rank + 1, or 0 for the CTA's own
 * memory; the window of a generic address lies above them.
 */
export function rank([d, a]: readonly (Operand | undefined)[], { lanes, grid, cluster }: Context): Step {
  const own = (block: number): number => (cluster === undefined ? 0 : rankOf(block, grid, cluster));
  const [to, source] = [slot(d).slot * lanes, slot(a)];
  const from = source.slot * lanes;
  const wide = source.bank === "q";
  return (warp) => {
    const { r, w, active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const high = (wide ? w[2 * (from + lane)]! : r[from + lane]!) >>> 24;
      r[to + lane] = high === 0 ? own(warp.block) : high - 1;
    }
  };
}
