import type { Litmus, Placement } from "../model/event.ts";
import { type Condition, type Term, termText } from "./condition/condition.ts";

/**
 * Threads that execute the same in places that are alike, and of which the conditions ask the same: exchanging two of them
 * changes no answer. Classes of two or more, by their indices.
 */
export function alikeThreads({ threads, initial }: Litmus, conditions: readonly Condition[]): number[][] {
  const asked = (one: string, other: string): string =>
    conditions.map((each) => keyOf(each, (name) => (name === one ? other : name === other ? one : name))).join();
  const own = initial.some(({ location }) => location.space === "shared");
  const classes: number[][] = [];
  for (const [index, thread] of threads.entries()) {
    const isLike = ([first = 0]: readonly number[]): boolean => {
      const other = threads[first]!;
      if (thread.code === undefined || thread.code !== other.code) return false;
      const placed = threads.map(({ placement }) => placement);
      if (own && !isTogether(thread.placement, other.placement)) return false;
      return isPlacedLike(placed, first, index) && asked(other.name, thread.name) === asked("", "");
    };
    const known = classes.find(isLike);
    if (known) known.push(index);
    else classes.push([index]);
  }
  return classes.filter(({ length }) => length > 1);
}

const isTogether = (a: Placement, b: Placement): boolean =>
  a.gpu === b.gpu && a.cluster === b.cluster && a.block === b.block;

/** Whether all other threads are as far from one as from the other, and neither shares its warp. */
function isPlacedLike(all: readonly Placement[], one: number, other: number): boolean {
  const far = (a: Placement, b: Placement): string =>
    `${a.gpu === b.gpu} ${a.gpu === b.gpu && a.cluster === b.cluster} ${isTogether(a, b)}`;
  const shares = (a: Placement, b: Placement): boolean => isTogether(a, b) && a.warp !== undefined && a.warp === b.warp;
  const [a, b] = [all[one]!, all[other]!];
  return all.every((each, index) => {
    if (index === one || index === other) return index === one || !shares(a, b);
    return far(a, each) === far(b, each) && !shares(a, each) && !shares(b, each);
  });
}

/** A condition as text, with other names of threads; in one order where order is nothing. */
function keyOf(condition: Condition, named: (thread: string) => string): string {
  const text = (term: Term): string =>
    termText(term.kind === "register" ? { ...term, thread: named(term.thread) } : term);
  switch (condition.kind) {
    case "and":
    case "or":
      return `(${condition.all
        .map((each) => keyOf(each, named))
        .sort()
        .join(` ${condition.kind} `)})`;
    case "not":
      return `not ${keyOf(condition.of, named)}`;
    case "constant":
      return String(condition.value);
    case "compare": {
      const { by, left, right } = condition;
      const sides = [text(left), text(right)];
      return `(${(by === "==" || by === "!=" ? sides.sort() : sides).join(` ${by} `)})`;
    }
  }
}
