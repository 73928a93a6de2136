// Measures what calls of the driver API take, beside what the machine itself needs for a word between two processes and for a copy in memory:
//     npm run native && node native/tests/speed.js [product|launches|modules|copies|big]
// Each line is the least of many rounds; a machine that does other things besides makes all of them worse.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../build.js";

const native = join(import.meta.dirname, "..");
const built = join(native, "build");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-speed-"));
const program = join(folder, "speed");
const flags = ["-O1", "-g", "-pthread", "-I", join(native, "cuda"), "-I", native, "-o", program];
compile([...flags, join(import.meta.dirname, "speed.c"), "-L", built, "-lcuda", `-Wl,-rpath,${built}`]);
const { status } = spawnSync(program, [join(import.meta.dirname, "tiles.ptx"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, PTXRUN_NODE: process.execPath },
});
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
