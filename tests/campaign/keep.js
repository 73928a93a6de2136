// Keeps what a campaign has found, for docs/exactness.md: node tests/campaign/keep.js FOLDER COMMIT [DATE]
//
// FOLDER has all shards of the campaign, COMMIT is the one whose ptxrun made them, DATE is today unless told.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

const [folder, commit, date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
if (commit === undefined) throw new Error("node tests/campaign/keep.js FOLDER COMMIT [DATE]");
const root = resolve(import.meta.dirname, "../..");
const words = [resolve(root, "bin/ptxrun.js"), "campaign", "merge", folder, "--reporter", "json"];
const report = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", maxBuffer: 2 ** 28 }));
const { name, plan, version, build, jobs } = report;
/** Spellings with one outcome stand together: those that an exact campaign has are thousands. */
const groups = new Map();
for (const { name: spelling, words, counts } of jobs) {
  const { cases, differ } = counts;
  const inputs = words.includes("--all") ? "all" : "random";
  const oracle = words.includes("--against") ? "second way" : "exact arithmetic";
  const key = JSON.stringify({ oracle, inputs, cases, differ });
  groups.set(key, [...(groups.get(key) ?? []), spelling]);
}
const outcomes = [...groups].map(([key, spellings]) => ({ ...JSON.parse(key), spellings: spellings.join(" ") }));
const kept = { name, date, commit, version, build, plan, outcomes };
writeFileSync(resolve(root, "campaigns/results", `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
console.log(`${name}: ${jobs.length} spellings`);
