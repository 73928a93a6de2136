import type { Group, Warp } from "../../state/warp.ts";
import type { State } from "../boundary/state-layout.ts";

/**
 * Hands the waiting groups to the module; the next to run is last. Groups that wait at one pc, and would reconverge
 * there anyway, become one group. Groups that are fewer calls deep are not handed over: they wait until the others
 * have returned. `entries`: by pc, the block that begins there.
 */
export function writeGroups({ waiting, depth }: Warp, state: State, entries: Int32Array): void {
  const { groups } = state;
  let count = 0;
  for (let index = waiting.length - 1; index >= 0; index--) {
    const { pc, mask, depth: own } = waiting[index]!;
    if (own !== depth) continue;
    if (count > 0 && groups.pc[count - 1] === pc) {
      groups.lanes[count - 1]! |= mask;
      continue;
    }
    groups.pc[count] = pc;
    groups.block[count] = entries[pc]!;
    groups.lanes[count] = mask;
    count++;
  }
  state.waiting = count;
}

/**
 * Reads the waiting groups back from the module, which does not change groups of several ranks (`ones` false).
 * `handed` is the call depth of the groups that it was handed: it may have called a function since.
 */
export function readGroups(warp: Warp, state: State, handed: number, ones = true): void {
  const count = state.waiting;
  if (!ones || (count === 0 && warp.waiting.length === 0)) return;
  const { rank, depth } = warp;
  const shallower = warp.waiting.filter((group) => group.depth !== handed);
  const groups: Group[] = [];
  for (let index = count - 1; index >= 0; index--) {
    groups.push({ pc: state.groups.pc[index]!, mask: state.groups.lanes[index]!, rank, depth });
  }
  warp.reconvergeAt = groups[0]?.pc ?? Number.POSITIVE_INFINITY;
  warp.waiting = [...groups, ...shallower];
}
