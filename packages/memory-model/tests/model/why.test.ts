import { describe, expect, test } from "vitest";
import { usualBounds } from "../../model/enumerate.ts";
import type { Thread } from "../../model/event.ts";
import type { Execution } from "../../model/outcome.ts";
import { type Change, repair } from "../../model/repair.ts";
import { whyNot } from "../../model/why.ts";
import { atom, fence, ld, outcomes, part, st, thread } from "./by-hand.ts";

const register = (execution: Execution, index: number, name: string) => execution.traces[index]?.registers.get(name);

describe("why an outcome is not there", () => {
  const why = (threads: readonly Thread[], wanted: (execution: Execution) => boolean) =>
    whyNot({ threads, initial: [] }, usualBounds, wanted);

  test("message passing: the axiom, and the cycle through both threads", () => {
    const threads = [
      thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
      thread("P1", [ld("acquire", "a", "y"), ld("weak", "b", "x")]),
    ];
    const refused = why(threads, (each) => register(each, 1, "a") === 1n && register(each, 1, "b") === 0n);
    expect(refused?.forbidden).toMatchObject({ axiom: "Causality", section: "8.10.6" });
    expect(refused?.forbidden.cycle.map(({ by }) => by)).toEqual(["fr", "po", "sw", "po"]);
    const { cycle } = refused?.forbidden ?? { cycle: [] };
    expect(cycle.at(-1)?.to).toBe(cycle[0]?.from);
  });

  test("a value out of thin air, and one that a later read would take back", () => {
    const thin = [
      thread("P0", [ld("relaxed", "a", "x"), st("relaxed", "y", "a")]),
      thread("P1", [ld("relaxed", "b", "y"), st("relaxed", "x", "b")]),
    ];
    // nothing ever writes 7, so that no axiom is what forbids it
    expect(why(thin, (each) => register(each, 0, "a") === 7n)).toBeUndefined();
    const back = [
      thread("P0", [st("relaxed", "x", 1n)]),
      thread("P1", [ld("relaxed", "a", "x"), ld("relaxed", "b", "x")]),
    ];
    const refused = why(back, (each) => register(each, 1, "a") === 1n && register(each, 1, "b") === 0n);
    expect(refused?.forbidden.axiom).toBe("SC-per-Location");
  });

  test("half of what a morally strong write has written", () => {
    const threads = [
      thread("P0", [st("relaxed", "x", 0x1111_1111n), ld("weak", "a", part("x", 0, 2))]),
      thread("P1", [ld("relaxed", "b", "x")]),
    ];
    const { forbidden } = why(threads, (each) => register(each, 1, "b") === 0x1111n) ?? {};
    expect(forbidden?.axiom).toBe("SC-per-Location");
    expect(forbidden?.cycle.map(({ by }) => by).toSorted()).toEqual(["fr", "rf"]);
  });

  test("two atomic operations that read the same", () => {
    const threads = [0, 1].map((i) => thread(`P${i}`, [atom("relaxed", "a", "x", (old) => old + 1n)]));
    const refused = why(threads, (each) => register(each, 0, "a") === 0n && register(each, 1, "a") === 0n);
    expect(refused?.forbidden.axiom).toBe("Atomicity");
  });
});

describe("what would forbid an outcome", () => {
  const mended = (threads: readonly Thread[], unwanted: (execution: Execution) => boolean): string[] => {
    const witness = outcomes(threads).executions.find(unwanted) as Execution;
    const words = (change: Change) =>
      change.kind === "fence"
        ? `P${change.thread}: fence.${change.semantics}.${change.scope} after ${change.after}`
        : `P${change.thread}: ${change.semantics}.${change.scope} ${change.instruction}`;
    return repair({ threads, initial: [] }, usualBounds, unwanted, witness).map(words);
  };

  test("message passing: the side that is missing, in the scope of both", () => {
    const failed = (each: Execution) => register(each, 1, "a") === 1n && register(each, 1, "b") === 0n;
    const run = (store: "weak" | "relaxed" | "release", load: "relaxed" | "acquire") =>
      mended(
        [
          thread("P0", [st("weak", "x", 1n), st(store, "y", 1n)]),
          thread("P1", [ld(load, "a", "y"), ld("weak", "b", "x")]),
        ],
        failed,
      );
    expect(run("release", "relaxed")).toEqual(["P1: acquire.gpu ld.relaxed a, [y]"]);
    expect(run("relaxed", "acquire")).toEqual(["P0: release.gpu st.relaxed [y], 1"]);
    expect(run("weak", "acquire")).toEqual(["P0: release.gpu st.weak [y], 1"]);
    expect(run("relaxed", "relaxed").toSorted()).toEqual([
      "P0: release.gpu st.relaxed [y], 1",
      "P1: acquire.gpu ld.relaxed a, [y]",
    ]);
  });

  test("store buffering: a fence.sc in each thread, as release and acquire do not help", () => {
    const threads = [
      thread("P0", [st("relaxed", "x", 1n), ld("relaxed", "a", "y")]),
      thread("P1", [st("relaxed", "y", 1n), ld("relaxed", "b", "x")]),
    ];
    expect(mended(threads, (each) => register(each, 0, "a") === 0n && register(each, 1, "b") === 0n)).toEqual([
      "P0: fence.sc.gpu after st.relaxed [x], 1",
      "P1: fence.sc.gpu after st.relaxed [y], 1",
    ]);
  });

  test("nothing helps a program whose outcome is that of one order", () => {
    const threads = [thread("P0", [st("relaxed", "x", 1n)]), thread("P1", [ld("relaxed", "a", "x"), fence("sc")])];
    expect(mended(threads, (each) => register(each, 1, "a") === 1n)).toEqual([]);
  });
});
