import type { FunctionCode } from "../contract/program.ts";
import type { Builtin } from "../warp/builtin-call.ts";
import { bytesOf } from "../warp/call-arguments.ts";
import { fail } from "./assert.ts";
import { free, malloc } from "./heap.ts";
import { print } from "./print.ts";

/** Functions of the driver (CUDA C++ Programming Guide, formatted output, assertion, dynamic memory), with the bytes of what they take and give. */
const builtins: ReadonlyMap<
  string,
  { readonly takes: readonly number[]; readonly gives: readonly number[]; readonly run: Builtin }
> = new Map([
  ["vprintf", { takes: [8, 8], gives: [4], run: print }],
  ["__assertfail", { takes: [8, 8, 4, 8, 8], gives: [], run: fail }],
  ["malloc", { takes: [8], gives: [8], run: malloc }],
  ["free", { takes: [8], gives: [], run: free }],
]);

/** Bytes of what a function of the driver takes and gives; undefined for any other. */
export const driverFunction = (
  name: string,
): { readonly takes: readonly number[]; readonly gives: readonly number[] } | undefined => builtins.get(name);

/** What a function without a body does, if the driver has it and the declaration fits. */
export function builtinFor({ entry, parameters, results }: FunctionCode): Builtin | undefined {
  const known = typeof entry === "string" ? builtins.get(entry) : undefined;
  if (known === undefined) return undefined;
  const fits =
    known.takes.join() === parameters.map(bytesOf).join() && known.gives.join() === results.map(bytesOf).join();
  return fits ? known.run : undefined;
}
