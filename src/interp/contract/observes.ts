import type { Observer } from "./observer.ts";

/** Whether an observer needs each instruction, and not only some events. */
export const isPerInstruction = ({ instruction, after }: Observer): boolean => (instruction ?? after) !== undefined;

/** Whether an observer needs memory accesses. */
export const observesMemory = ({ access, load, store, atomic, fence }: Observer): boolean =>
  (access ?? load ?? store ?? atomic ?? fence) !== undefined;
