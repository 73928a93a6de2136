// Compares the memory model, what it draws and weak memory with the axioms written once more, on random litmus tests. A command of
// its own, because it runs for as long as it is told; a short form is in packages/memory-model/tests/model/oracle.
//
//   node tests/fuzz/litmus.js [--tests 100000] [--seed 1] [--draws 4] [--subsets 1] [--most 6000]
//
// --draws: runs of weak memory for each test; --subsets: how many choices of registers and memory are asked for alone; --most: a test
// with more executions to try is too large.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-litmus-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "run.mjs");
const sources = join(import.meta.dirname, "litmus");
await build({
  entryPoints: [join(sources, "run.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  // Files are read from where the source lies.
  define: { "import.meta.url": JSON.stringify(pathToFileURL(join(sources, "run.ts")).href) },
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
await import(outfile);
