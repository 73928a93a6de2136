// Rows of hard operands over all targets and types of tensor cores, against an oracle in rationals that shares no code with
// src (tests/data/tensor/oracle.py; needs Python 3, and no build). A command of its own because it takes minutes.
//
//   node tests/sweep/tensor.js [--count 200000] [--seed 1] [--workers 2] [--against dot_oracle.py] [--ptx]
//
// --ptx runs the rows of tcgen05 without scales through tcgen05.mma in PTX too, 64 at a time.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sources } from "./sources.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200000" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: "1" },
    against: { type: "string" },
    ptx: { type: "boolean", default: false },
  },
});
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const { AT_ONCE, differing, multiplicationOf, wrongThroughTensorMemory } = await sources(
  "../conformance",
  `export * from "./tensor-rows.ts"; export * from "./tensor-memory/rows-through-ptx.ts";`,
);
const workers = Number(values.workers);
const seen = { rows: 0, ptx: 0, wrong: 0 };
/** Rows that wait until there are enough for one multiplication. */
const waiting = new Map();

function complain(wrong) {
  seen.wrong += 1;
  if (seen.wrong <= 10) console.log(wrong);
}

function multiply(rows) {
  seen.ptx += rows.length;
  for (const wrong of wrongThroughTensorMemory(rows)) complain(wrong);
}

function throughPtx(row) {
  const which = multiplicationOf(row);
  if (which === undefined) return;
  const rows = [...(waiting.get(which) ?? []), row];
  waiting.set(which, rows.length < AT_ONCE ? rows : []);
  if (rows.length >= AT_ONCE) multiply(rows);
}

/** One process of Python draws its part with a seed of its own. */
async function part(index) {
  const count = Math.ceil(Number(values.count) / workers);
  const seed = Number(values.seed) * 1000 + index;
  const options = [
    "--count",
    `${count}`,
    "--seed",
    `${seed}`,
    ...(values.against ? ["--against", values.against] : []),
  ];
  const drawing = spawn("python3", [at("../data/tensor/rows.py"), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => drawing.on("close", resolve));
  for await (const line of createInterface({ input: drawing.stdout })) {
    const row = JSON.parse(line);
    const wrong = differing(row, seen.rows % 8 === 0);
    seen.rows += 1;
    if (wrong) complain(wrong);
    if (values.ptx) throughPtx(row);
  }
  const status = await ended;
  if (status !== 0) throw new Error(`rows.py ended with ${status}`);
}

await Promise.all(Array.from({ length: workers }, (_, index) => part(index)));
for (const rows of waiting.values()) multiply(rows);
console.log(`${seen.rows} rows${values.ptx ? `, ${seen.ptx} through PTX` : ""}, ${seen.wrong} wrong`);
process.exitCode = seen.wrong > 0 || seen.rows === 0 ? 1 : 0;
