import { describe, expect, it } from "vitest";
import { corpus } from "../fuzz/inputs/corpus.ts";
import { inputOf } from "../fuzz/inputs/draw.ts";
import { distilled } from "../fuzz/inputs/grow.ts";
import type { Input } from "../fuzz/inputs/input.ts";
import { minimised } from "../fuzz/inputs/minimise.ts";
import { targets } from "../fuzz/inputs/targets/targets.ts";
import { draws } from "../share.ts";

/** One input of a corpus in this many is fed here; all, and seeds without end, by `node tests/fuzz/fuzz.js`. */
const EVERY = process.env["FUZZ"] === "all" ? 1 : draws(360, 12);
const SEEDS = draws(1, 8);

describe.each(Object.entries(targets))("inputs of %s", (name, target) => {
  const kept = corpus(name);
  const bases = target.bases();

  it("do no harm: what the corpus has, and what seeds draw", async () => {
    // Those that are changed texts have one.
    if (bases.length > 1) expect(kept.length).toBeGreaterThan(20);
    const some = kept.filter((_, at) => at % EVERY === 0);
    const drawn = Array.from({ length: SEEDS }, (_, seed) => inputOf(name, target, bases, kept, 900_001 + seed));
    for (const input of [...some, ...drawn]) expect([input, await target.attempt(input)]).toEqual([input, undefined]);
  });

  it("are what their seeds say", () => {
    const draw = (seed: number): Input => inputOf(name, target, bases, kept, seed);
    for (let seed = 1; seed < 20; seed++) expect(draw(seed)).toEqual(draw(seed));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => JSON.stringify(draw(seed)))).size).toBeGreaterThan(12);
  });
});

describe("what fails", () => {
  it("is made as short as it can be", async () => {
    const input = ["one\ntwo three\nfour five six\nseven\n", "eight\nnine ten\n"];
    const fails = async ([a = "", b = ""]: Input) => a.includes("five") && b.includes("e t");
    expect(await minimised(input, fails)).toEqual(["five", "e t"]);
    let asked = 0;
    await minimised(input, async () => asked++ < 0, 7);
    expect(asked).toBe(7);
  });

  it.each([
    ["forms", [".version 8.0\n.target sm_80\n.entry k() { .reg .b32 a; mov.u32 a, %laneid; ret; }\n"], undefined],
    ["sidecar", [".version 8.0\n.target sm_80\n.entry k() { ret; }\n", "{"], undefined],
  ] as const)("is not what is refused: %s", async (name, input, failure) => {
    expect(await targets[name]?.attempt(input)).toBe(failure);
  });
});

it("a corpus is the fewest inputs that show all that was seen, as far as there is room", () => {
  const all = [
    { input: ["a"], shapes: [1, 2] },
    { input: ["b"], shapes: [1, 2, 3] },
    { input: ["c"], shapes: [4] },
    { input: ["d".repeat(90)], shapes: [5] },
  ];
  expect(distilled(all, 1000)).toEqual([["b"], ["c"], ["d".repeat(90)]]);
  expect(distilled(all, 50)).toEqual([["b"], ["c"]]);
});
