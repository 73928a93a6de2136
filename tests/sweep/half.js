// All 2^32 pairs of a binary 16-bit operation against an independent algorithm, and sampled rows against the exact
// reference. Needs a build first (`npm run build`); it is a command of its own because it takes minutes.
//
//   node tests/sweep/half.js add.f16 [--slice 3/256] [--workers 2]
//   node tests/sweep/half.js all --slice 0/256
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { match } from "../../dist/isa/index.js";
import { reference as exact, scalarOf } from "../../dist/numeric/index.js";

const mnemonics = ["add", "sub", "mul", "min", "max"];
const PAIRS_A_ROW = 0x10000;

/** Values of all codes, by way of binary32 bits. */
function decode(format) {
  const bits = new Uint32Array(0x10000);
  const values = new Float32Array(bits.buffer);
  for (let code = 0; code < 0x10000; code++) {
    if (format === "bf16") {
      bits[code] = code << 16;
      continue;
    }
    const sign = code & 0x8000 ? -1 : 1;
    const e = (code >>> 10) & 31;
    const fraction = code & 1023;
    if (e === 31) values[code] = fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    else values[code] = sign * (e ? (1024 + fraction) * 2 ** (e - 25) : fraction * 2 ** -24);
  }
  return values;
}

/** The judge: the operation in binary32, then a rounding of its bits; two harmless roundings in place of one. */
function judge(format) {
  const single = new Float32Array(1);
  const word = new Uint32Array(single.buffer);
  if (format === "bf16") {
    return (value) => {
      single[0] = value;
      const bits = word[0];
      if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
      return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
    };
  }
  return (value) => {
    single[0] = value;
    const bits = word[0];
    const sign = (bits >>> 16) & 0x8000;
    const magnitude = bits & 0x7fffffff;
    if (magnitude >= 0x47800000) return magnitude > 0x7f800000 ? 0x7fff : sign | 0x7c00;
    if (magnitude >= 0x38800000) return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
    // The sum with 1/2 has units of 2^-24, those of the subnormals.
    word[0] = magnitude;
    single[0] += 0.5;
    return sign | (word[0] - 0x3f000000);
  };
}

const computations = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  min: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  max: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
};

function sweep({ name, first, last, part, parts }) {
  const [what, format] = name.split(".");
  const operation = match(what, [format]).candidates[0].plan().op;
  const fast = scalarOf(operation);
  const reference = (a, b) => Number(exact(operation, [BigInt(a), BigInt(b)]));
  const values = decode(format);
  const round = judge(format);
  const compute = computations[what];
  let wrong = 0;
  let example = "";
  for (let at = first; at < last; at++) {
    const a = at * parts + part;
    const x = values[a];
    for (let b = 0; b < PAIRS_A_ROW; b++) {
      if (fast(a, b) === round(compute(x, values[b]))) continue;
      if (wrong++ === 0) example = `${a.toString(16)} ${b.toString(16)}`;
    }
  }
  // One row of each worker in full, by the reference.
  const row = ((first + last) >>> 1) * parts + part;
  for (let b = 0; b < PAIRS_A_ROW; b++) {
    if (fast(row, b) === reference(row, b)) continue;
    if (wrong++ === 0) example = `${row.toString(16)} ${b.toString(16)} (reference)`;
  }
  return { wrong, example };
}

async function main() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { slice: { type: "string", default: "0/1" }, workers: { type: "string" } },
  });
  const every = mnemonics.flatMap((what) => [`${what}.f16`, `${what}.bf16`]);
  const names = positionals.includes("all") ? every : positionals;
  const [part, parts] = options.slice.split("/").map(Number);
  const unknown = names.filter((name) => !every.includes(name));
  if (names.length === 0 || unknown.length > 0 || !(part < parts) || 0x10000 % parts !== 0) {
    console.error(`usage: node tests/sweep/half.js ${every.join("|")}|all [--slice I/N] [--workers N]`);
    return 2;
  }
  let failed = 0;
  for (const name of names) failed += await one(name, part, parts, Number(options.workers ?? availableParallelism()));
  return failed > 0 ? 1 : 0;
}

/** A slice is every parts-th row, so that it meets every exponent; the workers share it. */
async function one(name, part, parts, workers) {
  const rows = 0x10000 / parts;
  const start = performance.now();
  const jobs = Array.from({ length: workers }, (_, at) => {
    const first = Math.floor((rows * at) / workers);
    const last = Math.floor((rows * (at + 1)) / workers);
    return new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { name, first, last, part, parts } });
      worker.on("message", resolve);
      worker.on("error", reject);
    });
  });
  const results = await Promise.all(jobs);
  const seconds = (performance.now() - start) / 1000;
  const pairs = rows * PAIRS_A_ROW;
  const wrong = results.reduce((sum, result) => sum + result.wrong, 0);
  const example = results.find((result) => result.example)?.example ?? "";
  const rate = (pairs / seconds / 1e6).toFixed(1);
  console.log(`${name}: ${pairs} pairs in ${seconds.toFixed(1)} s, ${rate} M/s, ${wrong} wrong ${example}`.trim());
  return wrong;
}

if (isMainThread) process.exitCode = await main();
else parentPort.postMessage(sweep(workerData));
