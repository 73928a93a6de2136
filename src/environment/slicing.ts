import type { Progress } from "../host/debugger/progress.ts";
import type { Io, Signal } from "./io.ts";
import { ProgressLine } from "./progress-line.ts";

/** Milliseconds between two polls for events. */
const REST = 40;

/**
 * How a long command runs: it yields between two slices of its work. A yield processes events, shows the progress of
 * the command, and returns a signal that asks it to end.
 */
export interface Slicing {
  /** Milliseconds. */
  now(): number;
  /** Begins the progress line, where there is one, with `about`. */
  begin?(about: string): void;
  /** Returns the signal once one has arrived, after which the command ends. */
  rest(progress?: () => Progress): Promise<Signal | undefined>;
}

/** Without a terminal and without signals, as in a worker, which is ended from outside. */
export const unobserved = (now: () => number): Slicing => ({ now, rest: async () => undefined });

/** The slicing of an interactive command. `end` must be called. */
export class WatchedSlicing implements Slicing {
  readonly now: () => number;
  readonly #line: ProgressLine;
  readonly #io: Io;
  #signal: Signal | undefined;
  #rested: number;
  #about = "";
  #since: number;
  #unlisten: (() => void) | undefined;

  /** `wanted` false shows no progress. */
  constructor(io: Io, wanted: boolean) {
    this.#io = io;
    this.now = io.now;
    this.#line = new ProgressLine(io, wanted);
    this.#rested = io.now();
    this.#since = this.#rested;
  }

  /** Begins the progress line with `about`, and measures the rate from here. */
  begin(about: string): void {
    this.#about = about;
    this.#since = this.now();
  }

  /** The streams that the command prints to. */
  get io(): Io {
    return this.#line.io;
  }

  /** The signal that has arrived. */
  get signal(): Signal | undefined {
    return this.#signal;
  }

  async rest(progress?: () => Progress): Promise<Signal | undefined> {
    if (this.now() - this.#rested < REST) return this.#signal;
    this.listen();
    this.show(progress);
    await new Promise((resume) => setImmediate(resume));
    this.#rested = this.now();
    return this.#signal;
  }

  /** Shows the progress line, if it is due. */
  show(progress?: () => Progress): void {
    this.#line.show((seconds) => {
      const took = (this.now() - this.#since) / 1000;
      const parts = [
        this.#about,
        ...(progress === undefined ? [] : spell(progress(), took)),
        `${Math.floor(seconds)} s`,
      ];
      return parts.filter((part) => part !== "").join(", ");
    });
  }

  /** Handles signals from now on; before, and after the first one, they kill as usual. `act` is called at once. */
  listen(act: (signal: Signal) => void = () => {}): void {
    this.#unlisten ??= this.#io.onSignal?.((signal) => {
      this.#signal ??= signal;
      this.#unlisten?.();
      act(signal);
    });
  }

  /** Removes the line. */
  erase(): void {
    this.#line.erase();
  }

  /** Ends the command: nothing more is shown, and signals kill again. */
  end(): void {
    this.#line.erase();
    this.#unlisten?.();
  }
}

/** Runs a long command in slices: signals and the progress line are let go at its end, however it ends. */
export async function inSlices<T>(
  io: Io,
  wanted: boolean,
  command: (slicing: WatchedSlicing, io: Io) => Promise<T>,
): Promise<T> {
  const slicing = new WatchedSlicing(io, wanted);
  try {
    return await command(slicing, slicing.io);
  } finally {
    slicing.end();
  }
}

/**
 * `12.3M warp instructions`, `5 of 64 blocks done`, `4.1M/s`; `took` is the duration of the steps in seconds, where
 * known.
 */
export function spell({ steps, blocks }: Progress, took?: number): readonly string[] {
  const done = blocks.all > 1 ? [`${blocks.done} of ${blocks.all} blocks done`] : [];
  const rate = took === undefined ? [] : [`${short(took > 0 ? steps / took : 0)}/s`];
  return [`${short(steps)} warp instructions`, ...done, ...rate];
}

/** `950`, `12.3k`, `4.1M`, `2.0G`. */
function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [divisor, unit] = count < 1e6 ? [1e3, "k"] : count < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(count / Number(divisor)).toFixed(1)}${unit}`;
}
