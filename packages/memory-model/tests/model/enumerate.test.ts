import { describe, expect, test } from "vitest";
import type { MemoryScope } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Placement, Read, Write } from "../../model/event.ts";
import { atom, bar, fence, ld, outcomes, part, proxyFence, type Step, st, thread, when } from "./by-hand.ts";

const reaches = (result: { states: readonly string[] }, state: string) => result.states.includes(state);
const optional = (step: Step | undefined) => (step ? [step] : []);

describe("message passing", () => {
  const fails = (
    store: Write["semantics"],
    load: Read["semantics"],
    between?: Step,
    scopes: readonly [MemoryScope, MemoryScope] = ["sys", "sys"],
    place: Partial<Placement> = {},
  ) =>
    reaches(
      outcomes([
        thread("P0", [st("weak", "x", 1n), ...optional(between), st(store, "y", 1n, { scope: scopes[0] })], {
          block: 0,
          cluster: 0,
        }),
        thread("P1", [ld(load, "a", "y", { scope: scopes[1] }), ...optional(between), ld("weak", "b", "x")], place),
      ]),
      "P1:a=1 P1:b=0",
    );

  test("may fail where one side does not order", () => {
    expect(fails("weak", "weak")).toBe(true);
    expect(fails("relaxed", "relaxed")).toBe(true);
    expect(fails("release", "relaxed")).toBe(true);
    expect(fails("relaxed", "acquire")).toBe(true);
    expect(fails("volatile", "volatile")).toBe(true);
  });

  test("never fails with release and acquire, or with fences around strong operations (8.10.6)", () => {
    expect(fails("release", "acquire")).toBe(false);
    expect(fails("relaxed", "relaxed", fence("acq_rel"))).toBe(false);
    expect(fails("volatile", "volatile", fence("sc"))).toBe(false);
  });

  test("fails in spite of fences where the flag is weak: no pattern has a weak operation (8.8)", () => {
    expect(fails("weak", "weak", fence("acq_rel"))).toBe(true);
    expect(fails("relaxed", "weak", fence("acq_rel"))).toBe(true);
    // two fence.sc are ordered one way or the other, whatever is read
    expect(fails("weak", "weak", fence("sc"))).toBe(false);
  });

  test("needs scopes that include both threads (8.7)", () => {
    const cta: [MemoryScope, MemoryScope] = ["cta", "gpu"];
    expect(fails("release", "acquire", undefined, cta, { block: 0, cluster: 0 })).toBe(false);
    expect(fails("release", "acquire", undefined, cta, { block: 1, cluster: 0 })).toBe(true);
    expect(fails("release", "acquire", undefined, ["cluster", "cluster"], { block: 1, cluster: 0 })).toBe(false);
    expect(fails("release", "acquire", undefined, ["gpu", "cluster"], { block: 1, cluster: 1 })).toBe(true);
    expect(fails("release", "acquire", undefined, ["gpu", "gpu"], { block: 0, cluster: 0, gpu: 1 })).toBe(true);
  });

  test("goes by a barrier of the block (8.9.4), not of another one", () => {
    const run = (block: number, id: number) =>
      outcomes([
        thread("P0", [st("weak", "x", 1n), bar("sync", 0)], { block: 0 }),
        thread("P1", [bar("sync", id), ld("weak", "a", "x")], { block }),
      ]);
    expect(run(0, 0).states).toEqual(["P1:a=1"]);
    expect(run(0, 1)).toMatchObject({ states: [], deadlocks: ["P0 P1"] });
    expect(run(1, 0).states).toEqual(["P1:a=0", "P1:a=1"]);
  });

  test("does not go by a red that is followed by a fence (8.11.1), but by an atom", () => {
    const run = (reduction: boolean) =>
      outcomes([
        thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
        thread("P1", [
          atom("relaxed", "a", "y", (old) => old + 1n, reduction ? { reduction } : {}),
          fence("acq_rel"),
          ld("weak", "b", "x"),
        ]),
      ]);
    expect(reaches(run(true), "P1:a=1 P1:b=0")).toBe(true);
    expect(reaches(run(false), "P1:a=1 P1:b=0")).toBe(false);
  });

  test("goes on through atomic operations of others, relaxed ones too (8.9.2)", () => {
    const run = (last: Step) =>
      outcomes([
        thread("P0", [st("weak", "x", 1n), st("release", "y", 1n)]),
        thread("P1", [last]),
        thread("P2", [ld("acquire", "a", "y"), ld("weak", "b", "x")]),
      ]);
    expect(reaches(run(atom("relaxed", "r", "y", (old) => old + 1n)), "P1:r=1 P2:a=2 P2:b=0")).toBe(false);
    expect(reaches(run(st("relaxed", "y", 2n)), "P2:a=2 P2:b=0")).toBe(true);
  });
});

