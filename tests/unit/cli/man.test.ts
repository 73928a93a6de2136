import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const page = async (): Promise<string> => {
  const { exit, out, err } = await world.ptxrun(["man"]);
  expect([exit, err]).toEqual([0, ""]);
  return out;
};
const plain = (roff: string): string =>
  roff
    .replace(/\\f[BIR]/g, "")
    .replaceAll("\\-", "-")
    .replaceAll("\\&", "")
    .replaceAll("\\e", "\\");

describe("the manual page", () => {
  it("has the sections of a manual page, in their order", async () => {
    const sections = [...(await page()).matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(["NAME", "SYNOPSIS", "COMMANDS", "OPTIONS", "TOPICS", "EXIT STATUS", "EXAMPLES"]);
    expect(await page()).toMatch(/^\.TH PTXRUN 1 "" "ptxrun \d+\.\d+\.\d+" "User Commands"\n/);
    expect(await page()).toContain("\nptxrun \\- Runs NVIDIA PTX");
  });

  it("says of each command what --help says", async () => {
    const text = plain(await page()).replace(/\s+/g, " ");
    const commands = [...plain(await page()).matchAll(/^\.SS ptxrun (\w+)/gm)].map(([, name]) => name ?? "");
    const pages = new Map<string, string>();
    for (const name of commands) {
      const { exit, out } = await world.ptxrun(["man", name]);
      expect([exit, out.startsWith(`.TH PTXRUN-${name.toUpperCase()} 1 `)]).toEqual([0, true]);
      pages.set(name, plain(out).replace(/\s+/g, " "));
    }
    expect(commands).toEqual(expect.arrayContaining(["run", "check", "trace", "completion", "man"]));
    for (const name of commands) {
      const { out } = await world.ptxrun([name, "--help"]);
      const entries = [...out.matchAll(/^ {2}-.*(?:\n {4,}.*)*/gm)].map(([entry]) => entry.trim().split(/ {2,}|\n/));
      expect(entries.length).toBeGreaterThan(0);
      for (const [flags = "", ...words] of entries) {
        expect(text).toContain(flags.replace(/[<>]/g, ""));
        const [first = ""] = words.join(" ").split(/ {2,}|\n/);
        expect(text).toContain(first.trim());
        expect(pages.get(name)).toContain(first.trim());
      }
    }
  });

  it("keeps examples and values as they are typed", async () => {
    const text = plain(await page());
    expect(text).toContain("\nptxrun -e 'add.f16 d, a, b;' -r a=0x3c00 -r b=1.5\n");
    expect(text).toContain("\n  0x3c00  0b1  0f3f800000");
  });

  it("is roff: every request is known, blocks are closed, no line begins with a dot by chance", async () => {
    const lines = (await page()).split("\n");
    const requests = new Set(lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(" ")[0]));
    expect([...requests].sort()).toEqual([".B", ".PP", ".SH", ".SS", ".TH", ".TP", ".br", ".fi", ".nf"]);
    const count = (request: string): number => lines.filter((line) => line === request).length;
    expect(count(".nf")).toBe(count(".fi"));
    expect(lines.filter((line) => /\\(?!f[BIR]|[-e&])/.test(line))).toEqual([]);
    const lint = spawnSync("mandoc", ["-T", "lint", "-W", "error"], { input: await page(), encoding: "utf8" });
    if (lint.error === undefined) expect(lint.stdout).toBe("");
    const groff = spawnSync("groff", ["-man", "-ww", "-Tutf8"], { input: await page(), encoding: "utf8" });
    if (groff.error === undefined) expect([groff.status, groff.stderr]).toEqual([0, ""]);
  });
});

describe("at a terminal", () => {
  const terminal = { out: true, err: true, columns: () => 60 };

  it("is set as text, and shown by the pager that is named", async () => {
    for (const env of [{ MANPAGER: "cat > paged.txt", PAGER: "false" }, { PAGER: "cat > paged.txt" }]) {
      expect(await world.ptxrun(["man", "link"], { terminal, env })).toEqual({ exit: 0, out: "", err: "" });
      const text = readFileSync(join(world.folder, "paged.txt"), "utf8");
      rmSync(join(world.folder, "paged.txt"));
      const plain = stripVTControlCharacters(text);
      expect(plain).toMatch(
        /^NAME\n {7}ptxrun-link - link PTX modules, as nvlink joins\n {7}objects\n\nSYNOPSIS\n {7}ptxrun link file \.\.\./,
      );
      expect(plain).toMatch(/\n {7}-o, --output file\n {14}write the text to a file\n/);
      expect(plain.split("\n").filter((line) => line.length > 60)).toEqual([]);
      expect(plain).not.toMatch(/\\|^\./m);
      expect(text).toContain("\u001b[1mNAME\u001b[22m");
    }
  });

  it("is printed where there is no such pager, and without colours if they are not wanted", async () => {
    const env = { PAGER: "no-such-pager 2>/dev/null", NO_COLOR: "1" };
    const { exit, out } = await world.ptxrun(["man"], { terminal: { out: true, err: true }, env });
    expect([exit, out]).toEqual([0, expect.stringMatching(/^NAME\n {7}ptxrun - Runs NVIDIA PTX/)]);
    expect(out).toMatch(/\n {3}ptxrun check path \.\.\. \[options\]|\n {3}ptxrun check path \.\.\.\n/);
    expect(out).not.toContain("\u001b");
  });
});
