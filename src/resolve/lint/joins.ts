import type { ControlFlow } from "../../interp/contract/control-flow.ts";

/**
 * By block: the first block through which every way from it to an end of the code goes, -1 where there is none but the
 * end. (Immediate post-dominators, by the iteration of Cooper, Harvey and Kennedy.)
 */
export function joinsOf({ successors, predecessors }: ControlFlow): Int32Array {
  const count = successors.length;
  // The end is a block of its own, behind all others.
  const end = count;
  const before = (block: number): readonly number[] =>
    block === end ? successors.flatMap((next, at) => (next.length === 0 ? [at] : [])) : predecessors[block]!;
  const order = backwards(end, before);
  const rank = new Int32Array(count + 1).fill(-1);
  order.forEach((block, at) => {
    rank[block] = at;
  });
  const joins = new Int32Array(count + 1).fill(-1);
  joins[end] = end;
  const meet = (a: number, b: number): number => {
    let [left, right] = [a, b];
    while (left !== right) {
      while (rank[left]! > rank[right]!) left = joins[left]!;
      while (rank[right]! > rank[left]!) right = joins[right]!;
    }
    return left;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      if (block === end) continue;
      const next = successors[block]!.length === 0 ? [end] : successors[block]!;
      const known = next.filter((each) => joins[each] !== -1);
      const found = known.slice(1).reduce(meet, known[0]!);
      if (joins[block] === found) continue;
      joins[block] = found;
      changed = true;
    }
  }
  return joins.subarray(0, count).map((join) => (join === end ? -1 : join));
}

/** The blocks from which the end can be reached, each behind at least one of those that follow it. */
function backwards(end: number, before: (block: number) => readonly number[]): readonly number[] {
  const seen = new Set([end]);
  const done: number[] = [];
  const open: { readonly block: number; readonly rest: number[] }[] = [{ block: end, rest: [...before(end)] }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) {
      done.push(top.block);
      open.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      open.push({ block: next, rest: [...before(next)] });
    }
  }
  return done.reverse();
}

/** The blocks that are reached from one, before `join`. */
export function upTo(join: number, from: number, { successors }: ControlFlow): ReadonlySet<number> {
  const found = new Set<number>();
  const open = from === join ? [] : [from];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (found.has(block)) continue;
    found.add(block);
    for (const next of successors[block]!) if (next !== join) open.push(next);
  }
  return found;
}
