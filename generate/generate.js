// Writes the loops that are made from the operations of the table: before tsc, and before tests.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = new URL("..", import.meta.url);

/** Writes the module where it is missing or says something else than the operations do. */
export async function generateLoops() {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-loops-"));
  try {
    const outfile = join(folder, "loops.mjs");
    const entry = fileURLToPath(new URL("generate/loops.ts", root));
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", target: "node20.19" });
    const { loopModule, MODULE } = await import(pathToFileURL(outfile).href);
    const file = new URL(MODULE, root);
    const text = loopModule();
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