describe("store buffering", () => {
  const fails = (between?: Step) =>
    reaches(
      outcomes([
        thread("P0", [st("relaxed", "x", 1n), ...optional(between), ld("relaxed", "a", "y")]),
        thread("P1", [st("relaxed", "y", 1n), ...optional(between), ld("relaxed", "b", "x")]),
      ]),
      "P0:a=0 P1:b=0",
    );

  test("is hidden by fence.sc alone (8.10.6)", () => {
    expect(fails()).toBe(true);
    expect(fails(fence("acq_rel"))).toBe(true);
    expect(fails(fence("sc"))).toBe(false);
    expect(fails(fence("sc", "cta"))).toBe(true);
  });
});

describe("load buffering (8.10.4)", () => {
  const run = (value: bigint | string) =>
    outcomes([
      thread("P0", [ld("relaxed", "a", "x"), st("relaxed", "y", value)]),
      thread("P1", [ld("relaxed", "b", "y"), st("relaxed", "x", value === "a" ? "b" : value)]),
    ]);

  test("is allowed, and gives no value out of thin air", () => {
    expect(reaches(run(1n), "P0:a=1 P1:b=1")).toBe(true);
    expect(run("a").states).toEqual(["P0:a=0 P1:b=0"]);
  });

  test("ends where values would grow without end", () => {
    const grows = () =>
      outcomes([
        thread("P0", [atom("relaxed", "a", "x", (old) => old + 1n), st("relaxed", "y", "a")]),
        thread("P1", [atom("relaxed", "b", "y", (old) => old + 1n), st("relaxed", "x", "b")]),
      ]);
    expect(grows().complete).toBe(true);
    expect(grows().states).toContain("P0:a=0 P1:b=0");
  });
});

describe("one location", () => {
  test("morally strong reads never go back (CoRR, 8.10.5); weak ones of a race may", () => {
    const run = (semantics: "weak" | "relaxed") =>
      outcomes([
        thread("P0", [st(semantics, "x", 1n)]),
        thread("P1", [ld(semantics, "a", "x"), ld(semantics, "b", "x")]),
      ]);
    expect(reaches(run("relaxed"), "P1:a=1 P1:b=0")).toBe(false);
    expect(reaches(run("weak"), "P1:a=1 P1:b=0")).toBe(true);
  });

  test("a thread sees its own writes, weak ones too", () => {
    expect(outcomes([thread("P0", [st("weak", "x", 1n), ld("weak", "a", "x")])]).states).toEqual(["P0:a=1"]);
    expect(outcomes([thread("P0", [ld("weak", "a", "x"), st("weak", "x", 1n)])]).states).toEqual(["P0:a=0"]);
  });

  test("a race leaves either value, and several last writes (8.9.6)", () => {
    const run = (semantics: "weak" | "relaxed") =>
      outcomes([thread("P0", [st(semantics, "x", 1n)]), thread("P1", [st(semantics, "x", 2n)])], { x: 0n });
    expect(run("weak").states).toEqual(["x=1", "x=2"]);
    expect(run("weak").executions).toHaveLength(1);
    expect(run("weak").executions[0]?.races).toHaveLength(1);
    expect(run("relaxed").states).toEqual(["x=1", "x=2"]);
    expect(run("relaxed").executions).toHaveLength(2);
    expect(run("relaxed").executions[0]?.races).toEqual([]);
  });

  test("atomic operations exclude each other where they are morally strong (8.10.3)", () => {
    const run = (scope: MemoryScope) =>
      outcomes(
        [0, 1].map((i) => thread(`P${i}`, [atom("relaxed", "a", "x", (old) => old + 1n, { scope })])),
        { x: 0n },
      );
    expect(run("gpu").states).toEqual(["P0:a=0 P1:a=1 x=2", "P0:a=1 P1:a=0 x=2"]);
    expect(run("cta").states).toContain("P0:a=0 P1:a=0 x=1");
  });

  test("a compare that fails writes nothing", () => {
    const cas = (old: bigint) => (old === 7n ? 1n : undefined);
    expect(outcomes([thread("P0", [atom("relaxed", "a", "x", cas)])], { x: 0n }).states).toEqual(["P0:a=0 x=0"]);
  });
});

