import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Exit } from "../../src/environment/exit.ts";
import { everything, sample } from "../share.ts";
import { Bundle } from "../unit/cli/bundle.ts";
import { World } from "../unit/cli/world.ts";
import { commandsOf, root, type Shown, textOf } from "./pages.ts";

/** What README, ARCHITECTURE, CONTRIBUTING and the pages of docs say is true of this checkout. */
const docs = readdirSync(join(root, "docs")).map((name) => `docs/${name}`);
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  "examples/gallery/README.md",
  "tests/sweep/README.md",
  ...docs.filter((page) => page.endsWith(".md")),
];
/** Commands of two pages need more than this checkout, further below; those of a third have files of their own: check-page.test.ts. */
const plain = pages.filter((page) => !["docs/ci.md", "docs/check.md", "CONTRIBUTING.md"].includes(page));

/** Commands that cannot be run here, and why. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm (ci|pack|install)\b/, "installs packages: .ci/run does, and tests/package/run.js with the packed archive"],
  [
    /releases\/download\/|^chmod \+x ptxrun$|^brew |^code |^podman /,
    "installs a release: tests/package/release.js follows docs/install.md with the files of one",
  ],
  [/^npm test$/, "runs this test"],
  [/^npm run web$/, "serves until it is ended"],
  [/^\.ci\/run$/, "runs this test"],
  [/^ptxrun check examples(\/litmus|\/gallery)?$/, "runs all examples: .ci/run does"],
  [
    /^python3 (-m|native\/python\/|\w+\.py)/,
    "needs the installed wheel: native/tests/python-suite.ts runs what the page shows",
  ],
  [/^python3 examples\/expected\//, "needs Python, and takes minutes for all files"],
  [/^git diff --exit-code examples\/kernels$/, "belongs to the Python before it"],
  [/^sh examples\/gallery\//, "needs nvcc or g++"],
  [
    /^(npm run native$|ptxrun exec |cc |nvcc |\.\/twice$|PTXRUN_LIBRARY=)/,
    "needs a C compiler: tests/unit/clients runs what the page shows",
  ],
];

let bundle: Bundle;
const folder = mkdtempSync(join(tmpdir(), "ptxrun-docs-"));
beforeAll(async () => {
  bundle = await Bundle.make();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write("ptxrun", `exec "${process.execPath}" "${bundle.entry}" "$@"`);
  // What is a dependency of the project is on npx's path.
  write("npx", 'exec "$@"');
});
afterAll(() => {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Types a command at a shell. */
function type(command: string, cwd: string, more: Readonly<Record<string, string>> = {}, input = "") {
  const path = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, PATH: path, NO_COLOR: "1", TMPDIR: folder, CI: "", GITHUB_ACTIONS: "", ...more };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd, env, input, encoding: "utf8" });
  return { exit: status, out: stdout, err: stderr };
}

