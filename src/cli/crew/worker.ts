import { parentPort, workerData } from "node:worker_threads";
import { crewMember } from "../../interp/create-session.ts";
import type { CrewMessage } from "../../interp/crew/message.ts";

/** The other side of `NodeCrew`: a thread that runs the blocks that it is sent. */
export function serve(): void {
  const member = crewMember();
  parentPort?.on("message", (message: CrewMessage) => member.receive(message));
  // A message that does not arrive would be waited for.
  parentPort?.on("messageerror", (error) => {
    throw error;
  });
  Atomics.add(new Int32Array(workerData), 0, 1);
}
