import type { Group, Parked, Warp } from "../state/warp.ts";
// `waiting` is in the order in which its groups should run: by rank, then deepest first, then by pc.

/** Backward branches of one turn: few, since a lane that spins may be waiting for the warp whose turn is next. */
export const YIELD_BUDGET = 64;
/** Turns in which a group uses up its budget before it yields: many, since lanes that run ahead reconverge late. */
const TURNS_BEFORE_YIELD = 16;

// Lanes diverge and reconverge again and again: groups are recycled, so that a running loop allocates nothing.
const spare: Group[] = [];

function group(pc: number, mask: number, rank: number, depth: number): Group {
  const made = spare.pop();
  if (made === undefined) return { pc, mask, rank, depth };
  made.pc = pc;
  made.mask = mask;
  made.rank = rank;
  made.depth = depth;
  return made;
}

/** Diverges lanes from the current group: they become a group that waits to run from `pc`. */
export function diverge(warp: Warp, pc: number, mask: number, depth: number = warp.depth): void {
  const { waiting } = warp;
  const made = group(pc, mask, warp.rank, depth);
  // Lanes that wait at one pc form one group.
  for (let at = 0; at < waiting.length; at++) {
    const other = waiting[at]!;
    if (order(other, made) !== 0) continue;
    other.mask = (other.mask | mask) >>> 0;
    spare.push(made);
    return;
  }
  let at = waiting.push(made) - 1;
  for (; at > 0 && order(waiting[at - 1]!, made) >= 0; at--) waiting[at] = waiting[at - 1]!;
  waiting[at] = made;
}

const order = (a: Group, b: Group): number => a.rank - b.rank || b.depth - a.depth || a.pc - b.pc;

/** After the current group has moved: joins groups at the same pc and picks the one that runs. */
export function reconverge(warp: Warp): void {
  const { waiting, pc, rank, depth } = warp;
  const next = waiting[0];
  if (next === undefined) {
    warp.reconvergeAt = Number.POSITIVE_INFINITY;
    return;
  }
  // The common case, a loop that some lanes have left: the others wait in order of pc, all of them behind it.
  if (warp.active !== 0 && pc < next.pc && rank <= next.rank && depth === next.depth) {
    const last = waiting[waiting.length - 1]!;
    if (last.rank === next.rank && last.depth === depth) {
      warp.reconvergeAt = next.pc;
      return;
    }
  }
  waiting.push(group(pc, warp.active, rank, depth));
  join(waiting);
  sort(waiting);
  const first = waiting[0]!;
  for (let at = 1; at < waiting.length; at++) waiting[at - 1] = waiting[at]!;
  waiting.pop();
  warp.pc = first.pc;
  warp.active = first.mask;
  warp.rank = first.rank;
  warp.depth = first.depth;
  spare.push(first);
  warp.reconvergeAt = Number.POSITIVE_INFINITY;
  for (let at = 0; at < waiting.length; at++) {
    const { pc, depth } = waiting[at]!;
    if (depth === warp.depth && pc > warp.pc && pc < warp.reconvergeAt) warp.reconvergeAt = pc;
  }
}

/** Merges groups with the same pc and depth, and drops empty ones. */
function join(groups: Group[]): void {
  let kept = 0;
  for (let at = 0; at < groups.length; at++) {
    const each = groups[at]!;
    let other: Group | undefined;
    for (let before = 0; before < kept; before++)
      if (groups[before]!.pc === each.pc && groups[before]!.depth === each.depth) other = groups[before];
    if (each.mask !== 0 && other === undefined) {
      groups[kept++] = each;
      continue;
    }
    if (other !== undefined && each.mask !== 0) {
      other.mask = (other.mask | each.mask) >>> 0;
      other.rank = Math.min(other.rank, each.rank);
    }
    spare.push(each);
  }
  while (groups.length > kept) groups.pop();
}

/** Sorts groups into the order in which they should run: there are few, mostly in order already. */
function sort(groups: Group[]): void {
  for (let from = 1; from < groups.length; from++) {
    const moved = groups[from]!;
    let at = from;
    for (; at > 0 && order(groups[at - 1]!, moved) > 0; at--) groups[at] = groups[at - 1]!;
    groups[at] = moved;
  }
}

/**
 * At the end of a turn: a group that has used all its yield budget for several turns yields to the others. Each time
 * it yields, its allowance halves; otherwise lanes that spin for a lock would wait long for the last of them.
 *
 * Channels of a SIMD thread are not `independent`: the thread has one instruction pointer, and a caller's channels wait
 * until all channels of the call have returned, since the function may use the caller's variables.
 */
export function refillBudget(warp: Warp, independent: boolean): void {
  warp.yieldBudget = YIELD_BUDGET;
  if (!independent || warp.waiting.length === 0) {
    warp.rank = 0;
    warp.burnt = 0;
    return;
  }
  warp.burnt++;
  if (warp.burnt * 2 ** warp.rank < TURNS_BEFORE_YIELD) return;
  warp.burnt = 0;
  warp.rank++;
  reconverge(warp);
}

/** Releases parked lanes to the instruction behind the one that they waited at; the caller then calls `reconverge`. */
export function wake(warp: Warp, group: Parked): void {
  warp.parked.splice(warp.parked.indexOf(group), 1);
  diverge(warp, group.pc + 1, group.mask, group.depth);
}

/** Parks lanes; lanes that wait at one pc for one thing form one group. */
export function park(warp: Warp, group: Parked): void {
  const { parked } = warp;
  const at = parked.findIndex(({ pc, depth, on }) => pc === group.pc && depth === group.depth && same(on, group.on));
  const other = parked[at];
  if (other === undefined) parked.push(group);
  else parked[at] = { ...group, mask: (group.mask | other.mask) >>> 0 };
}

function same(a: Parked["on"], b: Parked["on"]): boolean {
  if (a.kind === "until") return b.kind === "until" && a.until === b.until;
  if (a.kind === "barrier") return b.kind === "barrier" && a.number === b.number;
  if (a.kind === "lanes") return b.kind === "lanes" && a.members === b.members;
  return a.kind === b.kind;
}
