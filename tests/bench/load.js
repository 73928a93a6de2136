// What loading costs: instructions a second from text to program, bytes of heap an instruction, and the time to a first
// step: from the text of a new small kernel, and from 10 MB of text with 220 kernels to that of one.
//
//   node --expose-gc tests/bench/load.js [--instructions 200000] [--rounds 5] [--strict]
//
// Times are of the processor (user and system, of all threads), so that a busy machine spoils little; and beside the
// rate stands its ratio to a yardstick of the same run: splitting the same text into words by a regular expression.
// The first round is that of a process that has seen no PTX; the others have new text, too, but code that is compiled.
// With `--strict` the command exits 1 above 800 bytes, below 300,000 instructions a second, above 2 ms or above 150 ms.
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { Device, must } from "../../dist/index.js";

const { values } = parseArgs({
  options: {
    instructions: { type: "string", default: "200000" },
    rounds: { type: "string", default: "5" },
    strict: { type: "boolean", default: false },
  },
});
const wanted = Number(values.instructions);

/** Milliseconds of processor time so far. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const least = (numbers) => Math.min(...numbers);

/** The kernels that nvcc wrote for sm_80, without those that use what stands outside of them. */
const folder = new URL("../data/kernels/", import.meta.url);
const kernels = readdirSync(folder)
  .filter((name) => name.endsWith("sm_80.O3.ptx.gz"))
  .flatMap((name) => {
    const text = gunzipSync(readFileSync(new URL(name, folder))).toString("utf8");
    return text.split(/^(?=\.visible \.entry)/m).slice(1);
  })
  .map((text) => ({ name: /\.entry (\w+)/.exec(text)?.[1] ?? "", text: text.slice(0, text.lastIndexOf("\n}") + 2) }))
  .filter(({ name, text }) => name !== "" && !/call|\.shared|\.extern|\.const|\.global \.align|_ZZ/.test(text));

/** A module of so many instructions and the names of its kernels; `turn` makes it a new one. */
function moduleOf(turn) {
  const parts = [".version 9.0\n.target sm_80\n.address_size 64\n"];
  const names = [];
  for (let count = 0, at = 0; count < wanted; at++) {
    const { name, text } = kernels[at % kernels.length];
    names.push(`${name}_${turn}_${at}`);
    parts.push(text.replaceAll(name, `${name}_${turn}_${at}`), "\n");
    count += text.split(";").length;
  }
  return { text: parts.join(""), names };
}

function resolve({ text, names }) {
  const device = new Device({ maxMemory: 2 ** 31 });
  const start = now();
  const module = must(device.module(text));
  const indexed = now();
  const programs = names.map((name) => must(module.kernel(name)).program);
  const end = now();
  const count = programs.reduce((sum, { code }) => sum + code.length, 0);
  return { count, index: indexed - start, bodies: end - indexed, held: [module, programs] };
}

const rates = [];
const ratios = [];
let bytes;
for (let round = 0; round < Number(values.rounds); round++) {
  const made = moduleOf(round);
  const start = now();
  let words = 0;
  for (const word of made.text.matchAll(/[\w$%.:]+/g)) words += word[0].length > 0 ? 1 : 0;
  const yardstick = now() - start;
  if (round === 0) globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const { count, index, bodies, held } = resolve(made);
  const rate = (count / bodies) * 1000;
  const ratio = bodies / yardstick;
  console.log(
    `${round === 0 ? "first" : "again"}  ${count} instructions: index ${index.toFixed(0)} ms, bodies ${bodies.toFixed(0)} ms, ` +
      `${(rate / 1000).toFixed(0)} thousand a second; ${ratio.toFixed(1)} times as long as finding its ${words} words`,
  );
  rates.push(rate);
  ratios.push(ratio);
  if (round === 0 && globalThis.gc !== undefined) {
    globalThis.gc();
    bytes = (process.memoryUsage().heapUsed - before) / count;
    console.log(
      `       ${bytes.toFixed(0)} bytes of heap an instruction (${held.length > 0 ? "module and programs held" : ""})`,
    );
  }
}

