// Carries out random commands of the REPL on twenty programs, and compares all state after each of them with a launch that only
// runs forward. A command of its own, because it runs for as long as it is told; a short form is in tests/properties.
//
//   node tests/fuzz/history.js [--commands 100000] [--seed 1] [--session 100] [--only NAME]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-history-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "run.mjs");
const sources = join(import.meta.dirname, "history");
await build({
  entryPoints: [join(sources, "run.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  // The programs are read from where their source lies.
  define: { "import.meta.url": JSON.stringify(pathToFileURL(join(sources, "run.ts")).href) },
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
await import(outfile);
