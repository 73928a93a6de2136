// Changes one place of a room's sources at a time, and asks whether a test sees it.
//
//   npm run mutants -- ROOM [--count 300] [--seed 1] [--survivors FILE] [--again FILE]
//
// Rooms are those of rooms.ts. --survivors is the file into which survivors are written, --again one of an earlier run, of which mutants are
// drawn. Exits 1 where fewer than 85% of the mutants are killed. Survivors that no test can kill stand in equivalent.json,
// with the reason; they are not drawn.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { generateLoops } from "../../generate/generate.js";

process.chdir(join(import.meta.dirname, "../.."));
await generateLoops();
// In the checkout, where packages are found.
const outfile = `coverage/mutants/main-${process.pid}.mjs`;
await build({
  entryPoints: ["tests/mutants/main.ts"],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  logLevel: "error",
});
// What runs below ends with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
process.on("exit", () => rmSync(outfile, { force: true }));
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main(process.argv.slice(2));
