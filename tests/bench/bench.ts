import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { relaxedOption } from "../../src/cli/start/start.ts";
import { all, executors as observable } from "./executors.ts";
import { measureCosts } from "./measure-costs.ts";
import { measureGrowth } from "./measure-growth.ts";
import { measureKernels } from "./measure-kernels.ts";
import { measureLitmus } from "./measure-litmus.ts";
import { measureMixes } from "./measure-mixes.ts";
import { measureParts } from "./measure-parts.ts";
import { measureProducts } from "./measure-products.ts";
import { Native } from "./native.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    executor: { type: "string", default: "all" },
    rounds: { type: "string", default: "5" },
    strict: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
// As `ptxrun run` does.
const option = relaxedOption("run", process.versions.v8);
if (option !== undefined) setFlagsFromString(option);
const [part = ""] = positionals;
const rounds = Number(values.rounds);
const isWanted = ([name]: readonly [string, unknown]): boolean =>
  values.executor === name || values.executor === "all" || (values.executor === "both" && name !== "native");
const [forKernels, executors] = [new Map([...all].filter(isWanted)), new Map([...observable].filter(isWanted))];
if (forKernels.size === 0) throw new Error(`--executor is one of ${[...all.keys(), "both", "all"].join(", ")}`);
const targets = JSON.parse(readFileSync(new URL("targets.json", import.meta.url), "utf8"));

const native = Native.start(fileURLToPath(new URL("native/kernels.cpp", import.meta.url)));
if (native === undefined) console.log("there is no g++: kernels have nothing to be compared with");
const met = [
  await measureKernels(part, forKernels, native, targets.native, rounds),
  measureMixes(part, executors, targets.mixes, rounds, values.record),
  measureCosts(part, executors, targets.costs, rounds),
  measureGrowth(part, executors, targets.growth),
  measureLitmus(part, targets.litmus),
];
measureParts(part, forKernels, rounds);
measureProducts(part, forKernels, rounds);
native?.stop();
if (values.strict && met.includes(false)) process.exitCode = 1;
