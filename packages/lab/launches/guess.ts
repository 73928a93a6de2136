import type { ElementType } from "../../../src/host/index.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Extents } from "./shapes.ts";
import type { Use } from "./trial.ts";

/** A buffer for a pointer: as many elements as the launch wants, and what fills it. */
export interface GuessedBuffer {
  readonly kind: "buffer";
  readonly type: ElementType;
  readonly count: number;
  /** Whether the kernel reads what nobody has stored. */
  readonly reads: boolean;
  readonly writes: boolean;
  /** Whether it counts, locks or signals there, which begins at zero. */
  readonly zeroed: boolean;
}

/** A parameter that is no pointer, or that somebody has given: as it is written behind `-a`. */
export interface GuessedText {
  readonly kind: "text";
  readonly text: string;
  /** What kind of number it is; undefined where it is none, or somebody has given it. */
  readonly type?: ElementType;
}

export type GuessedValue = GuessedBuffer | GuessedText;

/** A launch that fits a kernel, as far as its text and some trials show. */
export interface GuessedLaunch extends Extents {
  /** It has a barrier of the whole grid. */
  readonly cooperative: boolean;
  /** Bytes of dynamic shared memory; 0 where none is used. */
  readonly smem: number;
  readonly values: ReadonlyMap<Parameter, GuessedValue>;
  /** What the integers are that say how much there is to do. */
  readonly size: number;
  /** Whether that is a multiple of nothing. */
  readonly ragged: boolean;
  /** What the kernel did behind its pointers, in the last trial. */
  readonly uses: ReadonlyMap<Parameter, Use>;
  /** What ended that trial before its time. */
  readonly fault: Diagnostic | undefined;
}
