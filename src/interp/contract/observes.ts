import type { Observer } from "./observer.ts";

/** Whether an observer needs each instruction, and not only some events. */
export const isPerInstruction = ({ instruction, after }: Observer): boolean => (instruction ?? after) !== undefined;

/** Whether observers ask for no more than `Observer.apart` says. */
export const areApart = (observers: readonly Observer[]): boolean => observers.every(({ apart }) => apart === true);

/** Whether an observer needs memory accesses. */
export const observesMemory = ({ access, load, store, atomic, fence }: Observer): boolean =>
  (access ?? load ?? store ?? atomic ?? fence) !== undefined;
