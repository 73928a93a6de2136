import { reach } from "../../access/inspect.ts";
import { type ByteRange, type Completion, lineOf, type Operation } from "../../async/operation.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shape-facts.ts";
import type { ThreadId } from "../../contract/thread-id.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { checkWalk } from "../../tensor-map/check-walk.ts";
import { type Footprint, footprintOf, type Walk } from "../../tensor-map/geometry.ts";
import { atomBytes } from "../../tensor-map/swizzle.ts";
import type { TensorMap } from "../../tensor-map/tensor-map.ts";
import { siteOf } from "../async/site.ts";
import { mapReader } from "./map-reader.ts";
import { checkObject, checkOwner, Places, rankAt, ranksOf, Signals, sharedOf } from "./places.ts";
import { tensorMover } from "./tensor-mover.ts";

/** Shared memory of a tensor copy begins at a multiple of this (CUDA programming guide, tensor memory access). */
const ALIGN = 128;

/** cp.async.bulk.tensor and cp.reduce.async.bulk.tensor (PTX ISA 9.7.9.26.5). */
export function tensorCopy(
  plan: PlanOf<"tensor copy">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony } = context;
  const { direction, mode, whose = "any", multicast } = plan;
  const load = direction === "load";
  const [place, from, mbar, info, mask] = load ? operands : [operands[1], operands[0]];
  const [address, ...coordinates] = elements(from);
  const shared = new Places(place, load ? "store" : "load", "shared", ALIGN, context);
  const signal = load ? new Signals(mbar, context) : undefined;
  const read = mapReader(address, context);
  const at = coordinates.map((each) => slot(each).slot * lanes);
  const more = info === undefined ? [] : elements(info).map((each) => slot(each).slot * lanes);
  const masks = multicast === true ? slot(mask).slot * lanes : -1;
  const site = siteOf(context);
  const asked = { dim: plan.dim, mode, direction: plan.updates ? ("reduce" as const) : direction };

  const ask = (warp: Warp, lane: number, map: TensorMap): void => {
    const walk = walkOf(
      mode,
      at.map((from) => warp.r[from + lane]! | 0),
      more.map((from) => warp.r[from + lane]! & 0xffff),
    );
    const problem = checkWalk(map, asked, walk);
    if (problem !== undefined)
      throw new Fault("PTX3052", lane, `asks for ${problem.message}`, [], undefined, [`expected ${problem.expected}`]);
    const update = plan.updates?.[map.element.name];
    if (plan.updates !== undefined && update === undefined)
      throw new Fault("PTX3052", lane, `reduces elements of ${map.element.name}, which it has no operation for`);
    const footprint = footprintOf(map, walk);
    const { span, bytes } = footprint;
    shared.find(warp);
    const start = shared.reach(warp, lane, span);
    if (load) checkOwner(whose, "its destination", start, lane, warp, context);
    else checkOwner("own", "its source", start, lane, warp, context);
    signal?.find(warp);
    const tells = signal?.reach(warp, lane) ?? -1;
    const outside = globalRanges(map, footprint);
    for (const range of outside) reachGlobal(warp, lane, range, load, context);
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const issue = (base: number, window: number, completion: Completion): void => {
      const inside = sharedRanges(base, window, footprint, map);
      const mover = tensorMover({ map, footprint, window, base: base - window, update }, context.memory);
      const operation: Operation = {
        site: site(warp),
        thread,
        what: update === undefined ? "copy" : "reduction",
        proxy: "async",
        reads: load ? outside : inside,
        writes: load ? inside : outside,
        ...(update === undefined ? {} : { updates: true }),
        completion,
        perform: load ? mover.load : mover.store,
      };
      asynchrony.issue(operation);
    };
    const { cluster } = warp.ctaSync;
    const home = rankAt(start, warp, context);
    const window = sharedOf(cluster[home]);
    if (!load) {
      issue(start, window, { kind: "group", line: lineOf("bulk", thread) });
      return;
    }
    const bell = rankAt(tells, warp, context);
    const offset = tells - sharedOf(cluster[bell]);
    if (bell !== home && masks < 0 && !(plan.pair === true && bell === (home ^ 1)))
      throw new Fault(
        "PTX3050",
        lane,
        `has its mbarrier object in block ${bell} of the cluster and its destination in block ${home}`,
      );
    if (whose === "own") checkOwner("own", "its mbarrier object", tells, lane, warp, context);
    // The copies to several blocks tell that block of each pair whose parity is the mbarrier object's.
    const told = (rank: number): number => (plan.pair === true ? (rank & ~1) | (bell & 1) : rank);
    for (const rank of masks < 0 ? [home] : ranksOf(warp.r[masks + lane]! & 0xffff, lane, warp)) {
      const to = sharedOf(cluster[rank]);
      const barrier = masks < 0 ? tells : sharedOf(cluster[told(rank)]) + offset;
      checkObject(barrier, lane, context);
      issue(to + (start - window), to, { kind: "mbarrier", at: barrier, bytes });
    }
  };
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) ask(warp, lane, read(warp, lane));
  };
}

