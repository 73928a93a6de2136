// Builds the programs of this folder with nvcc for the shared runtime, and runs them: node native/tests/cudart/run.js [NAME...]
// Those of `programs`, each of which uses the runtime in another way and compares with the host, are built as nvcc does by default and run
// by `ptxrun exec`; every third once more without symbols, which has to be right or said.
// For who has nvcc; the tests of the suite do by hand what it makes. After `npm run native` and `npm run build`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = import.meta.dirname;
const libraries = join(folder, "../../../native/build");
const { NVCC = "nvcc" } = process.env;
const ptx = ["-gencode", "arch=compute_80,code=compute_80", "-std=c++17"];

/** Each program's sources, options, and what it ends with: its exit code, and words among what it says. */
const programs = {
  add: { sources: ["add.cu"], out: "added\n" },
  "per-thread": { sources: ["streams.cu"], options: ["--default-stream", "per-thread"], out: "streams\n" },
  symbols: { sources: ["symbols.cu"], out: "symbols\n" },
  textures: { sources: ["textures.cu"], out: "textures\n" },
  streams: { sources: ["streams.cu"], out: "hello from 2 of 3\n" },
  graphs: { sources: ["graphs.cu"], out: "graphs\n" },
  "graphs-per-thread": { sources: ["graphs.cu"], options: ["--default-stream", "per-thread"], out: "graphs\n" },
  capture: { sources: ["capture.cu"], out: "captured\n" },
  conditions: { sources: ["conditions.cu"], out: "conditions\n" },
  faults: { sources: ["faults.cu"], out: "faults\n", err: "PTX3002" },
  grid: { sources: ["grid.cu"], out: "grid\n" },
  units: { sources: ["units.cu", "units-other.cu"], out: "units\n" },
  thrust: { sources: ["thrust.cu"], out: "thrust\n" },
  "machine-code": {
    sources: ["add.cu"],
    ptx: ["-gencode", "arch=compute_80,code=sm_80"],
    exit: 99,
    err: "code=compute_90, which embeds PTX",
  },
  static: {
    sources: ["add.cu"],
    options: ["-cudart", "static"],
    exit: 99,
    err: "link the program with nvcc -cudart shared",
  },
};

const room = mkdtempSync(join(tmpdir(), "ptxrun-nvcc-"));
let failed = 0;

function build(name, argv) {
  const program = join(room, name);
  const { status, stdout, stderr, error } = spawnSync(NVCC, [...argv, "-w", "-o", program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${NVCC} failed: ${error?.message ?? stdout + stderr}`);
  return program;
}

/** Runs a program, and says whether it has ended as told; `exit` undefined is any failure. */
function run(name, command, { out = "", err = "", ...told }, env = process.env) {
  const exit = "exit" in told ? told.exit : 0;
  const [first, ...rest] = command;
  const ran = spawnSync(first, rest, { encoding: "utf8", env, timeout: 120_000 });
  const well =
    (exit === undefined ? ran.status !== 0 : ran.status === exit) &&
    ran.stdout.includes(out) &&
    ran.stderr.includes(err);
  console.log(`${well ? "ok  " : "FAIL"} ${name}`);
  if (!well) console.log(`  it ended with ${ran.status ?? ran.signal}\n${ran.stdout}${ran.stderr}`);
  if (!well) failed++;
}

const exec = [process.execPath, join(folder, "../../../bin/ptxrun.js"), "exec", "--"];
const sources = readdirSync(join(folder, "programs")).filter((name) => name.endsWith(".cu"));

/** Of a program's text, the options after `// nvcc:`. */
const optionsOf = (path) => /^\/\/ nvcc: (.*)/m.exec(readFileSync(path, "utf8"))?.[1].split(" ") ?? [];

try {
  const asked = process.argv.slice(2);
  for (const [name, program] of Object.entries(programs)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { sources: files, options = [], ptx: target = ptx } = program;
    const shared = options.includes("-cudart") ? [] : ["-cudart", "shared"];
    const argv = [...shared, ...target, ...options, ...files.map((source) => join(folder, source))];
    run(name, [build(name, argv)], program, {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      PTXRUN_NODE: process.execPath,
    });
  }
  for (const [at, source] of sources.entries()) {
    const name = source.replace(".cu", "");
    if (asked.length > 0 && !asked.includes(name)) continue;
    const path = join(folder, "programs", source);
    const program = build(name, ["-std=c++17", "--extended-lambda", ...optionsOf(path), path]);
    run(name, [...exec, program], { out: "ok\n" });
    if (at % 3 !== 0) continue;
    spawnSync("strip", [program]);
    run(`${name}, stripped`, [...exec, program], { exit: undefined, err: "no symbols that say where" });
  }
} finally {
  rmSync(room, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
