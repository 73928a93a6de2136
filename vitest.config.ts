import { defineConfig } from "vitest/config";

const project = (name: string, folders: readonly string[]) => ({
  test: { name, include: folders.map((folder) => `tests/${folder}/**/*.test.ts`), testTimeout: 60_000 },
});

export default defineConfig({
  test: {
    projects: [
      project("unit", ["unit"]),
      project("conformance", ["conformance"]),
      project("properties", ["properties"]),
      project("golden", ["golden"]),
    ],
  },
});
