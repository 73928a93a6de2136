import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Io } from "../environment/io.ts";
import type { PoolMessage } from "../interp/worker-pool/message.ts";
import { worthOf } from "../interp/worker-pool/team.ts";
import type { WorkerPool } from "../interp/worker-pool/worker-pool.ts";

/** Worker threads of Node that run blocks of a grid, see `worker.ts`. They start on request and stop with `end`. */
class NodeWorkerPool implements WorkerPool {
  readonly size: number;
  readonly worth: number;
  readonly now: () => number;
  readonly #code: string;
  /** How many workers have started, in memory that they share. */
  readonly #started: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));
  #workers: readonly Worker[] = [];
  readonly #gone: Set<number> = new Set();
  #failure: string | undefined;
  #ended = false;

  /** `code`: the file of a worker. `worth`: the remaining milliseconds of a launch for which they are started. */
  constructor(size: number, code: string, worth: number, now: () => number) {
    this.size = size;
    this.worth = worth;
    this.now = now;
    this.#code = code;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  get ready(): boolean {
    return this.#workers.length > 0 && Atomics.load(this.#started, 0) === this.size;
  }

  start(): void {
    if (this.#workers.length > 0 || this.#ended) return;
    try {
      this.#workers = Array.from({ length: this.size }, (_, index) => this.#begin(index));
    } catch (error) {
      // The system has no room for more threads.
      this.#fail(messageOf(error));
    }
  }

  ended(worker: number): boolean {
    return this.#gone.has(worker);
  }

  #begin(index: number): Worker {
    const worker = new Worker(this.#code, { workerData: this.#started.buffer });
    worker.on("error", (error) => this.#fail(messageOf(error)));
    worker.on("exit", (code) => {
      this.#gone.add(index);
      this.#fail(`it left with code ${code}`);
    });
    // They do not keep the process alive.
    worker.unref();
    return worker;
  }

  post(worker: number, message: PoolMessage): void {
    this.start();
    this.#workers[worker]?.postMessage(message);
  }

  /** Ends the workers. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #fail(why: string): void {
    if (!this.#ended) this.#failure ??= `a worker ended: ${why}`;
  }
}

/** A program in a worker may throw anything. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The most workers of `auto`. */
const MOST_UNASKED = 16;
/**
 * Milliseconds lost to starting workers: until they run, and until they are warm. With `--jobs` they start as soon as
 * that is worth it, by default somewhat later.
 */
const LOST = { asked: 550, auto: 650 } as const;

/** The workers for a run; without any, one thread does it all, and `alone` says why. `processors`: how many there are. */
export function workerPoolFor(
  jobs: number | "auto" = "auto",
  { poolWorker, now }: Pick<Io, "poolWorker" | "now">,
  processors: number = availableParallelism(),
): { readonly workerPool?: NodeWorkerPool; readonly alone: string } {
  const size = jobs === "auto" ? Math.min(processors, MOST_UNASKED) : jobs;
  if (poolWorker === undefined) return { alone: "there are no others" };
  if (size < 2) return { alone: jobs === "auto" ? "there is one processor" : "--jobs 1" };
  return {
    workerPool: new NodeWorkerPool(size, poolWorker, worthOf(size, jobs === "auto" ? LOST.auto : LOST.asked), now),
    alone: "",
  };
}
