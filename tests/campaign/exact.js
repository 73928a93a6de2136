// Prints the plan of the campaign that compares every spelling, whose result follows in one step from the bits of its operands, with exact
// arithmetic: all inputs where they have 16 bits at most, else 20,000 random ones. About half an hour of one core.
//
//   node tests/campaign/exact.js > exact.json; ptxrun campaign run exact.json --shard 1/1; node tests/campaign/keep.js exact.shards COMMIT
//
// With a name, `exact-9.4`, a campaign of that name and of those spellings alone of which campaigns/results has nothing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-exact-"));
const outfile = join(folder, "print.cjs");
const entryPoints = [join(import.meta.dirname, "exact", "print.ts")];
await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
const { status, stdout } = spawnSync(process.execPath, [outfile], {
  stdio: ["ignore", "pipe", "inherit"],
  encoding: "utf8",
  maxBuffer: 2 ** 28,
});
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
const [name] = process.argv.slice(2);
if (status === 0)
  process.stdout.write(name === undefined ? stdout : `${JSON.stringify(lacking(JSON.parse(stdout)))}\n`);

function lacking({ jobs, ...plan }) {
  const results = join(import.meta.dirname, "../../campaigns/results");
  const files = readdirSync(results).map((file) => JSON.parse(readFileSync(join(results, file), "utf8")));
  const known = new Set(files.flatMap(({ outcomes }) => outcomes.flatMap(({ spellings }) => spellings.split(" "))));
  return { ...plan, name, jobs: jobs.filter(({ name: spelling }) => !known.has(spelling)) };
}
