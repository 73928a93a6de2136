import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Exit } from "../../src/environment/exit.ts";
import { draws, everything, sample } from "../../tests/share.ts";
import { names } from "../build.js";
import { has, noCompiler, Programs } from "./programs.ts";

const python = has("python3");

let programs: Programs;

function suite(): void {
  const built = new Map<string, string>();
  beforeAll(async () => {
    programs = await Programs.make();
    for (const source of ["launches.c", "failures.c"]) built.set(source, programs.build(source));
    if (!everything) return;
    built.set("lifecycle.c", programs.build("lifecycle.c"));
    built.set("stand-in.c", programs.build("stand-in.c", false));
    built.set("broken.c", programs.build("broken.c", "sources"));
  });
  afterAll(() => programs.remove());

  const part = (source: string, name: string, env: Readonly<Record<string, string>> = {}) =>
    programs.run(built.get(source) ?? "", [name], { PTXRUN_ON_ERROR: "continue", ...env });
  const well = (name: string) => ({ exit: 0, out: expect.stringMatching(new RegExp(`(^|\n)${name}: done\n$`)) });

  describe("a launch", () => {
    it.each(
      sample(
        ["vector_add", "reduction", "pointers_in_memory", "parameters", "variables", "large", "threads", "many"],
        4,
      ),
    )("%s", (name) => {
      expect(part("launches.c", name)).toMatchObject({ ...well(name), err: "" });
    });

    it.each(sample(["vector_add", "pointers_in_memory", "large"], 3))("%s, by a descriptor", (name) => {
      expect(part("launches.c", name, { PTXRUN_MEMORY: "descriptor" })).toMatchObject({ ...well(name), err: "" });
    });

    it("prints between what the program prints", () => {
      const { out } = part("launches.c", "printf");
      expect(out).toBe("before\nhello from PTX\nhello from PTX\nafter\nprintf: done\n");
    });
  });

  describe("a failure", () => {
    it.each(sample(["bad_pointer", "unmapped", "protected", "announced", "bad_calls", "bad_ptx"], 3))("%s", (name) => {
      expect(part("failures.c", name)).toMatchObject(well(name));
    });

    it.each(sample(["bad_pointer", "unmapped", "protected"], 3))("%s, by a descriptor", (name) => {
      expect(part("failures.c", name, { PTXRUN_MEMORY: "descriptor" })).toMatchObject(well(name));
    });

    it.each(["requests", "descriptor"])("closed_input, by %s", (PTXRUN_MEMORY) => {
      expect(part("failures.c", "closed_input", { PTXRUN_MEMORY })).toMatchObject(well("closed_input"));
    });

    it.each(["requests", "descriptor"])("only_announced, by %s", (PTXRUN_MEMORY) => {
      const env = { PTXRUN_ONLY_ANNOUNCED: "1", PTXRUN_MEMORY };
      expect(part("failures.c", "only_announced", env)).toMatchObject(well("only_announced"));
    });

    it("is shown whole, and does to the program what was asked for", () => {
      const shown = `ptxrun: ptx_run failed, kernel store_word, a grid of 1,1,1, blocks of 1,1,1
error PTX3002: st.global.u32 writes 4 bytes at 0x0, which is a null pointer, in thread (0,0,0) of block (0,0,0)
 --> <ptx_run>:7:3
  |
7 |   st.global.u32 [%d], %r;
  |   ^^^^^^^^^^^^^^^^^^^^^^^
`;
      const on = (how: string) => part("failures.c", "on_error", { PTXRUN_ON_ERROR: how });
      expect(on("continue")).toEqual({ exit: 0, out: "it goes on\non_error: done\n", err: shown });
      expect(on("exit")).toEqual({ exit: Exit.fault, out: "", err: shown });
      if (!everything) return;
      const aborted = on("");
      expect(aborted).toMatchObject({ exit: "SIGABRT", out: "" });
      expect(aborted.err.startsWith(shown)).toBe(true);
      expect(aborted.err).toContain("PTXRUN_ON_ERROR=continue");
      const odd = { PTXRUN_TIMEOUT: "10s", PTXRUN_MEMORY: "often" };
      const { err } = part("failures.c", "on_error", odd);
      for (const name of Object.keys(odd)) expect(err.split(`${name} is `).length).toBe(2);
      expect(on("often")).toMatchObject({ exit: "SIGABRT", err: expect.stringContaining("PTXRUN_ON_ERROR is often") });
    });
  });

  describe("docs/clients.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/clients.md"), "utf8");

    it("shows a program of C that does what it says", () => {
      const [text = ""] = blocksOf(page, "c");
      const source = join(programs.folder, "twice.c");
      writeFileSync(source, text);
      const { exit, out } = programs.run(programs.build(source), []);
      expect([exit, out.trim()]).toEqual([0, shownBy(page, "cc ")]);
    });

    it("shows a script of Python that does what it says", () => {
      const [text = ""] = blocksOf(page, "python");
      expect(text).toContain("lib.ptx_run(");
      expect(text).toBe(readFileSync(join(import.meta.dirname, "../../examples/python/squares.py"), "utf8"));
      if (!python) return;
      const env = { PTXRUN_LIBRARY: join(programs.folder, names.library) };
      const { exit, out } = programs.run("python3", ["-c", text], env);
      expect([exit, out.trim()]).toEqual([0, shownBy(page, "PTXRUN_LIBRARY")]);
    });

    it("names all variables that the library asks for", () => {
      const folder = join(import.meta.dirname, "..");
      const texts = readdirSync(folder)
        .filter((name) => name.endsWith(".c"))
        .map((name) => readFileSync(join(folder, name), "utf8"));
      const asked = new Set(
        texts.flatMap((text) => [...text.matchAll(/getenv\("(PTXRUN_\w+)"\)/g)].map(([, name]) => name)),
      );
      const told = new Set([...page.matchAll(/^\| `(PTXRUN_\w+)`/gm)].map(([, name]) => name));
      expect([...told].sort()).toEqual([...asked].sort());
    });
  });

  if (process.platform === "linux") describe.runIf(everything)("a worker", () => lifecycle(part, well, built));
  else console.log("the tests of a worker's life look into /proc, and this is not Linux");

  if (python)
    it("serves Python", () => {
      const script = join(import.meta.dirname, "client.py");
      const run = programs.run("python3", [script, programs.folder]);
      expect(run).toMatchObject({ exit: 0, out: "all as expected\n" });
    });
  if (python)
    it("serves a framework's mock GPU", () => {
      const script = join(import.meta.dirname, "framework.py");
      const LAUNCHES = `${draws(40, 198)}`;
      const env = { OCELOT_PATH: join(programs.folder, names.other), PTXRUN_ON_ERROR: "continue", LAUNCHES };
      expect(programs.run("python3", [script], env)).toMatchObject({
        exit: 0,
        out: `${LAUNCHES} launches, all as expected\n`,
      });
    });
  else console.log("there is no python3, so its client is not tested");
}

