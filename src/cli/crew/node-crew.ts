import { Worker } from "node:worker_threads";
import type { Crew } from "../../interp/crew/crew.ts";
import type { CrewMessage } from "../../interp/crew/message.ts";

/** Worker threads of Node that run blocks of a grid, see `worker.ts`. They start when they are asked to and end with `end`. */
export class NodeCrew implements Crew {
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

  /** `code`: the file that a worker runs. `worth`: milliseconds that must be left of a launch for them to start. */
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
    // Nobody waits for them at the end of the process.
    worker.unref();
    return worker;
  }

  post(worker: number, message: CrewMessage): void {
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
