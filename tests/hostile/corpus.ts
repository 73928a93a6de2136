import { controls, directives, sidecars } from "./directives.ts";
import { barriers, loops } from "./endless.ts";
import { broken } from "./mutation.ts";
import { declarations, nesting } from "./sizes.ts";

/** A file that nobody means well, and how it is run. */
export interface Hostile {
  readonly name: string;
  readonly text: string;
  /** Other files beside it, by path. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The command line; `FILE` stands for the file. */
  readonly argv: readonly string[];
  /** Ends that are right; without any, everything but 70. */
  readonly exits?: readonly number[];
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
