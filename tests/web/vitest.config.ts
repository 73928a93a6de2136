import { defineConfig } from "vitest/config";

/** The page in a real browser: `npx vitest run -c tests/web/vitest.config.ts`. */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["tests/web/**/*.test.ts"],
    globalSetup: ["tests/web/build.ts"],
    maxWorkers: 2,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    benchmark: { include: [] },
  },
});