const operations = [
  "add.s32 A, B, C;",
  "mul.lo.s32 A, B, C;",
  "shl.b32 A, B, 3;",
  "xor.b32 A, B, C;",
  "and.b32 A, B, 255;",
  "mad.lo.s32 A, B, C, B;",
  "sub.s32 A, B, C;",
  "shr.u32 A, B, 1;",
  "min.u32 A, B, C;",
  "not.b32 A, B;",
]; // prettier-ignore
/** A kernel of 50 instructions that no other is like. */
function small(number) {
  const register = (at) => `%r${10 + ((number * 7 + at * 13) % 20)}`;
  const body = Array.from({ length: 40 }, (_, at) =>
    operations[(number + at * at) % operations.length]
      .replaceAll("A", register(at))
      .replaceAll("B", register(at + 3))
      .replaceAll("C", register(at + 8)),
  );
  return `.version 8.0\n.target sm_80\n.address_size 64
.visible .entry k${number}(.param .u64 p, .param .u32 n)
{
.reg .pred %p<4>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<8>;
ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nsetp.ge.u32 %p1, %r2, %r1;\n@%p1 bra L;
cvta.to.global.u64 %rd2, %rd1;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;
${body.join("\n")}
st.global.u32 [%rd4], %r10;
L:
ret;
}\n`;
}
const device = new Device({ maxMemory: 2 ** 24 });
const buffer = device.buffer(new Uint32Array(32));
const times = [];
for (let number = 0; number < 400; number++) {
  const text = small(number);
  const start = now();
  const kernel = must(must(device.module(text)).kernel(`k${number}`));
  must(kernel.launch({ grid: 1, block: 32, args: [buffer, 32], maxSteps: 1 }));
  times.push(now() - start);
}
const middle = (from, to) => times.slice(from, to).toSorted((a, b) => a - b)[(to - from) >> 1];
const warm = middle(200, 400);
console.log(
  `new kernel of 50 instructions, text to first step: the first ${times[0].toFixed(1)} ms, then ${middle(1, 50).toFixed(2)} ms, warm ${warm.toFixed(2)} ms`,
);
/** 220 kernels of 46 kB, some of whose lines carry comments. */
function large(turn) {
  const body = (kernel) =>
    Array.from({ length: 1600 }, (_, at) => {
      const register = (by) => `%r${10 + ((kernel + turn + at * by) % 20)}`;
      const operation = operations[(kernel + at * at) % operations.length] ?? "";
      const line = operation.replaceAll("A", register(3)).replaceAll("B", register(7)).replaceAll("C", register(11));
      return at % 5 === 0 ? `\t${line} // ${at}` : `\t${line}`;
    });
  const kernels = Array.from(
    { length: 220 },
    (_, at) => `.visible .entry k${at}(.param .u64 p)\n{\n.reg .b32 %r<40>;\n${body(at).join("\n")}\nret;\n}\n`,
  );
  return `.version 8.0\n.target sm_80\n.address_size 64\n${kernels.join("\n")}`;
}
const steps = [];
const roomy = new Device({ maxMemory: 2 ** 30 });
const contents = roomy.buffer(new Uint32Array(32));
let megabytes = 0;
for (let turn = 0; turn < 6; turn++) {
  const text = large(turn);
  megabytes = text.length / 1e6;
  const start = now();
  const kernel = must(must(roomy.module(text)).kernel(`k${100 + turn}`));
  must(kernel.launch({ grid: 1, block: 32, args: [contents], maxSteps: 1 }));
  steps.push(now() - start);
}
const first = least(steps);
console.log(
  `${megabytes.toFixed(1)} MB with 220 kernels, text to first step of one: the first ${(steps[0] ?? 0).toFixed(0)} ms, warm ${first.toFixed(0)} ms`,
);
const best = Math.max(...rates);
console.log(`best: ${(best / 1000).toFixed(0)} thousand a second, ${least(ratios).toFixed(1)} times the yardstick`);
if (values.strict && (best < 300_000 || (bytes ?? 0) > 800 || warm > 2 || first > 150)) process.exitCode = 1;
