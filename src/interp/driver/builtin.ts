import { DeviceReader } from "../access/device-read.ts";
import { firstLane } from "../contract/launch/lane-mask.ts";
import type { FunctionCode } from "../contract/program.ts";
import { windows } from "../contract/window.ts";
import type { Allocation } from "../memory/allocation.ts";
import { Fault, who } from "../state/fault.ts";
import type { Builtin, BuiltinCall } from "../warp/builtin-call.ts";
import { bytesOf } from "../warp/call-arguments.ts";
import { answer, eachLane, long, word } from "./argument-word.ts";
import { print } from "./print.ts";
import { textOf } from "./text.ts";

const isHeap = ({ heap }: Allocation): boolean => heap === true;

/** `malloc(bytes)`: 16-byte aligned, uninitialised; 0 when the heap has not enough left. */
function malloc(call: BuiltinCall): void {
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

/** `free(address)`: nothing for a null pointer, a fault for an address that malloc did not return or that was freed. */
function free(call: BuiltinCall): void {
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

/** `cudaGraphSetConditional(handle, value)`: a handle is the address of its value (native/cuda/graph/condition_node.c). */
function setCondition(call: BuiltinCall): void {
  const { memory } = call.context;
  eachLane(call, (lane) => {
    const handle = long(call, 0, lane);
    if (!memory.holds(handle, 4))
      throw new Fault("PTX3002", lane, `sets the condition 0x${handle.toString(16)}, which is in no allocation`);
    const value = new Uint32Array([word(call, 1, lane)]);
    memory.put(Number(BigInt.asUintN(32, handle)), new Uint8Array(value.buffer));
  });
}

/** Characters of one text in the message. */
const MAX_MESSAGE_LETTERS = 1024;

/** `__assertfail(message, file, line, function, charSize)`: called by `assert` in device code. */
function fail(call: BuiltinCall): void {
  const { context, warp, mask } = call;
  const lane = firstLane(mask);
  const reader = new DeviceReader(context, warp, lane);
  const text = (index: number, what: string): string =>
    textOf(reader.string(long(call, index, lane), what, MAX_MESSAGE_LETTERS));
  const [assertion, file, where] = [text(0, "the assertion"), text(1, "the file name"), text(3, "the function name")];
  throw new Fault(
    "PTX3025",
    lane,
    `stops the launch: ${file}:${word(call, 2, lane)}: ${where}: Assertion \`${assertion}' failed`,
  );
}

/** The driver's functions (CUDA C++ Programming Guide, formatted output, assertion, dynamic memory), sizes in bytes. */
const builtins: ReadonlyMap<
  string,
  { readonly takes: readonly number[]; readonly gives: readonly number[]; readonly run: Builtin }
> = new Map([
  ["vprintf", { takes: [8, 8], gives: [4], run: print }],
  ["__assertfail", { takes: [8, 8, 4, 8, 8], gives: [], run: fail }],
  ["malloc", { takes: [8], gives: [8], run: malloc }],
  ["free", { takes: [8], gives: [], run: free }],
  ["cudaGraphSetConditional", { takes: [8, 4], gives: [], run: setCondition }],
]);

/** Names of the functions that the driver supplies. */
export const driverFunctions: ReadonlySet<string> = new Set(builtins.keys());

/** Sizes of the parameters and results of a driver function, bytes; undefined for any other. */
export const driverFunction = (
  name: string,
): { readonly takes: readonly number[]; readonly gives: readonly number[] } | undefined => builtins.get(name);

/** The implementation of a function without a body, if the driver has it and the declaration fits. */
export function builtinFor({ entry, parameters, results }: FunctionCode): Builtin | undefined {
  const known = typeof entry === "string" ? builtins.get(entry) : undefined;
  if (known === undefined) return undefined;
  const fits =
    known.takes.join() === parameters.map(bytesOf).join() && known.gives.join() === results.map(bytesOf).join();
  return fits ? known.run : undefined;
}
