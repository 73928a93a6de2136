import { describe, expect, test } from "vitest";
import { usualBounds } from "../../model/enumerate.ts";
import type { Placement, Thread } from "../../model/event.ts";
import type { Execution } from "../../model/outcome.ts";
import { type Change, changed, repair } from "../../model/repair.ts";
import { atom, fence, ld, outcomes, type Step, st, thread } from "./by-hand.ts";

const words = (change: Change): string =>
  change.kind === "fence"
    ? `P${change.thread}: fence.${change.semantics}.${change.scope} after ${change.after}`
    : change.kind === "returns"
      ? `P${change.thread}: atom ${change.instruction}`
      : `P${change.thread}: ${change.semantics}.${change.scope} ${change.instruction}`;

/** An outcome as registers by thread: `P1:a=1`. */
function mended(threads: readonly Thread[], ...unwanted: string[]): string[] {
  const has = ({ traces }: Execution): boolean => {
    const all = threads.flatMap(({ name }, at) =>
      [...traces[at]!.registers].map(([register, value]) => `${name}:${register}=${value}`),
    );
    return unwanted.every((each) => all.includes(each));
  };
  const witness = outcomes(threads).executions.find(has);
  if (witness === undefined) throw new Error("nothing ends like that as it stands");
  const changes = repair({ threads, initial: [] }, usualBounds, has, witness);
  if (changes.length > 0) {
    const { threads: after } = changed({ threads, initial: [] }, changes);
    expect(outcomes(after).executions.some(has)).toBe(false);
  }
  return changes.map(words).sort();
}

const places: Readonly<Record<string, readonly Placement[]>> = {
  cta: [0, 0, 0].map((block) => ({ block, cluster: 0, gpu: 0 })),
  cluster: [0, 1, 2].map((block) => ({ block, cluster: 0, gpu: 0 })),
  gpu: [0, 1, 2].map((block) => ({ block, cluster: block, gpu: 0 })),
  sys: [0, 1, 2].map((gpu) => ({ block: 0, cluster: 0, gpu })),
};

const next = (old: bigint): bigint => old + 1n;

const at = (index: number, ...steps: Step[]): Thread => thread(`P${index}`, steps);

/** Message passing by a store and a load of y. */
const passing = (store: Step, load: Step, where: readonly Partial<Placement>[] = []): string[] =>
  mended(
    [thread("P0", [st("weak", "x", 1n), store], where[0]), thread("P1", [load, ld("weak", "b", "x")], where[1])],
    "P1:a=1",
    "P1:b=0",
  );

