// Operations as the compiled executor computes them, four lanes at a time, against the function on one lane that
// JavaScript runs (which half.js and cvt.js judge): all 2^32 pairs of operands of 16 bits, and random ones of all others.
// Needs no build. A command of its own because it takes minutes.
//
//   node tests/sweep/vector.js pairs add.f16 mul.bf16 [--slice 3/256]
//   node tests/sweep/vector.js table half-precision mixed-precision data-movement [--count 100000] [--seed 2]
import { parseArgs } from "node:util";
import { sources } from "./sources.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slice: { type: "string", default: "0/1" },
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
  },
});
const [kind, ...names] = positionals;
if ((kind !== "pairs" && kind !== "table") || names.length === 0) {
  console.error("usage: node tests/sweep/vector.js pairs NAME... | table SECTION...");
  process.exit(2);
}

const unit = "../unit/numeric";
const { differences, fusesMultiplyAdd, operationOf, operationsOf, scalarOf, vectorLoop, wordsOf } = await sources(
  ".",
  `
      export { fusesMultiplyAdd } from "../../src/wasm/fused.ts";
      export { scalarOf } from "../../src/numeric/index.ts";
      export { operationOf } from "${unit}/entry.ts";
      export { operationsOf } from "${unit}/table-operations.ts";
      export { differences } from "${unit}/vector/judge.ts";
      export { vectorLoop, wordsOf } from "${unit}/vector/run-vector.ts";`,
);
console.log(`Node ${process.versions.node}, ${fusesMultiplyAdd() ? "with" : "without"} fused instructions`);
let failed = false;
for (const name of names) {
  const start = performance.now();
  const { done, wrong, example } = kind === "pairs" ? pairs(name) : table(name);
  failed ||= wrong > 0;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name.padEnd(12)} ${done.toLocaleString("en")} in ${seconds} s, ${wrong} wrong${example}`);
}
process.exitCode = failed ? 1 : 0;

/** All pairs, or those whose first operand is of a residue class. */
function pairs(name) {
  const operation = operationOf(name);
  const [run, scalar] = [vectorLoop(operation), scalarOf(operation)];
  const [part, parts] = values.slice.split("/").map(Number);
  const [left, right, result] = [wordsOf(0), wordsOf(1), wordsOf(2)];
  let [done, wrong, example] = [0, 0, ""];
  for (let a = part; a < 0x1_0000; a += parts) {
    left.fill(a);
    for (let from = 0; from < 0x1_0000; from += left.length) {
      for (let at = 0; at < right.length; at++) right[at] = from + at;
      run(left.length / 4);
      for (let at = 0; at < right.length; at++) {
        const wanted = scalar(a, from + at);
        if (result[at] === wanted) continue;
        wrong++;
        example ||= `: 0x${a.toString(16)}, 0x${(from + at).toString(16)} gave 0x${result[at].toString(16)}`;
      }
    }
    done += 0x1_0000;
  }
  return { done, wrong, example };
}

/** Each operation of a section of the table, on hard operands. */
function table(section) {
  let [done, wrong, example] = [0, 0, ""];
  for (const [syntax, operation] of operationsOf(section).values()) {
    const found = differences(operation, { count: Number(values.count), seed: Number(values.seed) });
    if (found === undefined) continue;
    done++;
    wrong += found.length;
    if (found.length > 0) example ||= `: ${syntax}: ${found[0]}`;
  }
  return { done, wrong, example };
}
