import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { World } from "../../../../tests/unit/cli/world.ts";

const folder = join(import.meta.dirname, "cases");
const world = new World();
afterAll(() => world.remove());

/**
 * A program, and behind it how it is run and what is asked; each line of an answer as `LINE: what`, deeper ones further
 * right: what a person worked out who has read the program.
 */
it.each(readdirSync(folder).filter((name) => name.endsWith(".ptx")))("%s", async (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const args = /^\/\/ args: *(.*)$/m.exec(text)?.[1]?.split(" ").filter(Boolean) ?? [];
  const asked = [...text.matchAll(/^\/\/ why (.*)$/gm)].map(([, place = ""]) => place);
  const { out, err } = await world.write(name, text).ptxrun([name, "-q", "-d", "none", ...args, ...asked.flatMap((place) => ["--why", place])]); // biome-ignore format: one row
  const expected = text.split("\n").flatMap((line) => (line.startsWith("//> ") ? [line.slice(4)] : []));
  expect([...(asked.includes("first") ? [] : [err]), ...told(out)].filter(Boolean)).toEqual(expected);
});

/** The lines of answers without the text of instructions, which the case itself shows. */
const told = (out: string): string[] =>
  out.split("\n").flatMap((line) => {
    if (line === "") return [];
    const [, left = "", number, right = ""] = /^( +)line (\d+) {2}(?:\S| (?! ))+ {2,}(.*)$/.exec(line) ?? [];
    return [number === undefined ? line.trimEnd() : `${left.slice(2)}${number}: ${right}`];
  });
