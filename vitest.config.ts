import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { generateLoops } from "./generate/generate.js";

// Tests run the sources, and the loops that go with them.
await generateLoops();

const project = (name: string, folders: readonly string[]) => ({
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
