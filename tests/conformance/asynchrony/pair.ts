import type { LaunchOptions } from "../../../src/index.ts";

/**
 * A wrong kernel, whose mistake is found whenever data move, and its repaired twin, of which nothing is said. Each file of
 * this folder exports `pairs`; `asynchrony.test.ts` runs them all.
 */
export interface Pair {
  /** What the wrong kernel does. */
  readonly name: string;
  /** The code of what is found: a fault, or the first finding. */
  readonly finds: `PTX${number}`;
  /** Its message, with related places and help, contains each of these. */
  readonly says: readonly RegExp[];
  /** Bodies as `runKernel` of on-device.ts takes them: `%me`, `%at`, `%in`, `%out`; %r, %rd, %p are free. */
  readonly wrong: string;
  readonly right: string;
  /** Declarations before the kernel. */
  readonly module?: string;
  readonly target?: string;
  /** Words that `in` points at, 0, 1, 2 ... unless told. */
  readonly given?: readonly number[];
  readonly launch?: Omit<LaunchOptions, "args" | "async" | "schedule">;
  /** The words that the right kernel leaves in `out`. */
  readonly leaves: readonly number[];
}
