import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { generateLoops } from "./generate/generate.js";
import { long } from "./tests/long.ts";
import { Summary } from "./tests/summary.ts";

// Tests run the sources, and the loops that go with them.
await generateLoops();

/** PTXRUN_EXECUTOR=js or wasm: programs are executed so wherever a test does not say how. */
const chosen = process.env["PTXRUN_EXECUTOR"];
const chosenBy: Readonly<Record<string, string>> = {
  js: 'export { javascript as standard } from "./javascript/executor.ts";',
  wasm: 'export { compiled as standard } from "./compiled/executor.ts";',
};
if (chosen !== undefined && chosenBy[chosen] === undefined)
  throw new Error(`PTXRUN_EXECUTOR is js or wasm, not ${chosen}`);
/** PTXRUN_TESTS=all: all tests. PTXRUN_TESTS=rest: those of files that `npm test` does not run whole. */
const asked = process.env["PTXRUN_TESTS"];
if (asked !== undefined && asked !== "all" && asked !== "rest")
  throw new Error(`PTXRUN_TESTS is all or rest, not ${asked}`);
const plugins = [
  {
    name: "executor",
    load: (id: string) =>
      chosen !== undefined && id.endsWith("/interp/default-executor.ts") ? chosenBy[chosen] : null,
  },
];

const texts = new Map(
  ["unit", "conformance", "properties", "golden"].flatMap((room) =>
    readdirSync(`tests/${room}`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `tests/${room}/${file.replaceAll("\\", "/")}`)
      .map((file) => [file, readFileSync(file, "utf8")] as const),
  ),
);
const filesWith = (is: (text: string, file: string) => boolean): readonly string[] =>
  [...texts].flatMap(([file, text]) => (is(text, file) ? [file] : []));

/**
 * Test files that need modules of their own, which take seconds a file: those that replace a module, and the one that counts what is
 * allocated, for which no other file may have taught the engine anything.
 */
const alone = filesWith((text, file) => file === "tests/unit/interp/allocation.test.ts" || /\bvi\.mock/.test(text));
const isLong = (file: string): boolean => file.slice("tests/".length) in long;
/** Those that `npm test` leaves out, and those of which it runs no more than a share. */
const rest = filesWith((text, file) => isLong(file) || /\/share\.ts"/.test(text));
/** Files that somebody names are run, long ones too. */
const named = process.argv.slice(2).some((each) => /\btests\b|\.test\b|^related$|^--changed/.test(each));
const short = named ? [...texts.keys()] : [...texts.keys()].filter((file) => !isLong(file));
const wanted = asked === "rest" ? rest : asked === "all" ? [...texts.keys()] : short;

const project = (name: string, include: readonly string[], { isolate }: { isolate: boolean }) => ({
  plugins,
  test: {
    name,
    include: [...include],
    // Benchmarks have a project of their own: otherwise each would run once a project.
    benchmark: { include: [] },
    globalSetup: ["tests/unit/cli/bundles.ts"],
    setupFiles: ["tests/around-file.ts"],
    isolate,
    // What never comes: a machine that is slow does not reach it.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 1_200_000 } },
  },
});

export default defineConfig({
  test: {
    // CI adds up what was passed and failed.
    reporters: ["default", new Summary(), ...(process.env["CI"] === undefined ? [] : ["json"])],
    outputFile: { json: `coverage/tests-${asked ?? "share"}.json` },
    // Vitest leaves a core to itself, of two as of many; it hardly needs one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // One for all folders: a project has modules, bundles and what is transformed of its own.
      project(
        "together",
        wanted.filter((file) => !alone.includes(file)),
        { isolate: false },
      ),
      project(
        "alone",
        wanted.filter((file) => alone.includes(file)),
        { isolate: true },
      ),
      { test: { name: "bench", include: [], benchmark: { include: ["tests/bench/**/*.bench.ts"] } } },
    ],
  },
});
