import { factsOf } from "../contract/space.ts";
import { genericHigh, spaceAt, windows } from "../contract/window.ts";
import { isAddressed } from "../memory/allocation.ts";
import type { Supply } from "../memory/supply.ts";
import type { Context } from "../state/context.ts";
import { beyond, count, named, nearest, outsideOwn, windowOf } from "./describe-address.ts";
import type { MemoryAccess } from "./memory-access.ts";

/** An address below this looks like a member of a struct that a null pointer points to. */
const NEAR = 4096;

/** Why a lane's address lies in no window that the instruction reaches: what it looks like instead. */
export function explainAddress(lane: number, access: MemoryAccess, context: Context): string {
  const { space, bytes } = access;
  const low = context.scratch.low[lane]!;
  const high = context.scratch.high[lane]!;
  const own = windowOf(lane, access, context);
  const { supply } = context.memory;
  if (supply !== undefined && own === undefined && high + low / 2 ** 32 > NEAR / 2 ** 32 && !others.has(high))
    return outsideSupplied((BigInt(high) << 32n) | BigInt(low), bytes, supply);
  if (own !== undefined) return outsideOwn(own, high === 0xffff_ffff ? low - 2 ** 32 : low, bytes, context);
  if (high === 0) return short(low, context);
  if (high === windows.multimem) return "which is a multimem address: only multimem instructions reach its memory";
  if (high === windows.code) return "which is the address of a function";
  if (high === windows.handle) return "which is the handle of a texture or surface";
  const window = spaceAt(high);
  if (window !== undefined) {
    if (space === "generic" || (space === window && genericHigh(window) === 0)) return nearest(low, bytes, context);
    const { memory } = factsOf(space);
    if (space === window) return `which is a generic address: cvta.to.${space} makes one of ${memory} of it`;
    return `which is an address of ${factsOf(window).memory}, not of ${memory}`;
  }
  return `which is outside every ${space === "generic" ? "" : `${space} `}allocation`;
}

/** High words of addresses that are never a supplier's. */
const others = new Set<number>(Object.values(windows));

/** Why bytes are not the supplier's: nothing is mapped there, or they are not in what it has announced. */
function outsideSupplied(address: bigint, bytes: number, supply: Supply): string {
  const near = supply.announcedAt(address);
  if (near === undefined)
    return supply.isReachable
      ? "where the caller has nothing mapped"
      : "which is in no allocation of the device, and no memory that the host shares with it";
  const start = Number(near.address - address);
  return beyond(0, bytes, { name: near.name, start, end: start + near.bytes });
}

/** Why bytes at an address of the buffer miss that begin in no allocation, or run past the end of theirs. */
export function explainOverrun(lane: number, access: MemoryAccess, context: Context): string {
  const low = context.scratch.low[lane]!;
  // Behind shared memory other memory lies, which has nothing to do with it.
  if (windowOf(lane, access, context) === "shared" && low < context.sharedBytes)
    return outsideOwn("shared", low, access.bytes, context);
  return nearest(context.scratch.at[lane]!, access.bytes, context);
}

/** An address below 2^32, where no memory lies: null, cut to 32 bits, or an offset meant for another window. */
function short(low: number, { memory, sharedBytes, localBytes }: Context): string {
  if (low === 0) return "which is a null pointer";
  const owner = memory.allocations.find(low);
  if (owner !== undefined && isAddressed(owner)) return `which looks like an address of ${named(owner)} cut to 32 bits`;
  const window = low < sharedBytes ? "shared" : low < localBytes ? "local" : undefined;
  const made = `an address of ${window} memory that cvta.${window} has not made generic`;
  if (low < NEAR) return `${count(low)} past a null pointer${window === undefined ? "" : `, or ${made}`}`;
  return window === undefined ? "which looks like an address cut to 32 bits" : `which looks like ${made}`;
}
