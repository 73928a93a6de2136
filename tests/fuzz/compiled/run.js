// Compiles random programs with nvcc for the device and with g++ for the host, runs both and compares every bit. A
// developer's tool: it needs nvcc and g++ on the path, and a build (`npm run build`).
//
//   node tests/fuzz/compiled/run.js [--kind program|simt|primitives | --file groups.cu] [--seeds 1..20] [--threads 40]
//                                   [--build sm_80:-G]... [--keep /tmp/ptxrun-fuzz] [--library dist/index.js]
//
//   program     functions with loops, switches, jumps, recursion and pointers, on integers of all widths and floats
//   simt        blocks of threads: exchanges under masks, divergent loops, barriers, shared memory, locks (sm_80 and up)
//   primitives  seeds 0 to 2: each intrinsic and C function of `prelude.h` by itself, for f32, f64 and integers
//   a file      says in its first line, as JSON, how many results a thread gives and how the blocks are shaped
//
// Each difference names the program, the result and the thread; the program's `.cu`, `.ptx` and `.in` stay in the folder.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { inputs, nvcc, onHost } from "./host.js";
import { primitives } from "./primitives.js";
import { around, program } from "./program.js";
import { simt } from "./simt.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..20" },
    build: { type: "string", multiple: true, default: [] },
    keep: { type: "string", default: "/tmp/ptxrun-fuzz" },
    library: { type: "string", default: fileURLToPath(new URL("../../../dist/index.js", import.meta.url)) },
    file: { type: "string" },
    kind: { type: "string", default: "program" },
    threads: { type: "string", default: "40" },
  },
});
const { Device, must } = await import(pathToFileURL(resolve(values.library)).href);
const builds = values.build.length > 0 ? values.build : ["sm_75:-O3", "sm_80:-G", "sm_90:-O3", "sm_100:-Xcicc -O1"];
const some = Number(values.threads);
mkdirSync(values.keep, { recursive: true });

function onDevice(file, build, given, { count, threads, blocks, shape = [64] }) {
  const [arch, options] = build.split(":");
  const ptx = file.replace(/\.cu$/, `.${build.replace(/[^a-z0-9_]+/gi, "")}.ptx`);
  nvcc(file, arch, options, ptx);
  const device = new Device();
  const started = process.cpuUsage().user;
  const kernel = must(must(device.module({ name: ptx, text: readFileSync(ptx, "utf8") })).kernel("k"));
  const out = device.buffer(new BigUint64Array(threads * count));
  const begun = process.cpuUsage().user;
  const { stop, findings, session } = must(
    kernel.launch({
      grid: blocks,
      block: shape,
      args: [device.buffer(given), out, threads],
      stack: 65536,
      maxSteps: 3e6,
    }),
  );
  const ended = process.cpuUsage().user;
  const bytes = out.read();
  return {
    ptx,
    stop,
    findings,
    load: (begun - started) / 1e3,
    run: (ended - begun) / 1e3,
    steps: session.steps,
    words: new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
  };
}

const kinds = { program, simt, primitives: (seed) => around(primitives(seed)) };
if (values.file !== undefined) {
  const text = readFileSync(values.file, "utf8");
  kinds.file = () => ({ text, ...JSON.parse(text.slice(2, text.indexOf("\n"))) });
  values.kind = "file";
}
const [from, to = from] = values.seeds.split("..").map(Number);
let bad = 0;
let unfinished = 0;
for (let seed = from; seed <= to; seed++) {
  const made = kinds[values.kind](seed);
  const file = join(values.keep, `${values.kind}${seed}.cu`);
  writeFileSync(file, made.text);
  const { count } = made;
  const threads = made.threads === undefined ? some : made.threads * made.blocks;
  const given = inputs(seed, threads);
  writeFileSync(`${file}.in`, given);
  let expected;
  try {
    expected = onHost(file, given);
  } catch (error) {
    console.log(`${seed}: HOST ${error.message.slice(0, 1500)}`);
    continue;
  }
  for (const build of builds) {
    try {
      const { ptx, stop, findings, words, load, run, steps } = onDevice(file, build, given, {
        shape: made.shape,
        blocks: made.blocks ?? Math.ceil(threads / 64),
        threads,
        count,
      });
      if (stop.diagnostic?.code === "PTX6001") {
        unfinished += 1;
        console.log(`${ptx}: beyond the limit of steps`);
        continue;
      }
      if (stop.reason !== "exit")
        console.log(`${ptx}: ${stop.reason} ${stop.diagnostic?.code ?? ""} ${stop.diagnostic?.message ?? ""}`);
      for (const each of findings)
        if (each.severity !== "note" && each.code !== "PTX4011") console.log(`${ptx}: ${each.code} ${each.message}`);
      const wrong = [];
      for (let at = 0; at < words.length; at++) if (words[at] !== expected[at]) wrong.push(at);
      const places = new Map();
      for (const at of wrong) places.set(at % count, [...(places.get(at % count) ?? []), Math.floor(at / count)]);
      for (const [which, lanes] of places) {
        bad += 1;
        const at = lanes[0] * count + which;
        console.log(
          `${ptx}: result ${which} differs in ${lanes.length} threads, first ${lanes[0]}: 0x${words[at].toString(16)}, host 0x${expected[at].toString(16)}`,
        );
      }
      if (run > 2000 || load > 3000)
        console.log(`${ptx}: slow, load ${load | 0} ms, run ${run | 0} ms, ${steps} steps`);
    } catch (error) {
      bad += 1;
      console.log(`${file} ${build}: ${error.stack.slice(0, 1500)}`);
    }
  }
}
console.log(
  `${to - from + 1} programs, ${builds.length} builds, ${bad} differences, ${unfinished} runs beyond the limit of steps`,
);
process.exitCode = bad > 0 ? 1 : 0;
