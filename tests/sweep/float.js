// f32 and f64 arithmetic in every rounding on pairs of corners and millions of random operands, and the .approx
// functions of f32 on a dense sample of their inputs, against judges that share no code with src/numeric (they are those
// of tests/conformance). Needs no build. A command of its own because it takes minutes to hours.
//
//   node tests/sweep/float.js fma.rm.f64 [--count 10000000] [--workers 2]
//   node tests/sweep/float.js sin [--count 1000000]
//   node tests/sweep/float.js roundings|functions
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { build } from "esbuild";

const mnemonics = ["add", "sub", "mul", "fma", "div", "rcp", "sqrt"];
const roundings = mnemonics.flatMap((what) =>
  ["rn", "rz", "rm", "rp"].flatMap((rnd) => ["f32", "f64"].map((format) => `${what}.${rnd}.${format}`)),
);

/** Per function the manual's bounds as [measure, bound, where]. */
const turns = (count) => (x) => Math.abs(x) <= count * Math.PI;
const near1 = (x) => x > 0.5 && x < 2;
const functions = {
  sin: [
    ["absolute", 2 ** -20.5, turns(2)],
    ["absolute", 2 ** -14.7, turns(100)],
  ],
  cos: [
    ["absolute", 2 ** -20.5, turns(2)],
    ["absolute", 2 ** -14.7, turns(100)],
  ],
  ex2: [["relative", 2 ** -22, (x) => x >= -126]],
  lg2: [
    ["absolute", 2 ** -22, near1],
    ["relative", 2 ** -22, (x) => !near1(x)],
  ],
  tanh: [["relative", 2 ** -11, () => true]],
  rsqrt: [["relative", 2 ** -22.9, () => true]],
};

/** The functions under test and their judges, as one module. */
async function bundle() {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      contents: `
        export { match } from "../src/isa/index.ts";
        export { scalarOf } from "../src/numeric/index.ts";
        export { formats } from "./conformance/rational-oracle.ts";
        export { pairsOfCorners, randomCodes } from "./conformance/codes.ts";
        export { isRight, operations } from "./conformance/interval-oracle.ts";
        export { isNumber, missOf } from "./conformance/series-oracle.ts";`,
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return outputFiles[0].text;
}

async function work({ code, name, count, part, parts }) {
  const judges = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  return name in functions ? measure(judges, name, count, part, parts) : round(judges, name, count, part, parts);
}

function round(
  { match, scalarOf, formats, operations, isRight, pairsOfCorners, randomCodes },
  name,
  count,
  part,
  parts,
) {
  const [what, rnd, type] = name.split(".");
  const format = formats.get(type);
  const run = scalarOf(match(what, [rnd, type]).candidates[0].plan().op);
  const arity = operations[what];
  let done = 0;
  let wrong = 0;
  let example = "";
  const judge = (operands) => {
    const used = operands.slice(0, arity);
    const d = BigInt(run(...(type === "f32" ? used.map(Number) : used)));
    done++;
    if (isRight(format, what, rnd, used, d)) return;
    if (wrong++ === 0) example = [...used, d].map((bits) => bits.toString(16)).join(" ");
  };
  if (part === 0) for (const operands of pairsOfCorners(format)) judge(operands);
  const next = randomCodes(format, BigInt(1 + 2 * part));
  for (let n = part; n < count; n += parts) judge(next());
  return { done, wrong, example };
}

function measure({ match, scalarOf, missOf, isNumber }, name, count, part, parts) {
  const bounds = functions[name];
  const run = scalarOf(match(name, ["approx", "f32"]).candidates[0].plan().op);
  const word = new Uint32Array(1);
  const single = new Float32Array(word.buffer);
  const most = bounds.map(() => 0);
  let ulp = 0;
  let done = 0;
  // An odd step: the last bits of the inputs differ too.
  const step = Math.floor(2 ** 32 / count) | 1;
  for (let code = part * step; code < 2 ** 32; code += parts * step) {
    word[0] = code;
    const x = single[0];
    word[0] = run(code);
    const got = single[0];
    if (!Number.isFinite(x) || !isNumber(name, x)) continue;
    done++;
    if (!Number.isFinite(got)) ulp = Number.POSITIVE_INFINITY;
    const miss = missOf(name, x, Number.isFinite(got) ? got : 0);
    ulp = Math.max(ulp, miss.ulp);
    bounds.forEach(([key, , where], at) => {
      if (where(x)) most[at] = Math.max(most[at], miss[key]);
    });
  }
  return { done, most, ulp };
}

async function one(code, name, count, workers) {
  const start = performance.now();
  const jobs = Array.from({ length: workers }, (_, part) => {
    return new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url), {
        workerData: { code, name, count, part, parts: workers },
      });
      worker.on("message", resolve);
      worker.on("error", reject);
    });
  });
  const results = await Promise.all(jobs);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const done = results.reduce((sum, result) => sum + result.done, 0);
  if (!(name in functions)) {
    const wrong = results.reduce((sum, result) => sum + result.wrong, 0);
    const example = results.find((result) => result.example)?.example ?? "";
    console.log(`${name}: ${done} in ${seconds} s, ${wrong} wrong ${example}`.trim());
    return wrong === 0;
  }
  const ulp = Math.max(...results.map((result) => result.ulp));
  const measured = functions[name].map(([key, bound], at) => {
    const most = Math.max(...results.map((result) => result.most[at]));
    const text = `${key} 2^${Math.log2(most).toFixed(2)}, the manual allows 2^${Math.log2(bound).toFixed(1)}`;
    return { text, good: most <= bound };
  });
  console.log(
    `${name}: ${done} in ${seconds} s, ${measured.map(({ text }) => text).join("; ")}; ${ulp.toFixed(7)} ulp`,
  );
  return measured.every(({ good }) => good) && ulp < 0.500001;
}

async function main() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: "string" }, workers: { type: "string" } },
  });
  const names = positionals.flatMap((name) => ({ roundings, functions: Object.keys(functions) })[name] ?? [name]);
  const unknown = names.filter((name) => !roundings.includes(name) && !(name in functions));
  if (names.length === 0 || unknown.length > 0) {
    console.error(
      "usage: node tests/sweep/float.js add.rn.f32|...|sin|...|roundings|functions [--count N] [--workers N]",
    );
    return 2;
  }
  const workers = Number(options.workers ?? availableParallelism());
  const code = await bundle();
  let good = true;
  for (const name of names) {
    const count = Number(options.count ?? (name in functions ? 1e6 : 1e7));
    good = (await one(code, name, count, workers)) && good;
  }
  return good ? 0 : 1;
}

if (isMainThread) process.exitCode = await main();
else parentPort.postMessage(await work(workerData));
