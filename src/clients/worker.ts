import { useNativeCompiler } from "../interp/compiled/module/native-code.ts";
import { systemCompiler } from "../system/native-compiler.ts";
import { socket } from "./connection.ts";
import { MEMORY, SOCKET } from "./protocol.ts";
import { serve } from "./serve.ts";

/** The process that runs kernels for a client's process, which starts it with the descriptors of `protocol.ts`; its threads run `poolWorker`. */
export function work(poolWorker: string): void {
  useNativeCompiler(() => systemCompiler(process.env), "long");
  const parent = process.ppid;
  const isLeft = (): boolean => process.ppid !== parent;
  serve({ wire: socket(SOCKET), memory: MEMORY, isLeft, env: process.env, poolWorker }, () => performance.now());
}
