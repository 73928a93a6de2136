import { Random } from "../../../../../src/interp/contract/launch/random.ts";
import { drive, isStrange } from "../../../../../tests/unit/interp/weak/drive.ts";
import { drawn, enumerate, usualBounds } from "../../../model/enumerate.ts";
import { everyState, statesOf } from "./oracle.ts";
import { randomTest } from "./random-test.ts";

/**
 * What is said of a test on which those who should agree do not; `skipped` where trying everything takes too long.
 * `draws` says how often weak memory runs it.
 */
export function compare(seed: number, draws = 4): string | "skipped" | undefined {
  const { litmus, names, text } = randomTest(seed, (["proxies", "barriers", "waits", undefined] as const)[seed % 4]);
  const expected = everyState(litmus, names);
  if (expected === undefined) return "skipped";
  const found = new Set<string>();
  let traces: Parameters<typeof isStrange>[1] = [];
  for (const execution of enumerate(litmus, usualBounds)) {
    traces = execution.traces;
    for (const state of statesOf(litmus, traces, execution.memory)) found.add(state);
  }
  const lacking = [...expected].filter((state) => !found.has(state));
  const forbidden = [...found].filter((state) => !expected.has(state));
  const wrong: string[] = [];
  for (let draw = 0; draw < Math.min(draws, 8); draw++) {
    const random = new Random(draw);
    const one = drawn(litmus, usualBounds, (below) => (below <= 1 ? 0 : random.below(below)));
    if (one === undefined) continue;
    for (const state of statesOf(litmus, one.traces, one.memory))
      if (!expected.has(state)) wrong.push(`drawn ${state}`);
  }
  if (!isStrange(litmus, traces))
    for (let draw = 0; draw < draws; draw++) {
      const final = drive(litmus, draw);
      if (final === undefined) continue;
      const last = [...final.memory].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
      const state = [final.registers, ...last].filter((part) => part !== "").join(" ");
      if (!expected.has(state)) wrong.push(`weak memory ${state}`);
    }
  if (lacking.length + forbidden.length + wrong.length === 0) return undefined;
  const list = (title: string, all: readonly string[]) =>
    all.length === 0 ? [] : [title, ...all.map((s) => `  ${s}`)];
  return [text, ...list("enumerate lacks:", lacking), ...list("enumerate allows:", forbidden), ...wrong].join("\n");
}
