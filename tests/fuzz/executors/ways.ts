import { forBlocks, forCrew, type Trial } from "./seed.ts";

/** How the other executor runs a program that JavaScript runs in one session. */
export interface Way {
  readonly name: string;
  /** Workers that run its blocks; none, and the session runs them itself. */
  readonly workers: number;
  /** The same program, in a launch that fits; undefined where there is none. */
  readonly of: (trial: Trial) => Trial | undefined;
  /** What a command line says of it. */
  readonly option: string;
}

export const ways = {
  alone: { name: "alone", workers: 0, of: (trial: Trial) => trial, option: "" },
  /** Blocks come one behind the other, which begin where the last one has left things. */
  blocks: { name: "blocks", workers: 0, of: forBlocks, option: " --blocks" },
  workers: (count: number): Way => ({
    name: `workers ${count}`,
    workers: count,
    of: forCrew,
    option: ` --workers ${count}`,
  }),
} as const;

/**
 * What a campaign does with a seed: all run alone, and of those that are about a form and of the others some in blocks and
 * some by a worker and by two.
 */
export function waysOf(seed: number): readonly Way[] {
  if (seed % 32 === 3 || seed % 32 === 20) return [ways.alone, ways.blocks];
  if (seed % 32 === 13 || seed % 32 === 30) return [ways.alone, ways.workers(1), ways.workers(2)];
  return [ways.alone];
}
