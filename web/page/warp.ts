import type { State, Thread } from "./client.ts";

type Sizes = Pick<State, "threads" | "lanes">;

/** Warps of a block. */
export const warpsOf = ({ threads, lanes }: Sizes): number => Math.ceil(threads / lanes);

/** The number of a thread's warp, counted through the launch. */
export const numberOfWarp = ({ block, warp }: Pick<Thread, "block" | "warp">, sizes: Sizes): number =>
  block * warpsOf(sizes) + warp;

/** The warp of a number. */
export function warpNumbered(number: number, sizes: Sizes): Pick<Thread, "block" | "warp"> {
  const all = warpsOf(sizes);
  return { block: Math.floor(number / all), warp: number % all };
}
