import { shortName } from "../../../../packages/demangle/src/index.ts";
import type { Program } from "../program.ts";

/** The user's name for what a launch runs: the kernel's name, "" for a snippet, or the call of a function. */
export const kernelName = ({ name, calls }: Pick<Program, "name" | "calls">): string =>
  calls === undefined ? name : `the launch of ${shortName(name)}`;
