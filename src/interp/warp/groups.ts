import type { Group, Parked, Warp } from "../state/warp.ts";
// `waiting` is in the order in which its groups should run: by rank, then deepest first, then by pc.

/** Backward branches of one turn: few, since whoever spins may be waiting for the warp whose turn is next. */
export const FUEL = 64;
/** Turns in which a group uses up its fuel before it yields: many, since lanes that run ahead reconverge late. */
const PATIENCE = 16;

/** Makes a group of lanes that do not go on with the current one: they wait to go on at `pc`. */
export function diverge(warp: Warp, pc: number, mask: number, depth: number = warp.depth): void {
  const { waiting, rank } = warp;
  const group: Group = { pc, mask, rank, depth };
  const behind = waiting.findIndex((other) => order(other, group) >= 0);
  waiting.splice(behind < 0 ? waiting.length : behind, 0, group);
}

const order = (a: Group, b: Group): number => a.rank - b.rank || b.depth - a.depth || a.pc - b.pc;

/** After the current group has moved: joins groups that stand at the same pc and picks the one that runs. */
export function reconverge(warp: Warp): void {
  const { waiting, pc, rank, depth } = warp;
  const next = waiting[0];
  if (next === undefined) {
    warp.reconvergeAt = Number.POSITIVE_INFINITY;
    return;
  }
  // The common case, a loop that some lanes have left: the others wait in order of pc, all of them behind it.
  if (warp.active !== 0 && pc < next.pc && rank <= next.rank && depth === next.depth) {
    const last = waiting.at(-1)!;
    if (last.rank === next.rank && last.depth === depth) {
      warp.reconvergeAt = next.pc;
      return;
    }
  }
  const groups = joined([...warp.waiting, { pc, mask: warp.active, rank, depth }]);
  const first = groups[0]!;
  warp.pc = first.pc;
  warp.active = first.mask;
  warp.rank = first.rank;
  warp.depth = first.depth;
  warp.waiting = groups.slice(1);
  warp.reconvergeAt = Number.POSITIVE_INFINITY;
  for (const { pc, depth } of warp.waiting)
    if (depth === warp.depth && pc > warp.pc && pc < warp.reconvergeAt) warp.reconvergeAt = pc;
}

/** One group a pc and depth, none empty, in the order in which they should run. */
function joined(groups: readonly Group[]): Group[] {
  const made: Group[] = [];
  for (const group of groups) {
    if (group.mask === 0) continue;
    const at = made.findIndex(({ pc, depth }) => pc === group.pc && depth === group.depth);
    const other = made[at];
    if (other === undefined) made.push(group);
    else made[at] = { ...group, mask: (group.mask | other.mask) >>> 0, rank: Math.min(group.rank, other.rank) };
  }
  return made.sort(order);
}

/**
 * At the end of a turn: a group that has used all its fuel for several turns yields to the others. Each time it yields, its
 * allowance halves; otherwise lanes that spin for a lock would wait long for the last of them.
 */
export function refuel(warp: Warp): void {
  warp.fuel = FUEL;
  if (warp.waiting.length === 0) {
    warp.rank = 0;
    warp.burnt = 0;
    return;
  }
  warp.burnt++;
  if (warp.burnt * 2 ** warp.rank < PATIENCE) return;
  warp.burnt = 0;
  warp.rank++;
  reconverge(warp);
}

/** Lets parked lanes go on behind the instruction that they waited at; `reconverge` follows. */
export function wake(warp: Warp, group: Parked): void {
  warp.parked.splice(warp.parked.indexOf(group), 1);
  diverge(warp, group.pc + 1, group.mask, group.depth);
}

/** The lanes that wait at one place for one thing are one group. */
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
