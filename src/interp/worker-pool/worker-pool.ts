import type { PoolMessage } from "./message.ts";

/**
 * Workers that run blocks of a grid: threads with a `Member` each. The library's caller supplies them, since threads
 * depend on the system: the command line uses those of Node, a page Web Workers.
 */
export interface WorkerPool {
  /** How many workers there are. */
  readonly size: number;
  /** Milliseconds of work that must be left of a launch for workers to be started. */
  readonly worth: number;
  /** Starts the workers without waiting for them; then `ready` becomes true. A second call does nothing. */
  start(): void;
  readonly ready: boolean;
  /** Posts a message to a worker, by structured clone; those for one worker arrive in order. */
  post(worker: number, message: PoolMessage): void;
  /** Why the worker pool cannot go on, where a worker has ended unexpectedly; read while a launch waits for workers. */
  readonly failure: string | undefined;
  /** Whether a worker has ended, and certainly does nothing any more. */
  ended(worker: number): boolean;
  /** Milliseconds, for measuring blocks. */
  now(): number;
}
