// Writes tests/data/compiled: a thousand random programs as PTX of nvcc, and what g++ made of the same source on the host,
// for those who have neither. Needs both.
//
//   node tests/fuzz/compiled/keep.js [--seeds 1..1000] [--to tests/data/compiled]
//
// A file holds fifty programs, a line of JSON each, packed by brotli, which finds what they have in common.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { inputs, nvcc, onHost } from "./host.js";
import { primitives } from "./primitives.js";
import { around, program } from "./program.js";
import { simt } from "./simt.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..1000" },
    to: { type: "string", default: resolve(import.meta.dirname, "../../data/compiled") },
  },
});
const builds = [
  ...["sm_75:-O3", "sm_80:-G", "sm_86:-Xcicc -O1", "sm_89:-O3", "sm_90:-O3", "sm_90a:-Xcicc -O1", "sm_100:-O3"],
  ...["sm_103:-Xcicc -O0", "sm_120:-O3", "sm_120:-G", "sm_80:-Xcicc -O2", "sm_75:-Xcicc -O1", "sm_100a:-O3"],
];
const A_FILE = 50;
const THREADS = 8;

const work = mkdtempSync(join(tmpdir(), "ptxrun-keep-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** What a seed is: of thirty, 21 are programs, eight are blocks of threads, one is intrinsics. */
function made(seed) {
  if (seed % 30 === 29) return { kind: "primitives", ...around(primitives(Math.floor(seed / 30) % 3)) };
  if (seed % 10 < 7) return { kind: "program", ...program(seed, { functions: 1 }) };
  return { kind: "simt", ...simt(seed) };
}

function kept(seed) {
  const one = made(seed);
  const [target, options] = builds[(seed * 7) % builds.length].split(":");
  // Blocks of threads exchange values in ways that the oldest target has not.
  const arch = one.kind === "simt" && target === "sm_75" ? "sm_80" : target;
  const file = join(work, `${seed}.cu`);
  writeFileSync(file, one.text);
  const threads = one.threads === undefined ? THREADS : one.threads * one.blocks;
  const given = inputs(seed, threads);
  const expected = onHost(file, given);
  const ptx = join(work, `${seed}.ptx`);
  nvcc(file, arch, options, ptx);
  // Comments, and what debuggers read, say nothing to whoever runs it.
  const text = readFileSync(ptx, "utf8")
    .replace(/^\s*\/\/.*\n/gm, "")
    .replace(/^\s*\.section[^{]*\{[^}]*\}\s*$/gm, "")
    .replace(/^\s*\.(?:loc|file)\b.*\n/gm, "")
    .replace(/, debug\b/, "");
  const hex = (words) => Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
  return {
    kind: one.kind,
    seed,
    build: `${arch} ${options}`,
    count: one.count,
    threads,
    block: one.shape ?? [64],
    grid: one.blocks ?? Math.ceil(threads / 64),
    expected: hex(expected),
    ptx: text,
  };
}

mkdirSync(values.to, { recursive: true });
const [from, to] = values.seeds.split("..").map(Number);
for (let first = from; first <= to; first += A_FILE) {
  const lines = [];
  for (let seed = first; seed < Math.min(first + A_FILE, to + 1); seed++) {
    try {
      lines.push(`${JSON.stringify(kept(seed))}\n`);
    } catch (error) {
      console.log(`${seed}: ${error.message.slice(0, 300)}`);
    }
  }
  const packed = brotliCompressSync(lines.join(""), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  const name = `${String(Math.ceil(first / A_FILE)).padStart(2, "0")}.jsonl.br`;
  writeFileSync(join(values.to, name), packed);
  console.log(`${name}: ${lines.length} programs, ${packed.length} bytes`);
}
