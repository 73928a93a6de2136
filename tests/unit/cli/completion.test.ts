import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;
const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { exit, out, err } = await world.ptxrun(["completion", shell]);
    expect([exit, err]).toEqual([0, ""]);
    scripts.set(shell, out);
    world.write(`ptxrun.${shell}`, out);
  }
});
const script = (shell: string): string => scripts.get(shell) ?? "";

describe.each(["bash", "zsh", "fish"])("the script for %s", (shell) => {
  it("names every command of --help, and its options", async () => {
    const { out } = await world.ptxrun(["--help"]);
    const commands = [...out.matchAll(/^ {2}([a-z]+)(?: \[options\])?/gm)]
      .map(([, name]) => name ?? "")
      .filter((name) => !["help", "ptxrun"].includes(name));
    expect(commands).toEqual(expect.arrayContaining(["run", "check", "trace", "lint", "isa", "explain", "man"]));
    for (const name of commands) expect(script(shell)).toMatch(new RegExp(`\\b${name}\\b`));
    const help = (await world.ptxrun(["check", "--help"])).out;
    const options = [...help.matchAll(/--([a-z-]+)/g)].map(([, name]) => name ?? "");
    expect(options).toContain("reporter");
    for (const name of options) expect(script(shell)).toContain(name);
  });

  it("is written in the shell's own language", () => {
    const found = has(shell)
      ? spawnSync(shell, ["-n", join(world.folder, `ptxrun.${shell}`)], { encoding: "utf8" })
      : undefined;
    expect([found?.status ?? 0, found?.stderr ?? ""]).toEqual([0, ""]);
    const quotes = script(shell).replaceAll("\\'", "").split("'").length - 1;
    expect(quotes % 2, "quotes that are closed").toBe(0);
  });
});

/** What bash offers for the last word; without bash, all words of the script. */
function bashOffers(...words: string[]): string[] {
  if (!has("bash")) return script("bash").split(/[\s"|]+/);
  const lines = [
    `source ${join(world.folder, "ptxrun.bash")}`,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    "_ptxrun",
    `printf "%s\\n" "\${COMPREPLY[@]}"`,
  ];
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", lines.join("\n")], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  it.each([
    ["a command", ["ptxrun", "ch"], ["check"]],
    ["an option of the command", ["ptxrun", "check", "--ba"], ["--bail"]],
    ["an option of run, which needs no name", ["ptxrun", "--coop"], ["--cooperative"]],
    ["an option behind a file", ["ptxrun", "k.ptx", "--max-s"], ["--max-steps"]],
    ["a choice", ["ptxrun", "check", "--reporter", "ju"], ["junit"]],
    ["a choice behind =", ["ptxrun", "run", "--format", "=", "js"], ["json"]],
    ["all choices behind =", ["ptxrun", "run", "--format", "="], ["text", "json"]],
    ["a topic", ["ptxrun", "help", "sani"], ["sanitize"]],
    ["the command of a page", ["ptxrun", "man", "swe"], ["sweep"]],
    ["a shell", ["ptxrun", "completion", ""], ["bash", "zsh", "fish"]],
  ])("completes %s", (_, words, offered) => {
    const found = bashOffers(...words);
    if (has("bash")) expect(found).toEqual(offered);
    else expect(found).toEqual(expect.arrayContaining(offered));
  });

  it.each([
    ["a file", ["ptxrun", "check", "ex"]],
    ["the file of -o", ["ptxrun", "run", "-o", "ch"]],
    ["a number", ["ptxrun", "run", "--grid", ""]],
  ])("offers nothing of its own for %s", (_, words) => {
    expect(has("bash") ? bashOffers(...words) : []).toEqual([]);
    expect(script("bash")).toContain("complete -o default -F _ptxrun ptxrun");
  });
});

describe("fish", () => {
  it("completes commands, options and choices of the command", () => {
    const lines = ["check --reporter ", "compl", "completion "].map((words) => `complete -C 'ptxrun ${words}'`);
    const shown = has("fish")
      ? spawnSync("fish", ["--no-config", "-c", [`source ${join(world.folder, "ptxrun.fish")}`, ...lines].join("\n")], {
          encoding: "utf8",
          cwd: world.folder,
        }).stdout.replace(/\t.*/g, "")
      : script("fish").replaceAll(/[\s']+/g, "\n");
    for (const word of ["junit", "completion", "zsh"]) expect(shown.split("\n")).toContain(word);
  });

  it("escapes what is quoted", () => {
    expect(script("fish")).toContain(String.raw`-d 'a register\'s value at the start, such as a:f32=1.5'`);
  });
});

describe("zsh", () => {
  it("has a specification for each option and argument", () => {
    const lines = script("zsh").split("\n");
    expect(lines[0]).toBe("#compdef ptxrun");
    expect(script("zsh")).toMatch(
      /'\*--reporter=\[how to print .*\]:name\\\[=file\\\]:\(pretty tap junit json github sarif codequality\)'/,
    );
    expect(script("zsh")).toContain(
      String.raw`'*'{-r+,--reg=}'[a register'\''s value at the start, such as a\:f32=1.5]:name=value: '`,
    );
    expect(script("zsh")).toContain("':shell:(bash zsh fish)'");
    expect(script("zsh")).toContain("'*:path:_files'");
  });
});

describe("a shell that is not there", () => {
  it("is a mistake that names those that are", async () => {
    const { exit, err } = await world.ptxrun(["completion", "tcsh"]);
    expect(exit).toBe(2);
    expect(err).toContain("bash, zsh, fish");
  });
});
