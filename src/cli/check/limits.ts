import type { CaseOptions } from "./options.ts";

/** Limits of the command line for each case, whatever the file asks for. */
export interface Limits {
  readonly maxSteps?: number;
  readonly maxMem?: number;
  /** Milliseconds of a launch, and of all seeds together. */
  readonly timeout?: number;
  now(): number;
}

/** A case's options within the limits. */
export type Limited = CaseOptions & Pick<Limits, "timeout" | "now">;

/** A file may ask for less than the command line allows, never for more. */
export function limited(options: CaseOptions, { maxSteps, maxMem, timeout, now }: Limits): Limited {
  const least = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  const steps = least(options.maxSteps, maxSteps);
  const memory = least(options.maxMem, maxMem);
  const {
    maxSteps: _steps,
    maxMem: _memory,
    timeout: _time,
    ...others
  } = options as CaseOptions & { timeout?: number };
  return {
    ...others,
    now,
    ...(steps === undefined ? {} : { maxSteps: steps }),
    ...(memory === undefined ? {} : { maxMem: memory }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}
