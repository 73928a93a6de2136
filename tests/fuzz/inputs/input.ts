import type { Random } from "../executors/random.ts";

/** One input: its files or its lines, in the order that the target names them. Bytes are written as Latin-1. */
export type Input = readonly string[];

/** What can be fed with inputs. */
export interface Target {
  /** Good inputs, which changes begin with; the same ones in the same order every time. */
  readonly bases: () => readonly Input[];
  /** An input with something else in it. */
  readonly change: (input: Input, random: Random) => Input;
  /** Feeds an input. Gives what went wrong, in the same words for the same mistake; undefined where nothing did. */
  readonly attempt: (input: Input) => Promise<string | undefined>;
}
