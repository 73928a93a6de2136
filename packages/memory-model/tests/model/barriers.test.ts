import { describe, expect, test } from "vitest";
import type { Barrier, Placement } from "../../model/event.ts";
import { bar, ld, outcomes, type Step, st, thread } from "./by-hand.ts";

type Made = readonly [Barrier["does"], id?: number, of?: Barrier["of"], more?: Pick<Barrier, "count" | "relaxed">];

/** Whether what a thread writes before its barriers is seen behind those of another one, and the other way round. */
function sees(
  ours: readonly Made[],
  theirs: readonly Made[],
  place: Partial<Placement> = {},
): { forth: boolean; back: boolean } {
  const steps = (own: string, other: string, bars: readonly Made[]): Step[] => [
    st("weak", own, 1n),
    ...bars.map((each) => bar(...each)),
    ld("weak", "r", other),
  ];
  const { states } = outcomes([
    thread("P0", steps("x", "y", ours), { block: 0, cluster: 0, gpu: 0 }),
    thread("P1", steps("y", "x", theirs), { block: 0, cluster: 0, gpu: 0, ...place }),
  ]);
  expect(states.length).toBeGreaterThan(0);
  return {
    forth: states.every((each) => each.includes("P1:r=1")),
    back: states.every((each) => each.includes("P0:r=1")),
  };
}

const [neither, forth, both] = [
  { forth: false, back: false },
  { forth: true, back: false },
  { forth: true, back: true },
];

/** Another block of the cluster, another cluster, another device. */
const block = { block: 1 };
const cluster = { block: 1, cluster: 1 };
const device = { gpu: 1 };

describe("barriers order (8.9.4)", () => {
  test.each<[string, readonly Made[], readonly Made[], Partial<Placement>, typeof both]>([
    ["one barrier of a block", [["sync", 3]], [["sync", 3]], {}, both],
    ["not two of them", [["sync", 3]], [["sync", 4]], {}, neither],
    ["not two blocks", [["sync"]], [["sync"]], block, neither],
    ["not blocks of one number in two devices", [["sync"]], [["sync"]], device, neither],
    ["not for other counts of threads", [["sync", 0, "cta", { count: 64 }]], [["sync"]], {}, neither],
    ["for the same count", [["sync", 0, "cta", { count: 64 }]], [["sync", 0, "cta", { count: 64 }]], {}, both],
    ["of who arrives, what was before", [["arrive"]], [["sync"]], {}, forth],
    ["nothing where nobody waits", [["arrive"]], [["arrive"]], {}, neither],
    ["not a barrier of a warp with one of its block", [["sync", 1, "warp"]], [["sync", 1]], {}, neither],
    ["lanes of a warp", [["sync", 3, "warp"]], [["sync", 3, "warp"]], {}, both],
    ["what is before a first meeting, whoever meets once more", [["sync"], ["sync"]], [["sync"]], {}, both],
    ["a cluster's arrive before its wait", [["arrive", 0, "cluster"]], [["wait", 0, "cluster"]], block, forth],
    [
      "both sides of a cluster",
      [
        ["arrive", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      [
        ["arrive", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      block,
      both,
    ],
    [
      "not two clusters",
      [
        ["arrive", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      [
        ["arrive", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      cluster,
      neither,
    ],
    [
      "nothing that is relaxed before it",
      [
        ["arrive", 0, "cluster", { relaxed: true }],
        ["wait", 0, "cluster"],
      ],
      [
        ["arrive", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      block,
      { forth: false, back: true },
    ],
    ["nothing between two that wait", [["wait", 0, "cluster"]], [["wait", 0, "cluster"]], block, neither],
    ["nothing between two that arrive", [["arrive", 0, "cluster"]], [["arrive", 0, "cluster"]], block, neither],
    [
      "what is before the first arrival with the second wait",
      [["arrive", 0, "cluster"]],
      [
        ["wait", 0, "cluster"],
        ["wait", 0, "cluster"],
      ],
      block,
      forth,
    ],
  ])("%s", (_, ours, theirs, place, expected) => {
    expect(sees(ours, theirs, place)).toEqual(expected);
  });

  test("what comes between two meetings with neither of the wrong one", () => {
    const { states } = outcomes([
      thread("P0", [bar(), st("weak", "x", 1n), bar()], { block: 0 }),
      thread("P1", [ld("weak", "a", "x"), bar(), ld("weak", "b", "x"), bar(), ld("weak", "c", "x")], { block: 0 }),
    ]);
    // The first cannot see what comes behind it (8.10.6), the last has to; the one between is in a race.
    expect(states).toEqual(["P1:a=0 P1:b=0 P1:c=1", "P1:a=0 P1:b=1 P1:c=1"]);
  });
});
