import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { type Plan, readLog } from "./log.ts";
import { takingBuilt } from "./native/build.ts";
import { withLoops } from "./schemata.ts";

const plan = JSON.parse(readFileSync(process.env["PTXRUN_MUTANTS"]!, "utf8")) as Plan;
const base = readLog(plan.log).filter((line) => line.kind === "base");
// After a process that had to be ended: what it measured stands, and something has to begin.
const include = base.length < plan.tests.length ? plan.tests : [base.toSorted((a, b) => a.cpu - b.cpu)[0]!.file];

export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform(text: string, id: string) {
        const name = relative("", id);
        if (plan.native !== undefined)
          return name === "native/build.js" ? { code: takingBuilt(text, plan.native.built), map: null } : null;
        const mutants = plan.mutants.filter(({ file }) => file === name);
        if (mutants.length === 0) return null;
        return { code: withLoops(text, mutants, "__mutants.hit", "__mutants.tick"), map: null };
      },
    },
  ],
  test: {
    include: [...include],
    globalSetup: ["tests/unit/cli/bundles.ts"],
    setupFiles: ["tests/around-file.ts"],
    runner: "./tests/mutants/runner.ts",
    // All in one process, which has each module's text once, and begins with new modules for each file.
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    execArgv: ["--expose-gc"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: true,
    provide: { plan: { ...plan, tests: include } },
  },
});
