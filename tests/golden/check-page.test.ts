import { afterAll, describe, expect, it } from "vitest";
import { launchCommand } from "../../src/cli/run/options.ts";
import { shapeOf } from "../../src/cli/tree.ts";
import { World } from "../unit/cli/world.ts";
import { commandsOf, textOf } from "./pages.ts";

const page = "docs/check.md";
const text = textOf(page);
const world = new World();
afterAll(() => world.remove());

/** What the page shows under a line that is the file's name and a colon. */
const files = [...text.matchAll(/^`([\w.]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = "", contents = ""]) => ({
  name,
  contents,
}));
for (const { name, contents } of files) world.write(name, contents);
/** Examples that the page names where a file of its own would be long; they are run with all examples. */
const named = ["golden/hello.ptx", "golden/digits.ptx", "pipeline/scale.ptx"]
  .map((name) => `examples/${name}`)
  .filter((path) => text.includes(path));
const shown = [...files.map(({ contents }) => contents), ...named.map(textOf)];
const programs = files.map(({ name }) => name).filter((name) => name.endsWith(".ptx"));
/** Files that are shown while they fail, or before their state is known. */
const unfinished = ["fails.ptx", "new.ptx"];

describe("docs/check.md", () => {
  it("shows all lines in files that are run", () => {
    const blocks = [...text.matchAll(/^```ptx$/gm)];
    expect(blocks).toHaveLength(programs.length);
    expect(programs.length).toBeGreaterThan(4);
    for (const word of ["case", "args:", "launch", "snapshot"])
      expect(shown.some((contents) => contents.includes(`//@ ${word}`))).toBe(true);
  });

  it.each(programs.filter((name) => !unfinished.includes(name)))("%s holds", async (name) => {
    const { exit, out } = await world.ptxrun(["check", name]);
    expect(out).toMatch(/^1 file: [1-9]\d* passed, 0 failed$/m);
    expect(exit).toBe(0);
  });

  const commands = commandsOf(page);
  it("shows commands", () => expect(commands.length).toBeGreaterThan(2));
  it.each(commands.map(({ command, output }) => [command, output] as const))("%s", async (command, output) => {
    const { out } = await world.ptxrun(command.split(" ").slice(1));
    expect(out.trimEnd().split("\n")).toEqual(output);
  });

  it("names all kinds of faults", async () => {
    const { out } = await world.write("kinds.ptx", "//@ case t: -> fault none\ntrap;\n").ptxrun(["check", "kinds.ptx"]);
    const [, kinds = ""] = /expected fault (.*) or a code/.exec(out) ?? [];
    expect(kinds.split(", ").length).toBeGreaterThan(10);
    const [, said = ""] = /`KIND` is ([\s\S]*?)Registers/.exec(text) ?? [];
    for (const kind of kinds.split(", ")) expect(said).toContain(`\`${kind}\``);
  });

  it("names all options of a line args", () => {
    const [, said = ""] = /^- Options of `\/\/@ args:`([\s\S]*?)`ptxrun run --help`/m.exec(text) ?? [];
    const named = [...said.matchAll(/`(--[\w-]+)`/g)].map(([, name]) => name);
    const known = shapeOf(launchCommand())
      .options.map(({ long }) => long)
      .filter((long) => long !== "--help");
    expect(named.sort()).toEqual(known.sort());
  });

  /** What a right side may hold, as the table says it, and where a file of the page has one. */
  const forms: readonly (readonly [string, RegExp | undefined])[] = [
    ["`NAME=VALUE`", /-> d=0x4000/],
    ["`NAME:TYPE=VALUE`", / d:u16=0x4200/],
    ["`NAME[INDEX]=VALUE`", / y\[2\]=2\.5/],
    ["`NAME~VALUE ulp N`", /-> d~0x4201 ulp 1/],
    ["`fault KIND`", /-> fault mem/],
    ['`prints "TEXT"`', /-> prints "hello/],
    ['`prints~"TEXT"`', /-> prints~"hello/],
    // docs/exec.md shows one, which has a record of memory beside it.
    ["`memory`", undefined],
    ["`ends`", /-> ends$/m],
    ["`?`, `NAME=?`, `prints ?`", /-> \?/],
  ];
  it("has a line for each form that a right side may hold, and shows it", () => {
    const [, rows = ""] = /^## Results\n([\s\S]*?)^## /m.exec(text) ?? [];
    expect([...rows.matchAll(/^\| (`.*?) +\|/gm)].map(([, row]) => row)).toEqual(forms.map(([form]) => form));
    for (const [, use] of forms) expect(use === undefined || shown.some((contents) => use.test(contents))).toBe(true);
  });
});
