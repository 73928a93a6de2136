import type { Allocation } from "./allocation.ts";
import type { Views } from "./linear.ts";
import { fourfold } from "./shadow.ts";

/** The memory that an overlay lies over. */
export interface BaseMemory {
  readonly data: Views;
  readonly shadow: Views;
}

/** The effective shadow of a word of the base memory: pages that were never touched are as they were allocated. */
export function baseShadow({ shadow: { s32, u8 } }: BaseMemory, word: number, owner: Allocation): number {
  const known = s32[word]!;
  if (known !== 0) return known;
  const at = 4 * word;
  if (at >= owner.start && at + 4 <= owner.end) return fourfold(owner.shadow);
  let made = 0;
  for (let byte = 0; byte < 4; byte++)
    if (u8[at + byte] === 0 && at + byte >= owner.start && at + byte < owner.end) made |= owner.shadow << (8 * byte);
  return made;
}
