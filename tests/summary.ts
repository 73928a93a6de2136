import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Says last where the time went, and what a run leaves to the longer suites. */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((each) => ({ name: relative("", each.moduleId), cpu: each.meta().cpu ?? 0 }));
    const most = files.toSorted((a, b) => b.cpu - a.cpu).slice(0, process.env["CPU"] === "all" ? files.length : 5);
    const whole = files.reduce((sum, { cpu }) => sum + cpu, 0);
    const told = most.map(({ name, cpu }) => `${name} ${cpu.toFixed(1)}`);
    console.log(`   CPU seconds of tests ${whole.toFixed(0)}: ${told.join(", ")}`);
    if (process.env["PTXRUN_TESTS"] === undefined)
      console.log(
        "   Longer: npm run test:all (all builds, recordings and draws of these files), .ci/run (and both executors, the page, the package)\n",
      );
  }
}
