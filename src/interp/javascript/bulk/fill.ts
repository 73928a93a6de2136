import { type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step } from "../../state/warp.ts";
import { BulkAddress } from "./bulk-address.ts";

/** The most bytes that st.bulk accepts. */
const MAX_FILL_BYTES = 2 ** 24;

/** st.bulk: zeros in shared memory. */
export function zeroFill(
  { space }: PlanOf<"zero fill">,
  [a, n]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory, scratch } = context;
  const places = new BulkAddress(a, "store", space, 8, context);
  const { slot: from, bank } = slot(n);
  return (warp) => {
    places.find(warp);
    for (let lane = 0; lane < lanes; lane++) {
      if (!((warp.active >>> lane) & 1)) continue;
      const index = from * lanes + lane;
      const bytes = bank === "r" ? warp.r[index]! : Number(warp.q[index]!);
      if (bytes % 8 !== 0 || bytes > MAX_FILL_BYTES)
        throw new Fault("PTX3050", lane, `is for ${bytes} bytes, which is not a multiple of 8 up to ${MAX_FILL_BYTES}`);
      if (bytes === 0) continue;
      const at = places.touch(warp, lane, bytes);
      if (space === "generic" && scratch.high[lane] !== windows.shared)
        throw new Fault("PTX3002", lane, `writes ${bytes} bytes outside of shared memory, which is all it reaches`);
      memory.data.u8.fill(0, at, at + bytes);
      const thread = { block: warp.block, warp: warp.index, lane };
      for (const observer of context.observers)
        observer.store?.(thread, "shared", BigInt(scratch.low[lane]!), bytes, "weak", "gpu", at, 0n);
    }
  };
}
