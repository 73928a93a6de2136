import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { corpus, keep } from "./corpus.ts";
import { inputOf } from "./draw.ts";
import { Feeder } from "./feeder.ts";
import { distilled } from "./grow.ts";
import type { Input, Target } from "./input.ts";
import { minimised } from "./minimise.ts";
import { targets } from "./targets/targets.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1..1000" },
    input: { type: "string" },
    grow: { type: "boolean", default: false },
    time: { type: "string", default: "20" },
    memory: { type: "string", default: "2048" },
    failures: { type: "string", default: "10" },
    child: { type: "string", default: "" },
  },
});
/** Ends with what is wrong with the command line. */
function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
const [first = 1, last = first] = values.seeds.split("..").map(Number);
if (!(first <= last)) refuse(`--seeds ${values.seeds}: expected 1..1000`);
const names = positionals.length === 0 ? Object.keys(targets) : positionals;
for (const name of names)
  if (targets[name] === undefined) refuse(`there is no ${name}: ${Object.keys(targets).join(", ")}, programs`);
const feeder = new Feeder(values.child, { time: Number(values.time) * 1000, memory: Number(values.memory) * 2 ** 20 });
/** Characters of a corpus: it is compressed to some tens of kilobytes. */
const MOST_KEPT = 150_000;

const failures = new Set<string>();
/** The same mistake, wherever in the text it was found. */
const kindOf = (failure: string): string => failure.replace(/\d+/g, "0").slice(0, 120);

async function tell(name: string, seed: number | undefined, input: Input, failure: string): Promise<void> {
  failures.add(`${name}: ${kindOf(failure)}`);
  const fails = async (input: Input): Promise<boolean> => {
    const { failure: other } = await feeder.feed({ target: name, input, coverage: false });
    return other !== undefined && kindOf(other) === kindOf(failure);
  };
  const shortest = await minimised(input, fails, failure.startsWith("hangs") ? 20 : 1500);
  const file = join(tmpdir(), `ptxrun-fuzz-${name}-${seed ?? "input"}.json`);
  writeFileSync(file, JSON.stringify(shortest));
  console.log(`${name}${seed === undefined ? "" : `, seed ${seed}`}: ${failure}`);
  for (const part of shortest) console.log(part.replace(/^/gm, "  | "));
  console.log(`repeat it: node tests/fuzz/fuzz.js ${name} --input ${file}\n`);
}

const started = performance.now();
let fed = 0;
for (const name of names) {
  const target = targets[name] as Target;
  if (values.input !== undefined) {
    const input = JSON.parse(readFileSync(values.input, "utf8")) as Input;
    const { failure } = await feeder.feed({ target: name, input, coverage: false });
    if (failure !== undefined) await tell(name, undefined, input, failure);
    fed++;
    continue;
  }
  const bases = target.bases();
  const before = corpus(name);
  const seen = new Set<number>();
  const found: { readonly input: Input; readonly shapes: readonly number[] }[] = [];
  const grow = async (input: Input): Promise<string | undefined> => {
    const { failure, shapes } = await feeder.feed({ target: name, input, coverage: values.grow });
    fed++;
    if (failure === undefined && shapes.some((shape) => !seen.has(shape))) found.push({ input, shapes });
    for (const shape of shapes) seen.add(shape);
    return failure;
  };
  if (values.grow) for (const input of before) await grow(input);
  for (let seed = first; seed <= last && failures.size < Number(values.failures); seed++) {
    const input = inputOf(name, target, bases, values.grow ? found.map(({ input }) => input) : before, seed);
    const failure = await grow(input);
    if (failure !== undefined && !failures.has(`${name}: ${kindOf(failure)}`)) await tell(name, seed, input, failure);
  }
  if (!values.grow) continue;
  const kept = distilled(found, MOST_KEPT);
  keep(name, kept);
  console.log(`${name}: ${seen.size} shapes, ${kept.length} inputs of ${found.length} kept`);
}
feeder.close();
const seconds = (performance.now() - started) / 1000;
console.log(
  `${names.join(", ")}: ${fed} inputs, seeds ${first}..${last}, ${failures.size} failures in ${seconds.toFixed(0)} s`,
);
process.exitCode = failures.size > 0 ? 1 : 0;
