import { parentPort, workerData } from "node:worker_threads";
import { poolMember } from "../interp/create-session.ts";
import type { PoolMessage } from "../interp/worker-pool/message.ts";

/** The worker side of `NodeWorkerPool`: a thread that runs the blocks that it receives. */
export function serve(): void {
  const member = poolMember();
  parentPort?.on("message", (message: PoolMessage) => member.receive(message));
  // A lost message would be waited for forever.
  parentPort?.on("messageerror", (error) => {
    throw error;
  });
  Atomics.add(new Int32Array(workerData), 0, 1);
}
