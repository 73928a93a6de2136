import { inspectInitialised, reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import { lineOf, type Operation, type Site } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { LANES } from "../../contract/lane-mask.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/shape-facts.ts";
import type { ThreadId } from "../../contract/thread-id.ts";
import { ALLOCATED, fourfold, INITIALISED, READ_ONLY } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { locator } from "../locate.ts";
import { siteOf } from "./site.ts";

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
  const taken = fills === undefined ? () => bytes : fills === "size" ? sized(size, bytes, lanes) : unless(size, bytes);
  const destination: MemoryAccess = { kind: "store", space: "shared", bytes, sum: to.sum };
  const places = new Int32Array(LANES);
  const site = siteOf(context);
  const ask = (warp: Warp, lane: number): void => {
    const read = taken(warp, lane);
    const start = scratch.at[lane]!;
    if (read > 0 && !isGood(memory.shadow.s32, start, read, bytes)) {
      const source: MemoryAccess = { kind: "load", space: "global", bytes: read, align: bytes, sum: from.sum };
      if (reach(warp, lane, source, context)) inspectInitialised(warp, lane, source, context);
    }
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    asynchrony.issue(copyOf(site(warp), thread, start, places[lane]!, read, bytes, context));
  };
  return (warp) => {
    to.locate(warp);
    places.set(scratch.at);
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

/** A copy of `read` bytes and zeros behind them, by the thread's own group. */
function copyOf(
  site: Site,
  thread: ThreadId,
  from: number,
  to: number,
  read: number,
  bytes: number,
  { memory }: Context,
): Operation {
  const { u8 } = memory.data;
  return {
    ...{ site, thread, what: "copy", proxy: "generic" },
    reads: read === 0 ? [] : [{ start: from, bytes: read }],
    writes: [{ start: to, bytes }],
    completion: { kind: "group", line: lineOf("cp.async", thread) },
    perform: () => {
      u8.copyWithin(to, from, from + read);
      u8.fill(0, to + read, to + bytes);
    },
  };
}

type Sizes = (warp: Warp, lane: number) => number;

/** How many bytes are read; more than the copy has are undefined. */
function sized(operand: Operand | undefined, bytes: number, lanes: number): Sizes {
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => {
    const size = r[from + lane]!;
    if (size > bytes) throw new Fault("PTX3030", lane, `reads ${size} bytes for a copy of ${bytes}`);
    return size;
  };
}

/** None where the predicate holds. */
function unless(operand: Operand | undefined, bytes: number): Sizes {
  const { slot: from, negated } = predicate(operand);
  return ({ p }, lane) => (((negated ? ~p[from]! : p[from]!) >>> lane) & 1 ? 0 : bytes);
}
