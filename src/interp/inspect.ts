import { distance } from "./allocation.ts";
import type { Access } from "./check.ts";
import type { Context } from "./context.ts";
import { Fault, report } from "./fault.ts";
import { ALLOCATED, INITIALISED, READ_ONLY, WINDOWED } from "./shadow.ts";
import type { Warp } from "./warp.ts";
import { windows } from "./window.ts";

/** The second look at an access: fine after all (memory touched for the first time), a finding, or a fault. */
export function inspect(warp: Warp, lane: number, access: Access, context: Context): void {
  const { memory, scratch, sanitize } = context;
  const { kind, bytes, space } = access;
  access.sum(warp);
  const at = scratch.at[lane]!;
  const verb = kind === "load" ? "reads" : "writes";
  const what = `${verb} ${count(bytes)} at ${address(lane, context)}`;
  if (at < 0) throw new Fault("PTX3002", lane, `${what}, ${outside(lane, access, context)}`);
  if (at % bytes !== 0) throw new Fault("PTX3001", lane, `${what}, which is not a multiple of ${bytes}`);
  if (at + bytes > memory.data.u8.length) throw new Fault("PTX3002", lane, `${what}, ${nearest(at, bytes, context)}`);
  memory.know(at, bytes);
  const windowed = space === "global" || space === "const" ? 0 : WINDOWED;
  const placed = space === "generic" ? 0 : WINDOWED;
  if (!memory.all(at, bytes, ALLOCATED | placed, ALLOCATED | (windowed & placed))) {
    const freed = memory.allocations.freed(at);
    if (freed !== undefined) throw new Fault("PTX3005", lane, `${what}, in ${freed.name}, which the host has freed`);
    const owned = memory.allocations
      .overlapping(at, at + bytes)
      .some(({ kind }) => kind === "window" || kind === "state");
    // Without the check, memory that nobody owns can be used as on a GPU, where it is often mapped.
    if (sanitize.mem || owned) throw new Fault("PTX3002", lane, `${what}, ${nearest(at, bytes, context)}`);
    return;
  }
  if (kind === "store" && !memory.all(at, bytes, READ_ONLY, 0))
    throw new Fault("PTX3003", lane, `${what}, which is ${space === "param" ? "a parameter" : "read-only memory"}`);
  if (space !== "generic" && space !== "param" && !memory.all(at, bytes, READ_ONLY, space === "const" ? READ_ONLY : 0))
    throw new Fault("PTX3002", lane, `${what}, which is not in the ${space} state space`);
  if (kind === "load" && sanitize.init && !memory.all(at, bytes, INITIALISED, INITIALISED))
    context.report(report(context, warp, lane, "PTX4001", `${what}, which nothing has written`));
  if (kind === "store") memory.initialise(at, bytes);
}

const count = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);

function address(lane: number, { scratch }: Context): string {
  const { low, high } = scratch;
  return `0x${((BigInt(high[lane]!) << 32n) | BigInt(low[lane]!)).toString(16)}`;
}

/** Why an address lies in no window that the instruction reaches. */
function outside(lane: number, { space, bytes }: Access, context: Context): string {
  const { program, sharedBytes, localBytes, scratch } = context;
  const low = scratch.low[lane]!;
  const high = scratch.high[lane]!;
  const sizes = { shared: sharedBytes, local: localBytes, param: program.parameterBytes };
  const names = { shared: "shared memory", local: "local memory", param: "the parameters" };
  for (const window of ["shared", "local", "param"] as const) {
    const here = space === window ? high === 0 : space === "generic" && high === windows[window];
    if (!here) continue;
    const size = sizes[window];
    const variable = program.variables.findLast((each) => each.space === window && each.offset <= low);
    const past = low >= size ? `${count(low - size + 1)} outside` : `${count(low + bytes - size)} of them outside`;
    const beside = variable === undefined ? "" : `, after ${variable.name} (${count(variable.bytes)})`;
    return `${past} ${names[window]} (${count(size)})${beside}`;
  }
  if (high === 0 && low < 4096) return "close to a null pointer";
  if (high === 0 && (space === "global" || space === "const" || space === "generic"))
    return "an address of 32 bits, or an offset in a window of its own";
  for (const window of ["global", "shared", "local", "param", "const"] as const)
    if (high === windows[window] && space !== "generic")
      return `a generic address of ${window} memory, not of ${space}`;
  return `which is outside every ${space === "generic" ? "" : `${space} `}allocation`;
}

/** The nearest allocation and how far off the access is. */
function nearest(at: number, bytes: number, { memory }: Context): string {
  const owner = memory.allocations.nearest(at);
  if (owner === undefined) return "but nothing is allocated";
  const size = `${owner.name} (${count(owner.end - owner.start)})`;
  if (distance(owner, at) === 0) return `${count(at + bytes - owner.end)} of them past the end of ${size}`;
  if (at < owner.start) return `${count(owner.start - at)} before ${size}`;
  return at === owner.end ? `right behind ${size}` : `${count(at - owner.end)} past the end of ${size}`;
}
