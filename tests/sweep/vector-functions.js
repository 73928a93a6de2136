// Functions of one f32 on vectors (ex2, rsqrt, tanh ...) against the function on one lane, on all 2^32 inputs or a part of them.
// Takes minutes for each function; needs no build.
//
//   node tests/sweep/vector-functions.js [tanh ...] [--from 0x00000000] [--to 0xffffffff] [--step 1] [--only TEXT]
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { sources } from "./sources.js";

// Node 20 has relaxed SIMD behind a flag.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--experimental-wasm-relaxed-simd");

const { values, positionals } = parseArgs({
  options: {
    from: { type: "string", default: "0" },
    to: { type: "string", default: "0xffffffff" },
    step: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
  allowPositionals: true,
});
const [from, to, step] = [Number(values.from), Number(values.to), Number(values.step)];

const { operationsOf, vectorRun, VectorMaker, fusesMultiplyAdd, scalarOf, textOf } = await sources(
  "..",
  `
      export { operationsOf } from "./unit/numeric/table-operations.ts";
      export { vectorRun } from "./unit/numeric/vector/run-vector.ts";
      export { VectorMaker } from "../src/numeric/vector/maker.ts";
      export { fusesMultiplyAdd } from "../src/wasm/fused.ts";
      export { scalarOf } from "../src/numeric/lower/scalar.ts";
      export { textOf } from "../src/numeric/operation/text.ts";`,
);

/** Cases at a time. */
const SOME = 16384;
const ways = fusesMultiplyAdd() ? [false, true] : [false];
const seen = new Set();
for (const [, operation] of operationsOf("floating-point").values()) {
  const text = textOf(operation);
  if (!text.includes(values.only)) continue;
  const { result } = operation;
  const isMeant =
    result.into === "round" && result.of.node === "function" && operation.takes[0].type === "f32" && !seen.has(text);
  if (!isMeant || (positionals.length > 0 && !positionals.includes(result.of.name))) continue;
  seen.add(text);
  const runs = ways.map((fused) => vectorRun(operation, [], undefined, new VectorMaker({ fused })));
  if (runs[0] === undefined) {
    console.log(`${text}: no code on vectors`);
    continue;
  }
  const judge = scalarOf(operation);
  const inputs = new Array(SOME).fill(0);
  let [tried, wrong] = [0, 0];
  for (let first = from; first <= to; first += SOME * step) {
    for (let at = 0; at < SOME; at++) inputs[at] = Math.min(first + at * step, to) >>> 0;
    const results = runs.map((run) => run([inputs]));
    for (let at = 0; at < SOME; at++) {
      const expected = judge(inputs[at]);
      for (const [way, result] of results.entries())
        if (result[at] !== expected && ++wrong <= 40)
          console.log(
            `${text}${ways[way] ? " fused" : ""}: of 0x${inputs[at].toString(16)} 0x${result[at].toString(16)}, not 0x${expected.toString(16)}`,
          );
    }
    tried += SOME;
  }
  if (wrong > 0) process.exitCode = 1;
  console.log(`${text}: ${tried} inputs, ${wrong} wrong`);
}
