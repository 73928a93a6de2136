import type { Placement } from "../event.ts";

/**
 * Threads from the left to the right, as indices: each device, in it each cluster, in it each block stands together, in
 * the order of their first threads, so that a frame can be drawn around each.
 */
export function arrangement(placements: readonly Placement[]): number[] {
  const keys = placements.map((placement) => levels.map((level) => level(placement)));
  /** Where the group first appears that a thread is part of, on each level. */
  const first = keys.map((key) => levels.map((_, depth) => keys.findIndex((other) => other[depth] === key[depth])));
  return placements
    .map((_, thread) => thread)
    .sort((a, b) => {
      for (const depth of levels.keys()) {
        const order = first[a]![depth]! - first[b]![depth]!;
        if (order !== 0) return order;
      }
      return a - b;
    });
}

/** What threads share on each level, outermost first. */
export const levels: readonly ((placement: Placement) => string)[] = [
  ({ gpu }) => `${gpu}`,
  ({ gpu, cluster }) => `${gpu}/${cluster}`,
  ({ gpu, cluster, block }) => `${gpu}/${cluster}/${block}`,
];
