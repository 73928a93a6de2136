import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exampleFiles } from "../../build/examples.js";
import { groups } from "../../examples.js";
import { emptyInputs } from "../../page/bench.ts";
import type { Inputs, State } from "../../page/client.ts";
import { firstWrong, type Lesson, lessons, mended } from "../../page/tour/lessons.ts";
import { numberOfWarp } from "../../page/warp.ts";
import * as debugging from "../../worker/debugging.ts";

interface Example {
  readonly file: string;
  readonly inputs: Partial<Inputs>;
}

const list = exampleFiles().find(({ path }) => path === "examples/index.json")?.text ?? "[]";
const inputs = new Map((JSON.parse(list) as readonly Example[]).map((each) => [each.file, each.inputs]));
const textOf = ({ id }: Lesson): string => readFileSync(`examples/tour/${id}.ptx`, "utf8");

const launch = (lesson: Lesson, text: string) =>
  debugging.load({
    name: `${lesson.id}.ptx`,
    text,
    inputs: { ...emptyInputs, ...inputs.get(`tour-${lesson.id}.ptx`) },
  });

/** How a text ends: the codes of what was found, and what is wrong with the result. */
async function ends(lesson: Lesson, text: string) {
  const { problems, fields } = await launch(lesson, text);
  expect([...problems, ...fields]).toEqual([]);
  const state = await debugging.move({ kind: "run" }, () => {});
  const { stop, findings } = state;
  const codes = [
    ...new Set([...findings, ...(stop.problem === undefined ? [] : [stop.problem])].map(({ code }) => code)),
  ];
  return { codes, wrong: wrongIn(lesson, state) };
}

function wrongIn(lesson: Lesson, { buffers }: State) {
  const place = buffers.find(({ name }) => name === lesson.right.buffer);
  if (place === undefined) throw new Error(`${lesson.id} has no buffer ${lesson.right.buffer}`);
  return firstWrong(lesson, debugging.memory(place.space, place.address, place.bytes).bytes);
}

/** What is found, and which element is wrong, as each lesson is given. */
const given: Readonly<Record<string, readonly [codes: readonly string[], at: number | undefined, is: number]>> = {
  race: [["PTX4002"], 63, 1],
  "off-by-one": [["PTX3002"], 0, 0],
  deadlock: [["PTX3011"], 1, 0],
  "wrong-mask": [["PTX3013"], 0, 0],
  nan: [[], 5, Number.NaN],
  rounding: [[], 2, 0],
  "mma-layout": [[], 64, 32],
  "missing-fence": [["PTX4002"], undefined, 0],
};

describe("the tour", () => {
  it("has the lessons whose mistakes are known here", () =>
    expect(lessons.map(({ id }) => id)).toEqual(Object.keys(given)));

  it.each(lessons.map((lesson) => [lesson.id, lesson] as const))(
    "%s shows its mistake as it is given",
    async (id, lesson) => {
      const { codes, wrong } = await ends(lesson, textOf(lesson));
      const [found, at, is] = given[id] ?? [];
      expect([codes, wrong?.at]).toEqual([found, at]);
      if (at !== undefined) expect(wrong?.is).toBe(is);
    },
  );

  it.each(lessons.map((lesson) => [lesson.id, lesson] as const))("%s is right with its solution", async (_, lesson) => {
    const text = textOf(lesson);
    for (const [from] of lesson.solution) expect(text.split(from)).toHaveLength(2);
    expect(await ends(lesson, mended(lesson, text))).toEqual({ codes: [], wrong: undefined });
  });

  it.each(lessons.map((lesson) => [lesson.id, lesson] as const))(
    "%s leads to places that are there",
    async (_, lesson) => {
      const text = textOf(lesson);
      const { code, state } = await launch(lesson, text);
      await debugging.move({ kind: "run" }, () => {});
      for (const { show, text: words } of lesson.steps) {
        expect(words.split(/\s+/).length, words).toBeLessThanOrEqual(40);
        if (show.line !== undefined) expect(text).toContain(show.line);
        if (show.at === undefined || show.thread === undefined) continue;
        const { positions, warps, pcs, active } = await debugging.strip();
        const { at, thread } = show;
        const warp = state && numberOfWarp(thread, state);
        const index = pcs.findIndex((pc, step) => {
          const { from, to } = code[pc] ?? { from: 0, to: 0 };
          return (
            warps[step] === warp &&
            (((active[step] ?? 0) >>> thread.lane) & 1) === 1 &&
            text.slice(from, to).includes(at)
          );
        });
        await debugging.move({ kind: "goTo", position: positions[index] ?? -1 }, () => {});
        const { pc } = debugging.focus(thread);
        expect(pc).toBe(pcs[index]);
      }
      expect(lesson.steps.length).toBeGreaterThanOrEqual(3);
      expect(lesson.steps.length).toBeLessThanOrEqual(5);
    },
  );
});

describe("the menu of examples", () => {
  it("is short, and has each title once", () => {
    const titles = Object.values(groups).flatMap((members) => members.map(([, title]) => title));
    expect(titles.length).toBeLessThanOrEqual(36);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it("has the tour's programs", () => {
    const files = Object.values(groups).flatMap((members) => members.map(([file]) => file));
    expect(files).toEqual(expect.arrayContaining(lessons.map(({ id }) => `tour/${id}.ptx`)));
  });
});
