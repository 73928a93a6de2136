/**
 * Programs of csmith through clang, run by ptxrun and by this machine: both must come to one number.
 *
 *     node tests/fuzz/csmith.js [--seeds 1..100] [--with clang-14] [--levels 0,3] [--include FOLDER]
 *
 * Wants csmith and libcsmith-dev of Debian, gcc, and the clangs that are named, each `--with` one. Lists what differs and what a
 * compiler refuses; ends with how many there were of each.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Device, must } from "../../dist/index.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..100" },
    with: { type: "string", multiple: true, default: ["clang-14"] },
    levels: { type: "string", default: "0,3" },
    include: { type: "string", multiple: true, default: [] },
    math: { type: "string", default: "/usr/include/csmith/safe_math.h" },
  },
});
const [first, last] = values.seeds.split("..").map(Number);
const levels = values.levels.split(",");
const here = join(import.meta.dirname, "csmith");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-csmith-"));
/** Seconds for a program on the host: csmith may write one without an end. */
const HOST_LIMIT = 2;
const MAX_STEPS = 20_000_000;

/** What clang asks a device for; pointers to variables in initial values are more than some versions make. */
const target = ["--target=nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80"];
/** Folders of headers, for a clang that was unpacked without its own. */
const headers = values.include.map((each) => `-isystem${each}`);
const feature = ["-Xclang", "-target-feature", "-Xclang", "+ptx70"];
const shape = [
  "--no-global-variables",
  "--no-volatiles",
  "--no-packed-struct",
  "--max-funcs",
  "4",
  "--max-block-depth",
  "3",
];

const source = join(folder, "source.c");
const define = [`-DSOURCE="${source}"`, `-DSAFE_MATH="${values.math}"`, `-I${here}`, "-w"];
const counts = new Map();
const count = (what) => counts.set(what, (counts.get(what) ?? 0) + 1);

for (let seed = first; seed <= last; seed++) {
  writeFileSync(source, execFileSync("csmith", ["--seed", String(seed), ...shape], { cwd: folder }));
  const program = join(folder, "program");
  execFileSync("gcc", [
    "-O1",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-DHOST",
    ...define,
    join(here, "outcome.c"),
    "-o",
    program,
  ]);
  const host = spawnSync(program, { timeout: 1000 * HOST_LIMIT, encoding: "utf8" });
  if (host.status !== 0) {
    count("without an end on the host");
    continue;
  }
  for (const clang of values.with)
    for (const level of levels) {
      const name = `${clang} -O${level}`;
      const ptx = join(folder, "program.ptx");
      const flags = [`-O${level}`, "-fwrapv", "-fno-strict-aliasing", "-ffreestanding", "-S", ...target, ...feature];
      const made = spawnSync(clang, [...flags, ...headers, ...define, join(here, "outcome.c"), "-o", ptx], {
        encoding: "utf8",
      });
      if (made.status !== 0) {
        count(`${name}: refused`);
        console.log(`seed ${seed}: ${name}: ${/error: (.*)/.exec(made.stderr)?.[1] ?? made.stderr.slice(0, 200)}`);
        continue;
      }
      const got = outcome(readFileSync(ptx, "utf8"));
      count(`${name}: ${got === host.stdout.trim() ? "equal" : "different"}`);
      if (got !== host.stdout.trim())
        console.log(`seed ${seed}: ${name}: ${got}, and ${host.stdout.trim()} on the host`);
    }
}
rmSync(folder, { recursive: true });
console.log(
  [...counts]
    .map(([what, times]) => `${what} ${times}`)
    .sort()
    .join(", "),
);
process.exitCode = [...counts.keys()].some((what) => what.endsWith("different")) ? 1 : 0;

/** What the function `outcome` of a module gives, or how its run ends. */
function outcome(text) {
  const { value: module, diagnostics } = new Device().module({ name: "program.ptx", text });
  if (module === undefined) return diagnostics[0]?.message;
  const { stop, session } = must(must(module.kernel("outcome")).launch({ maxSteps: MAX_STEPS }));
  if (stop.reason !== "exit") return stop.diagnostic?.code === "PTX6001" ? "too long" : stop.diagnostic?.message;
  const [result] = session.program.results ?? [];
  const [register] = result?.registers ?? [];
  const view = session.registers({ block: 0, warp: 0, lane: 0 }).find(({ name }) => name === register?.name);
  return `0x${(view?.bits[0] ?? 0n).toString(16).padStart(16, "0")}`;
}
