import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { takingTexts } from "./bundled.ts";
import { type Plan, readLog } from "./log.ts";
import { takingBuilt } from "./native/build.ts";
import { withLoops } from "./schemata.ts";

const plan = JSON.parse(readFileSync(process.env["PTXRUN_MUTANTS"]!, "utf8")) as Plan;
const base = readLog(plan.log).filter((line) => line.kind === "base");
// After a process that had to be ended: what it measured stands, and something has to begin.
const include = base.length < plan.tests.length ? plan.tests : [base.toSorted((a, b) => a.cpu - b.cpu)[0]!.file];

/** The sources with the mutants inside; the C libraries were built with theirs before. */
const texts = new Map<string, string>();
if (plan.built === undefined)
  for (const file of new Set(plan.mutants.map((mutant) => mutant.file))) {
    const mutants = plan.mutants.filter((mutant) => mutant.file === file);
    texts.set(file, withLoops(readFileSync(file, "utf8"), mutants, "__mutants.hit", "__mutants.tick"));
  }

export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform(text: string, id: string) {
        const name = relative("", id);
        const changed = texts.get(name);
        if (changed !== undefined) return { code: changed, map: null };
        if (name === "native/build.js" && plan.built !== undefined)
          return { code: takingBuilt(text, plan.built), map: null };
        return name === "bundle/bundle.js" ? { code: takingTexts(text, texts), map: null } : null;
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
