import { socket } from "./connection.ts";
import { MEMORY, SOCKET } from "./protocol.ts";
import { serve } from "./serve.ts";

/** The process that runs kernels for a client's process, which starts it with the descriptors of `protocol.ts`; its threads run `poolWorker`. */
export function work(poolWorker: string): void {
  const parent = process.ppid;
  const isLeft = (): boolean => process.ppid !== parent;
  serve({ wire: socket(SOCKET), memory: MEMORY, isLeft, env: process.env, poolWorker }, () => performance.now());
}
