import { caseOf, judge, type Verdict } from "./judge.ts";
import { kernels } from "./plant.ts";

const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const [first = 1, last = first] = (option("--seeds") ?? "1..100").split("..").map(Number);
const only = option("--kernels")?.split(",") ?? kernels;
const same = option("--builds");
const counts = new Map<string, Record<Verdict, number>>();
for (let seed = first; seed <= last; seed++) {
  const found = caseOf(seed, only);
  if (found === undefined) continue;
  const { kernel, a, b, planted } = found;
  const alike = a.slice(6) === b.slice(6);
  if ((same === "alike" && !alike) || (same === "other" && alike)) continue;
  const began = performance.now();
  const { verdict, text, by = "" } = await judge(found);
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const key = alike ? "same optimisation" : "other optimisation";
  const count = counts.get(key) ?? { exact: 0, told: 0, missed: 0, equal: 0, none: 0 };
  count[verdict]++;
  counts.set(key, count);
  if (verdict === "missed" || args.includes("--show"))
    console.log(
      `seed ${seed}: ${verdict}  ${by}  ${took}  ${kernel}  ${a}  ${b}  line ${planted.line}: ${planted.before}  ->  ${planted.after}`,
    );
  if (args.includes("--cause")) console.log(text);
}
for (const [key, count] of counts) console.log(key, JSON.stringify(count));
