import type { Observer } from "./observer.ts";

/** Whether an observer hears of each instruction, and not only of what some do. */
export const isPerInstruction = ({ instruction, after }: Observer): boolean => (instruction ?? after) !== undefined;

/** Whether it hears of what instructions do to memory. */
export const observesMemory = ({ access, load, store, atomic, fence }: Observer): boolean =>
  (access ?? load ?? store ?? atomic ?? fence) !== undefined;
