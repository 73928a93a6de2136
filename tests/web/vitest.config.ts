import { defineConfig } from "vitest/config";
import { built, oneLibrary } from "../sources.ts";

/** Milliseconds after which something is taken for what never comes: no machine is as slow as that. */
const NEVER = 1_200_000;

/** The page in a real browser: `npx vitest run -c tests/web/vitest.config.ts`. */
export default defineConfig({
  plugins: [await oneLibrary({})],
  test: {
    server: { deps: { external: [built] } },
    root: new URL("../..", import.meta.url).pathname,
    include: ["tests/web/**/*.test.ts"],
    globalSetup: ["tests/web/build.ts"],
    maxWorkers: 2,
    isolate: false,
    testTimeout: NEVER,
    hookTimeout: NEVER,
    expect: { poll: { timeout: NEVER } },
    benchmark: { include: [] },
  },
});
