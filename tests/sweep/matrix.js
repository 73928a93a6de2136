// Whole kernels with mma and wmma.mma: every spelling of the table with products of whole numbers, rows recorded from GPUs
// where they lie beside the project, and rows that the oracle in rationals draws (tests/data/tensor/rows.py; needs Python 3).
// A command of its own because it takes minutes; no build is needed.
//
//   node tests/sweep/matrix.js [--count 8] [--rows 20000] [--seed 1] [--recorded ../shared/tensor/hardware-rows.jsonl.gz]
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { sources } from "./sources.js";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "8" },
    rows: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    recorded: { type: "string", default: at("../../../shared/tensor/hardware-rows.jsonl.gz") },
  },
});

const { cases, differingExactly, differingRows, fromHardware, grouped } = await sources(
  "../conformance",
  `export * from "./matrix-exact.ts"; export * from "./matrix-rows.ts"; export * from "./tensor-rows.ts";`,
);

let failed = false;
function tell(what, count, wrong) {
  console.log(`${what}: ${count}, ${wrong.length} wrong`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
  failed ||= wrong.length > 0 || count === 0;
}

/** Rows through the instructions that compute them; those of other units are left to others. */
function rows(what, lines, from = (row) => row) {
  const groups = grouped(lines.map((line) => from(JSON.parse(line))));
  const wrong = groups.flatMap(([one, some]) => differingRows(one, some));
  tell(
    `${what}, by ${groups.length} instructions`,
    groups.reduce((sum, [, some]) => sum + some.length, 0),
    wrong,
  );
}

const all = [...cases()];
const count = Number(values.count);
tell(
  `products of whole numbers, by ${all.length} spellings`,
  all.length * count,
  all.flatMap((one, index) => differingExactly(one, Number(values.seed) * 100_000 + index, count)),
);
if (existsSync(values.recorded))
  rows("rows of GPUs", gunzipSync(readFileSync(values.recorded)).toString().trim().split("\n"), fromHardware);
else console.log(`no recorded rows at ${values.recorded}`);
const drawing = spawnSync("python3", [at("../data/tensor/rows.py"), "--count", values.rows, "--seed", values.seed], {
  maxBuffer: 1 << 30,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (drawing.status !== 0) throw new Error(`rows.py ended with ${drawing.status}`);
rows("rows of the oracle", drawing.stdout.trim().split("\n"));
process.exitCode = failed ? 1 : 0;
