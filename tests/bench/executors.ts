import { native } from "../../src/interp/compiled/executor.ts";
import { nativeCompiler, useNativeCompiler } from "../../src/interp/compiled/module/native-code.ts";
import { compiled, javascript } from "../../src/interp/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { systemCompiler } from "../../src/system/native-compiler.ts";

/** Executors by the names that the command line has for them. */
export const executors: ReadonlyMap<string, Executor> = new Map([
  ["js", javascript],
  ["wasm", compiled],
]);

useNativeCompiler(() => systemCompiler(process.env));

/** The same, and the system's C compiler where there is one: for kernels that observers are not told of. */
export const all: ReadonlyMap<string, Executor> =
  nativeCompiler() === undefined ? executors : new Map([...executors, ["native", native]]);
