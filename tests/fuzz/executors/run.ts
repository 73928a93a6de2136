import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { table } from "../../../src/isa/index.ts";
import { formsIn } from "./coverage.ts";
import { executors } from "./executors.ts";
import { drawnForms, spelled } from "./instruction.ts";
import { Pair } from "./pair.ts";
import { resolve } from "./resolve.ts";
import { attempt, type Failure, forBlocks, forCrew, minimised, report, type Trial, trialOf } from "./seed.ts";

const { values } = parseArgs({
  options: {
    programs: { type: "string", default: "10000" },
    seeds: { type: "string" },
    only: { type: "string" },
    file: { type: "string" },
    executor: { type: "string", default: "wasm" },
    failures: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    workerPool: { type: "string", default: "0" },
    blocks: { type: "boolean", default: false },
  },
});

const executor = executors[values.executor];
if (executor === undefined) throw new Error(`--executor is one of ${Object.keys(executors).join(", ")}`);
const [first = 0, last = 0] = range();

function range(): readonly number[] {
  if (values.only !== undefined) return [Number(values.only), Number(values.only)];
  if (values.seeds !== undefined) return values.seeds.split("..").map(Number);
  return [1, Number(values.programs)];
}

/** With `--file`, its lines take the place of those that the seed draws: the launch is the seed's. */
function ownLines(trial: Trial): Trial {
  if (values.file === undefined) return trial;
  // What was printed, with or without what follows the program.
  const [text = ""] = readFileSync(values.file, "utf8").split("\n// repeat it");
  const lines = text.split("\n");
  const told = /^\/\/ seed \d+ (\{.*\})$/.exec(lines[0] ?? "")?.[1];
  const { block, grid, ...manner } = told === undefined ? { ...trial.sizes, ...trial.manner } : JSON.parse(told);
  const program = resolve(lines);
  if ("length" in program) throw new Error(program.map(({ message }) => message).join("\n"));
  return { ...trial, lines, program, sizes: { block, grid }, manner };
}

const workers = Number(values.workerPool);
const pair = new Pair(executor, workers);
const ended = new Map<string, number>();
const forms = new Map<string, number>();
const refusals = new Map<string, number>();
const failures: Failure[] = [];
const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
const started = process.cpuUsage();
let unresolved = 0;
for (let seed = first; seed <= last && failures.length < Number(values.failures); seed++) {
  const any = trialOf(seed, values.coverage ? (line, why) => count(refusals, `${spelled(line)}: ${why}`) : undefined);
  const drawn = values.blocks && any !== undefined ? forBlocks(any) : any;
  if (drawn === undefined) {
    unresolved++;
    continue;
  }
  const trial = ownLines(workers === 0 ? drawn : forCrew(drawn));
  if (values.show) console.log(report({ trial, difference: "" }));
  const { failure, stop } = attempt(pair, trial);
  count(ended, stop.reason === "trap" ? stop.diagnostic.code : stop.reason);
  if (values.coverage) for (const form of formsIn(trial.lines)) count(forms, form);
  if (failure === undefined) continue;
  failures.push(failure);
  console.log(report(values.whole ? failure : minimised(pair, failure)));
  console.log(
    `// repeat it: node tests/fuzz/executors.js --executor ${values.executor}${workers === 0 ? "" : ` --workerPool ${workers}`}${values.blocks ? " --blocks" : ""} --only ${seed}\n`,
  );
}

const { user, system } = process.cpuUsage(started);
const programs = [...ended.values()].reduce((sum, count) => sum + count, 0);
const rate = (programs * 1e6) / (user + system);
const most = (map: Map<string, number>): [string, number][] => [...map].sort((a, b) => b[1] - a[1]);
console.log(
  `seeds ${first}..${last}: ${programs} programs, ${unresolved} unresolved, ${pair.steps} warp instructions, ` +
    `${failures.length} differences; ${rate.toFixed(0)} programs a second of processor time`,
);
console.log(`ended by ${most(ended).map(([end, count]) => `${end} ${count}`).join(", ")}`); // biome-ignore format: one line
if (workers > 0) console.log(`workers have run blocks of ${pair.shared} programs`);
if (values.coverage) {
  const known = new Set(drawnForms.map(({ syntax }) => syntax));
  for (const { syntax } of table.flatMap(({ forms }) => forms))
    if (!forms.has(syntax)) console.log(`never drawn${known.has(syntax) ? "" : ", and in no pattern"}: ${syntax}`);
  for (const [why, count] of most(refusals).slice(0, 60)) console.log(`refused ${count} times: ${why}`);
}
if (failures.length > 0) process.exitCode = 1;
