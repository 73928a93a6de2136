import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/cli/app.ts";
import { topics } from "../../../src/cli/help/topics.ts";
import { commandNames } from "../../../src/cli/run/text.ts";
import { shapeOf } from "../../../src/cli/tree.ts";
import { silent, World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const said = async (...argv: string[]): Promise<string> => {
  const { exit, out, err } = await world.ptxrun(argv);
  expect([argv, exit, err]).toEqual([argv, 0, ""]);
  return out;
};
const all = shapeOf(commands({ ...silent, cwd: world.folder }, [], () => {}));
/** The entries under each heading. */
const groupsOf = (text: string): Map<string, string[]> =>
  new Map(
    text
      .split("\n\n")
      .map((part) => part.trim().split("\n"))
      .filter(([heading = ""]) => /^[A-Zv][\w ]*:$/.test(heading))
      .map(([heading = "", ...lines]) => [heading.slice(0, -1), lines]),
  );
const nameIn = (line: string): string => /(--)?[a-z]{2}[\w-]*/i.exec(line)?.[0] ?? "";

describe("ptxrun help doctor", () => {
  it("does not give run's defaults of what it infers", async () => {
    const text = await said("help", "doctor");
    expect(text).toMatch(/--block <x,y,z> +threads of a block \(inferred by default\)/);
    expect(text).toMatch(/--grid <x,y,z> +blocks of the launch \(inferred by default\)/);
    expect(await said("run", "--help")).toContain("(default 1, or .reqntid)");
  });
});

describe("ptxrun --help", () => {
  it("has a line for each command, in groups", async () => {
    const groups = groupsOf(await said("--help"));
    const heads = ["Run", "Debug", "Check", "Explain", "Explore", "Serve", "Build", "Help"];
    expect([...groups.keys()]).toEqual(["Options", ...heads, "Topics", "Examples"]);
    expect(heads.flatMap((head) => groups.get(head)?.map(nameIn) ?? [])).toEqual(all.commands.map(({ name }) => name));
  });

  it("is what help prints, and fits a terminal", async () => {
    const text = await said("--help");
    expect(await said("help")).toBe(text);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(await said("help", "check")).toBe(await said("check", "--help"));
  });
});

it("a word that is no file may be any command, misspelt", () => {
  expect(commandNames.toSorted()).toEqual(all.commands.map(({ name }) => name).toSorted());
});

describe("ptxrun alone", () => {
  it("says what there is to say, and exits 2", async () => {
    const { exit, out, err } = await world.ptxrun([]);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toBe(await said("--help"));
  });
});

describe("ptxrun run --help", () => {
  it("begins with the five options that matter first, and ends with vISA's", async () => {
    const groups = groupsOf(await said("run", "--help"));
    expect(groups.get("Most used")?.map(nameIn)).toEqual(["--eval", "--reg", "--arg", "--block", "--dump"]);
    const heads = ["Most used", "Launch", "Checks and orders", "Output", "A closer look", "Limits and speed", "vISA"];
    expect([...groups.keys()]).toEqual(heads);
    expect(groups.get("vISA")?.map(nameIn)).toEqual(["--zeinfo", "--platform", "--grf"]);
  });

  it("has a line of at most 80 columns for each option", async () => {
    const text = await said("run", "--help");
    expect(text.split("\n").filter((line) => line.length > 80 || /^ {4,}(?!--)/.test(line))).toEqual([]);
  });
});

describe("ptxrun help TOPIC", () => {
  const options = new Set(all.commands.flatMap((command) => command.options.map(({ long }) => long ?? "")));

  it.each(Object.keys(topics))("%s is a short page that names options there are", async (topic) => {
    const text = await said("help", topic);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text.split("\n").length).toBeLessThan(topic === "visa" ? 50 : 30);
    for (const [option] of text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g))
      if (!["--help", "--quiet", "--verbose", "--color", "--output", "--version"].includes(option))
        expect(options).toContain(option);
  });

  it("of a name that is a command too has both", async () => {
    expect(await said("help", "visa")).toMatch(/^Usage: ptxrun visa[\s\S]*--grid 2 --block 40/);
  });
});
