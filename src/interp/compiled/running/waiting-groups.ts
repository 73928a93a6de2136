import type { Group, Warp } from "../../state/warp.ts";
import { GROUP_BYTES, GROUPS, WAITING } from "../boundary/places.ts";

/**
 * Hands the groups that wait to the module; the one that comes first stands last. Those that wait at one place, and are
 * joined when their turn comes, are one group there. The module hears nothing of those that are fewer calls deep: they
 * wait until the others have returned. `entries`: by pc, the block that begins there.
 */
export function writeGroups({ waiting, depth }: Warp, state: Int32Array, entries: Int32Array): void {
  let at = (GROUPS - GROUP_BYTES) >> 2;
  let count = 0;
  for (let index = waiting.length - 1; index >= 0; index--) {
    const { pc, mask, depth: own } = waiting[index]!;
    if (own !== depth) continue;
    if (count > 0 && state[at] === pc) {
      state[at + 2]! |= mask;
      continue;
    }
    count++;
    at += GROUP_BYTES >> 2;
    state[at] = pc;
    state[at + 1] = entries[pc]!;
    state[at + 2] = mask;
  }
  state[WAITING >> 2] = count;
}

/**
 * Takes over the groups that wait, as the module has left them. Of several ranks it has left them as they were. `handed`
 * is how deep those are that it was handed: it may have called a function since.
 */
export function readGroups(warp: Warp, state: Int32Array, handed: number, ones = true): void {
  const count = state[WAITING >> 2]!;
  if (!ones || (count === 0 && warp.waiting.length === 0)) return;
  const { rank, depth } = warp;
  const shallower = warp.waiting.filter((group) => group.depth !== handed);
  const groups: Group[] = [];
  for (let index = count - 1; index >= 0; index--) {
    const at = (GROUPS + index * GROUP_BYTES) >> 2;
    groups.push({ pc: state[at]!, mask: state[at + 2]! >>> 0, rank, depth });
  }
  warp.reconvergeAt = groups[0]?.pc ?? Number.POSITIVE_INFINITY;
  warp.waiting = [...groups, ...shallower];
}
