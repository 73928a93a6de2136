// All 65536 values of each operand of each operation on 16-bit floats, by both executors; the other operands are drawn from
// values at corners, another part of them in each round.
//
//   node tests/sweep/executors.js [ROUNDS]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-sweep-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "run.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "executors.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
await import(outfile);