describe("many copies", () => {
  const iriw = (semantics: Read["semantics"], between?: Step) =>
    outcomes([
      thread("P0", [st("relaxed", "x", 1n)]),
      thread("P1", [st("relaxed", "y", 1n)]),
      thread("P2", [ld(semantics, "a", "x"), ...optional(between), ld(semantics, "b", "y")]),
      thread("P3", [ld(semantics, "a", "y"), ...optional(between), ld(semantics, "b", "x")]),
    ]);

  test("IRIW: readers may differ over the order of independent writes unless each has a fence.sc", () => {
    const differ = "P2:a=1 P2:b=0 P3:a=1 P3:b=0";
    expect(reaches(iriw("relaxed"), differ)).toBe(true);
    expect(reaches(iriw("acquire"), differ)).toBe(true);
    expect(reaches(iriw("relaxed", fence("acq_rel")), differ)).toBe(true);
    expect(reaches(iriw("relaxed", fence("sc")), differ)).toBe(false);
  });

  test("WRC: release and acquire add up over threads (8.9.5)", () => {
    const wrc = (store: Write["semantics"], load: Read["semantics"]) =>
      outcomes([
        thread("P0", [st("relaxed", "x", 1n)]),
        thread("P1", [ld(load, "a", "x"), when("a", 1n), st(store, "y", 1n)]),
        thread("P2", [ld(load, "b", "y"), ld("relaxed", "c", "x")]),
      ]);
    expect(reaches(wrc("release", "acquire"), "P1:a=1 P2:b=1 P2:c=0")).toBe(false);
    expect(reaches(wrc("relaxed", "relaxed"), "P1:a=1 P2:b=1 P2:c=0")).toBe(true);
  });
});

describe("proxies and names (8.6)", () => {
  const run = (between: readonly Step[], place = "s@x", proxy: Read["proxy"] = "generic") =>
    outcomes([thread("P0", [st("weak", "x", 1n), ...between, ld("weak", "a", place, { proxy })])]).states;

  test("another virtual address needs fence.proxy.alias between", () => {
    expect(run([])).toEqual(["P0:a=0", "P0:a=1"]);
    expect(run([fence("sc")])).toEqual(["P0:a=0", "P0:a=1"]);
    expect(run([proxyFence("alias")])).toEqual(["P0:a=1"]);
  });

  test("another proxy needs the fence of that proxy, in the block that uses it", () => {
    expect(run([proxyFence("surface")], "x", "surface")).toEqual(["P0:a=1"]);
    expect(run([proxyFence("alias")], "x", "surface")).toEqual(["P0:a=0", "P0:a=1"]);
    const across = (ours: readonly Step[], theirs: readonly Step[]) =>
      outcomes([
        thread("P0", [st("weak", "x", 1n), ...ours, st("release", "y", 1n)]),
        thread("P1", [ld("acquire", "a", "y"), ...theirs, ld("weak", "b", "x", { proxy: "texture" })]),
      ]);
    expect(reaches(across([], [proxyFence("texture")]), "P1:a=1 P1:b=0")).toBe(false);
    expect(reaches(across([proxyFence("texture")], []), "P1:a=1 P1:b=0")).toBe(true);
  });
});

describe("sizes (8.7.2)", () => {
  test("a read takes each byte from the write that left it", () => {
    const { states, mixed } = outcomes([
      thread("P0", [st("weak", "x", 0x01020304n), st("weak", part("x", 1, 1), 0xffn), ld("weak", "a", "x")]),
    ]);
    expect(states).toEqual([`P0:a=${0x0102ff04}`]);
    expect(mixed).toBe(false);
  });

  test("a read takes all bytes of a morally strong write or none (8.10.3)", () => {
    const all = 0x1111_1111n;
    const { states, mixed } = outcomes([
      thread("P0", [st("relaxed", "x", all), ld("weak", "a", part("x", 0, 2))]),
      thread("P1", [ld("relaxed", "b", "x")]),
    ]);
    expect(states).toEqual([`P0:a=${0x1111} P1:b=0`, `P0:a=${0x1111} P1:b=${all}`]);
    expect(mixed).toBe(false);
  });

  test("a race of different sizes is said to be undefined", () => {
    const { states, mixed } = outcomes([
      thread("P0", [st("weak", "x", 0x01020304n)]),
      thread("P1", [ld("weak", "a", part("x", 1, 2))]),
    ]);
    expect(states).toEqual(["P1:a=0", `P1:a=${0x0203}`]);
    expect(mixed).toBe(true);
  });
});

