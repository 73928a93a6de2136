import { atom } from "./atom.ts";
import { type Section, section } from "./define.ts";
import { red } from "./red.ts";

/** 9.7.13. */
export const synchronization: Section = section(
  "9.7.13",
  "Parallel Synchronization and Communication",
  "parallel-synchronization-and-communication-instructions",
  [...atom, ...red],
);
