import { expect, it } from "vitest";
import { Source } from "../../../../src/source/source.ts";
import { readPublished } from "../../litmus/published/read-published.ts";
import { judge, prepare } from "../../litmus/verdict.ts";
import { enumerate, usualBounds } from "../../model/enumerate.ts";
import { at, atom, fence, ld, type Step, st, thread } from "../model/by-hand.ts";
import { statesOf } from "../model/oracle/oracle.ts";

const add: Step = atom("relaxed", "r0", "x", (old) => old + 1n);
/** What two threads do alike, and what a third one does beside them. */
const tests: readonly { readonly steps: readonly Step[]; readonly beside?: readonly Step[] }[] = [
  { steps: [add, ld("relaxed", "r1", "y")], beside: [st("relaxed", "y", 1n)] },
  {
    steps: [ld("acquire", "r0", "x"), st("release", "y", 1n)],
    beside: [ld("acquire", "r0", "y"), st("relaxed", "x", 1n)],
  },
  {
    steps: [st("relaxed", "x", 1n), fence("sc"), ld("relaxed", "r0", "y")],
    beside: [st("relaxed", "y", 1n), fence("sc"), ld("relaxed", "r0", "x")],
  },
  { steps: [add, atom("acq_rel", "r1", "y", (old) => old + 2n)] },
  {
    steps: [
      atom("relaxed", "r0", "x", (old) => (old === 0n ? 1n : undefined)),
      ld("weak", "r1", "y"),
      st("weak", "y", 1n),
    ],
  },
];

it.each(tests)("of threads that are alike one stands for the other (%#)", ({ steps, beside }) => {
  const threads = [thread("P0", steps), thread("P1", steps), ...(beside ? [thread("P2", beside)] : [])];
  const initial = ["x", "y"].map((name) => ({ location: at(name), value: 0n }));
  const watched = { memory: new Set(["x", "y"]), registers: threads.map(() => new Set(["r0", "r1"])) };
  const states = (alike: number[][]): Set<string> => {
    const found = new Set<string>();
    for (const { traces, memory } of enumerate({ threads, initial }, { ...usualBounds, watched, alike }))
      for (const state of statesOf({ threads, initial }, traces, memory)) found.add(sorted(state));
    return found;
  };
  const sorted = (state: string): string => state.split(" ").sort().join(" ");
  const exchanged = (state: string): string =>
    sorted(state.replaceAll(/P[01]/g, (name) => (name === "P0" ? "P1" : "P0")));
  const [all, some] = [states([]), states([[0, 1]])];
  expect(all.size).toBeGreaterThan(2);
  expect(new Set([...some, ...[...some].map(exchanged)])).toEqual(all);
});

it("threads are alike where the claims ask the same of them", () => {
  const alike = (condition: string, second = "atom.relaxed.gpu.add r0, x, 1") => {
    const text = `PTX t\n{ }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\natom.relaxed.gpu.add r0, x, 1 | ${second} ;\n${condition}\n`;
    const { ready } = prepare(readPublished(new Source("t.litmus", text)).value!);
    const { alike: classes, states } = judge(ready!, usualBounds);
    return [classes, states.length];
  };
  expect(alike("exists (P0:r0 == 0 /\\ P1:r0 == 0)")).toEqual([[["P0", "P1"]], 1]);
  expect(alike("exists (1 == P1:r0 \\/ P0:r0 == 1)")).toEqual([[["P0", "P1"]], 1]);
  expect(alike("exists (P0:r0 == 0 /\\ P1:r0 == 1)")).toEqual([[], 2]);
  expect(alike("exists (P0:r0 == 0 /\\ P1:r0 == 0)", "atom.relaxed.gpu.add r0, x, 2")).toEqual([[], 2]);
});
