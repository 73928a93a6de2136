import { LOWEST } from "../memory/memory.ts";
import { ALLOCATED, INITIALISED, MBARRIER, READ_ONLY, WINDOWED } from "../memory/shadow.ts";
import { NO_ROOM } from "../memory/supply.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { count, inside, named, windowOf } from "./describe-address.ts";
import { explainAddress, explainOverrun } from "./explain-address.ts";
import { reportBarrier, reportInTheWay } from "./in-the-way.ts";
import type { MemoryAccess } from "./memory-access.ts";

/**
 * The second look at an access that has failed the quick check: it is fine after all (memory that is touched for the first
 * time), or a finding, which is reported, or a Fault, which is thrown.
 */
export function inspect(warp: Warp, lane: number, access: MemoryAccess, context: Context): void {
  if (!reach(warp, lane, access, context)) return;
  const { memory, scratch } = context;
  const at = scratch.at[lane]!;
  const does = what(lane, access, context);
  if (!memory.all(at, access.bytes, MBARRIER, 0)) reportBarrier(warp, lane, at, does, context);
  reportInTheWay(warp, lane, access, does, context);
  if (access.kind !== "store") inspectInitialised(warp, lane, access, context);
  if (access.kind !== "load") memory.initialise(at, access.bytes);
}

/** `reads 4 bytes at 0x10`. */
const what = (lane: number, { kind, bytes }: MemoryAccess, context: Context): string =>
  `${verbs[kind]} ${count(bytes)} at ${address(lane, context)}`;

/** `: 4 bytes into tile (64 bytes)`. */
function place(lane: number, access: MemoryAccess, context: Context): string {
  const where = inside(lane, access, context);
  return where === undefined ? "" : `: ${where}`;
}

/**
 * Whether the bytes belong to somebody, and the lane may touch them so; otherwise a Fault. Without the check of bounds,
 * false for memory that nobody owns, but a Fault all the same before and behind all of it; and false for a reduction that a
 * memory keeps apart. Afterwards the scratch has the lanes' addresses.
 */
export function reach(warp: Warp, lane: number, access: MemoryAccess, context: Context): boolean {
  const { memory, scratch, sanitize } = context;
  const { kind, bytes, space, align = bytes } = access;
  access.sum(warp);
  borrow(lane, access, context);
  const at = scratch.at[lane]!;
  const accesses = (): string => what(lane, access, context);
  const inPlace = (): string => place(lane, access, context);
  if (at < 0) throw new Fault("PTX3002", lane, `${accesses()}, ${explainAddress(lane, access, context)}`);
  if (at % align !== 0)
    throw new Fault("PTX3001", lane, `${accesses()}, which is not a multiple of ${align}${inPlace()}`);
  if (at < LOWEST || at + bytes > memory.data.u8.length)
    throw new Fault("PTX3002", lane, `${accesses()}, ${explainOverrun(lane, access, context)}`);
  if (access.reduces !== undefined && memory.reduces(at, bytes, access.reduces)) return false;
  memory.know(at, bytes, kind !== "store");
  const windowed = space === "global" || space === "const" ? 0 : WINDOWED;
  const placed = space === "generic" ? 0 : WINDOWED;
  if (!memory.all(at, bytes, ALLOCATED | placed, ALLOCATED | (windowed & placed))) {
    const freed = memory.allocations.freed(at);
    if (freed !== undefined)
      throw new Fault(
        "PTX3005",
        lane,
        `${accesses()}, in ${named(freed)}, which ${freed.heap ? "free has had" : "the host has freed"}`,
      );
    const owned = memory.allocations
      .overlapping(at, at + bytes)
      .some(({ kind }) => kind === "window" || kind === "state");
    // Without the check, memory that nobody owns can be used as on a GPU, where it is often mapped.
    if (sanitize.mem || owned)
      throw new Fault("PTX3002", lane, `${accesses()}, ${explainOverrun(lane, access, context)}`);
    return false;
  }
  if (kind !== "load" && !memory.all(at, bytes, READ_ONLY, 0))
    throw new Fault("PTX3003", lane, `${accesses()}, which is read-only${inPlace()}`);
  if (space !== "generic" && space !== "param" && !memory.all(at, bytes, READ_ONLY, space === "const" ? READ_ONLY : 0))
    throw new Fault("PTX3002", lane, `${accesses()}, which is not in the ${space} state space${inPlace()}`);
  return true;
}

/** Reads the pages of what is somebody else's memory, see `Supply`. */
function borrow(lane: number, { space, bytes }: MemoryAccess, { memory, scratch: { low, high, at } }: Context): void {
  const { supply, allocations } = memory;
  if (supply === undefined || !(space === "global" || space === "generic")) return;
  const found = at[lane]!;
  const owner = found >= 0 && found < supply.start ? allocations.find(found)?.kind : undefined;
  // A generic address that leads into a window was meant so; one of global memory may only happen to have such a low word.
  if (owner === "global" || owner === "const" || (owner === "window" && space === "generic")) return;
  const there = supply.reach(high[lane]!, low[lane]!, bytes);
  if (there === NO_ROOM)
    throw new Fault("PTX6003", lane, "touches more of the caller's memory in one launch than there is room for");
  if (there >= 0 || found >= supply.start) at[lane] = there;
}

/** Reports bytes that nothing has written. */
export function inspectInitialised(warp: Warp, lane: number, access: MemoryAccess, context: Context): void {
  const { memory, scratch, sanitize } = context;
  if (!sanitize.init || memory.all(scratch.at[lane]!, access.bytes, INITIALISED, INITIALISED)) return;
  const text = `${what(lane, access, context)}, which nothing has written${place(lane, access, context)}`;
  const found = report(context, warp, lane, "PTX4001", text);
  // Compilers keep in local memory what would fit in registers: nvcc -G copies structs there, padding included.
  context.report(windowOf(lane, access, context) === "local" ? { ...found, severity: "note" } : found);
}

const verbs = { load: "reads", store: "writes", atomic: "updates" } as const;

function address(lane: number, { scratch }: Context): string {
  const { low, high } = scratch;
  return `0x${((BigInt(high[lane]!) << 32n) | BigInt(low[lane]!)).toString(16)}`;
}