/** Blocks of a language on the page of clients. */
const blocksOf = (page: string, language: string): string[] =>
  page
    .split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split("```")[0] ?? "");

/** What the page shows under a command that begins so. */
function shownBy(page: string, command: string): string {
  const lines = page.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`    $ ${command}`));
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("    "));
  return lines
    .slice(at + 1, end)
    .map((line) => line.trim())
    .join("\n");
}

function lifecycle(
  part: (source: string, name: string, env?: Readonly<Record<string, string>>) => ReturnType<Programs["run"]>,
  well: (name: string) => object,
  built: ReadonlyMap<string, string>,
): void {
  it.each([
    "fork",
    "fork_in_launch",
    "killed_before",
    "killed_between",
    "killed_in_launch",
    "children",
    "descriptors",
    "closed_streams",
    "no_descriptors_left",
    "signals",
  ])("%s", (name) => {
    expect(part("lifecycle.c", name)).toMatchObject(well(name));
  });

  const standIn = (how: string) => ({ PTXRUN_NODE: built.get("stand-in.c") ?? "", STAND_IN: how });

  it("may be killed 200 times at any moment", () => {
    const env = { ...standIn(""), KILLS: "200" };
    const { exit, out } = part("lifecycle.c", "killed_at_random", env);
    expect([exit, out]).toEqual([0, expect.stringContaining("killed_at_random: done\n")]);
    const [, good = "0", bad = "0"] = /kills, (\d+) launches that went well, (\d+)/.exec(out) ?? [];
    // How many of each depends on how busy the machine is.
    expect(Number(good)).toBeGreaterThan(0);
    expect(Number(bad)).toBeGreaterThan(0);
  });

  it("may die while it is told a long text", () => {
    expect(part("lifecycle.c", "dies_while_told", standIn("deaf"))).toMatchObject(well("dies_while_told"));
  });

  it("may be killed while it starts, and while it works", () => {
    const env = { KILLS: "5", KILL_AFTER_US: "300000" };
    expect(part("lifecycle.c", "killed_at_random", env)).toMatchObject(well("killed_at_random"));
  });

  it.each(["leave", "leave_in_launch"])("ends with the program: %s", async (name) => {
    const { out } = part("lifecycle.c", name);
    const [, worker] = /^worker (\d+)$/m.exec(out) ?? [];
    const isThere = (): boolean => {
      const path = `/proc/${worker}/stat`;
      try {
        // One that has ended may wait for somebody to ask how.
        return existsSync(path) && !/\) Z /.test(readFileSync(path, "utf8"));
      } catch {
        return false;
      }
    };
    expect(Number(worker)).toBeGreaterThan(0);
    while (isThere()) await new Promise((done) => setTimeout(done, 20));
  });

  it.each(["unmapped", "long"])("ends, with its client told, where a message breaks off: %s", (name) => {
    expect(part("broken.c", name)).toMatchObject({ ...well(name), err: "" });
  });

  it("is ended when it takes too long", () => {
    for (const env of [{}, standIn("hang")]) expect(part("lifecycle.c", "hangs", env)).toMatchObject(well("hangs"));
  });

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ["no program", { PTXRUN_NODE: "/nowhere/node" }, "PTXRUN_NODE is /nowhere/node, and no program is there"],
    ["no Node on the path", { PTXRUN_NODE: "", PATH: "/nowhere" }, "no program node is on the PATH"],
    ["no package", { PTXRUN_HOME: "/nowhere" }, "PTXRUN_HOME is /nowhere"],
    ["no program for this machine", { PTXRUN_NODE: import.meta.filename }, "no program is there"],
  ])("says what is wrong with it: %s", (_, env, words) => {
    const { exit, err } = part("lifecycle.c", "says_why", env);
    expect([exit, err]).toEqual([0, expect.stringContaining(words)]);
  });

  it.each([
    ["leave", "did not start: process"],
    ["mute", "did not start in time"],
    ["other", "of another version"],
    ["lie", "it said what nobody understands"],
    ["cut", "left with code 3"],
  ])("says what is wrong with one that does something else: %s", (how, words) => {
    const { exit, err } = part("lifecycle.c", "says_why", {
      ...standIn(how),
      // Whoever says nothing is waited for no longer; the others go by themselves, however late.
      ...(how === "mute" && { PTXRUN_TIMEOUT: "0.5" }),
    });
    expect([exit, err]).toEqual([0, expect.stringContaining(words)]);
  });
}

if (noCompiler === undefined) suite();
else
  it("has a C library where there is a compiler", () => {
    console.log(`${noCompiler}: the C library is not tested`);
    expect(noCompiler).not.toBe("");
  });
