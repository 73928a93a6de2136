import type { World } from "../unit/cli/world.ts";
import { controls, directives, sidecars } from "./directives.ts";
import { barriers, loops } from "./endless.ts";
import { broken } from "./mutation.ts";
import { declarations, nesting } from "./sizes.ts";

/** What nobody means well, and how it is run. */
export interface Hostile {
  readonly name: string;
  /** A file, for which `FILE` stands in the command line. */
  readonly text?: string | Uint8Array;
  /** Other files beside it, by what they end in. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly io?: Parameters<World["ptxrun"]>[1];
  /** A shell command whose output is standard input. */
  readonly from?: string;
  /** Run as a process of its own, whose memory is measured; so is all that has `from`. */
  readonly alone?: true;
  /** Of memory at most, if not 128, or 384 for a pipe that is read up to its limit. */
  readonly mebibytes?: number;
  /** Ends that are right; without any, everything but 70. */
  readonly exits?: readonly number[];
  /** What the messages or the result must hold. */
  readonly says?: RegExp;
}

/** Limits that whoever runs strangers' files gives. */
export const limits = ["--max-steps", "100K", "--max-mem", "64M", "--timeout", "1s"];

/** Several hundred files, the same ones every time. */
export const corpus = (): readonly Hostile[] => [
  ...broken(160),
  ...nesting(),
  ...declarations(),
  ...loops(),
  ...barriers(),
  ...controls(),
  ...directives(),
  ...sidecars(),
];
