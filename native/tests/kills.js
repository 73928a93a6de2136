// Kills the worker of a client of the driver API at random moments: every call must return.
//     npm run native && node native/tests/kills.js [KILLS [KILL_AFTER_US [SEED]]]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../build.js";

const native = join(import.meta.dirname, "..");
const built = join(native, "build");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-kills-"));
const program = join(folder, "kills");
const flags = ["-O1", "-g", "-pthread", "-I", join(native, "cuda"), "-o", program];
compile([...flags, join(import.meta.dirname, "driver-kills.c"), "-L", built, "-lcuda", `-Wl,-rpath,${built}`]);
const [kills = "200", after = "900000", seed = "12345"] = process.argv.slice(2);
const { status, stdout, stderr } = spawnSync(program, ["kills", kills, after, seed], {
  encoding: "utf8",
  maxBuffer: 2 ** 28,
  env: { ...process.env, PTXRUN_NODE: process.execPath },
});
rmSync(folder, { recursive: true });
// What it says of each death is as expected.
process.stdout.write(status === 0 ? stdout : `${stdout}${stderr.slice(-4000)}`);
process.exitCode = status === 0 ? 0 : 1;
