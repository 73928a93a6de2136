// Speed of the executors: kernels against the same arithmetic in C++ (g++, where it is there), mixes of instructions, what
// checks and tools cost, what a launch is made of (a block, a turn, an access), and how time and memory grow with the
// threads. All is CPU time, the least of several rounds in which everything takes its turn; only ratios of one run say much. `targets.json` has what they must reach, and what the mixes
// reached before the compiled executor, as multiples of a loop that is measured along with them.
//
//   node tests/bench/run.js [--executor js|wasm|native|both|all] [--rounds 5] [--strict] [--record] [PART OF A NAME]
//
// With --strict a target that the last executor does not meet makes it exit 1; --record prints numbers for targets.json.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generateLoops } from "../../generate/generate.js";

await generateLoops();
const here = new URL(".", import.meta.url);
// Beside the sources: they read files by where they lie.
const outfile = fileURLToPath(new URL("bench.built.js", here));
await build({
  entryPoints: [fileURLToPath(new URL("bench.ts", here))],
  outfile,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
try {
  await import(outfile);
} finally {
  rmSync(outfile);
}
