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
  "around-file.ts": { "CPU time": "tells where it went, and judges nothing" },
  "cost.ts": { "CPU time": "compares it with a loop of the same process" },
  "hostile/corpus.ts": { "a limit of time": `${counted}, and processes may end as they like` },
  "hostile/directives.ts": { "a limit of time": `${counted}, and processes may end as they like` },
  "hostile/input.ts": { "a limit of time": counted },
  "native/driver-errors.c": { "a limit of time": late, "a rest": "that time passes at least is what events tell" },
  "native/driver-kills.c": { "a rest": "kills are to come at random times", "a time-out": "what never comes" },
  "native/driver-record.c": { "a limit of time": late },
  "native/lifecycle.c": { "a limit of time": late, "a rest": "kills are to come at random times" },
  "native/programs.ts": { "a time-out": "what never comes, of processes that Vitest cannot end" },
  "native/stand-in.c": { "a rest": "whoever answers late" },
  "unit/cli/bundle.ts": { "a rest": polls },
  "unit/cli/check/many.test.ts": { "a limit of time": counted },
  "unit/cli/check/watch.test.ts": { "a time-out": polls },
  "unit/cli/clients/clients.test.ts": { "a limit of time": late, "a rest": polls },
  "unit/cli/clients/driver.test.ts": { "a limit of time": late },
  "unit/cli/clients/exec.test.ts": { "a limit of time": late, "a rest": polls },
  "unit/cli/clients/launcher.test.ts": { "a clock": "a launcher wants one, and these launches have no limit" },
  "unit/cli/clients/record-suite.ts": { "a limit of time": "ten minutes" },
  "unit/cli/exit.test.ts": { "a limit of time": late },
  "unit/cli/input-limits.test.ts": { "a limit of time": counted },
  "unit/cli/interrupt.test.ts": { "a limit of time": counted },
  "unit/cli/options-effect.test.ts": { "a limit of time": counted, "a rest": "a server runs until somebody ends it" },
  "unit/cli/repl/options.test.ts": { "a limit of time": counted },
  "unit/cli/run.test.ts": { "a limit of time": late },
  "unit/cli/usage.test.ts": { "a limit of time": counted },
  "unit/cli/world.ts": { "a clock": "commands want one; tests with limits give another" },
  "unit/dap/process.test.ts": { "a clock": "counts the looks", "a rest": polls },
  "unit/dap/session.test.ts": { "a rest": "nothing comes meanwhile" },
  "unit/launch/outputs.test.ts": { "a time-out": counted },
  "unit/lsp/convert.test.ts": { "a rest": "time goes on when the test says so" },
  "unit/regular-expressions.test.ts": { "CPU time": "compares it with a loop of the same process" },
  "unit/web/worker.test.ts": { "a rest": "the worker hears nothing before its first slice is done" },
  "web/size.test.ts": { "a rest": polls },
  "web/stop.test.ts": { "a rest": "takes the page's patience with its worker away" },
  "web/text.test.ts": { "a rest": "the editor takes no key for a choice that came up just before" },
};

/** Rooms of commands that somebody starts by hand, which measure time, or limit it for programs that nobody knows. */
const byHand = /^(?:bench|campaign|fuzz|mutants|package|sweep)\//;

const found = (text: string): string[] => Object.keys(forbidden).filter((what) => forbidden[what]!.test(text));

describe("no test depends on a clock", () => {
  const all = [...testFiles(/\.(?:ts|c|h|py)$/)].flatMap(([file, text]) =>
    byHand.test(file) || file === "unit/no-clock.test.ts" ? [] : found(text).map((what) => `${file}: ${what}`),
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
