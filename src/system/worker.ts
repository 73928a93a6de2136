import { parentPort, workerData } from "node:worker_threads";
import { useNativeCompiler } from "../interp/compiled/module/native-code.ts";
import { poolMember } from "../interp/pool-member.ts";
import type { PoolMessage } from "../interp/worker-pool/message.ts";
import { systemCompiler } from "./native-compiler.ts";

/** The worker side of `NodeWorkerPool`: a thread that runs the blocks that it receives. */
export function serve(): void {
  useNativeCompiler(() => systemCompiler(process.env));
  const member = poolMember();
  parentPort?.on("message", (message: PoolMessage) => member.receive(message));
  // A lost message would be waited for forever.
  parentPort?.on("messageerror", (error) => {
    throw error;
  });
  Atomics.add(new Int32Array(workerData), 0, 1);
}
