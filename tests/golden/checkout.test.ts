import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { Bundle } from "../unit/cli/bundle.ts";
import { root, textOf } from "./pages.ts";

/** What others run from a checkout of this repository: an action of GitHub, and hooks of pre-commit. */
const action = textOf("action.yml");
const hooks = textOf(".pre-commit-hooks.yaml");

const folder = mkdtempSync(join(tmpdir(), "ptxrun-checkout-"));
const checkout = join(folder, "checkout");
const bin = join(folder, "bin");
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  for (const path of [join(checkout, "bin"), bin]) mkdirSync(path, { recursive: true });
  writeFileSync(join(checkout, "bin/ptxrun.js"), `require(${JSON.stringify(bundle.entry)});\n`);
  const command = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  // Tests install nothing; what was asked for is written down.
  command("npm", 'pwd > "$GITHUB_ACTION_PATH/npm.txt"; echo "$@" >> "$GITHUB_ACTION_PATH/npm.txt"');
  command("node", `exec "${process.execPath}" "$@"`);
  command("ptxrun", `exec "${process.execPath}" "${bundle.entry}" "$@"`);
});
afterAll(() => {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
});

const good = "//@ case two: a=1.0 b=1.0 -> d=2.0\nadd.f16 d, a, b;\n";
function project(name: string, files: Readonly<Record<string, string>>): string {
  const made = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made, path, ".."), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

/** The scripts of the action, in order, each with whether it runs in the checkout. */
const steps = [...action.matchAll(/^ {4}- name: .*\n((?: {6}.*\n)*)/gm)].flatMap(([, step = ""]) => {
  const [, line, block = ""] = /^ {6}run: (?:\|\n((?: {8}.*\n)+)|(.*)\n)/m.exec(step) ?? [];
  const script = line?.replace(/^ {8}/gm, "") ?? block;
  return script === "" ? [] : [{ script, inside: /working-directory: \$\{\{ github\.action_path \}\}/.test(step) }];
});

/** Runs the action as a runner does. */
function act(cwd: string, paths: string, args = "") {
  const env = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    GITHUB_ACTIONS: "true",
    CI: "true",
    GITHUB_WORKSPACE: cwd,
    GITHUB_ACTION_PATH: checkout,
    INPUT_PATHS: paths,
    INPUT_ARGS: args,
  };
  let out = "";
  let err = "";
  for (const { script, inside } of steps) {
    const ran = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: inside ? checkout : cwd,
      env,
      encoding: "utf8",
    });
    out += ran.stdout;
    err += ran.stderr;
    if (ran.status !== 0) return { exit: ran.status, out, err };
  }
  return { exit: 0, out, err };
}

describe("action.yml", () => {
  it("builds in its checkout, and checks in the workspace", () => {
    const cwd = project("good", { "kernels/a.ptx": good, "more/b.ptx": good });
    expect(act(cwd, "kernels\nmore/*.ptx")).toEqual({
      exit: 0,
      out: "ok    kernels/a.ptx  1 passed\nok    more/b.ptx  1 passed\n2 files: 2 passed, 0 failed\n",
      err: "",
    });
    const [where, words = ""] = readFileSync(join(checkout, "npm.txt"), "utf8").split("\n");
    expect(where).toMatch(/checkout$/);
    expect(words).toMatch(/^ci\b.*--include=dev/);
    // npm ci runs it, in a checkout.
    expect(manifest.scripts.prepare).toBe("npm run build");
  });

  it("annotates what fails, and takes options", () => {
    const cwd = project("bad", { "a b/it.ptx": good.replace("d=2.0", "d=3.0") });
    const { exit, out } = act(cwd, "a b\n", "--reporter=junit=out.xml\n-q\n");
    expect(exit).toBe(1);
    expect(out).toMatch(/^::error file=a b\/it\.ptx,line=1,/m);
    expect(readFileSync(join(cwd, "out.xml"), "utf8")).toContain("<failure");
  });

  it("runs nothing that an input holds", () => {
    const cwd = project("hostile", { "a.ptx": good });
    for (const words of ["$(touch evil)", "`touch evil`", "; touch evil", '" && touch evil #', "--update"])
      expect([words, act(cwd, words).exit]).toEqual([words, 2]);
    expect(readdirSync(cwd)).toEqual(["a.ptx"]);
    // No expression stands in a script: it would be replaced before the shell reads it.
    for (const { script } of steps) expect(script).not.toContain("${{");
  });

  it("has the inputs that its steps use", () => {
    const inputs = [...action.matchAll(/^ {2}(\w+):\n {4}description: /gm)].map(([, name]) => name);
    const used = [...action.matchAll(/\$\{\{ inputs\.(\w+) \}\}/g)].map(([, name]) => name);
    expect(inputs).toEqual(["paths", "args"]);
    expect(used).toEqual(inputs);
    const shown = [...textOf("docs/ci.md").matchAll(/^ {10}(paths|args): /gm)].map(([, name]) => name);
    expect(shown).toEqual(inputs);
  });
});

