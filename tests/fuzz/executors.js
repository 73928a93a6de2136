// Runs random programs by two executors, and compares all that can be seen: how they stop, what is found, how many steps
// it takes, registers and carry flags of every thread, memory and its shadow.
//
//   node tests/fuzz/executors.js [--programs 10000 | --seeds A..B | --only SEED] [--executor NAME] [--jobs 1] [--failures 1]
//                                [--show] [--whole] [--coverage] [--workers 1,2] [--blocks] [--file PROGRAM --only SEED]
//   node tests/fuzz/executors.js --campaign tests/fuzz/executors-campaign.json [--for 3600]
//
// A seed is a program and the manner of its launch. A difference is printed as the shortest program that shows it (as it
// was drawn with --whole), with the command that repeats it. Each second seed is about one form of the table, so that
// some thousand seeds have all of them; --coverage tells which were not drawn. With --workers each launch has more
// blocks, which pools of so many workers run; with --blocks all have more blocks, and nobody looks at registers.
// --campaign goes on from the last seed of a report for so many seconds of processor time, and adds what it has run: each
// program alone, and some in blocks and by workers.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-executors-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "run.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "executors", "run.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  sourcemap: "inline",
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

const args = process.argv.slice(2);
const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const jobs = Number(option("--jobs", "1"));
const rest = args.filter(
  (word, at) => !["--jobs", "--programs", "--seeds"].some((name) => word === name || args[at - 1] === name),
);
const [first, last] = option("--seeds", `1..${option("--programs", "10000")}`)
  .split("..")
  .map(Number);
const git = (...words) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
const known = args.includes("--campaign")
  ? [
      "--commit", `${git("rev-parse", "--short=8", "HEAD")}${git("status", "--porcelain", "--", "../../src", "executors") && "+"}`,
      "--version", JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")).version,
    ]
  : []; // biome-ignore format: options
const part = Math.ceil((last - first + 1) / jobs);
const ends = await Promise.all(
  Array.from({ length: jobs }, (_, job) => {
    const seeds = `${first + job * part}..${Math.min(last, first + (job + 1) * part - 1)}`;
    // Nearly all code runs for a few programs and is made anew: what an engine does for code that stays costs more than it gives.
    const child = spawn(
      process.execPath,
      [
        "--enable-source-maps",
        "--no-wasm-tier-up",
        "--single-threaded-gc",
        "--interrupt-budget=400000",
        "--max-semi-space-size=32",
        outfile,
        "--seeds",
        seeds,
        ...known,
        ...rest,
      ],
      {
        stdio: "inherit",
      },
    );
    return new Promise((done) => child.on("close", done));
  }),
);
process.exitCode = Math.max(...ends);
