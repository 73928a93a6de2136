import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nativeCompiler } from "../../src/interp/compiled/module/native-code.ts";
import { executors } from "../fuzz/executors/executors.ts";
import { Pair } from "../fuzz/executors/pair.ts";
import { attempt, minimised, trialOf } from "../fuzz/executors/seed.ts";
import { draws, sample } from "../share.ts";

/** A short run of `node tests/fuzz/executors.js`; its seeds are others than those that are usual there. */
const FIRST = 5_000_001;

/** The first seed whose program shows a difference, with what it is; undefined when none of `count` does. */
function search(name: string, count: number) {
  const pair = new Pair(executors[name]!);
  for (let seed = FIRST; seed < FIRST + count; seed++) {
    const trial = trialOf(seed);
    const failure = trial && attempt(pair, trial).failure;
    if (failure !== undefined) return { seed, pair, failure };
  }
  return undefined;
}

// In a process of its own, where modules are one file: ten times as many programs in the same time.
test.each([
  ["", draws(25, 75), []],
  [" in blocks that begin one behind the other", draws(12, 30), ["--blocks"]],
] as const)("the compiled executor differs in nothing%s", async (_, count, options) => {
  const command = fileURLToPath(new URL("../fuzz/executors.js", import.meta.url));
  const seeds = `${FIRST}..${FIRST + count - 1}`;
  const { stdout } = await promisify(execFile)(process.execPath, [command, "--seeds", seeds, ...options]);
  expect(stdout).toContain(" 0 differences");
});

test.runIf(nativeCompiler() !== undefined)("neither does what a C compiler makes of its modules", async () => {
  const command = fileURLToPath(new URL("../fuzz/executors.js", import.meta.url));
  const options = ["--seeds", `${FIRST}..${FIRST + draws(2, 6)}`, "--executor", "native"];
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...options]);
  expect(stdout).toContain(" 0 differences");
});

test.each(
  sample(
    Object.keys(executors).filter((name) => name.startsWith("wrong")),
    2,
  ),
)("%s is found", (name) => {
  expect(search(name, 600)?.failure.difference).toBeDefined();
});

test("a difference is reduced to the instruction that makes it", () => {
  const { pair, failure } = search("wrong-subtraction", 600)!;
  const { lines } = minimised(pair, failure).trial;
  expect(lines.length).toBeLessThan(12);
  expect(lines.filter((line) => line.includes("sub"))).toHaveLength(1);
});

test("a seed stands for one program and one launch", () => {
  const [one, two] = [trialOf(FIRST), trialOf(FIRST)];
  expect(one?.lines).toEqual(two?.lines);
  expect(one?.manner).toEqual(two?.manner);
});