describe(".pre-commit-hooks.yaml", () => {
  const all = hooks
    .split(/^- /m)
    .slice(1)
    .map((text) => new Map([...text.matchAll(/^ *(\w+): (.*)$/gm)].map(([, key = "", value = ""]) => [key, value])));
  const named = (id: string) => all.find((hook) => hook.get("id") === id) ?? new Map<string, string>();
  const run = (id: string, cwd: string, files: readonly string[]) => {
    const [command = "", ...words] = (named(id).get("entry") ?? "").split(" ");
    return spawnSync(join(bin, command), [...words, ...files], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, CI: "" },
    });
  };

  it("has hooks that the package's command answers", () => {
    expect(all.map((hook) => hook.get("id"))).toEqual(["ptxrun-check", "ptxrun-lint"]);
    for (const hook of all) {
      expect(hook.get("language")).toBe("node");
      expect(Object.keys(manifest.bin)).toContain(hook.get("entry")?.split(" ")[0]);
      expect(textOf("docs/ci.md")).toContain(`- id: ${hook.get("id")}\n`);
    }
  });

  it("takes the files that there is something to say about", () => {
    const takes = (id: string, file: string) => new RegExp(named(id).get("files") ?? "").test(file);
    for (const file of ["a.ptx", "b/c.visaasm"])
      expect([takes("ptxrun-check", file), takes("ptxrun-lint", file)]).toEqual([true, true]);
    expect([takes("ptxrun-check", "a.ptxcheck.json"), takes("ptxrun-lint", "a.ptxcheck.json")]).toEqual([true, false]);
    for (const file of ["a.ptxas", "ptx", "a.json"]) expect(takes("ptxrun-check", file)).toBe(false);
  });

  it("fails for a file that fails, and once for a file and its sidecar", () => {
    const sidecar = JSON.stringify({ schema: "ptxrun.check-sidecar/1", directives: ["case one: a=1 b=2 -> d=3"] });
    const cwd = project("commit", {
      "a.ptx": good,
      "b.ptx": "add.u32 d, a, b;\n",
      "b.ptxcheck.json": sidecar,
      "c.ptx": "add.rz.f16 d, a, b;\n",
    });
    const { status, stdout } = run("ptxrun-check", cwd, ["a.ptx", "b.ptx", "b.ptxcheck.json"]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("2 files: 2 passed, 0 failed")]);
    expect(run("ptxrun-check", cwd, ["a.ptx", "c.ptx"]).status).toBe(1);
    expect(run("ptxrun-lint", cwd, ["a.ptx", "b.ptx"]).status).toBe(0);
    expect(run("ptxrun-lint", cwd, ["a.ptx", "c.ptx"]).status).toBe(3);
  });
});

describe("a checkout", () => {
  it("has what both need", () => {
    for (const path of ["package-lock.json", "bin/ptxrun.js", "build.js"])
      expect(existsSync(join(root, path))).toBe(true);
  });
});
