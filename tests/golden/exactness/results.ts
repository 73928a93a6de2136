import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** What a finished campaign has found, as tests/campaign/keep.js writes it. */
export interface Result {
  readonly name: string;
  readonly date: string;
  readonly commit: string;
  readonly version: string;
  readonly build: string;
  readonly plan: string;
  readonly outcomes: readonly Outcome[];
}

/** Spellings with one outcome each. */
interface Outcome {
  readonly oracle: "second way" | "exact arithmetic";
  readonly inputs: "all" | "random";
  /** Inputs of each spelling, and how many of them gave something else. */
  readonly cases: number;
  readonly differ: number;
  readonly spellings: string;
}

const folder = resolve(import.meta.dirname, "../../../campaigns/results");

export const results = (): readonly Result[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Result);

/** What is known of one spelling: its outcomes in all campaigns. */
export type Known = Omit<Outcome, "spellings">;

/** Outcomes by spelling. */
export function known(all: readonly Result[]): ReadonlyMap<string, readonly Known[]> {
  const found = new Map<string, readonly Known[]>();
  for (const { outcomes } of all)
    for (const { spellings, ...outcome } of outcomes)
      for (const spelling of spellings.split(" ")) found.set(spelling, [...(found.get(spelling) ?? []), outcome]);
  return found;
}
