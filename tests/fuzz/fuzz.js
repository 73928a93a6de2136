// Feeds ptxrun with what no friend would give it: nothing may end with exit 70, hang, take more memory than it may, or be executed
// otherwise by the other executor; what is printed must be what was read.
//
//   node tests/fuzz/fuzz.js [TARGET...] [--seeds 1..1000] [--failures 10] [--time SECONDS] [--memory MIB]
//   node tests/fuzz/fuzz.js TARGET --input FILE
//   node tests/fuzz/fuzz.js [TARGET...] --seeds A..B --grow
//
// Targets: forms (every instruction and type that ptxas was seen to take, with values in its registers), ptx, visa and object (texts and objects
// with mistakes), container (fat binaries and what is around them, whose headers lie; containers.js gives the same to the C library under
// sanitizers), sidecar, repl, dap, lsp (sessions), and programs (whole programs from the table, by executors.js). A seed is an input of each
// target, the same everywhere. A failure is told as the shortest input that shows it. --grow goes on from inputs that went through
// something new, as V8's coverage tells, and keeps the best of them in tests/data/fuzz/inputs.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./inputs/bundle.js";

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "ptxrun-inputs-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
await bundle(["run.ts", "child.ts"], folder);

/** Ends with what a command ended with. */
const run = (...words) =>
  new Promise((done) => {
    spawn(process.execPath, words, { stdio: "inherit" }).on("close", (code) => done(code ?? 1));
  });

const args = process.argv.slice(2);
const options = args.findIndex((word) => word.startsWith("--"));
const targets = options < 0 ? args : args.slice(0, options);
const rest = options < 0 ? [] : args.slice(options);
const ends = [];
const others = targets.filter((name) => name !== "programs");
if (targets.length === 0 || others.length > 0)
  ends.push(
    await run(
      "--enable-source-maps",
      join(folder, "run.mjs"),
      ...others,
      ...rest,
      "--child",
      join(folder, "child.mjs"),
    ),
  );
if (targets.includes("programs") || (targets.length === 0 && !args.includes("--grow"))) {
  const seeds = rest.includes("--seeds") ? rest[rest.indexOf("--seeds") + 1] : "1..1000";
  ends.push(await run(join(here, "executors.js"), "--seeds", seeds));
}
process.exitCode = Math.max(...ends);
