import { describe, expect, test } from "vitest";
import type { Read } from "../../model/event.ts";
import { ld, outcomes, proxyFence, st, thread } from "./by-hand.ts";

/** A way to x: a proxy, or the generic one by another virtual address. */
type Way = Read["proxy"] | "renamed";
const ways: readonly Way[] = ["generic", "renamed", "texture", "async"];
const fences = [undefined, "alias", "texture", "async"] as const;

/** Caches of a block's own: only there a fence reaches them. */
const ofBlock = (way: Way): boolean => way === "texture";

/**
 * Whether X comes before Y in proxy-preserved base causality order (8.9.5): by the generic proxy and one address, by one other
 * proxy in one block, or with the fences between them that lead from the one's proxy to the generic one, and on to the other's.
 */
function preserved(x: Way, y: Way, between: readonly (typeof fences)[number][], oneBlock: boolean): boolean {
  if (x === y) if (x === "generic" || x === "renamed" || oneBlock) return true;
  const isGeneric = (way: Way): boolean => way === "generic" || way === "renamed";
  if (isGeneric(x) && isGeneric(y)) return between.includes("alias");
  // The first fence is in the block of X, the second in that of Y.
  const leaves = isGeneric(x)
    ? 0
    : between.findIndex((kind, at) => kind === x && (at === 0 || oneBlock || !ofBlock(x)));
  if (leaves < 0) return false;
  if (isGeneric(y)) return true;
  return between.some((kind, at) => at >= leaves && kind === y && (at === 1 || oneBlock || !ofBlock(y)));
}

describe.each(ways)("what the %s proxy has written is seen by others behind the fences for them", (x) => {
  test.each(ways)("by the %s proxy", (y) => {
    const named = (way: Way) => (way === "renamed" ? "s@x" : "x");
    const proxy = (way: Way): Read["proxy"] => (way === "renamed" ? "generic" : way);
    const wrong: string[] = [];
    for (const first of fences)
      for (const second of fences)
        for (const oneBlock of [true, false]) {
          const put = (kind: (typeof fences)[number]) => (kind === undefined ? [] : [proxyFence(kind)]);
          const { states } = outcomes([
            thread("P0", [st("weak", named(x), 1n, { proxy: proxy(x) }), ...put(first), st("release", "y", 1n)]),
            thread("P1", [ld("acquire", "a", "y"), ...put(second), ld("weak", "b", named(y), { proxy: proxy(y) })], {
              block: oneBlock ? 0 : 1,
            }),
          ]);
          const late = states.some((state) => state.startsWith("P1:a=1 P1:b=0"));
          if (late === preserved(x, y, [first, second], oneBlock)) wrong.push(`${first} ${second} ${oneBlock}`);
        }
    expect(wrong).toEqual([]);
  });
});
