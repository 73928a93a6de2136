import type { Memory } from "../memory/memory.ts";
import { INITIALISED } from "../memory/shadow.ts";

/** The 32 bits at an address; undefined where any of them is uninitialised. */
export function writtenWord(memory: Memory, at: number): number | undefined {
  memory.know(at, 4);
  return memory.all(at, 4, INITIALISED, INITIALISED) ? memory.data.u32[at >>> 2] : undefined;
}
