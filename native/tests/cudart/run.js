// Builds the programs of this folder with nvcc for the shared runtime, and runs them: node native/tests/cudart/run.js [NAME...]
// For who has nvcc; the tests of the suite do by hand what it makes. After `npm run native` and `npm run build`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
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

function build(name, { sources, options = [], ptx: target = ptx }) {
  const shared = options.includes("-cudart") ? [] : ["-cudart", "shared"];
  const program = join(room, name);
  const argv = [...shared, ...target, ...options, "-o", program, ...sources.map((source) => join(folder, source))];
  const { status, stdout, stderr, error } = spawnSync(NVCC, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${NVCC} failed: ${error?.message ?? stdout + stderr}`);
  return program;
}

try {
  const asked = process.argv.slice(2);
  for (const [name, program] of Object.entries(programs)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { exit = 0, out = "", err = "" } = program;
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, PTXRUN_NODE: process.execPath };
    const ran = spawnSync(build(name, program), { encoding: "utf8", env, timeout: 120_000 });
    const well = ran.status === exit && ran.stdout.includes(out) && ran.stderr.includes(err);
    console.log(`${well ? "ok  " : "FAIL"} ${name}`);
    if (!well) console.log(`  it ended with ${ran.status ?? ran.signal}\n${ran.stdout}${ran.stderr}`);
    if (!well) failed++;
  }
} finally {
  rmSync(room, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
