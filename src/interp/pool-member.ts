import { executors } from "./create-session.ts";
import { Member } from "./worker-pool/member.ts";
import type { PoolMessage } from "./worker-pool/message.ts";

/** One worker of a worker pool (see `WorkerPool`): a thread makes one, and hands it all messages that it is posted, in their order. */
export interface PoolMember {
  /** Does what a message asks for; blocks of a grid take a while. Throws where something is wrong with this worker. */
  receive(message: PoolMessage): void;
}

/** The other side of a `WorkerPool`, for the thread that is the worker. */
export function poolMember(): PoolMember {
  const member = new Member(executors);
  return {
    receive: (message) => {
      member.receive(message);
      if (message.kind === "range") member.conclude(true);
    },
  };
}
