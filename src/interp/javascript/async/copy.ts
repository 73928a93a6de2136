import { inspectInitialised, reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import { lineOf } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { firstLane, LANES } from "../../contract/lane-mask.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shape-facts.ts";
import type { ThreadId } from "../../contract/thread-id.ts";
import { ALLOCATED, fourfold, INITIALISED, READ_ONLY } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { locator } from "../locate.ts";
import { siteOf } from "./site.ts";
import { areFree, copyOf, overlap, rowsOf, type WarpCopies } from "./warp-copies.ts";

/**
 * cp.async (PTX ISA 9.7.9.25.3.1): asks for n bytes. Addresses and bounds are checked now, when the addresses are known; the
 * bytes are read and written when the copy happens.
 */
export function copyAsync(
  { fills }: PlanOf<"copy async">,
  [d, a, n, size]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony, memory, scratch } = context;
  const bytes = Number(constantValue(n, context.program));
  const to = locator(d, "shared", bytes, context);
  const from = locator(a, "global", bytes, context);
  const wanted = fills === undefined ? () => bytes : fills === "size" ? sized(size, lanes) : unless(size, bytes);
  const destination: MemoryAccess = { kind: "store", space: "shared", bytes, sum: to.sum };
  const places = new Int32Array(LANES);
  const counts = new Uint32Array(LANES);
  const copies: WarpCopies = { bytes, to: places, from: scratch.at, read: counts };
  const { data, shadow } = memory;
  const site = siteOf(context);
  /** All lanes at once; false where something is to be said about some, and nothing has been done. */
  const askTogether = (warp: Warp): boolean => {
    const { active, block, index } = warp;
    if (asynchrony.apart || active === 0) return false;
    from.locate(warp);
    for (let lane = 0; lane < lanes; lane++) counts[lane] = (active >>> lane) & 1 ? wanted(warp, lane) : 0;
    if (!areFree(active, copies, shadow.s32)) return false;
    const rows = rowsOf(active, copies);
    if (overlap(rows)) return false;
    const line = lineOf("cp.async", { block, warp: index, lane: 0 });
    asynchrony.issueTogether(line, active, (part) => {
      const thread: ThreadId = { block, warp: index, lane: firstLane(part) };
      const own = part === active ? rows : rowsOf(part, copies);
      return copyOf(site(warp), thread, { lanes: part, among: active, bytes, rows: own }, data);
    });
    return true;
  };
  const ask = (warp: Warp, lane: number): void => {
    const read = wanted(warp, lane);
    if (read > bytes) throw new Fault("PTX3030", lane, `reads ${read} bytes for a copy of ${bytes}`);
    if (read > 0 && !isGood(shadow.s32, scratch.at[lane]!, read, bytes)) {
      const source: MemoryAccess = { kind: "load", space: "global", bytes: read, align: bytes, sum: from.sum };
      if (reach(warp, lane, source, context)) inspectInitialised(warp, lane, source, context);
    }
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const row = { from: scratch.at[lane]!, start: places[lane]!, bytes, read };
    const alone = (1 << lane) >>> 0;
    asynchrony.issue(copyOf(site(warp), thread, { lanes: alone, among: alone, bytes, rows: [row] }, data));
  };
  return (warp) => {
    to.locate(warp);
    places.set(scratch.at);
    if (askTogether(warp)) return;
    to.locate(warp);
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) reach(warp, lane, destination, context);
    from.locate(warp);
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) ask(warp, lane);
  };
}

/** True for the usual source: all words of it are allocated, written, and may be read. */
function isGood(shadow: Int32Array, at: number, read: number, align: number): boolean {
  if ((at & (align - 1)) !== 0) return false;
  const want = fourfold(ALLOCATED | INITIALISED);
  for (let word = at >>> 2; word < (at + read + 3) >>> 2; word++)
    if ((shadow[word]! & (want | fourfold(READ_ONLY))) !== want) return false;
  return true;
}

type Sizes = (warp: Warp, lane: number) => number;

/** How many bytes are to be read. */
function sized(operand: Operand | undefined, lanes: number): Sizes {
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => r[from + lane]!;
}

/** None where the predicate holds. */
function unless(operand: Operand | undefined, bytes: number): Sizes {
  const { slot: from, negated } = predicate(operand);
  return ({ p }, lane) => (((negated ? ~p[from]! : p[from]!) >>> lane) & 1 ? 0 : bytes);
}
