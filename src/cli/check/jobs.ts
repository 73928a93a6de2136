import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import type { WatchedPace } from "../pace.ts";
import type { ListedFile } from "../paths.ts";
import { Interrupted } from "./limits.ts";
import type { Settings } from "./path.ts";
import type { FileResult } from "./result.ts";

/** Milliseconds between two looks at whether progress is to be shown. */
const TICK = 250;

/**
 * Checks files in `count` worker threads and passes the results to `take` in the order of the files, until it returns
 * false. `code` is where a worker's code lies. A bug in a worker is thrown here, and `Interrupted` when a signal comes.
 */
export async function checkInWorkers(
  files: readonly ListedFile[],
  count: number,
  settings: Settings,
  code: string,
  take: (result: FileResult) => boolean,
  pace: WatchedPace,
): Promise<void> {
  const workers = Array.from(
    { length: Math.min(count, files.length) },
    () => new Worker(code, { workerData: settings }),
  );
  const waiting = new Map<number, FileResult>();
  const ticking = setInterval(() => pace.show(), TICK);
  let sent = 0;
  let taken = 0;
  let over = false;
  try {
    await new Promise<void>((done, fail) => {
      pace.listen((signal) => fail(new Interrupted(signal)));
      const next = (worker: Worker): void => {
        if (sent < files.length) worker.postMessage({ index: sent, file: files[sent++] });
      };
      for (const worker of workers) {
        worker.on("error", fail);
        worker.on("message", ({ index, result }: { readonly index: number; readonly result: FileResult }) => {
          // What other workers have sent until they are terminated still arrives.
          if (over) return;
          waiting.set(index, revive(result));
          next(worker);
          for (let ready = waiting.get(taken); ready !== undefined; ready = waiting.get(taken)) {
            waiting.delete(taken++);
            over = !take(ready) || taken === files.length;
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

/** A message copies a source as a plain object without methods; each is made a source again. */
function revive(result: FileResult): FileResult {
  const known = new Map<Source, Source>();
  const alive = (bare: Source): Source => {
    const found = known.get(bare) ?? new Source(bare.name, bare.text);
    known.set(bare, found);
    return found;
  };
  const all = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map(({ related, ...each }) => ({
      ...each,
      source: alive(each.source),
      ...(related === undefined ? {} : { related: related.map((it) => ({ ...it, source: alive(it.source) })) }),
    }));
  return {
    ...result,
    diagnostics: all(result.diagnostics),
    results: result.results.map((each) => ({
      ...each,
      source: alive(each.source),
      diagnostics: all(each.diagnostics),
      edits: [],
    })),
  };
}