describe("the weakest change", () => {
  test.each(Object.entries(places))("has the narrowest scope in which both are, .%s", (scope, where) => {
    expect(passing(st("relaxed", "y", 1n), ld("acquire", "a", "y"), where)).toEqual([
      `P0: release.${scope} st.relaxed [y], 1`,
    ]);
  });

  test("of message passing makes the weaker side release or acquire", () => {
    const load = ld("acquire", "a", "y");
    expect(passing(st("volatile", "y", 1n), load)).toEqual(["P0: release.gpu st.volatile [y], 1"]);
    expect(passing(st("mmio", "y", 1n), load)).toEqual(["P0: release.gpu st.mmio [y], 1"]);
    expect(passing(atom("relaxed", "o", "y", next), load)).toEqual(["P0: release.gpu atom.relaxed o, [y]"]);
    expect(passing(st("release", "y", 1n), atom("relaxed", "a", "y", next))).toEqual([
      "P1: acquire.gpu atom.relaxed a, [y]",
    ]);
    expect(passing(st("weak", "y", 1n), ld("weak", "a", "y"))).toEqual([
      "P0: release.gpu st.weak [y], 1",
      "P1: acquire.gpu ld.weak a, [y]",
    ]);
  });

  test("of reads that go back makes one of them and the write strong", () => {
    const back = [at(0, st("weak", "x", 1n)), at(1, ld("weak", "a", "x"), ld("weak", "b", "x"))];
    // What the first read observes, comes before the second one in causality order (8.9.5), be that one as weak as it is.
    expect(mended(back, "P1:a=1", "P1:b=0")).toEqual([
      "P0: relaxed.gpu st.weak [x], 1",
      "P1: relaxed.gpu ld.weak a, [x]",
    ]);
  });

  test("of store buffering is a fence.sc in each thread", () => {
    const buffered = [
      at(0, st("relaxed", "x", 1n), ld("relaxed", "a", "y")),
      at(1, st("relaxed", "y", 1n), ld("relaxed", "b", "x")),
    ];
    expect(mended(buffered, "P0:a=0", "P1:b=0")).toEqual([
      "P0: fence.sc.gpu after st.relaxed [x], 1",
      "P1: fence.sc.gpu after st.relaxed [y], 1",
    ]);
  });

  test("of a ring of three threads is a fence in each", () => {
    const names = ["x", "y", "z"];
    const ring = names.map((name, index) =>
      at(index, st("relaxed", name, 1n), ld("relaxed", "r", names[(index + 1) % 3]!)),
    );
    // One more thread has nothing to do with it.
    ring.push(at(3, st("weak", "w", 1n), st("weak", "v", 1n)));
    expect(mended(ring, "P0:r=0", "P1:r=0", "P2:r=0")).toEqual(
      names.map((name, index) => `P${index}: fence.sc.gpu after st.relaxed [${name}], 1`),
    );
  });

  test("of a message that goes by two others is a release, an acquire, and one fence between", () => {
    const handed = [
      at(0, st("weak", "x", 1n), st("relaxed", "y", 1n)),
      at(1, ld("relaxed", "a", "y"), st("relaxed", "z", 1n)),
      at(2, ld("relaxed", "b", "z"), ld("weak", "c", "x")),
    ];
    expect(mended(handed, "P1:a=1", "P2:b=1", "P2:c=0")).toEqual([
      `P0: release.gpu st.relaxed [y], 1`,
      `P1: fence.acq_rel.gpu after ld.relaxed a, [y]`,
      `P2: acquire.gpu ld.relaxed b, [z]`,
    ]);
  });

  test("widens a fence or a scope that is there", () => {
    const [store, load] = [st("relaxed", "y", 1n), ld("acquire", "a", "y")];
    const fenced = (scope: "cta" | "gpu") => [
      at(0, st("weak", "x", 1n), fence("acq_rel", scope), store),
      at(1, load, ld("weak", "b", "x")),
    ];
    expect(mended(fenced("cta"), "P1:a=1", "P1:b=0")).toEqual(["P0: acq_rel.gpu fence.acq_rel.cta"]);
    expect(passing(st("release", "y", 1n, { scope: "cta" }), load)).toEqual(["P0: release.gpu st.release [y], 1"]);
  });

  test("makes fence.sc of the fences that are there", () => {
    const buffered = [
      at(0, st("relaxed", "x", 1n), fence("acq_rel"), ld("relaxed", "a", "y")),
      at(1, st("relaxed", "y", 1n), fence("acq_rel"), ld("relaxed", "b", "x")),
    ];
    expect(mended(buffered, "P0:a=0", "P1:b=0")).toEqual([
      "P0: sc.gpu fence.acq_rel.sys",
      "P1: sc.gpu fence.acq_rel.sys",
    ]);
  });

  test("takes atom for red, whose read begins no acquire pattern", () => {
    const red = atom("relaxed", "o", "y", next, { reduction: true });
    const threads = [
      at(0, st("weak", "x", 1n), st("release", "y", 1n)),
      at(1, red, fence("acq_rel"), ld("weak", "b", "x")),
    ];
    expect(mended(threads, "P1:o=1", "P1:b=0")).toEqual(["P1: atom atom.relaxed o, [y]"]);
  });

  test("of independent reads of weak writes is a fence.sc in each reader between strong reads of strong writes", () => {
    const reader = (index: number, first: string, second: string) =>
      at(index, ld("weak", "a", first), ld("weak", "b", second));
    const threads = [at(0, st("weak", "x", 1n)), at(1, st("weak", "y", 1n)), reader(2, "x", "y"), reader(3, "y", "x")];
    expect(mended(threads, "P2:a=1", "P2:b=0", "P3:a=1", "P3:b=0")).toEqual([
      "P0: relaxed.gpu st.weak [x], 1",
      "P1: relaxed.gpu st.weak [y], 1",
      "P2: fence.sc.gpu after ld.weak a, [x]",
      "P2: relaxed.gpu ld.weak a, [x]",
      "P3: fence.sc.gpu after ld.weak a, [y]",
      "P3: relaxed.gpu ld.weak a, [y]",
    ]);
  });
});

test("no change is tried of what goes by another proxy, and none helps what one order leaves", () => {
  const texture = { proxy: "texture" } as const;
  expect(
    mended(
      [
        thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
        thread("P1", [ld("acquire", "a", "y"), ld("weak", "b", "x", texture)]),
      ],
      "P1:a=1",
      "P1:b=0",
    ),
  ).toEqual([]);
});

test("instructions of one text are changed together, vectors and atomic operations are not parted", () => {
  const twice = thread("P1", [ld("relaxed", "a", "y"), ld("relaxed", "a", "y"), ld("weak", "b", "x")]);
  const threads = [thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]), twice];
  expect(mended(threads, "P1:a=1", "P1:b=0")).toEqual(["P1: acquire.gpu ld.relaxed a, [y]"]);
  const parts = (steps: Step[], after: string) => {
    const { threads } = changed({ threads: [thread("P0", steps)], initial: [] }, [
      { kind: "fence", thread: 0, after, semantics: "sc", scope: "sys" },
    ]);
    return threads[0]!.run([0n, 0n, 0n]).events;
  };
  const pair: Step = (...given) => ["x", "y"].flatMap((name) => ld("weak", name, name)(...given));
  expect(parts([pair, st("weak", "z", "x")], "ld.weak y, [y]").map(({ kind }) => kind)).toEqual([
    "read",
    "read",
    "fence",
    "write",
  ]);
  expect(parts([pair, st("weak", "z", 1n)], "ld.weak x, [x]").map(({ kind }) => kind)).toEqual([
    "read",
    "read",
    "write",
  ]);
  const counted = parts([atom("relaxed", "a", "x", next), st("weak", "z", "a")], "atom.relaxed a, [x]");
  expect(counted.map(({ kind, order, needs }) => [kind, order, needs])).toEqual([
    ["read", 0, []],
    ["write", 0, [0]],
    ["fence", 0.5, []],
    ["write", 1, [0]],
  ]);
  expect(counted.map((event) => ("atomic" in event ? event.atomic : undefined))).toEqual([1, 0, undefined, undefined]);
  const moved = parts([fence("acquire"), ld("weak", "c", "y"), atom("relaxed", "a", "x", next)], "fence.acquire.sys");
  expect(moved.map((event) => ("atomic" in event ? event.atomic : event.kind))).toEqual([
    "fence",
    "fence",
    "read",
    4,
    3,
  ]);
});
