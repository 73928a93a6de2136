import { describe, expect, it } from "vitest";
import { testFiles } from "./test-files.ts";

/**
 * No test fails because a machine is slow. What takes time is bounded in counts, in growth or in the time of a loop of the
 * same process (`tests/cost.ts`), limits of time of the product are told by a clock that goes on at each look (`looking`), and
 * who waits for something waits as long as it takes; what never comes is ended by the one time-out of `vitest.config.ts`.
 */
const forbidden: Readonly<Record<string, RegExp>> = {
  "a clock": /\bperformance\.now\b|\bDate\.now\b|\bnew Date\(\)|\bhrtime\b|\bclock_gettime\b|\bgettimeofday\b/,
  "CPU time": /\bcpuUsage\b/,
  "a time-out":
    /(?<!-)\b(?!setTimeout\b)\w*[tT]imeout["']?:(?!\s*0\b)|\bsetDefault\w*Timeout\((?!0\))|\bAbortSignal\.timeout\b|\balarm\([^0]/,
  "a time-out behind a test": /^ *\}, ?\d[\d_]{3,}\);$|\},\n +\d[\d_]{3,},\n *\);/m,
  "another try": /\bretry:/,
  "a rest": /\bsetTimeout\b|\bwaitForTimeout\b|\busleep\(|\bnanosleep\(/,
  "a limit of time": /["']--timeout["']|\bPTXRUN_TIMEOUT\b/,
};

const polls = "looks again from time to time, as long as it takes";
const counted = "the clock goes on at each look";
const late = "reaches the limit on any machine, or is refused before";
/** Files that may, and why none of them fails on a slow machine. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "tests/around-file.ts": { "CPU time": "tells where it went, and judges nothing" },
  "tests/cost.ts": { "CPU time": "compares it with a loop of the same process" },
  "tests/hostile/corpus.ts": { "a limit of time": `${counted}, and processes may end as they like` },
  "tests/hostile/directives.ts": { "a limit of time": `${counted}, and processes may end as they like` },
  "tests/hostile/input.ts": { "a limit of time": counted },
  "native/tests/driver-errors.c": {
    "a limit of time": late,
    "a rest": "that time passes at least is what events tell",
  },
  "native/tests/driver-kills.c": { "a rest": "kills are to come at random times", "a time-out": "what never comes" },
  "native/tests/driver-record.c": { "a limit of time": late },
  "native/tests/lifecycle.c": { "a limit of time": late, "a rest": "kills are to come at random times" },
  "native/tests/programs.ts": { "a time-out": "what never comes, of processes that Vitest cannot end" },
  "native/tests/stand-in.c": { "a rest": "whoever answers late" },
  "tests/unit/cli/bundle.ts": { "a rest": polls },
  "tests/unit/cli/ce.test.ts": { "a limit of time": counted },
  "tests/unit/cli/check/many.test.ts": { "a limit of time": counted },
  "tests/unit/cli/check/watch.test.ts": { "a time-out": polls },
  "native/tests/clients.test.ts": { "a limit of time": late, "a rest": polls },
  "native/tests/driver.test.ts": { "a limit of time": late },
  "native/tests/exec.test.ts": { "a limit of time": late, "a rest": polls },
  "tests/unit/clients/launcher.test.ts": { "a clock": "a launcher wants one, and these launches have no limit" },
  "tests/unit/clients/record-suite.ts": { "a limit of time": "ten minutes" },
  "tests/unit/cli/exit.test.ts": { "a limit of time": late },
  "tests/unit/cli/input-limits.test.ts": { "a limit of time": counted },
  "tests/unit/cli/interrupt.test.ts": { "a limit of time": counted },
  "tests/unit/cli/mcp/mcp.test.ts": { "a limit of time": counted, "a time-out": counted },
  "tests/unit/cli/options-effect.test.ts": {
    "a limit of time": counted,
    "a rest": "a server runs until somebody ends it",
  },
  "tests/unit/cli/repl/options.test.ts": { "a limit of time": counted },
  "tests/unit/cli/run.test.ts": { "a limit of time": late },
  "tests/unit/cli/usage.test.ts": { "a limit of time": counted },
  "tests/unit/cli/world.ts": { "a clock": "commands want one; tests with limits give another" },
  "packages/debugger/tests/dap/process.test.ts": { "a clock": "counts the looks", "a rest": polls },
  "packages/debugger/tests/dap/session.test.ts": { "a rest": "nothing comes meanwhile" },
  "tests/unit/launch/outputs.test.ts": { "a time-out": counted },
  "packages/lsp/tests/convert.test.ts": { "a rest": "time goes on when the test says so" },
  "tests/unit/regular-expressions.test.ts": { "CPU time": "compares it with a loop of the same process" },
  "web/tests/unit/worker.test.ts": { "a rest": "the worker hears nothing before its first slice is done" },
  "web/tests/size.test.ts": { "a rest": polls },
  "web/tests/values.test.ts": { "a rest": "a pointer must rest before it is answered" },
  "web/tests/stop.test.ts": { "a rest": "takes the page's patience with its worker away" },
  "web/tests/text.test.ts": { "a rest": "the editor takes no key for a choice that came up just before" },
};

/** Rooms of commands that somebody starts by hand, which measure time, or limit it for programs that nobody knows. */
const byHand = /^tests\/(?:bench|campaign|fuzz|mutants|package|sweep)\//;

const found = (text: string): string[] => Object.keys(forbidden).filter((what) => forbidden[what]!.test(text));

describe("no test depends on a clock", () => {
  const all = [...testFiles(/\.(?:ts|c|h|py)$/)].flatMap(([file, text]) =>
    byHand.test(file) || file === "tests/unit/no-clock.test.ts" ? [] : found(text).map((what) => `${file}: ${what}`),
  );
  const may = Object.entries(allowed).flatMap(([file, whats]) => Object.keys(whats).map((what) => `${file}: ${what}`));

  it("but for those that slowness does not make fail", () => expect(all.toSorted()).toEqual(may.toSorted()));

  // As tests had it before.
  it.each([
    ["expect(performance.now() - began).toBeLessThan(2000);", "a clock"],
    ["for (const began = Date.now(); isThere() && Date.now() - began < SOON; )", "a clock"],
    ["expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);", "CPU time"],
    ['it.each(attacks)("%s", { timeout: 30_000 }, async (_, attack) => {', "a time-out"],
    ["    testTimeout: 30_000,", "a time-out"],
    ["page.setDefaultTimeout(10_000);", "a time-out"],
    ["beforeAll(async () => {\n  await made();\n}, 60_000);", "a time-out behind a test"],
    ["  it(\n    name,\n    () => {\n      work();\n    },\n    60_000,\n  );", "a time-out behind a test"],
    ["{ retry: 2 }", "another try"],
    ["const late = setTimeout(() => fail(new Error(what)), 5000);", "a rest"],
    ['await world.ptxrun([...launch, "--timeout", "50ms"]);', "a limit of time"],
  ])("%j is seen", (text, what) => expect(found(text)).toEqual([what]));
});