/** The words of a command of ptxrun in which a shell has nothing to do but to take quotes away; otherwise undefined. */
function wordsOf(command: string): string[] | undefined {
  if (!/^ptxrun( +(?:'[^']*'|[^\s'"|&;<>()$`\\*?#~])+)*$/.test(command)) return undefined;
  return [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].slice(1).map(([word]) => word.replaceAll("'", ""));
}

/** Runs a command of a page: in this process, or by a shell where it takes one; a shell has what follows a bar, too. */
async function run(command: string) {
  const [, own = "", both, behind] = /^(.*?)( 2>&1)?(?: \| (.*))?$/.exec(command) ?? [];
  const words = wordsOf(own);
  if (words === undefined) return type(command, root);
  const world = new World();
  let joined = "";
  const print = (text: string) => {
    joined += text;
  };
  const streams = both === undefined ? {} : { out: print, err: print };
  const { exit, out, err } = await world.ptxrun(words, { cwd: root, env: { NO_COLOR: "1" }, ...streams });
  world.remove();
  const told = out + joined;
  return behind === undefined ? { exit, out: told, err } : type(behind, root, {}, told);
}

/** The parts that `&&` joins, without those that run elsewhere; a checkout's own command is the one on the path. */
const here = (command: string): string[] =>
  command
    .replace(/\s+#.*$/, "")
    .split(" && ")
    .map((part) => part.trim().replace(/^node bin\/ptxrun\.js/, "ptxrun"))
    .filter((part) => !elsewhere.some(([pattern]) => pattern.test(part)));

/** `# exits 7` behind a command says how it ends. */
const exitOf = (command: string): number => Number(/# exits (\d+)/.exec(command)?.[1] ?? 0);

const isRun = ({ command }: Shown): boolean => here(command).length > 0;

describe.each(pages)("%s", (page) => {
  it("names files that are there", () => {
    const paths = [...textOf(page).matchAll(/`((?:src|tests|examples|docs|schema)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? "",
    );
    expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

describe("the commands of the pages", () => {
  const all = plain.flatMap((page) => commandsOf(page).map((shown) => ({ page, ...shown })));
  const shown = all.filter(isRun);

  it("are found", () => expect(shown.length).toBeGreaterThan(8));

  // Some need what others of their page have made: npm test takes all of some pages, and the gate every second page.
  const asked = everything ? sample(plain, 3) : plain.filter((_, at) => at % 12 === 1);
  it.each(
    shown
      .filter(({ page }) => asked.includes(page))
      .map(({ page, command, output }) => [page, command, output] as const),
  )("%s: %s", async (_, command, shown) => {
    const { exit, out, err } = await run(here(command).join(" && "));
    expect([exit, err.includes("bug in ptxrun")]).toEqual([exitOf(command), false]);
    if (shown.length > 0) expect(out.trimEnd().split("\n")).toEqual(shown);
    else expect(out).not.toBe("");
  });
});

describe.runIf(everything)("docs/ci.md", () => {
  const steps = commandsOf("docs/ci.md").filter(isRun);
  const project = (name: string, mistake: boolean): string => {
    const made = join(folder, name);
    for (const name of ["half/add.ptx", "extended/addc.ptx"])
      cpSync(join(root, "examples", name), join(made, "kernels", name), { recursive: true });
    const text = "//@ case two: a=1.0 b=1.0 -> d=2.0\nadd.f16 d, a, b;\n";
    writeFileSync(join(made, "kernels/own.ptx"), mistake ? text.replace("d=2.0", "d=3.0") : text);
    return made;
  };

  it("has a script, and steps of both workflows, one a part", () => {
    const commands = steps.map(({ command }) => command);
    expect(commands.filter((command) => command.startsWith("npx "))).toEqual([
      "npx ptxrun lint kernels",
      "npx ptxrun check kernels --shard 1/2",
      "npx ptxrun check kernels --shard 2/2",
      "npx ptxrun lint kernels",
      "npx ptxrun check kernels --reporter junit=ptxrun.xml --reporter codequality=ptxrun.json",
    ]);
    expect(commands.filter((command) => command.startsWith("ptxrun check")).length).toBeGreaterThanOrEqual(6);
  });

  it.each(steps.map(({ command }) => command))("%s", (command) => {
    const good = project("good", false);
    const { exit, err } = type(command, good);
    expect([exit, err]).toEqual([0, ""]);
    for (const [, name, file = ""] of command.matchAll(/--reporter (\w+)=(\S+)/g))
      expect(readFileSync(join(good, file), "utf8")).toContain({ junit: "two", sarif: "2.1.0" }[name ?? ""] ?? "[]");
  });

  it("finds the mistake, in one of the parts, and shows its line", () => {
    const bad = project("bad", true);
    const checks = steps
      .map(({ command }) => command)
      .filter((command) => /check .*--reporter|^npx .*--shard/.test(command));
    const runner = { GITHUB_ACTIONS: "true", CI: "true" };
    const ends = checks.map((command) => ({ command, ...type(command, bad, runner) }));
    for (const { command, exit } of ends.filter(({ command }) => !command.includes("--shard"))) {
      expect([command, exit]).toEqual([command, Exit.check]);
    }
    const parts = ends.filter(({ command }) => command.includes("--shard"));
    expect(parts.map(({ exit }) => exit).sort()).toEqual([Exit.ok, Exit.check]);
    expect(parts.map(({ out }) => out).join("")).toMatch(/^::error file=kernels\/own\.ptx,line=1,/m);
    expect(readFileSync(join(bad, "ptxrun.xml"), "utf8")).toContain("<failure");
  });

  it("has the exit codes as they are", () => {
    const codes = [...textOf("docs/ci.md").matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(Exit));
  });

  it("is right about --update where CI is set", () => {
    const bad = project("update", true);
    const { exit } = type("CI=true ptxrun check kernels --update", bad);
    expect(exit).not.toBe(0);
    expect(readFileSync(join(bad, "kernels/own.ptx"), "utf8")).toContain("d=3.0");
  });
});

describe("a reason for each command that is not run", () => {
  it("is used, so that none is left over", () => {
    const all = pages.flatMap(commandsOf).flatMap(({ command }) => command.replace(/\s+#.*$/, "").split(" && "));
    for (const [pattern] of elsewhere)
      expect([pattern, all.some((part) => pattern.test(part.trim()))]).toEqual([pattern, true]);
  });
});

describe("the walk through adding an instruction", () => {
  // The walk adds sad to a table without it; what it shows before that is of that table.
  const today = commandsOf("CONTRIBUTING.md").flatMap(({ command, output }) => {
    const [, line] = /^ptxrun (.*)$/.exec(command) ?? [];
    const argv = [...(line ?? "").matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    const old = line === undefined || output[0]?.includes("unknown instruction sad");
    return old ? [] : [{ argv, shown: output }];
  });

  it("has something to show", () => expect(today.length).toBeGreaterThan(1));

  it.each(today.map(({ argv, shown }) => [argv.join(" "), argv, shown] as const))("%s", async (_, argv, shown) => {
    const { out, err } = await new World().ptxrun(argv, { cwd: root });
    expect(shown.length).toBeGreaterThan(0);
    for (const line of shown) expect(out + err).toContain(line);
  });
});
