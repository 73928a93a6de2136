import { windows } from "../contract/window.ts";
import type { Allocation } from "../memory/allocation.ts";
import { Fault, who } from "../state/fault.ts";
import type { BuiltinCall } from "../warp/builtin-call.ts";

const isHeap = ({ heap }: Allocation): boolean => heap === true;

/** An address on the device heap for a lane: 16-byte aligned, uninitialised; 0 when the heap has not enough left. */
export function malloc({ context, warp }: BuiltinCall, lane: number, bytes: bigint): bigint {
  const { memory, grid, block, observers } = context;
  const fits = bytes > 0n && bytes <= BigInt(context.heapBytes - memory.allocations.heapBytes);
  const name = fits ? `malloc(${bytes}) of ${who(warp, lane, grid, block)}` : "";
  const address = fits ? memory.allocate({ name, bytes: Number(bytes), align: 16, heap: true }) : undefined;
  if (address === undefined) return 0n;
  for (const observer of observers) observer.allocated?.(Number(BigInt.asUintN(32, address)), Number(bytes));
  return address;
}

/** Nothing for a null pointer, a fault for an address that malloc did not return or that was freed. */
export function free({ context: { memory } }: BuiltinCall, lane: number, address: bigint): void {
  if (address === 0n) return;
  const at = Number(BigInt.asUintN(32, address));
  const global = Number(address >> 32n) === windows.global;
  const owner = global ? memory.allocations.find(at) : undefined;
  if (owner !== undefined && isHeap(owner) && owner.start === at) {
    memory.release(owner);
    return;
  }
  const before = global ? memory.allocations.freed(at) : undefined;
  const shown = `is given 0x${address.toString(16)}`;
  if (before !== undefined && before.start === at)
    throw new Fault("PTX3026", lane, `${shown}, which is ${before.name} and freed already`);
  const inside = owner === undefined ? "" : `: it lies in ${owner.name}`;
  throw new Fault("PTX3026", lane, `${shown}, which malloc did not return${inside}`);
}
