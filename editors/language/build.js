// The TextMate grammars, made from the tables.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { generateLoops } from "../../generate/generate.js";

/** Loads the module that a TypeScript file of this folder is; its imports from src come with it. */
export async function load(file) {
  await generateLoops();
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-editors-"));
  try {
    const outfile = join(folder, "made.mjs");
    const entry = fileURLToPath(new URL(file, import.meta.url));
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", target: "node20.19" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
