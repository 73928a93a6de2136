import { Worker } from "node:worker_threads";
import type { WatchedSlicing } from "../environment/slicing.ts";
import { Interrupted } from "./limits.ts";

/** Milliseconds between two progress updates. */
const TICK = 250;

/** The work of workers, and the data that they need, as plain data. */
export interface Work {
  readonly kind: "check" | "diff";
  readonly settings: unknown;
}

/**
 * Distributes items to `count` worker threads and passes the results to `take` in the order of the items, until it
 * returns false. `code` is the file of a worker. A bug in a worker is thrown here, and `Interrupted` when a signal
 * comes.
 */
export async function inWorkers<Item, Result>(
  items: readonly Item[],
  count: number,
  work: Work,
  code: string,
  take: (result: Result) => boolean,
  slicing: WatchedSlicing,
): Promise<void> {
  const workers = Array.from({ length: Math.min(count, items.length) }, () => new Worker(code, { workerData: work }));
  const waiting = new Map<number, Result>();
  const ticking = setInterval(() => slicing.show(), TICK);
  let sent = 0;
  let taken = 0;
  let over = false;
  try {
    await new Promise<void>((done, fail) => {
      slicing.listen((signal) => fail(new Interrupted(signal)));
      const next = (worker: Worker): void => {
        if (sent < items.length) worker.postMessage({ index: sent, item: items[sent++] });
      };
      for (const worker of workers) {
        worker.on("error", fail);
        worker.on("message", ({ index, result }: { readonly index: number; readonly result: Result }) => {
          // What other workers have sent until they are terminated still arrives.
          if (over) return;
          waiting.set(index, result);
          next(worker);
          for (let ready = waiting.get(taken); ready !== undefined; ready = waiting.get(taken)) {
            waiting.delete(taken++);
            over = !take(ready) || taken === items.length;
            if (over) return done();
          }
        });
        next(worker);
      }
    });
  } finally {
    over = true;
    clearInterval(ticking);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
