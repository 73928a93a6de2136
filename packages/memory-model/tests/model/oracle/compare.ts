import { Random } from "../../../../../src/interp/contract/launch/random.ts";
import { drive, isStrange } from "../../../../../tests/unit/interp/weak/drive.ts";
import { enumerate, usualBounds } from "../../../model/enumerate.ts";
import type { Litmus } from "../../../model/event.ts";
import { everyState, statesOf } from "./oracle.ts";
import { randomTest } from "./random-test.ts";

const kinds = ["proxies", "barriers", "waits", "bulk", "sums", undefined] as const;

/**
 * What is said of a test on which those who should agree do not; `skipped` where trying everything takes too long.
 * `draws` says how often weak memory runs it, `subsets` how many times some registers and some memory alone are asked for, `most` how
 * many executions are tried.
 */
export function compare(seed: number, draws = 4, subsets = 1, most = 6000): string | "skipped" | undefined {
  const { litmus, names, text } = randomTest(seed, kinds[seed % kinds.length]);
  const expected = everyState(litmus, names, most);
  if (expected === undefined) return "skipped";
  const found = new Set<string>();
  let traces: Parameters<typeof isStrange>[1] = [];
  for (const execution of enumerate(litmus, usualBounds)) {
    traces = execution.traces;
    for (const state of statesOf(litmus, traces, execution.memory)) found.add(state);
  }
  const random = new Random(seed);
  const projected = Array.from({ length: subsets }, () => project(litmus, expected, random)).flat();
  const lacking = [...expected].filter((state) => !found.has(state));
  const forbidden = [...found].filter((state) => !expected.has(state));
  const wrong: string[] = [];
  if (!isStrange(litmus, traces))
    for (let draw = 0; draw < draws; draw++) {
      const final = drive(litmus, draw);
      if (final === undefined) continue;
      const last = [...final.memory].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
      const state = [final.registers, ...last].filter((part) => part !== "").join(" ");
      if (!expected.has(state)) wrong.push(`weak memory ${state}`);
    }
  if (lacking.length + forbidden.length + wrong.length + projected.length === 0) return undefined;
  wrong.push(...projected);
  const list = (title: string, all: readonly string[]) =>
    all.length === 0 ? [] : [title, ...all.map((s) => `  ${s}`)];
  return [text, ...list("enumerate lacks:", lacking), ...list("enumerate allows:", forbidden), ...wrong].join("\n");
}

/** Differences where a test asks for some registers and some memory alone: an execution then stands for many. */
function project(litmus: Litmus, expected: ReadonlySet<string>, random: Random): string[] {
  const parts = [...new Set([...expected].flatMap((state) => state.split(" ")).map(nameOf))];
  const kept = new Set(parts.filter((part) => !part.includes("=") && random.below(3) === 0));
  const memory = new Set([...kept].filter((name) => !name.includes(":")));
  const registers = litmus.threads.map(
    ({ name }) => new Set([...kept].filter((each) => each.startsWith(`${name}:`)).map((each) => each.split(":")[1]!)),
  );
  const asked = (states: Iterable<string>): Set<string> => new Set([...states].map((state) => keep(state, kept)));
  const found: string[] = [];
  for (const execution of enumerate(litmus, { ...usualBounds, watched: { memory, registers } }))
    found.push(...statesOf(litmus, execution.traces, execution.memory));
  const [all, some] = [asked(expected), asked(found)];
  return [
    ...[...all].filter((state) => !some.has(state)).map((state) => `of ${[...kept].join()} it lacks ${state}`),
    ...[...some].filter((state) => !all.has(state)).map((state) => `of ${[...kept].join()} it allows ${state}`),
  ];
}

const nameOf = (part: string): string => part.split("=")[0]!;

/** A state without what is not asked for. */
const keep = (state: string, kept: ReadonlySet<string>): string =>
  state
    .split(" ")
    .filter((part) => !part.includes("=") || kept.has(nameOf(part)))
    .join(" ");
