import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../../schema/check-1.json" with { type: "json" };
import type { Io } from "../../../../src/environment/io.ts";
import { violations } from "../json-schema.ts";
import { World } from "../world.ts";
import { readXml } from "./junit-xml.ts";
import { readTap } from "./tap-grammar.ts";

const good = "//@ case one: a=1 b=1 -> d=2\nadd.f16 d, a, b;\n";
const bad = good.replace("d=2", "d=3");
const world = new World();
afterAll(() => world.remove());
for (let at = 10; at < 40; at++) world.write(`many/f${at}.ptx`, at === 12 || at === 30 ? bad : good);
for (let at = 10; at < 40; at++) world.write(`fine/f${at}.ptx`, good);
world.write("few/a.ptx", good).write("few/b.ptx", bad).write("few/c.ptx", good);
world.write(
  "fine/named.ptx",
  "//@ case carry: a=1 -> d=0xfffffffe\n//@ case plain: a=0 -> d=0xffffffff\nnot.b32 d, a;\n",
);

const check = (argv: readonly string[], io: Partial<Io> = {}) => world.ptxrun(["check", ...argv], io);
const linesOf = (text: string): string[] => text.trimEnd().split("\n");
const textOf = (path: string): string => readFileSync(join(world.folder, path), "utf8");