describe("barriers", () => {
  test("arrive orders what is before it and does not wait", () => {
    const run = (first: "arrive" | "sync", second: "arrive" | "sync") =>
      outcomes([
        thread("P0", [st("weak", "x", 1n), bar(first), ld("weak", "a", "y")], { block: 0 }),
        thread("P1", [st("weak", "y", 1n), bar(second), ld("weak", "b", "x")], { block: 0 }),
      ]).states;
    expect(run("sync", "sync")).toEqual(["P0:a=1 P1:b=1"]);
    expect(run("arrive", "sync")).toEqual(["P0:a=0 P1:b=1", "P0:a=1 P1:b=1"]);
  });

  test("of a cluster: arrive goes with wait", () => {
    const place = (block: number) => ({ block, cluster: 0 });
    const both = [bar("arrive", 0, "cluster"), bar("wait", 0, "cluster")];
    expect(
      outcomes([
        thread("P0", [st("weak", "x", 1n), ...both], place(0)),
        thread("P1", [...both, ld("weak", "a", "x")], place(1)),
      ]).states,
    ).toEqual(["P1:a=1"]);
  });
});

describe("the search", () => {
  test("finds each order of atomic operations once", () => {
    const run = outcomes([0, 1, 2, 3, 4].map((i) => thread(`P${i}`, [atom("relaxed", "a", "x", (old) => old + 1n)])));
    expect(run.executions).toHaveLength(120);
    expect(run.states).toHaveLength(120);
  });

  test("goes through many barriers without looking at what they rule out", () => {
    const steps = (i: number) => [
      st("weak", `x${i}`, BigInt(i)),
      bar(),
      ld("weak", "a", `x${(i + 1) % 8}`),
      bar(),
      st("weak", `x${i}`, "a"),
      bar(),
      ld("weak", "b", `x${(i + 2) % 8}`),
    ];
    const all = outcomes([0, 1, 2, 3, 4, 5, 6, 7].map((i) => thread(`P${i}`, steps(i), { block: 0 })));
    expect(all.executions).toHaveLength(1);
    expect(all.states[0]).toContain("P0:a=1 P0:b=3 P1:a=2 P1:b=4");
  });

  test("stops at its bounds, and says so", () => {
    const threads = [0, 1, 2, 3].map((i) => thread(`P${i}`, [atom("relaxed", "a", "x", (old) => old + 1n)]));
    expect(outcomes(threads, {}, { events: 64, executions: 5 }).complete).toBe(false);
    expect(outcomes(threads, {}, { events: 3, executions: 500 })).toMatchObject({ complete: false, executions: [] });
    expect(outcomes(threads, {}, { events: 8, executions: 500 }).complete).toBe(true);
  });

  test("counts each execution once where a read takes what is written later", () => {
    const { executions } = outcomes([
      thread("P0", [ld("weak", "a", "x"), st("weak", "y", 1n)]),
      thread("P1", [ld("weak", "b", "y"), st("weak", "x", 1n)]),
    ]);
    const seen = executions.map(({ relations }) => JSON.stringify(relations.rf));
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });

  test("takes a value that is written only where a read before has returned it", () => {
    const setTo = (value: bigint) => (old: bigint) => (old === 0n ? value : undefined);
    const far = { scope: "cta" } as const;
    const { states } = outcomes(
      [
        thread("P0", [atom("relaxed", "a", "x", setTo(1n)), atom("relaxed", "b", "x", setTo(3n))]),
        thread("P1", [ld("relaxed", "c", "x", far), st("relaxed", "x", "c", far)]),
      ],
      { x: 0n },
    );
    // The first returns what P1 copies of the second, which fails unless the first does: nothing depends on itself (8.10.4).
    expect(states).toContain("P0:a=3 P0:b=0 P1:c=3 x=3");
  });
});
