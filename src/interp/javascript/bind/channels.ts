import type { Channels, ElementAccess } from "../../contract/launch/channels.ts";
import type { Inner, Plan } from "../../contract/plan/plan.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import type { Step } from "../../state/warp.ts";
import { enabled } from "../../warp/enabled.ts";
import { check } from "../check.ts";
import { loadElement, storeElement } from "../transfer.ts";

/** An instruction of a SIMD thread: everything is read, then computed, then written. */
export function channels(
  plan: Plan & { shape: "channels" },
  context: Context,
  bindInner: (inner: Inner) => Step,
): Step {
  const on = enabled(plan.channels);
  const loads = plan.loads.flatMap((each) => [
    ...reach(each, "load", plan.channels, context),
    loadElement(each.slot, each.cell, 0, context),
  ]);
  const masks = (plan.masks ?? []).map(({ predicate, slot }) => ({ predicate, base: slot.slot * context.lanes }));
  const work = working(plan, context, bindInner);
  // Both destinations of an instruction are located before either is written, so that a fault leaves all as it was.
  const stores = plan.stores.map((each) => ({
    reach: reach(each, "store", plan.channels, context),
    put: storeElement(each.slot, each.cell, 0, context),
  }));
  const careful = stores.length > 1;
  return (warp) => {
    const { active } = warp;
    const taken = on(warp);
    if (taken === 0) return;
    warp.active = taken;
    for (const step of loads) step(warp);
    for (const { predicate, base } of masks) warp.r.fill(warp.p[predicate]!, base, base + context.lanes);
    work(warp);
    if (careful) for (const { reach } of stores) for (const step of reach) step(warp);
    for (const { reach, put } of stores) {
      for (const step of reach) step(warp);
      put(warp);
    }
    warp.active = active;
  };
}

/** The computation on slots. If a word in memory selects it, it is bound when a value of the word first occurs. */
function working(
  { inner, control }: Plan & { shape: "channels" },
  { lanes, memory }: Context,
  bindInner: (inner: Inner) => Step,
): Step {
  const whole = (list: readonly Inner[]): Step => {
    const steps = list.map(bindInner);
    const [only] = steps;
    if (steps.length === 1 && only !== undefined) return only;
    return (warp) => {
      for (const step of steps) step(warp);
    };
  };
  if (typeof inner !== "function") return whole(inner);
  if (control === undefined) throw new Error("a plan asks for a control word that it does not name");
  const at = 2 * control.slot * lanes;
  const bound = new Map<number, Step>();
  const { u32 } = memory.data;
  return (warp) => {
    const word = u32[warp.w[at]! >>> 2]!;
    let step = bound.get(word);
    if (step === undefined) {
      step = whole(inner(word));
      bound.set(word, step);
    }
    step(warp);
  };
}

/** Locates the elements of all lanes and checks those that are enabled. */
function reach(
  { cell, base, pointers, offset, width, rowStride, columnStride }: ElementAccess,
  kind: "load" | "store",
  { first }: Channels,
  context: Context,
): readonly Step[] {
  const { lanes, scratch, memory } = context;
  const { low, high, at } = scratch;
  const { s32 } = memory.data;
  const bytes = cell.bits / 8;
  const rows = Int32Array.from({ length: lanes }, (_, lane) => Math.max(0, Math.floor((lane - first) / width)));
  const behind = Int32Array.from({ length: lanes }, (_, lane) => {
    const channel = Math.max(0, lane - first);
    return offset + rows[lane]! * rowStride + (channel % width) * columnStride;
  });
  const from = 2 * base.slot * lanes;
  const locate: Step = ({ w }) => {
    const start = w[from]!;
    for (let lane = 0; lane < lanes; lane++) at[lane] = start + behind[lane]!;
  };
  const sum: Step = () => {
    for (let lane = 0; lane < lanes; lane++) {
      low[lane] = at[lane]!;
      high[lane] = windows.global;
    }
  };
  const checked = check({ kind, space: "global", bytes, sum }, context);
  if (pointers === undefined) return [locate, checked];
  const follow: Step = (warp) => {
    const word = (place: number): number => s32[place >>> 2]!;
    const start = warp.w[from]!;
    // A row without an enabled channel may have no valid address: its location is not used.
    for (let lane = 0; lane < lanes; lane++) {
      const row = pointers === "rows" ? rows[lane]! : 0;
      at[lane] = word(start + 4 * row) + behind[lane]!;
    }
  };
  return [follow, checked];
}