describe("the report for people", () => {
  it("says nothing of many files that pass, and ends with what fails and the sums", async () => {
    const { out, exit, err } = await check(["many"]);
    const lines = linesOf(out);
    expect([exit, err]).toEqual([1, ""]);
    expect(lines.slice(0, 4)).toEqual([
      "FAIL  many/f12.ptx  0 passed, 1 failed",
      "FAIL  many/f30.ptx  0 passed, 1 failed",
      "",
      "error PTX7005: case one: d is 0x4000 (2.0)",
    ]);
    expect(lines.at(-1)).toBe("30 files: 28 passed, 2 failed");
    expect(out.match(/^error PTX7005/gm)).toHaveLength(2);
    expect((await check(["fine"])).out).toBe("31 files: 32 passed, 0 failed\n");
  });

  it("lists the files that pass when they are few, and shows failures after all of them", async () => {
    const lines = linesOf((await check(["few"])).out);
    expect(lines.slice(0, 5)).toEqual([
      "ok    few/a.ptx  1 passed",
      "FAIL  few/b.ptx  0 passed, 1 failed",
      "ok    few/c.ptx  1 passed",
      "",
      "error PTX7005: case one: d is 0x4000 (2.0)",
    ]);
    expect(lines.at(-1)).toBe("3 files: 2 passed, 1 failed");
  });

  it("lists what a filter takes of many files when that is little", async () => {
    const { out, exit } = await check(["fine", "--filter", "carry"]);
    expect([exit, out]).toEqual([0, "ok    fine/named.ptx  1 passed\n31 files: 1 passed, 0 failed\n"]);
    expect((await check(["fine", "--filter", "one"])).out).toBe("31 files: 30 passed, 0 failed\n");
  });

  it("lists every case with -v, however many there are", async () => {
    const { out } = await check(["fine", "few", "-v"]);
    expect(out.match(/^ok {4}/gm)).toHaveLength(33);
    expect(out).toContain("ok    fine/named.ptx  2 passed\n        ok    carry\n        ok    plain\n");
    expect(out).toContain("FAIL  few/b.ptx  0 passed, 1 failed\n        FAIL  one\n");
  });

  it("is only of failures with -q, and nothing where there are none", async () => {
    expect(await check(["fine", "-q"])).toEqual({ exit: 0, out: "", err: "" });
    const { out, exit } = await check(["few", "-q"]);
    expect(exit).toBe(1);
    expect(out).toMatch(/^error PTX7005: case one/);
    expect(out).not.toMatch(/^ok|^FAIL/m);
    expect(linesOf(out).at(-1)).toBe("3 files: 2 passed, 1 failed");
  });

  it("has the same words in colour, and none without", async () => {
    const colourless = (await check(["few"])).out;
    const { out } = await check(["few", "--color", "always"]);
    expect(out).toContain("\u001b[32m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
    expect(out.replace(/\u001b\[\d+m/g, "")).toBe(colourless);
    const odd = { terminal: { out: true, err: true, columns: () => 10 }, env: { TERM: "dumb" } };
    expect((await check(["few"], odd)).out).toBe(colourless);
  });

  it("says on a terminal how many have failed so far", async () => {
    let time = 0;
    let seen = "";
    await check(["many"], {
      terminal: { out: false, err: true },
      env: { TERM: "xterm" },
      now: () => {
        time += 400;
        return time;
      },
      err: (text) => {
        seen += text;
      },
    });
    expect(seen).toContain("checked 25 of 30 files, 2 failed");
    expect(seen).toContain("checked 10 of 30 files, 1 failed");
  });
});

describe("--filter that takes nothing", () => {
  it("fails, and names what there is", async () => {
    const { exit, err, out } = await check(["fine", "--filter", "cary"]);
    expect([exit, out]).toEqual([1, "31 files: 0 passed, 0 failed\n"]);
    expect(err).toContain('PTX7016: no case of the 31 files has a name with "cary" in it');
    expect(err).toContain("expected: one, carry, plain\n");
    expect(err).toContain("did you mean carry?");
    expect((await check(["fine", "--filter", "cary", "-q"])).err).toContain("PTX7016");
  });

  it("leaves documents whole", async () => {
    const { exit, out } = await check(["fine", "--filter", "cary", "--reporter", "json"]);
    expect([exit, violations(JSON.parse(out), schema)]).toEqual([1, []]);
  });

  it("may take nothing of one part", async () => {
    const parts = await Promise.all(
      ["1/2", "2/2"].map((part) => check(["fine", "--filter", "carry", "--shard", part])),
    );
    expect(parts.map(({ exit, err }) => [exit, err])).toEqual([
      [0, ""],
      [0, ""],
    ]);
  });
});

describe("--reporter NAME=FILE", () => {
  it("writes each to its file, and what is for people to standard output", async () => {
    const files = ["--reporter", "junit=out.xml", "--reporter", "json=out.json", "--reporter=tap=out.tap"];
    const { exit, out } = await check(["few", ...files]);
    expect([exit, out]).toEqual([1, (await check(["few"])).out]);
    expect(readXml(textOf("out.xml")).attributes.get("tests")).toBe("3");
    expect(violations(JSON.parse(textOf("out.json")), schema)).toEqual([]);
    expect(readTap(textOf("out.tap"))).toHaveLength(3);
  });

  it("writes what standard output would show, one of them on standard output", async () => {
    const { out } = await check(["few", "--reporter", "tap", "--reporter", "github=out.txt"]);
    expect(out).toBe((await check(["few", "--reporter", "tap"])).out);
    expect(textOf("out.txt")).toBe((await check(["few", "--reporter", "github"])).out);
  });

  it("writes no colours into a file, unless asked, and all of the report with -q", async () => {
    const terminal = { terminal: { out: true, err: true }, env: { TERM: "xterm" } };
    const { out } = await check(["few", "--reporter", "pretty=out.txt", "-q"], terminal);
    expect(out).toContain("\u001b[");
    expect(textOf("out.txt")).toBe((await check(["few"])).out);
    await check(["few", "--reporter", "pretty=out.txt", "--color", "always"]);
    expect(textOf("out.txt")).toContain("\u001b[");
  });

  it.each([
    [["tab"], "expected pretty, tap, junit, json, github, sarif, codequality, or one of them with a file"],
    [["tap="], "with a file, such as junit=FILE"],
    [["=out.xml"], "with a file, such as junit=FILE"],
    [["tap", "junit"], "one report on standard output"],
    [["tap=x", "junit=./x"], "one report on ./x"],
  ])("refuses %j", async (names, words) => {
    const { exit, err, out } = await check(["few", ...names.flatMap((name) => ["--reporter", name])]);
    expect([exit, out, err]).toEqual([2, "", expect.stringContaining(words)]);
    expect(err).toContain("PTX2003");
  });

  it.each([["no/out.xml"], ["few"], ["few/a.ptx"], ["./few/../few/b.ptx"]])(
    "checks nothing when it cannot write %s",
    async (path) => {
      const { exit, err, out } = await check(["few", "--reporter", `junit=${path}`]);
      expect([exit, out, err]).toEqual([2, "", expect.stringContaining("PTX2013")]);
      expect(textOf("few/a.ptx") + textOf("few/b.ptx")).toBe(good + bad);
    },
  );

  it.runIf(existsSync("/dev/full"))("says that a disk is full", async () => {
    symlinkSync("/dev/full", join(world.folder, "full"));
    const { exit, err } = await check(["fine", "--reporter", "json=full"]);
    expect([exit, err]).toEqual([2, expect.stringContaining("PTX2013: cannot write full")]);
  });
});

describe("on GitHub's runners", () => {
  const env = { GITHUB_ACTIONS: "true", CI: "true" };
  it("what is for people comes with annotations", async () => {
    const { out } = await check(["few"], { env });
    const plain = linesOf((await check(["few"])).out);
    const [notes, rest] = [/^::/, /^(?!::)/].map((kind) => linesOf(out).filter((line) => kind.test(line)));
    expect(rest).toEqual(plain);
    // The log tells it in full, so these are folded away.
    expect(notes).toEqual([
      "::group::annotations",
      expect.stringMatching(/^::error file=few\/b\.ptx,line=1,col=26,title=PTX7005::/),
      "::endgroup::",
    ]);
    expect((await check(["fine"], { env })).out).not.toContain("::");
  });

  it("a report that is asked for stays as it is, and one in a file changes nothing", async () => {
    for (const name of ["tap", "pretty", "json", "github"])
      expect((await check(["few", "--reporter", name], { env })).out).toBe(
        (await check(["few", "--reporter", name])).out,
      );
    expect((await check(["few", "--reporter", "junit=out.xml"], { env })).out).toContain("::error file=");
  });

  it.each(["", "false", "0"])("which GITHUB_ACTIONS=%j is not", async (no) => {
    expect((await check(["few"], { env: { GITHUB_ACTIONS: no } })).out).not.toContain("::error");
  });

  it("a summary of the step lists what is wrong, behind what is there already", async () => {
    const file = join(world.folder, "summary.md");
    writeFileSync(file, "before\n");
    const summary = { ...env, GITHUB_STEP_SUMMARY: file };
    await check(["few"], { env: summary });
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^before\n### ptxrun check: \d+ files: \d+ passed, 1 failed\n\n\| code +\| where +\| what/);
    expect(text).toMatch(/\n\| PTX7005 \| few\/b\.ptx:1 \| /);
    await check(["few"], { env: { GITHUB_STEP_SUMMARY: file } });
    expect(readFileSync(file, "utf8")).toBe(text);
    const { exit, err } = await check(["fine"], { env: { ...env, GITHUB_STEP_SUMMARY: world.folder } });
    expect([exit, err]).toEqual([2, expect.stringContaining("PTX2013: cannot write")]);
  });

  it("paths begin at the root of the repository", async () => {
    const at = (GITHUB_WORKSPACE: string) =>
      check(["b.ptx"], { env: { ...env, GITHUB_WORKSPACE }, cwd: join(world.folder, "few") });
    expect((await at(world.folder)).out).toContain("::error file=few/b.ptx,");
    expect((await at(join(world.folder, "fine"))).out).toContain("::error file=b.ptx,");
    expect((await at("")).out).toContain("::error file=b.ptx,");
  });
});
