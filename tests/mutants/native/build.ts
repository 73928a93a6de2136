import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compiler } from "../../../native/build.js";
import type { Mutant, Mutation } from "../mutation.ts";
import { withMutants } from "../schemata.ts";

const HEADER = resolve("tests/mutants/native/mutant.h");
const HIT = "mutant_hit";

/** Whether a file compiles with this mutant. */
export function compiles(file: string, mutation: Mutation): boolean {
  const [command = "cc", ...options] = compiler() ?? [];
  const text = withMutants(readFileSync(file, "utf8"), [{ ...mutation, id: 1 }], HIT);
  const { status } = spawnSync(
    command,
    [...options, "-std=c11", "-D_GNU_SOURCE", "-DAPI=", "-DCUDART_MAJOR=12", "-w", "-fsyntax-only"].concat([
      "-include",
      HEADER,
      "-I",
      dirname(file),
      "-x",
      "c",
      "-",
    ]),
    { input: text },
  );
  return status === 0;
}

/** Builds all libraries with the mutants inside into a folder of `folder`, which it gives. */
export function buildMutants(mutants: readonly Mutant[], folder: string): string {
  const native = join(folder, "native");
  cpSync("native", native, { recursive: true, filter: (path) => !path.endsWith("native/build") });
  const build = join(native, "build.js");
  // Changed code makes compilers wonder.
  writeFileSync(build, readFileSync(build, "utf8").replace('"-Werror"', '"-w"').replace('"-O2"', '"-O0"'));
  for (const file of new Set(mutants.map((mutant) => mutant.file)))
    writeFileSync(
      join(folder, file),
      withMutants(
        readFileSync(file, "utf8"),
        mutants.filter((mutant) => mutant.file === file),
        HIT,
      ),
    );
  const built = join(folder, "built");
  const script = `const { buildLibrary, buildDriver, buildRuntime } = await import(${JSON.stringify(build)});
for (const build of [buildLibrary, buildDriver, buildRuntime]) build(${JSON.stringify(built)});`;
  const CC = [...(compiler() ?? ["cc"]), "-include", HEADER].join(" ");
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, CC },
  });
  if (status !== 0) throw new Error(`the libraries could not be built with mutants: ${stderr}`);
  return built;
}

/** The text of native/build.js with what was built before in place of what it would build. */
export const takingBuilt = (text: string, built: string): string =>
  `${text.replaceAll(
    /export function build(Library|Driver|Runtime)\(out\) \{/g,
    `$&\n  return cpSync(${JSON.stringify(built)}, out, { recursive: true, verbatimSymlinks: true });`,
  )}\nimport { cpSync } from "node:fs";\n`;
