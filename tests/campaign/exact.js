// Prints the plan of the campaign that compares every spelling, whose result follows in one step from the bits of its operands, with exact
// arithmetic: all inputs where they have 16 bits at most, else 20,000 random ones. About half an hour of one core.
//
//   node tests/campaign/exact.js > exact.json; ptxrun campaign run exact.json --shard 1/1; node tests/campaign/keep.js exact.shards COMMIT
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-exact-"));
const outfile = join(folder, "print.cjs");
const entryPoints = [join(import.meta.dirname, "exact", "print.ts")];
await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
