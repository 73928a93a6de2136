import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { draws } from "../../../../tests/share.ts";
import { enumerate, usualBounds } from "../../model/enumerate.ts";
import type { Event, Litmus, Thread } from "../../model/event.ts";
import type { Execution } from "../../model/outcome.ts";
import { type Change, repair } from "../../model/repair.ts";
import { whyNot } from "../../model/why.ts";
import { at, atom, fence, ld, outcomes, part, type Step, st, thread, when } from "./by-hand.ts";
import { randomTest } from "./oracle/random-test.ts";

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

describe("why, where two axioms or none but one of them stand in the way", () => {
  const why = (threads: readonly Thread[], wanted: (execution: Execution) => boolean, values: readonly bigint[] = []) =>
    whyNot({ threads, initial }, usualBounds, wanted, values)?.forbidden;
  const initial = ["x", "y"].map((name) => ({ location: at(name), value: 0n }));
  const has = (name: string, value: bigint) => (each: Execution) => each.memory.get(name)?.includes(value) === true;
  const both = (each: Execution) => register(each, 0, "a") === 1n && register(each, 1, "b") === 1n;

  test("2+2W with fence.sc: the last values", () => {
    const threads = [
      thread("P0", [st("relaxed", "x", 1n), fence("sc"), st("relaxed", "y", 2n)]),
      thread("P1", [st("relaxed", "y", 1n), fence("sc"), st("relaxed", "x", 2n)]),
    ];
    const forbidden = why(threads, (each) => has("x", 1n)(each) && has("y", 1n)(each));
    expect(forbidden?.axiom).toBe("Coherence");
  });

  test("S with a weak store: the last value", () => {
    const threads = [
      thread("P0", [st("weak", "x", 2n), st("release", "y", 1n)]),
      thread("P1", [ld("acquire", "a", "y"), st("weak", "x", 1n)]),
    ];
    const forbidden = why(threads, (each) => register(each, 1, "a") === 1n && has("x", 2n)(each));
    expect(forbidden?.axiom).toBe("Coherence");
    expect(forbidden?.cycle.map(({ by }) => by)).toContain("co");
  });

  test("CoRW2, and what a thread has stored itself", () => {
    const threads = [
      thread("P0", [ld("relaxed", "a", "x"), st("relaxed", "x", 1n)]),
      thread("P1", [st("relaxed", "x", 2n)]),
    ];
    expect(why(threads, (each) => register(each, 0, "a") === 2n && has("x", 2n)(each))).toBeDefined();
    expect(why([thread("P0", [st("weak", "x", 1n)])], has("x", 0n))?.axiom).toBe("Coherence");
  });

  test.each([
    ["fences", [fence("acq_rel")], "relaxed", "relaxed"],
    ["acquire and release", [], "acquire", "release"],
  ] as const)("load buffering with %s", (_, between, load, store) => {
    const threads = [
      thread("P0", [ld(load, "a", "x"), ...between, st(store, "y", 1n)]),
      thread("P1", [ld(load, "b", "y"), ...between, st(store, "x", 1n)]),
    ];
    expect(why(threads, both)?.axiom).toBe("Causality");
  });

  test("load buffering whose stores are only there for the value", () => {
    const threads = [
      thread("P0", [ld("relaxed", "a", "x"), when("a", 1n), st("relaxed", "y", 1n)]),
      thread("P1", [ld("relaxed", "b", "y"), when("b", 1n), st("relaxed", "x", 1n)]),
    ];
    const forbidden = why(threads, both, [1n]);
    expect(forbidden?.axiom).toBe("No-Thin-Air");
    expect(forbidden?.cycle.map(({ by }) => by).toSorted()).toEqual(["dep", "dep", "rf", "rf"]);
  });

  test("a store that writes the same whatever was read leaves it open (8.10.4)", () => {
    // depends on the load by its registers, and not by its value
    const fake: Step = (_, sources) =>
      st("relaxed", "y", 1n)(new Map(), sources).map((event) => ({ ...event, needs: [0] }));
    const threads = (store: Step) => [
      thread("P0", [ld("relaxed", "a", "x"), store]),
      thread("P1", [ld("relaxed", "b", "y"), st("relaxed", "x", "b")]),
    ];
    expect(why(threads(fake), both, [1n])).toMatchObject({ axiom: "No-Thin-Air", open: true });
    expect(why(threads(st("relaxed", "y", "a")), both, [1n])?.open).toBeUndefined();
    expect(
      why(
        [
          threads(st("relaxed", "y", "a"))[0]!,
          thread("P1", [ld("relaxed", "b", "y"), when("b", 1n), st("relaxed", "x", 1n)]),
        ],
        both,
        [1n],
      )?.open,
    ).toBeUndefined();
  });

  test("there is a reason for whatever some write has written, and its cycle is in its execution", () => {
    let asked = 0;
    for (let seed = 0; asked < draws(4, 150); seed++) {
      const { litmus, text } = randomTest(seed);
      // what is there in every execution: no store by its value, no operation behind a branch, no atomic one that may fail
      if (/stop|cas|st\.relaxed\.\w+ . r/.test(text)) continue;
      const values = new Map<string, bigint[]>();
      for (const { events } of litmus.threads.map((one) => one.run(Array(16).fill(0n))))
        for (const event of events)
          if (event.kind === "write")
            values.set(event.location.name, [...(values.get(event.location.name) ?? []), event.value]);
      const random = new Random(seed);
      const wanted = litmus.threads.map((one) => {
        const reads = one.run(Array(16).fill(0n)).events.filter((event) => event.kind === "read");
        return reads.map(({ location }) => {
          const all = [0n, ...(values.get(location.name) ?? [])];
          return all[random.below(all.length)]!;
        });
      });
      const meets = ({ traces }: Execution): boolean =>
        wanted.every((list, thread) => {
          const reads = traces[thread]!.events.filter((event) => event.kind === "read");
          return list.every((value, at) => reads[at]?.value === value);
        });
      if ([...enumerate(litmus, usualBounds)].some(meets)) continue;
      asked++;
      const refused = whyNot(litmus, { events: 64, executions: 4000 }, meets);
      if (refused === undefined) expect(readsLater(litmus, wanted), text).toBe(true);
      else {
        expect(meets(refused.execution)).toBe(true);
        const { cycle } = refused.forbidden;
        const { relations, events } = refused.execution;
        for (const [at, { from, to, by }] of cycle.entries()) {
          expect(to).toBe(cycle[(at + 1) % cycle.length]!.from);
          if (by === "rmw") expect(events[from]).toMatchObject({ text: (events[to] as Event).text });
          else if (by !== "dep")
            expect(
              relations[by].some(([a, b]) => a === from && b === to),
              `${text} ${by}`,
            ).toBe(true);
        }
      }
    }
  });
});

/** Whether some read is to return what its own thread writes only later: no search tries that. */
function readsLater({ threads }: Litmus, wanted: readonly (readonly bigint[])[]): boolean {
  return threads.some((one, index) => {
    const { events } = one.run(wanted[index]!);
    return events.some(
      (read, at) =>
        read.kind === "read" &&
        events.some(
          (write, later) =>
            later > at &&
            write.kind === "write" &&
            write.value === read.value &&
            write.location.at === read.location.at,
        ),
    );
  });
}

describe("what would forbid an outcome", () => {
  const mended = (threads: readonly Thread[], unwanted: (execution: Execution) => boolean): string[] => {
    const witness = outcomes(threads).executions.find(unwanted) as Execution;
    const words = (change: Change) =>
      change.kind === "fence"
        ? `P${change.thread}: fence.${change.semantics}.${change.scope} after ${change.after}`
        : change.kind === "returns"
          ? `P${change.thread}: atom ${change.instruction}`
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
