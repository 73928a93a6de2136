import { ThreadMemory } from "../access/thread-memory.ts";
import { firstLane } from "../contract/launch/lane-mask.ts";
import type { FunctionCode } from "../contract/program.ts";
import { Fault } from "../state/fault.ts";
import type { Builtin, BuiltinCall, DriverFunction } from "../warp/builtin-call.ts";
import { bytesOf } from "../warp/call-arguments.ts";
import { answer, eachLane, long, word } from "./argument-word.ts";
import { deviceRuntime } from "./device-runtime.ts";
import { free, malloc } from "./heap.ts";
import { print } from "./print.ts";
import { textOf } from "./text.ts";

/** `cudaGraphSetConditional(handle, value)`: a handle is the address of its value (native/cuda/graph/condition_node.c). */
function setCondition(call: BuiltinCall): void {
  const { context, warp } = call;
  eachLane(call, (lane) => {
    const value = BigInt(word(call, 1, lane));
    new ThreadMemory(context, warp, lane).store(long(call, 0, lane), 4, value, "the value of a condition");
  });
}

/** Characters of one text in the message. */
const MAX_MESSAGE_LETTERS = 1024;

/** `__assertfail(message, file, line, function, charSize)`: called by `assert` in device code. */
function fail(call: BuiltinCall): void {
  const { context, warp, mask } = call;
  const lane = firstLane(mask);
  const reader = new ThreadMemory(context, warp, lane);
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
const builtins: ReadonlyMap<string, DriverFunction> = new Map<string, DriverFunction>([
  ["vprintf", { takes: [8, 8], gives: [4], run: print }],
  ["__assertfail", { takes: [8, 8, 4, 8, 8], gives: [], run: fail }],
  [
    "malloc",
    {
      takes: [8],
      gives: [8],
      run: (call) => eachLane(call, (lane) => answer(call, lane, malloc(call, lane, long(call, 0, lane)))),
    },
  ],
  ["free", { takes: [8], gives: [], run: (call) => eachLane(call, (lane) => free(call, lane, long(call, 0, lane))) }],
  ["cudaGraphSetConditional", { takes: [8, 4], gives: [], run: setCondition }],
  ...deviceRuntime,
]);

/** Names of the functions that the driver supplies. */
export const driverFunctions: ReadonlySet<string> = new Set(builtins.keys());

/** Sizes of the parameters and results of a driver function, bytes; undefined for any other. */
export const driverFunction = (name: string): Omit<DriverFunction, "run"> | undefined => builtins.get(name);

/** The implementation of a function without a body, if the driver has it and the declaration fits. */
export function builtinFor({ entry, parameters, results }: FunctionCode): Builtin | undefined {
  const known = typeof entry === "string" ? builtins.get(entry) : undefined;
  if (known === undefined) return undefined;
  const fits =
    known.takes.join() === parameters.map(bytesOf).join() && known.gives.join() === results.map(bytesOf).join();
  return fits ? known.run : undefined;
}
