import type { Signal } from "../environment/io.ts";
import type { Slicing } from "../environment/slicing.ts";
import type { Store } from "../host/index.ts";
import type { Launched } from "../launch/launch.ts";
import type { RunCommandOptions } from "../launch/options.ts";
import type { Diagnostic } from "../source/diagnostic.ts";

/** Limits of the command line for each case, whatever the file requests. */
export interface Limits {
  readonly maxSteps?: number;
  readonly maxMem?: number;
  /** Milliseconds of a launch, and of all seeds together. */
  readonly timeout?: number;
  readonly slicing: Slicing;
  /** The cache of programs. */
  readonly store?: Store;
}

/** A case's options within the limits. */
export type Limited = RunCommandOptions & Pick<Limits, "slicing" | "store">;

/** A signal has ended the check. Thrown by a case, caught by the command. */
export class Interrupted extends Error {
  readonly signal: Signal;
  /** Where the interrupted program was. */
  readonly diagnostic: Diagnostic | undefined;

  constructor(signal: Signal, diagnostic?: Diagnostic) {
    super(signal);
    this.signal = signal;
    this.diagnostic = diagnostic;
  }
}

/** Throws `Interrupted` when a signal has ended a launch. */
export function goOn({ signal, stop }: Launched): void {
  if (signal !== undefined) throw new Interrupted(signal, stop.reason === "trap" ? stop.diagnostic : undefined);
}

/** Yields between two cases; throws `Interrupted` when a signal has come. */
export async function rest({ slicing }: Pick<Limits, "slicing">): Promise<void> {
  const signal = await slicing.rest();
  if (signal !== undefined) throw new Interrupted(signal);
}

/** A file may request less than the command line allows, never more. */
export function limited(options: RunCommandOptions, { maxSteps, maxMem, timeout, slicing, store }: Limits): Limited {
  const least = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  const steps = least(options.maxSteps, maxSteps);
  const memory = least(options.maxMem, maxMem);
  const time = least(options.timeout, timeout);
  const { maxSteps: _steps, maxMem: _memory, timeout: _time, ...others } = options;
  return {
    ...others,
    slicing,
    ...(store === undefined ? {} : { store }),
    ...(steps === undefined ? {} : { maxSteps: steps }),
    ...(memory === undefined ? {} : { maxMem: memory }),
    ...(time === undefined ? {} : { timeout: time }),
  };
}
