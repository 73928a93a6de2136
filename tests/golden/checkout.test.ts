import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
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
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { act, readAction } from "../package/runner.js";
import { Bundle } from "../unit/cli/bundle.ts";
import { root, textOf } from "./pages.ts";

/** What others run from a checkout of this repository: an action of GitHub, and hooks of pre-commit. */
const hooks = textOf(".pre-commit-hooks.yaml");

const folder = mkdtempSync(join(tmpdir(), "ptxrun-checkout-"));
const bin = join(folder, "bin");
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "ptxrun"), `#!/bin/sh\nexec "${process.execPath}" "${bundle.entry}" "$@"\n`);
  chmodSync(join(bin, "ptxrun"), 0o755);
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

/** The files of a release, of which the package is this checkout's bundle and the libraries are as good as none. */
function release(): string {
  const files = join(folder, `releases/OWNER/ptxrun/releases/download/v${manifest.version}`);
  const packed = (name: string, of: string) => {
    spawnSync("tar", ["-czf", join(files, name), "-C", folder, `--transform=s,^${of},package,`, of]);
    return `${createHash("sha256")
      .update(readFileSync(join(files, name)))
      .digest("hex")}  ${name}\n`;
  };
  mkdirSync(files, { recursive: true });
  project("package", { "bin/ptxrun.js": `require(${JSON.stringify(bundle.entry)});\n` });
  project("libraries", { "native/libptxrun.so": "" });
  const version = manifest.version;
  const sums = [
    packed(`ptxrun-${version}.tgz`, "package"),
    packed(`ptxrun-${version}-native-Linux-X64.tgz`, "libraries"),
  ];
  writeFileSync(join(files, "SHA256SUMS"), sums.join(""));
  return files;
}

