import { executors } from "../../../../src/interp/create-session.ts";
import { Member } from "../../../../src/interp/worker-pool/member.ts";
import type { PoolMessage } from "../../../../src/interp/worker-pool/message.ts";
import type { WorkerPool } from "../../../../src/interp/worker-pool/worker-pool.ts";

/**
 * A worker pool whose workers run in this thread, when they are sent something, and whose clock goes on by 10 milliseconds whenever
 * somebody looks at it: everything is worth it, and every run is the same.
 */
export class InProcessPool implements WorkerPool {
  readonly size: number;
  readonly worth = 0;
  readonly ready = true;
  /** Set by a test to end the worker pool. */
  broken: string | undefined;
  readonly #members: readonly Member[];
  readonly #open = new Set<Member>();
  #time = 0;
  #idle = 0;

  /** `greedy`: the worker that takes all that is left; the others take twice. The last one, unless told. */
  constructor(size: number, greedy: number = size - 1) {
    this.size = size;
    this.#members = Array.from({ length: size }, (_, at) =>
      // They run one after the other, so that the first ones have to leave something for the last.
      at === greedy ? new Member(executors) : new Member(executors, 2),
    );
  }

  /** Asked whenever somebody waits: what the workers have been told happens now. */
  get failure(): string | undefined {
    const { size } = this.#open;
    if (this.broken === undefined)
      for (const member of this.#open) if (member.conclude(false)) this.#open.delete(member);
    // Workers do what they are told when they are told it: a launch that asks again and again waits for ever.
    this.#idle = size > 0 && this.#open.size === size ? this.#idle + 1 : 0;
    if (this.#idle > 50) throw new Error("the launch waits for what never comes");
    return this.broken;
  }

  start(): void {}

  ended(): boolean {
    return this.failure !== undefined;
  }

  post(worker: number, message: PoolMessage): void {
    const member = this.#members[worker]!;
    // All but memory goes through the same clone as on its way to a thread.
    member.receive(message.kind === "memory" ? message : cloned(message));
    if (message.kind === "range") this.#open.add(member);
  }

  now(): number {
    this.#time += 10;
    return this.#time;
  }
}

function cloned(message: PoolMessage): PoolMessage {
  if (message.kind !== "launch") return structuredClone(message);
  const { kept, ...rest } = message;
  return { ...structuredClone(rest), kept };
}
