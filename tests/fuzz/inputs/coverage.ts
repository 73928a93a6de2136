import { type Profiler, Session } from "node:inspector";

/** Which blocks of which functions run, as V8 counts them. */
export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  }

  /** Since it was asked last: each function that ran, together with the blocks of it that did, as one number. */
  shapes(): readonly number[] {
    let found: readonly Profiler.ScriptCoverage[] = [];
    // In this process the answer comes at once.
    this.#session.post("Profiler.takePreciseCoverage", (_, answer) => {
      found = answer?.result ?? [];
    });
    const shapes = new Set<number>();
    for (const { url, functions } of found) {
      if (!url.includes("ptxrun-inputs-")) continue;
      for (const { ranges } of functions) {
        if (ranges[0]?.count === 0) continue;
        let shape = 0;
        for (const { startOffset, endOffset, count } of ranges)
          shape = Math.imul(Math.imul(shape ^ startOffset, 0x9e3779b1) ^ endOffset, 0x85ebca6b) ^ (count > 0 ? 1 : 0);
        shapes.add(shape >>> 0);
      }
    }
    return [...shapes];
  }
}
