// Gives the containers of fuzz.js to the C library, built with the sanitizers for addresses and undefined behaviour: nothing may be
// read that is not the image's own, and each way to load one must say the same.
//
//   npm run build && node tests/fuzz/containers.js [--seeds 1..1000]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./inputs/bundle.js";

const { values } = parseArgs({ options: { seeds: { type: "string", default: "1..1000" } } });
const [first, last] = values.seeds.split("..").map(Number);
const here = import.meta.dirname;
const home = join(here, "../..");
const native = join(home, "native");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-containers-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// The builder takes its compiler from there, words and all.
process.env.CC = `${process.env.CC ?? "cc"} -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer`;
const { buildDriver, compile, compiler } = await import("../../native/build.js");
if (compiler() === undefined) throw new Error("there is no C compiler (CC, or cc) with these sanitizers");
const built = join(folder, "native");
mkdirSync(built);
buildDriver(built);
const program = join(folder, "containers");
const links = ["-L", built, "-lcuda", `-Wl,-rpath,${built}`];
const headers = ["-I", join(home, "native/tests"), "-I", native, "-I", join(native, "cuda")];
compile(["-O1", "-g", "-pthread", ...headers, "-o", program, join(home, "native/tests/containers.c"), ...links]);

await bundle(["list.ts"], folder);
const { containersOf } = await import(pathToFileURL(join(folder, "list.mjs")));
const records = [];
for (const [seed, bytes] of containersOf(first, last)) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(seed, 0);
  head.writeUInt32LE(bytes.length, 4);
  records.push(head, bytes);
}
const all = join(folder, "all");
writeFileSync(all, Buffer.concat(records));
const { status, signal, stdout, stderr } = spawnSync(program, [all, join(folder, "one")], {
  encoding: "utf8",
  maxBuffer: 2 ** 28,
  env: { ...process.env, PTXRUN_HOME: home, PTXRUN_NODE: process.execPath, PTXRUN_TARGET: "sm_80" },
});
process.stdout.write(`${stdout.slice(stdout.lastIndexOf("\r") + 1)}\n`);
// Each image that is refused has a line of its own.
if (status !== 0) {
  process.stderr.write(`ended with ${status ?? signal}\n${stderr.slice(-6000)}`);
  process.exitCode = 1;
}
