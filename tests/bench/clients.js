// Measures what calls of the driver API take, beside what the machine itself needs for a word between two processes and for a copy in memory:
//     npm run native && node tests/bench/clients.js [product|launches|modules|copies|big]
// Each line is the least of many rounds; a machine that does other things besides makes all of them worse.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../native/build.js";

const native = join(import.meta.dirname, "../../native");
const built = join(native, "build");
const own = join(import.meta.dirname, "clients");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-bench-"));
const program = join(folder, "calls");
const headers = ["cuda", "tests", "."].flatMap((name) => ["-I", join(native, name)]);
compile([
  "-O1",
  "-g",
  "-pthread",
  ...headers,
  "-o",
  program,
  join(own, "calls.c"),
  "-L",
  built,
  "-lcuda",
  `-Wl,-rpath,${built}`,
]);
const { status } = spawnSync(program, [join(own, "tiles.ptx"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, PTXRUN_NODE: process.execPath },
});
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
