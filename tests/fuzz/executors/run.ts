import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { table } from "../../../src/isa/index.ts";
import { Campaign } from "./campaign.ts";
import { formsIn } from "./coverage.ts";
import { executors } from "./executors.ts";
import { spelled } from "./instruction.ts";
import { Pair } from "./pair.ts";
import { drawnForms } from "./protocols/index.ts";
import { resolve } from "./resolve.ts";
import { attempt, type Failure, minimised, report, type Trial, trialOf } from "./seed.ts";
import { type Way, ways, waysOf } from "./ways.ts";

const { values } = parseArgs({
  options: {
    programs: { type: "string", default: "10000" },
    seeds: { type: "string" },
    only: { type: "string" },
    file: { type: "string" },
    executor: { type: "string", default: "wasm" },
    failures: { type: "string" },
    show: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    workers: { type: "string" },
    blocks: { type: "boolean", default: false },
    campaign: { type: "string" },
    for: { type: "string", default: "3600" },
    commit: { type: "string", default: "unknown" },
    version: { type: "string", default: "unknown" },
  },
});

const executor = executors[values.executor];
if (executor === undefined) throw new Error(`--executor is one of ${Object.keys(executors).join(", ")}`);
const chosen: readonly Way[] | undefined =
  values.workers !== undefined
    ? values.workers.split(",").map((count) => ways.workers(Number(count)))
    : values.blocks
      ? [ways.blocks]
      : values.campaign === undefined
        ? [ways.alone]
        : undefined;
const known = drawnForms.map(({ syntax }) => syntax);
const { commit, version } = values;
const campaign =
  values.campaign === undefined ? undefined : new Campaign(values.campaign, { commit, version, forms: known });
const [first = 0, last = 0] = range();
const mostFailures = Number(values.failures ?? (campaign === undefined ? 1 : 20));

function range(): readonly number[] {
  if (campaign !== undefined) return [campaign.next, Number.POSITIVE_INFINITY];
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

const pairs = new Map<number, Pair>();
const pairFor = ({ workers }: Way): Pair => {
  const pair = pairs.get(workers) ?? new Pair(executor, workers);
  pairs.set(workers, pair);
  return pair;
};

const ended = new Map<string, number>();
const [forms, executed, inCode] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
const refusals = new Map<string, number>();
const failures: Failure[] = [];
const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
const started = process.cpuUsage();
const seconds = (): number => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
};
const steps = (): number => [...pairs.values()].reduce((sum, pair) => sum + pair.steps, 0);
let programs = 0;
let unresolved = 0;
let next = first;

interface Once {
  readonly end: string;
  readonly difference: string | undefined;
  /** Opcodes of what has run. */
  readonly ran: readonly string[];
  readonly compiled: boolean;
}

/** Runs the program of a seed in one way; gives how it ended, and undefined where the way has no such program. */
function runOnce(drawn: Trial, way: Way): Once | undefined {
  const trial = way.of(drawn);
  if (trial === undefined) return undefined;
  const own = ownLines(trial);
  if (values.show) console.log(report({ trial: own, difference: "" }));
  const pair = pairFor(way);
  const { failure, stop, ran, compiled } = attempt(pair, own);
  const end = stop.reason === "trap" ? stop.diagnostic.code : stop.reason;
  if (failure !== undefined) {
    failures.push(failure);
    console.log(report(values.whole ? failure : minimised(pair, failure)));
    console.log(
      `// repeat it: node tests/fuzz/executors.js --executor ${values.executor}${way.option} --only ${trial.seed}\n`,
    );
  }
  return { end, difference: failure?.difference, ran, compiled };
}

for (const difference of campaign?.open ?? []) {
  const { seed, way: name } = difference;
  const trial = trialOf(seed);
  const way = waysOf(seed).find((each) => each.name === name);
  if (trial === undefined || way === undefined || runOnce(trial, way)?.difference === undefined)
    campaign?.mend(difference);
}

for (; next <= last && failures.length < mostFailures; next++) {
  if (campaign !== undefined && seconds() > Number(values.for)) break;
  const seed = next;
  const trial = trialOf(seed, values.coverage ? (line, why) => count(refusals, `${spelled(line)}: ${why}`) : undefined);
  if (trial === undefined) {
    unresolved++;
    continue;
  }
  const before = steps();
  const done: string[] = [];
  let end = "";
  const opcodes = new Set<string>();
  let compiled = false;
  for (const way of chosen ?? waysOf(seed)) {
    const ran = runOnce(trial, way);
    if (ran === undefined) continue;
    done.push(way.name);
    end ||= ran.end;
    for (const opcode of ran.ran) opcodes.add(opcode);
    compiled ||= ran.compiled;
    if (ran.difference !== undefined) campaign?.differs(seed, way.name, ran.difference);
  }
  if (done.length === 0) unresolved++;
  if (done.length === 0) continue;
  programs++;
  count(ended, end);
  if (values.coverage || campaign !== undefined) {
    const [drawn, ran] = [formsIn(trial.lines), formsIn([...opcodes])];
    for (const form of drawn) count(forms, form);
    for (const form of ran) {
      count(executed, form);
      if (compiled) count(inCode, form);
    }
    campaign?.add({ seed, ways: done, end, drawn, ran, compiled, instructions: steps() - before });
  }
  if (programs % 500 === 0) campaign?.write(seconds());
}
campaign?.write(seconds());

const most = (map: Map<string, number>): [string, number][] => [...map].sort((a, b) => b[1] - a[1]);
console.log(
  `seeds ${first}..${next - 1}: ${programs} programs, ${unresolved} unresolved, ${steps()} warp instructions, ` +
    `${failures.length} differences; ${(programs / seconds()).toFixed(0)} programs a second of processor time`,
);
console.log(`ended by ${most(ended).map(([end, count]) => `${end} ${count}`).join(", ")}`); // biome-ignore format: one line
for (const [workers, pair] of pairs)
  if (workers > 0)
    console.log(`of ${pair.shared} programs ${workers === 1 ? "a worker has" : `${workers} workers have`} run blocks`);
if (values.coverage) {
  const drawn = new Set(known);
  for (const { syntax, executable } of table.flatMap(({ forms }) => forms))
    if (!forms.has(syntax) && executable)
      console.log(`never drawn${drawn.has(syntax) ? "" : ", and in no pattern"}: ${syntax}`);
    else if (!executed.has(syntax) && executable)
      console.log(`drawn ${forms.get(syntax)} times, and never executed: ${syntax}`);
    else if (!inCode.has(syntax) && executable)
      console.log(`executed ${executed.get(syntax)} times, and never where the other executor has code: ${syntax}`);
  for (const [why, count] of most(refusals).slice(0, 60)) console.log(`refused ${count} times: ${why}`);
}
if (failures.length > 0) process.exitCode = 1;
