// What operations of the table are on vectors against the function on one lane, on hard operands: zeros, subnormals,
// midpoints, cancellation, results next to the border of what a format holds. Needs no build.
//
//   node tests/sweep/vector-float.js [floating-point ...] [--count 1000000] [--seed 1] [--only 'rz.f64']

import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { sources } from "./sources.js";

// Node 20 has relaxed SIMD behind a flag.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--experimental-wasm-relaxed-simd");

const { values, positionals } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
  allowPositionals: true,
});
const [count, seed] = [Number(values.count), Number(values.seed)];
const sections = positionals.length > 0 ? positionals : ["floating-point"];

const { operationsOf, hardOperands, specialCases, vectorRun, VectorMaker, fusesMultiplyAdd, scalarOf, textOf } =
  await sources(
    "..",
    `
      export { operationsOf } from "./unit/numeric/table-operations.ts";
      export { hardOperands, specialCases } from "./unit/numeric/vector/hard-floats.ts";
      export { vectorRun } from "./unit/numeric/vector/run-vector.ts";
      export { VectorMaker } from "../src/numeric/vector/maker.ts";
      export { fusesMultiplyAdd } from "../src/wasm/fused.ts";
      export { scalarOf } from "../src/numeric/lower/scalar.ts";
      export { textOf } from "../src/numeric/operation/text.ts";`,
  );

/** Cases at a time. */
const SOME = 16384;
const ways = fusesMultiplyAdd() ? [false, true] : [false];
const hex = (bits) => bits.map((each) => `0x${each.toString(16)}`).join(" ");
let wrong = 0;
const without = [];
for (const section of sections)
  for (const [, operation] of operationsOf(section).values()) {
    const text = textOf(operation);
    if (!text.includes(values.only)) continue;
    const runs = ways.map((fused) => vectorRun(operation, [], undefined, new VectorMaker({ fused })));
    if (runs[0] === undefined) {
      without.push(text);
      continue;
    }
    const types = operation.takes.map(({ type }) => type);
    const draw = hardOperands(types, seed);
    const judge = scalarOf(operation);
    const before = wrong;
    const all = specialCases(types);
    for (let done = 0; done < count; ) {
      const cases = done === 0 ? all.slice(0, SOME) : Array.from({ length: Math.min(SOME, count - done) }, draw);
      done += cases.length;
      const wanted = cases.map((bits) => judge(...bits));
      const columns = types.map((_, at) => cases.map((each) => each[at]));
      for (const [way, run] of runs.entries()) {
        const got = run(columns);
        for (const [at, bits] of cases.entries())
          if (got[at] !== wanted[at] && ++wrong - before <= 5)
            console.log(`${text}${way ? " fused" : ""} ${hex(bits)}: ${hex([got[at]])}, not ${hex([wanted[at]])}`);
      }
    }
    console.log(`${text}: ${wrong - before} wrong`);
  }
console.log(`${wrong} wrong; without a rule: ${without.length === 0 ? "none" : without.join("; ")}`);
process.exitCode = wrong > 0 ? 1 : 0;
