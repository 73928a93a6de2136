import { ALLOCATED, INITIALISED, READ_ONLY, WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { count, inside, named, nearest, windowOf } from "./describe-address.ts";
import { explainAddress } from "./explain-address.ts";
import type { MemoryAccess } from "./memory-access.ts";

/**
 * The second look at an access that has failed the quick check: it is fine after all (memory that is touched for the first
 * time), or a finding, which is reported, or a Fault, which is thrown.
 */
export function inspect(warp: Warp, lane: number, access: MemoryAccess, context: Context): void {
  const { memory, scratch, sanitize } = context;
  const { kind, bytes, space } = access;
  access.sum(warp);
  const at = scratch.at[lane]!;
  const what = (): string => `${verbs[kind]} ${count(bytes)} at ${address(lane, context)}`;
  const place = (): string => {
    const where = inside(lane, access, context);
    return where === undefined ? "" : `: ${where}`;
  };
  if (at < 0) throw new Fault("PTX3002", lane, `${what()}, ${explainAddress(lane, access, context)}`);
  if (at % bytes !== 0) throw new Fault("PTX3001", lane, `${what()}, which is not a multiple of ${bytes}${place()}`);
  if (at + bytes > memory.data.u8.length) throw new Fault("PTX3002", lane, `${what()}, ${nearest(at, bytes, context)}`);
  memory.know(at, bytes);
  const windowed = space === "global" || space === "const" ? 0 : WINDOWED;
  const placed = space === "generic" ? 0 : WINDOWED;
  if (!memory.all(at, bytes, ALLOCATED | placed, ALLOCATED | (windowed & placed))) {
    const freed = memory.allocations.freed(at);
    if (freed !== undefined)
      throw new Fault(
        "PTX3005",
        lane,
        `${what()}, in ${named(freed)}, which ${freed.heap ? "free has had" : "the host has freed"}`,
      );
    const owned = memory.allocations
      .overlapping(at, at + bytes)
      .some(({ kind }) => kind === "window" || kind === "state");
    // Without the check, memory that nobody owns can be used as on a GPU, where it is often mapped.
    if (sanitize.mem || owned) throw new Fault("PTX3002", lane, `${what()}, ${nearest(at, bytes, context)}`);
    return;
  }
  if (kind !== "load" && !memory.all(at, bytes, READ_ONLY, 0))
    throw new Fault("PTX3003", lane, `${what()}, which is read-only${place()}`);
  if (space !== "generic" && space !== "param" && !memory.all(at, bytes, READ_ONLY, space === "const" ? READ_ONLY : 0))
    throw new Fault("PTX3002", lane, `${what()}, which is not in the ${space} state space${place()}`);
  if (kind !== "store" && sanitize.init && !memory.all(at, bytes, INITIALISED, INITIALISED)) {
    const found = report(context, warp, lane, "PTX4001", `${what()}, which nothing has written${place()}`);
    // Compilers keep in local memory what would fit in registers: nvcc -G copies structs there, padding included.
    context.report(windowOf(lane, access, context) === "local" ? { ...found, severity: "note" } : found);
  }
  if (kind !== "load") memory.initialise(at, bytes);
}

const verbs = { load: "reads", store: "writes", atomic: "updates" } as const;

function address(lane: number, { scratch }: Context): string {
  const { low, high } = scratch;
  return `0x${((BigInt(high[lane]!) << 32n) | BigInt(low[lane]!)).toString(16)}`;
}
