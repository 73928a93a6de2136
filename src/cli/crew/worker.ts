import { parentPort, workerData } from "node:worker_threads";
import { executors } from "../../interp/create-session.ts";
import { Member } from "../../interp/crew/member.ts";
import type { CrewMessage } from "../../interp/crew/message.ts";

/** The other side of `NodeCrew`: a thread that runs the blocks that it is sent. */
export function serve(): void {
  const member = new Member(executors);
  parentPort?.on("message", (message: CrewMessage) => {
    member.receive(message);
    if (message.kind === "range") member.conclude(true);
  });
  Atomics.add(new Int32Array(workerData), 0, 1);
}
