import { atom } from "./atom.ts";
import { barriers } from "./barrier.ts";
import { type Section, section } from "./define.ts";
import { fences } from "./fence.ts";
import { lanes } from "./lanes.ts";
import { red } from "./red.ts";

/** 9.7.13. */
export const synchronization: Section = section(
  "9.7.13",
  "Parallel Synchronization and Communication",
  "parallel-synchronization-and-communication-instructions",
  [...barriers, ...fences, ...atom, ...red, ...lanes],
);
