import { windows } from "../contract/window.ts";
import type { Allocation } from "../memory/allocation.ts";
import { Fault, who } from "../state/fault.ts";
import type { BuiltinCall } from "../warp/builtin-call.ts";
import { answer, eachLane, long } from "./argument-word.ts";

const isHeap = ({ heap }: Allocation): boolean => heap === true;

/** `malloc(bytes)`: 16-byte aligned, uninitialised; 0 when the heap has not so much left. */
export function malloc(call: BuiltinCall): void {
  const { context, warp } = call;
  const { memory, grid, block } = context;
  eachLane(call, (lane) => {
    const bytes = long(call, 0, lane);
    const fits = bytes > 0n && bytes <= BigInt(context.heapBytes - memory.allocations.heapBytes);
    const name = fits ? `malloc(${bytes}) of ${who(warp, lane, grid, block)}` : "";
    const address = fits ? memory.allocate({ name, bytes: Number(bytes), align: 16, heap: true }) : undefined;
    answer(call, lane, address ?? 0n);
  });
}

/** `free(address)`: nothing for a null pointer, a fault for what malloc has not given or free has had. */
export function free(call: BuiltinCall): void {
  const { memory } = call.context;
  eachLane(call, (lane) => {
    const address = long(call, 0, lane);
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
    throw new Fault("PTX3026", lane, `${shown}, which malloc has not given${inside}`);
  });
}
