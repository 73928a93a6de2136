import { constantValue } from "../../contract/constant.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import type { MapField } from "../../contract/plan/plan-bulk.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import { WINDOWED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { decodeMap, at as fields, MAP_ALIGN, MAP_BYTES } from "../../tensor-map/tensor-map.ts";
import { siteOf } from "../async/site.ts";
import { BulkAddress } from "./bulk-address.ts";

/** Offset and size of each field in the object. */
const places: Readonly<Record<MapField, { readonly at: number; readonly bytes: 1 | 4 | 8 }>> = {
  global_address: { at: fields.address, bytes: 8 },
  rank: { at: fields.rank, bytes: 1 },
  box_dim: { at: fields.box, bytes: 4 },
  global_dim: { at: fields.dims, bytes: 4 },
  element_stride: { at: fields.steps, bytes: 1 },
  global_stride: { at: fields.strides, bytes: 8 },
  elemtype: { at: fields.element, bytes: 1 },
  interleave_layout: { at: fields.interleave, bytes: 1 },
  swizzle_mode: { at: fields.swizzle, bytes: 1 },
  fill_mode: { at: fields.fill, bytes: 1 },
  swizzle_atomicity: { at: fields.atomicity, bytes: 1 },
};

const each =
  (lanes: number, act: (warp: Warp, lane: number) => void): Step =>
  (warp) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) act(warp, lane);
  };

/** tensormap.replace: the resulting map is checked when a copy uses it. */
export function mapField(
  { field, space }: PlanOf<"map field">,
  [a, ...rest]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory, mapChanges } = context;
  const object = new BulkAddress(a, "atomic", space, MAP_ALIGN, context);
  const ordinal = rest.length > 1 ? Number(constantValue(rest[0], context.program)) : 0;
  const { slot: value, bank } = slot(rest.at(-1));
  const { at, bytes } = places[field];
  const site = siteOf(context);
  const { u8 } = memory.data;
  return each(lanes, (warp, lane) => {
    object.find(warp);
    const start = object.touch(warp, lane, MAP_BYTES);
    if (decodeMap(u8.subarray(start, start + MAP_BYTES)) === undefined)
      throw new Fault("PTX3051", lane, "finds no tensor map at its address", [], undefined, [
        "copy one there first, such as that of a kernel parameter",
      ]);
    let bits = bank === "r" ? BigInt(warp.r[value * lanes + lane]!) : warp.q[value * lanes + lane]!;
    // A byte holds what fits; more is no legal value in any case.
    if (bytes === 1 && bits > 255n) bits = 255n;
    for (let byte = 0; byte < bytes; byte++)
      u8[start + at + ordinal * bytes + byte] = Number((bits >> BigInt(8 * byte)) & 0xffn);
    u8[start + fields.changed] = 1;
    if (isGlobal(start, context))
      mapChanges.change(start, { site: site(warp), thread: threadOf(warp, lane), released: false });
  });
}

/** tensormap.cp_fenceproxy: the copy is released as it is made. */
export function mapCopy([d, a]: readonly (Operand | undefined)[], context: Context): Step {
  const { lanes, memory, mapChanges } = context;
  const target = new BulkAddress(d, "store", "global", MAP_ALIGN, context);
  const source = new BulkAddress(a, "load", "shared", MAP_ALIGN, context);
  const site = siteOf(context);
  return each(lanes, (warp, lane) => {
    source.find(warp);
    const from = source.touch(warp, lane, MAP_BYTES);
    target.find(warp);
    const to = target.touch(warp, lane, MAP_BYTES);
    memory.data.u8.copyWithin(to, from, from + MAP_BYTES);
    memory.data.u8[to + fields.changed] = 1;
    mapChanges.change(to, { site: site(warp), thread: threadOf(warp, lane), released: true });
  });
}

/** fence.proxy.tensormap::generic: the release or the acquire between a change of the map and the copies. */
export function mapFence({ act }: PlanOf<"map fence">, [a]: readonly (Operand | undefined)[], context: Context): Step {
  const { lanes, memory, mapChanges } = context;
  if (act === "release") return each(lanes, (warp, lane) => mapChanges.release(threadOf(warp, lane)));
  const object = new BulkAddress(a, "load", "generic", MAP_ALIGN, context);
  return each(lanes, (warp, lane) => {
    object.find(warp);
    const at = object.check(warp, lane, MAP_BYTES);
    if (mapChanges.acquire(at)) memory.data.u8[at + fields.changed] = 0;
  });
}

const threadOf = (warp: Warp, lane: number) => ({ block: warp.block, warp: warp.index, lane });

const isGlobal = (at: number, { memory }: Context): boolean => (memory.shadow.u8[at]! & WINDOWED) === 0;