/** What the coordinates and the numbers behind them mean in each mode. */
function walkOf(mode: PlanOf<"tensor copy">["mode"], coordinates: readonly number[], more: readonly number[]): Walk {
  switch (mode) {
    case "tile":
      return { mode, coordinates };
    case "tile::gather4":
    case "tile::scatter4": {
      const [column = 0, ...rows] = coordinates;
      return { mode: "rows", column, rows };
    }
    case "im2col":
    case "im2col_no_offs":
      return { mode: "im2col", coordinates, offsets: more };
    case "im2col::w":
    case "im2col::w::128":
      return { mode, coordinates, halo: more[0] ?? 0, offset: more[1] ?? 0 };
  }
}

/** The bytes of global memory that are moved, neighbours as one; offsets in the buffer, -1 outside of global memory. */
function globalRanges({ address, element }: TensorMap, { rows, step }: Footprint): readonly ByteRange[] {
  const ranges: { start: number; bytes: number }[] = [];
  const base = Number(BigInt.asUintN(32, address));
  const add = (start: number, bytes: number): void => {
    const last = ranges.at(-1);
    if (last !== undefined && last.start + last.bytes === start) last.bytes += bytes;
    else ranges.push({ start, bytes });
  };
  for (const { global, from, to } of rows) {
    if (from >= to) continue;
    if (step === element.global) add(base + global + from * step, (to - from) * step);
    else for (let unit = from; unit < to; unit++) add(base + global + unit * step, element.global);
  }
  return ranges;
}

/** Throws a Fault where the tensor reaches beyond its memory. */
function reachGlobal(warp: Warp, lane: number, { start, bytes }: ByteRange, load: boolean, context: Context): void {
  const { scratch, memory } = context;
  scratch.low[lane] = start;
  scratch.high[lane] = windows.global;
  scratch.at[lane] = start + bytes > memory.data.u8.length ? memory.data.u8.length - 1 : start;
  const kind = load ? "load" : "store";
  reach(warp, lane, { kind, space: "global", bytes, align: 1, sum: () => {} }, context);
}

/** The bytes of shared memory that are moved. */
function sharedRanges(
  base: number,
  window: number,
  { rows, pitch, units, span, shuffle }: Footprint,
  { element, swizzle, atomicity }: TensorMap,
): readonly ByteRange[] {
  const gaps = element.global !== element.shared;
  if (!gaps && (swizzle === "none" || (span % ALIGN === 0 && base % ALIGN === window % ALIGN)))
    return [{ start: base, bytes: span }];
  const ranges: ByteRange[] = [];
  const unit = gaps ? element.shared : Math.min(pitch, atomBytes(swizzle, atomicity));
  const bytes = gaps ? element.global : unit;
  const count = gaps ? units : pitch / unit;
  for (let row = 0; row < rows.length; row++)
    for (let at = 0; at < count; at++)
      ranges.push({ start: window + shuffle(base - window + row * pitch + at * unit), bytes });
  return ranges;
}
