import { compiled, javascript } from "../../src/interp/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";

/** Executors by the names that the command line has for them. */
export const executors: ReadonlyMap<string, Executor> = new Map([
  ["js", javascript],
  ["wasm", compiled],
]);
