// Plants faults at random instructions of kernels of the gallery, compares each with another build of the kernel, and
// counts how often `ptxrun diff` names the place.
//
//   node tests/fuzz/planted.js [--seeds A..B] [--kernels NAME,...] [--builds alike | other] [--show] [--cause]
//
// A seed is a kernel, two builds of it and a fault. What was missed is printed with its seed; --show prints all, --cause
// what was said.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-planted-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "run.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "planted", "run.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  sourcemap: "inline",
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
const child = spawn(process.execPath, ["--enable-source-maps", outfile, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, PTXRUN_ROOT: join(import.meta.dirname, "../..") },
});
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
