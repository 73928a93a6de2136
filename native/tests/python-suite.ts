import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildLibrary } from "../build.js";
import type { Programs } from "./programs.ts";

const root = resolve(import.meta.dirname, "../..");

/** What the tests of the package ask for: the package itself needs only Python. */
const modules = "import sys, numpy, pytest; sys.exit(sys.version_info < (3, 9))";

/** The package for Python does what its own tests want, with the driver library that a suite has built. */
export function pythonSuite(of: () => Programs): void {
  let env: Readonly<Record<string, string>>;
  beforeAll(() => {
    const programs = of();
    buildLibrary(programs.folder);
    const [, entry] = programs.execLine([]);
    const home = join(dirname(programs.folder), "home");
    for (const folder of ["bin", "native"]) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, "bin/ptxrun.js"), `import(${JSON.stringify(entry)});\n`);
    symlinkSync(join(dirname(programs.folder), "dist"), join(home, "dist"));
    symlinkSync(programs.folder, join(home, "native/build"));
    cpSync(join(root, "package.json"), join(home, "package.json"));
    const [PYTHONPATH, PTXRUN_NATIVE] = [join(root, "native/python"), programs.folder];
    env = { PTXRUN_HOME: home, PTXRUN_NATIVE, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1" };
  });

  it("is what its tests want, by pytest", ({ skip }) => {
    const python = (...words: readonly string[]) => of().run("python3", words, env);
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
}
