// What starting the command costs: processor time (user and system) over `node -e 0`, which no program on Node can
// avoid. Every round runs each command line once, in turn, so that a machine whose speed drifts is fair to all.
//
//   node tests/bench/start.js [--rounds 40] [--against CHECKOUT]... [--node PROGRAM] [--limit MS] [-- PART OF A NAME]
//
// `--against` measures another built checkout in the same rounds. With `--limit`, a first line whose median is above it makes
// the command exit 1. Needs bash, whose `time` reads what the system accounted to the finished process.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "40" },
    against: { type: "string", multiple: true, default: [] },
    node: { type: "string", default: process.execPath },
    limit: { type: "string" },
  },
});

const example = join(here, "examples/half/add.ptx");
const lines = [
  ["-e 'add.u32 a, 1, 2;'", ["-e", "add.u32 a, 1, 2;"]],
  ["run FILE", ["run", example]],
  ["check FILE", ["check", example]],
  ["lint FILE", ["lint", example]],
  ["explain CODE", ["explain", "PTX1201"]],
  ["explain VALUE", ["explain", "0x3c00", "--as", "f16"]],
  ["isa add", ["isa", "add"]],
  ["--help", ["--help"]],
  ["--version", ["--version"]],
].filter(([name]) => positionals.every((part) => name.includes(part)));

const checkouts = [here, ...values.against];
const runs = [
  { name: "node -e 0", args: ["-e", "0"], times: [] },
  ...lines.flatMap(([name, args]) =>
    checkouts.map((root, at) => ({
      name: at === 0 ? name : `${name} in ${root}`,
      args: [join(root, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).bin.ptxrun), ...args],
      times: [],
    })),
  ),
];

/** User and system time of one run, in milliseconds. */
function cost(args) {
  const measured = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null 2>&1 </dev/null`;
  const { stderr, status } = spawnSync("bash", ["-c", measured, "bash", values.node, ...args], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}`);
  const [user, system] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

for (const { args } of runs) cost(args);
for (let round = 0; round < Number(values.rounds); round++) for (const run of runs) run.times.push(cost(run.args));

const quantile = (times, part) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)];
const base = runs[0].times;
console.log(`${values.rounds} rounds, ms of processor time over node -e 0 (${quantile(base, 0.5).toFixed(0)} ms)`);
console.log("median  least  first tenth");
const show = (number) => number.toFixed(0).padStart(6);
for (const { name, times } of runs.slice(1)) {
  const over = [0.5, 0, 0.1].map((part) => quantile(times, part) - quantile(base, part));
  console.log(`${over.map(show).join(" ")}        ${name}`);
}
const [, typed] = runs;
if (values.limit && quantile(typed.times, 0.5) - quantile(base, 0.5) > Number(values.limit)) process.exitCode = 1;
