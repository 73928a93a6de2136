import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { World } from "../unit/cli/world.ts";

/** What README, ARCHITECTURE and CONTRIBUTING say is true of this checkout. */
const root = resolve(import.meta.dirname, "../..");
const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md", "tests/sweep/README.md"];
const textOf = (page: string): string => readFileSync(resolve(root, page), "utf8");

/** `$ ptxrun ...` lines that need nothing but this checkout, with the output shown under them. */
function commands(page: string): { argv: string[]; shown: string[]; exits: number }[] {
  const lines = textOf(page).split("\n");
  return lines.flatMap((line, at) => {
    const [, command, exits = "0"] = /^ {4}\$ ptxrun (.*?)(?: +# exits (\d+))?$/.exec(line) ?? [];
    if (command === undefined || command.includes("kernel.ptx")) return [];
    const shown: string[] = [];
    for (let next = at + 1; /^ {4}(?!\$)/.test(lines[next] ?? ""); next++) shown.push((lines[next] ?? "").slice(4));
    const argv = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    return [{ argv, shown, exits: Number(exits) }];
  });
}

describe.each(pages)("%s", (page) => {
  it("names files that are there", () => {
    const paths = [...textOf(page).matchAll(/`((?:src|tests|examples)\/[\w./-]+)`/g)].map(([, path]) => path ?? "");
    expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

describe("commands of the README", () => {
  const all = commands("README.md");

  it("are there", () => expect(all.length).toBeGreaterThanOrEqual(5));

  it.each(all.map(({ argv, shown, exits }) => [argv.join(" "), argv, shown, exits] as const))(
    "%s",
    async (_, argv, shown, exits) => {
      const { exit, out } = await new World().ptxrun(argv, { cwd: root });
      expect(exit).toBe(exits);
      if (shown.length > 0) expect(out.trimEnd().split("\n")).toEqual(shown);
      else expect(out).not.toBe("");
    },
  );
});

describe("the walk through adding an instruction", () => {
  // The walk adds sad.u32 to a table without it; what it shows before that, and the form itself, are of that table.
  const today = commands("CONTRIBUTING.md").filter(
    ({ argv, shown }) => argv[0] !== "isa" && !shown[0]?.includes("PTX5001"),
  );

  it.each(today.map(({ argv, shown }) => [argv.join(" "), argv, shown] as const))("%s", async (_, argv, shown) => {
    const { out, err } = await new World().ptxrun(argv, { cwd: root });
    expect(shown.length).toBeGreaterThan(0);
    for (const line of shown) expect(out + err).toContain(line);
  });
});
