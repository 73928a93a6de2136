import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { generateLoops } from "./generate/generate.js";

// Tests run the sources, and the loops that go with them.
await generateLoops();

/** PTXRUN_EXECUTOR=js or wasm: programs are executed so wherever a test does not say how. */
const chosen = process.env["PTXRUN_EXECUTOR"];
const named: Readonly<Record<string, string>> = {
  js: 'export { javascript as standard } from "./javascript/executor.ts";',
  wasm: 'export { compiled as standard } from "./compiled/executor.ts";',
};
if (chosen !== undefined && named[chosen] === undefined)
  throw new Error(`PTXRUN_EXECUTOR is js or wasm, not ${chosen}`);
const plugins = [
  {
    name: "executor",
    load: (id: string) => (chosen !== undefined && id.endsWith("/interp/default-executor.ts") ? named[chosen] : null),
  },
];

/**
 * Test files that need modules of their own, which take a second a file: those that replace what others use, and the one
 * that counts what is allocated, for which no other file may have taught the engine anything.
 */
const alone = readdirSync("tests", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `tests/${file.replaceAll("\\", "/")}`)
  .filter(
    (file) =>
      file === "tests/unit/interp/allocation.test.ts" || /\bvi\.(mock|spyOn|stub)/.test(readFileSync(file, "utf8")),
  );

const project = (
  name: string,
  include: readonly string[],
  { isolate, exclude }: { isolate: boolean; exclude: readonly string[] },
) => ({
  plugins,
  test: {
    name,
    include: [...include],
    exclude: [...exclude],
    // Benchmarks have a project of their own: otherwise each would run once a project.
    benchmark: { include: [] },
    globalSetup: ["tests/unit/cli/bundles.ts"],
    isolate,
    testTimeout: 60_000,
    // Some make the package.
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Vitest leaves a core to itself, of two as of many; it hardly needs one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // One for all folders: a project has modules, bundles and what is transformed of its own.
      project("together", ["tests/{unit,conformance,properties,golden}/**/*.test.ts"], {
        isolate: false,
        exclude: alone,
      }),
      project("alone", alone, { isolate: true, exclude: [] }),
      { test: { name: "bench", include: [], benchmark: { include: ["tests/bench/**/*.bench.ts"] } } },
    ],
  },
});
