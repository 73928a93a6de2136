import { describe, expect, test } from "vitest";
import type { Read } from "../../model/event.ts";
import { ld, outcomes, proxyFence, type Step, st, thread } from "./by-hand.ts";

/** A way to the bytes of x: a proxy, and one of two virtual addresses. */
interface Way {
  readonly proxy: Read["proxy"];
  readonly name: "x" | "s@x";
}
const ways: Readonly<Record<string, Way>> = {
  generic: { proxy: "generic", name: "x" },
  renamed: { proxy: "generic", name: "s@x" },
  texture: { proxy: "texture", name: "x" },
  "renamed texture": { proxy: "texture", name: "s@x" },
  async: { proxy: "async", name: "x" },
};
const fences = [undefined, "alias", "texture", "async"] as const;
type Between = readonly { readonly kind: (typeof fences)[number]; readonly block: number }[];

/** Caches of a block's own: only there a fence reaches them. */
const ofBlock = (proxy: Way["proxy"]): boolean => proxy === "texture";

/**
 * Whether what X has written is seen through Y (8.9.5), as the places where it is seen after each fence: an alias fence takes it from
 * one virtual address of the generic proxy to all, another one from its proxy to the generic one, and back, at each address.
 */
function preserved(x: Way, y: Way, between: Between, blockOfY: number): boolean {
  const seen = new Set<string>();
  const place = ({ proxy, name }: Way, block: number): string =>
    proxy === "generic" ? name : `${proxy} ${name} ${block}`;
  seen.add(place(x, 0));
  for (const { kind, block } of between)
    if (kind === "alias") {
      if (seen.has("x") || seen.has("s@x")) for (const name of ["x", "s@x"]) seen.add(name);
    } else if (kind !== undefined)
      for (const name of ["x", "s@x"] as const) {
        const reached = ofBlock(kind) ? [block] : [0, 1];
        if (reached.some((each) => seen.has(place({ proxy: kind, name }, each)))) seen.add(name);
        if (seen.has(name)) for (const each of reached) seen.add(place({ proxy: kind, name }, each));
      }
  return seen.has(place(y, blockOfY));
}

describe.each(Object.entries(ways))(
  "what the %s proxy has written is seen by others behind the fences for them",
  (_, x) => {
    test.each(Object.entries(ways))("by the %s proxy", (_name, y) => {
      const put = (kind: (typeof fences)[number]): Step[] => (kind === undefined ? [] : [proxyFence(kind)]);
      const wrong: string[] = [];
      for (const first of fences)
        for (const second of fences)
          for (const third of fences)
            for (const [ours, block] of [
              [2, 0],
              [2, 1],
              [1, 1],
            ] as const) {
              const kinds = [first, second, third];
              const { states } = outcomes([
                thread("P0", [
                  st("weak", x.name, 1n, { proxy: x.proxy }),
                  ...kinds.slice(0, ours).flatMap(put),
                  st("release", "y", 1n),
                ]),
                thread(
                  "P1",
                  [
                    ld("acquire", "a", "y"),
                    ...kinds.slice(ours).flatMap(put),
                    ld("weak", "b", y.name, { proxy: y.proxy }),
                  ],
                  { block },
                ),
              ]);
              const late = states.some((state) => state.startsWith("P1:a=1 P1:b=0"));
              const between = kinds.map((kind, at) => ({ kind, block: at < ours ? 0 : block }));
              if (late === preserved(x, y, between, block)) wrong.push(`${kinds.join()} ${ours} ${block}`);
            }
      expect(wrong).toEqual([]);
    });
  },
);

test("two names of one place have no program order at one location (8.10.5)", () => {
  const { states } = outcomes([
    thread("P0", [st("relaxed", "s@x", 2n), st("relaxed", "x", 1n)]),
    thread("P1", [ld("relaxed", "a", "x"), ld("relaxed", "b", "s@x")]),
  ]);
  expect(states.some((state) => state.startsWith("P1:a=1 P1:b=0"))).toBe(true);
});
