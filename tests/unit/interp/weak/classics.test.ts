import { describe, expect, test } from "vitest";
import { enumerate, usualBounds } from "../../../../packages/memory-model/model/enumerate.ts";
import type { Litmus, Thread } from "../../../../packages/memory-model/model/event.ts";
import { atom, bar, fence, ld, type Step, st, thread } from "../../../../packages/memory-model/tests/model/by-hand.ts";
import { drive, endsLike } from "./drive.ts";

/** Final states that 400 seeds leave; each must be one that the axioms allow. */
function seen(...threads: Thread[]): Set<string> {
  const litmus: Litmus = { threads, initial: [] };
  const allowed = [...enumerate(litmus, usualBounds)];
  const states = new Set<string>();
  for (let seed = 0; seed < 400; seed++) {
    const final = drive(litmus, seed);
    if (final === undefined) continue;
    const state = [final.registers, ...[...final.memory].map(([name, value]) => `${name}=${value}`)].join(" ").trim();
    if (!states.has(state)) expect(allowed.some((each) => endsLike(final, litmus, each))).toBe(true);
    states.add(state);
  }
  return states;
}

const has = (states: Set<string>, ...parts: string[]): boolean =>
  [...states].some((state) => parts.every((part) => state.split(" ").includes(part)));

const passing = (store: "weak" | "relaxed" | "release", load: "weak" | "relaxed" | "acquire", between: Step[] = []) =>
  seen(
    thread("P0", [st("weak", "x", 1n), ...between, st(store, "y", 1n)]),
    thread("P1", [ld(load, "a", "y"), ...between, ld("weak", "b", "x")]),
  );

describe("weak memory, a seed at a time", () => {
  test("passes messages late where nothing orders them", () => {
    for (const states of [passing("weak", "weak"), passing("release", "relaxed"), passing("relaxed", "acquire")])
      expect(has(states, "P1:a=1", "P1:b=0")).toBe(true);
  });

  test("passes messages in order by release and acquire, and by fences (8.8)", () => {
    for (const states of [passing("release", "acquire"), passing("relaxed", "relaxed", [fence("acq_rel")])]) {
      expect(has(states, "P1:a=1", "P1:b=0")).toBe(false);
      expect(has(states, "P1:a=1", "P1:b=1")).toBe(true);
      expect(has(states, "P1:a=0", "P1:b=0")).toBe(true);
    }
  });

  test("hears of nothing beyond a scope (8.7)", () => {
    const run = (block: number) =>
      seen(
        thread("P0", [st("weak", "x", 1n), st("release", "y", 1n, { scope: "cta" })], { block: 0 }),
        thread("P1", [ld("acquire", "a", "y", { scope: "gpu" }), ld("weak", "b", "x")], { block }),
      );
    expect(has(run(0), "P1:a=1", "P1:b=0")).toBe(false);
    expect(has(run(1), "P1:a=1", "P1:b=0")).toBe(true);
  });

  test("passes messages through a block's barrier", () => {
    const states = seen(
      thread("P0", [st("weak", "x", 1n), bar()], { block: 0 }),
      thread("P1", [bar(), ld("weak", "b", "x")], { block: 0 }),
    );
    expect([...states]).toEqual(["P1:b=1 x=1"]);
  });

  test("buffers stores unless fence.sc stands between (8.9.3)", () => {
    const run = (...between: Step[]) =>
      seen(
        thread("P0", [st("relaxed", "x", 1n), ...between, ld("relaxed", "a", "y")]),
        thread("P1", [st("relaxed", "y", 1n), ...between, ld("relaxed", "b", "x")]),
      );
    expect(has(run(), "P0:a=0", "P1:b=0")).toBe(true);
    expect(has(run(fence("acq_rel")), "P0:a=0", "P1:b=0")).toBe(true);
    expect(has(run(fence("sc")), "P0:a=0", "P1:b=0")).toBe(false);
    expect(has(run(fence("sc", "cta")), "P0:a=0", "P1:b=0")).toBe(true);
  });

  test("lets two readers disagree on two writers unless fence.sc stands between", () => {
    const run = (...between: Step[]) =>
      seen(
        thread("P0", [st("relaxed", "x", 1n)]),
        thread("P1", [st("relaxed", "y", 1n)]),
        thread("P2", [ld("relaxed", "a", "x"), ...between, ld("relaxed", "b", "y")]),
        thread("P3", [ld("relaxed", "c", "y"), ...between, ld("relaxed", "d", "x")]),
      );
    const disagree = ["P2:a=1", "P2:b=0", "P3:c=1", "P3:d=0"];
    expect(has(run(), ...disagree)).toBe(true);
    expect(has(run(fence("sc")), ...disagree)).toBe(false);
  });

  test("never goes back in coherence order (8.10.5)", () => {
    const states = seen(
      thread("P0", [st("relaxed", "x", 1n), st("relaxed", "x", 2n)]),
      thread("P1", [ld("relaxed", "a", "x"), ld("relaxed", "b", "x")]),
    );
    expect(states.size).toBe(6);
    expect(has(states, "P1:a=2", "P1:b=1")).toBe(false);
  });

  test("writes before what others have written", () => {
    const states = seen(
      thread("P0", [st("relaxed", "x", 1n), st("relaxed", "y", 2n)]),
      thread("P1", [st("relaxed", "y", 1n), st("relaxed", "x", 2n)]),
    );
    expect(has(states, "x=1", "y=1")).toBe(true);
    expect(has(states, "x=2", "y=2")).toBe(true);
  });

  test("hands causality on, from thread to thread", () => {
    const run = (first: "relaxed" | "acquire", second: "relaxed" | "release") =>
      seen(
        thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
        thread("P1", [ld(first, "a", "y"), st(second, "z", 1n)]),
        thread("P2", [ld("acquire", "b", "z"), ld("weak", "c", "x")]),
      );
    const ordered = run("acquire", "release");
    expect(has(ordered, "P1:a=1", "P2:b=1", "P2:c=0")).toBe(false);
    expect(has(ordered, "P1:a=1", "P2:b=1", "P2:c=1")).toBe(true);
    expect(has(run("relaxed", "relaxed"), "P1:a=1", "P2:b=1", "P2:c=0")).toBe(true);
  });

  test("counts with atomic operations, which hand on what was released", () => {
    const next = (old: bigint) => old + 1n;
    const counted = seen(
      thread("P0", [atom("relaxed", "a", "x", next)]),
      thread("P1", [atom("relaxed", "b", "x", next)]),
      thread("P2", [atom("relaxed", "c", "x", next)]),
    );
    expect([...counted].every((state) => state.endsWith("x=3"))).toBe(true);
    const chained = seen(
      thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
      thread("P1", [atom("relaxed", "a", "y", next)]),
      thread("P2", [ld("acquire", "b", "y"), ld("weak", "c", "x")]),
    );
    expect(has(chained, "P1:a=1", "P2:b=2", "P2:c=0")).toBe(false);
    expect(has(chained, "P1:a=1", "P2:b=2", "P2:c=1")).toBe(true);
  });
});
