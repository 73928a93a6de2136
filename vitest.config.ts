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

const project = (name: string, folders: readonly string[]) => ({
  plugins,
  test: {
    name,
    include: folders.map((folder) => `tests/${folder}/**/*.test.ts`),
    // Benchmarks have a project of their own: otherwise each would run once a project.
    benchmark: { include: [] },
    testTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Vitest leaves a core to itself, of two as of many; it hardly needs one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project("unit", ["unit"]),
      project("conformance", ["conformance"]),
      project("properties", ["properties"]),
      project("golden", ["golden"]),
      { test: { name: "bench", include: [], benchmark: { include: ["tests/bench/**/*.bench.ts"] } } },
    ],
  },
});
