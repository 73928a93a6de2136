import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commandsOf, textOf } from "../../tests/golden/pages.ts";
import { everything } from "../../tests/share.ts";
import { buildLibrary } from "../build.js";
import type { Programs } from "./programs.ts";

const root = resolve(import.meta.dirname, "../..");

/** What the tests of the package ask for: the package itself needs only Python. */
const modules = "import sys, numpy, pytest; sys.exit(sys.version_info < (3, 9))";

/** The package for Python does what its own tests want, with the driver library that a suite has built. */
export function pythonSuite(of: () => Programs): void {
  /** What the package takes of a checkout, with the command and the libraries of this test. */
  let home: string;
  let env: Readonly<Record<string, string>>;
  beforeAll(() => {
    const programs = of();
    buildLibrary(programs.folder);
    const [, entry = ""] = programs.execLine([]);
    home = join(dirname(programs.folder), "home");
    for (const folder of ["bin", "dist", "native/build"]) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, "bin/ptxrun.js"), `import(${JSON.stringify(entry)});\n`);
    const start = JSON.stringify(join(dirname(entry), "start.cjs"));
    writeFileSync(join(home, "dist/client-worker.cjs"), `require(${start}).clientWorker();\n`);
    // Without the programs that other tests have built there.
    for (const library of readdirSync(programs.folder).filter((name) => name.startsWith("lib")))
      symlinkSync(join(programs.folder, library), join(home, "native/build", library));
    for (const path of ["package.json", "schema", "native/python", "examples/python"])
      cpSync(join(root, path), join(home, path), { recursive: true });
    env = { PTXRUN_NATIVE: programs.folder, PYTHONDONTWRITEBYTECODE: "1" };
  });

  it("is what its tests want, by pytest", ({ skip }) => {
    const own = { ...env, PTXRUN_HOME: home, PYTHONPATH: join(root, "native/python") };
    const python = (...words: readonly string[]) => of().run("python3", words, own);
    skip(python("-c", modules).exit !== 0, "there is no numpy or no pytest");
    const { exit, out, err } = python(
      "-m",
      "pytest",
      "-q",
      "-p",
      "no:cacheprovider",
      join(root, "native/python/tests"),
    );
    expect({ exit, out, err }).toEqual({ exit: 0, out: expect.stringMatching(/^17 passed/m), err: "" });
  });

  describe.runIf(everything)("docs/python.md", () => {
    it("shows how the wheel is made and installed, and what the installed package does", ({ skip }) => {
      const shell = (command: string) => of().run("sh", ["-c", `cd "$0" && ${command}`, home], installed);
      // Into a folder, and from nowhere but the wheel.
      const PIP_TARGET = join(home, "installed");
      const installed = { ...env, PIP_TARGET, PYTHONPATH: PIP_TARGET, PIP_NO_INDEX: "1", PIP_NO_COMPILE: "1" };
      skip(shell(`python3 -c '${modules}' && python3 -m pip --version`).exit !== 0, "there is no numpy, pytest or pip");
      const shown = commandsOf("docs/python.md").filter(({ command }) => !command.startsWith("npm "));
      const scripts = shown.flatMap(({ command }) => /\w+\.py(?=$| {3}#)/.exec(command) ?? []);
      const texts = [...textOf("docs/python.md").matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
        ([, text = ""]) => text,
      );
      expect(texts.length).toBe(scripts.length);
      scripts.forEach((name, at) => {
        writeFileSync(join(home, name), texts[at] ?? "");
      });
      for (const { command, output } of shown) {
        const { exit, out, err } = shell(command);
        const wanted = Number(/# exits (\d+)/.exec(command)?.[1] ?? 0);
        expect({ command, exit, err }).toEqual({ command, exit: wanted, err: expect.any(String) });
        for (const line of output) expect(out).toContain(line);
      }
    });
  });
}
