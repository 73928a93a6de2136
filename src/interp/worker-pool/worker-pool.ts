import type { PoolMessage } from "./message.ts";

/**
 * Workers that run blocks of a grid: threads with a `Member` each. Who calls the library supplies it, since every system
 * has threads of its own: the command line those of Node, a page Web Workers.
 */
export interface WorkerPool {
  /** How many workers there are. */
  readonly size: number;
  /** Milliseconds of work that must be left of a launch for workers to be started. */
  readonly worth: number;
  /** Lets the workers start, without waiting for them; they have once `ready` is true. A second call does nothing. */
  start(): void;
  readonly ready: boolean;
  /** Hands a message to a worker, by structured clone; those for one worker arrive in order. */
  post(worker: number, message: PoolMessage): void;
  /** Why the worker pool cannot go on, where a worker has ended by itself; asked while a launch waits for its workers. */
  readonly failure: string | undefined;
  /** Whether a worker has ended, so that it certainly does nothing any more. */
  ended(worker: number): boolean;
  /** Milliseconds, to tell how long blocks take. */
  now(): number;
}