describe("action.yml", () => {
  let files: string;
  beforeAll(() => {
    files = release();
  });
  const home = join(folder, "home");
  const run = (
    workspace: string,
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ) =>
    act(root, inputs, {
      workspace,
      home,
      repository: "OWNER/ptxrun",
      env: { GITHUB_SERVER_URL: `file://${join(folder, "releases")}`, ...env },
    });

  it("installs a release, keeps it, and checks", () => {
    const cwd = project("good", { "kernels/a.ptx": good, "more/b.ptx": good });
    const first = run(cwd, { paths: "kernels\nmore/*.ptx" });
    expect(first).toMatchObject({
      exit: 0,
      err: "",
      outputs: { sarif: "ptxrun.sarif", "exit-code": "0" },
      ran: ["Node", "Which ptxrun", "Cache", "Install", "Run"],
    });
    expect(first.out).toMatch(
      /tgz: OK\nok {4}kernels\/a\.ptx {2}1 passed\nok {4}more\/b\.ptx {2}1 passed\n2 files: 2 passed, 0 failed\n$/,
    );
    const second = run(cwd, { paths: "kernels" });
    expect([second.exit, second.ran]).toEqual([0, ["Node", "Which ptxrun", "Cache", "Run"]]);
  });

  it("annotates what fails, sums it up, writes SARIF, and takes options", () => {
    const cwd = project("bad", { "a b/it.ptx": good.replace("d=2.0", "d=3.0") });
    const { exit, out, summary, outputs } = run(cwd, {
      paths: "a b\n",
      args: "--reporter=junit=out.xml\n-q\n",
      sarif: "s.sarif",
    });
    expect([exit, outputs]).toEqual([1, { sarif: "s.sarif", "exit-code": "1" }]);
    expect(out).toMatch(/^::error file=a b\/it\.ptx,line=1,/m);
    expect(summary).toMatch(/^### ptxrun check: 1 file: 0 passed, 1 failed\n[\s\S]*PTX7005/);
    expect(readFileSync(join(cwd, "out.xml"), "utf8")).toContain("<failure");
    const [log] = JSON.parse(readFileSync(join(cwd, "s.sarif"), "utf8")).runs;
    expect(log.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("a%20b/it.ptx");
  });

  it("lints, compares, runs programs and campaigns", () => {
    const plan = { schema: "ptxrun.campaign/1", name: "few", jobs: [{ check: ["k"] }] };
    const cwd = project("more", {
      "k/a.ptx": good.replace("d=2.0", "d=3.0"),
      "bad.ptx": "add.rz.f16 d, a, b;\n",
      "other.ptx": "sub.f16 d, a, b;\n",
      "plan.json": JSON.stringify(plan),
    });
    const results = () =>
      JSON.parse(readFileSync(join(cwd, "ptxrun.sarif"), "utf8")).runs[0].results.map(
        (each: { ruleId: string }) => each.ruleId,
      );
    const ended = (inputs: Readonly<Record<string, string>>, env = {}) => {
      const { exit, summary, out, err } = run(cwd, inputs, env);
      return { exit, found: results(), heading: summary.split("\n")[0], said: out + err };
    };
    expect(ended({ command: "lint", paths: "bad.ptx" })).toMatchObject({ exit: 3, found: ["PTX1203"] });
    const given = "--reg=a=1\n--reg=b=2\n--dump=d";
    expect(ended({ command: "diff", paths: "k/a.ptx\nother.ptx", args: given })).toMatchObject({
      exit: 1,
      found: ["PTX7019"],
      heading: "### ptxrun diff: 1 pair: 0 equal, 1 different, 0 failed",
    });
    expect(ended({ command: "campaign", paths: "plan.json" })).toMatchObject({
      exit: 1,
      found: ["PTX7005"],
      heading: "### ptxrun campaign: few: 1 of 1 jobs with findings",
    });
    const native = { PTXRUN_NATIVE: join(folder, "libraries/native") };
    expect(ended({ command: "exec", paths: "sh\n-c\nexit 5" }, native)).toMatchObject({
      exit: 5,
      found: [],
      heading: "### ptxrun exec: sh exits 5, 0 found in its kernels",
    });
  });

  it("takes a packed file in place of a release", () => {
    const cwd = project("local", { "a.ptx": good });
    const env = { GITHUB_SERVER_URL: "file:///nowhere" };
    expect(run(cwd, { package: join(files, `ptxrun-${manifest.version}.tgz`) }, env)).toMatchObject({ exit: 0 });
    const { exit, ran, err } = run(cwd, { version: "v99.0.0" }, env);
    expect([exit === 0, ran.at(-1), err]).toEqual([false, "Install", expect.stringContaining("curl")]);
  });

  it("takes nothing whose sum is another", () => {
    const cwd = project("forged", { "a.ptx": good });
    const forged = join(folder, "forged-releases");
    cpSync(join(folder, "releases"), forged, { recursive: true });
    const place = join(forged, `OWNER/ptxrun/releases/download/v${manifest.version}`);
    writeFileSync(join(place, "SHA256SUMS"), `${"0".repeat(64)}  ptxrun-${manifest.version}.tgz\n`);
    const { exit, ran } = act(
      root,
      {},
      {
        workspace: cwd,
        home: join(folder, "another-home"),
        repository: "OWNER/ptxrun",
        env: { GITHUB_SERVER_URL: `file://${forged}` },
      },
    );
    expect([exit, ran.at(-1)]).toEqual([1, "Install"]);
  });

  it("runs nothing that an input holds", () => {
    const cwd = project("hostile", { "a.ptx": good });
    const words = ["$(touch evil)", "`touch evil`", "; touch evil", '" && touch evil #', "--update"];
    const { exit, err } = run(cwd, { paths: words.join("\n") });
    expect([exit, words.filter((each) => !err.includes(`there is no ${each}`))]).toEqual([2, []]);
    for (const input of ["command", "version"] as const)
      expect([input, run(cwd, { [input]: "$(touch evil)" }).exit]).toEqual([input, 2]);
    expect(readdirSync(cwd).toSorted()).toEqual(["a.ptx", "ptxrun.sarif"]);
  });

  it("has the inputs that its steps use", () => {
    const { inputs, runs } = readAction(root);
    const names = Object.keys(inputs);
    expect(names).toEqual(["command", "paths", "args", "sarif", "version", "package"]);
    const used = runs.steps.flatMap(({ env = {} }) =>
      Object.values(env).flatMap((value) => /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value)?.[1] ?? []),
    );
    expect(new Set(used)).toEqual(new Set(names));
    // The page shows each.
    for (const name of names) expect(textOf("docs/ci.md")).toContain(`\`${name}\``);
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
