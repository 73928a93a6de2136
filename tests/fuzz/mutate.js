// Mutates the examples and the lexical modules and runs what comes out: nothing may end with exit 70. A command of its
// own, because it runs for as long as it is told.
//
//   node tests/fuzz/mutate.js [--seed 1] [--seconds 60]
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, seconds: { type: "string", default: "60" } },
});
const root = new URL("../../", import.meta.url);
const built = fileURLToPath(new URL("app.built.cjs", import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("src/cli/app.ts", root))],
  outfile: built,
  ...{ bundle: true, platform: "node", format: "cjs", target: "node20.19" },
});
const { main } = await import(built);
rmSync(built);
const examples = readdirSync(new URL("examples", root), { recursive: true })
  .filter((file) => file.endsWith(".ptx"))
  .map((file) => readFileSync(new URL(`examples/${file}`, root), "utf8"));
const modules = gunzipSync(readFileSync(new URL("tests/data/lexical.jsonl.gz", root)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line).module);
const texts = [...examples, ...modules];
const words = texts.flatMap((text) => text.match(/[%.\w$]+|[^\s\w]/g) ?? []).filter((_, at) => at % 7 === 0);
const numbers = ["0", "-1", "4294967296", "18446744073709551615", "2147483647", "1e9", "0x", "0f7fc00001"];

let state = Number(values.seed) >>> 0 || 1;
function below(count) {
  state = (state ^ (state << 13)) >>> 0;
  state = (state ^ (state >>> 17)) >>> 0;
  state = (state ^ (state << 5)) >>> 0;
  return state % count;
}
const any = (list) => list[below(list.length)];

/** In place of one match of a pattern, something else. */
function replaceOne(text, pattern, by) {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: old } = any(found);
  return text.slice(0, index) + by + text.slice(index + old.length);
}

const changes = [
  (text, at) => text.slice(0, at) + text.slice(at + below(12)),
  (text, at) => text.slice(0, at) + any(words) + text.slice(at),
  (text, at) => text.slice(0, at) + String.fromCharCode(below(128)) + text.slice(at + 1),
  (text, at) => {
    const from = below(text.length + 1);
    return text.slice(0, at) + text.slice(from, from + below(60)) + text.slice(at);
  },
  (text) => replaceOne(text, /[%.\w$]+/g, any(words)),
  (text) => replaceOne(text, /\d+/g, any(numbers)),
];

function mutate(text) {
  // A window of a long file, behind its head, so that each change counts.
  const cut = text.length > 6000 ? text.slice(0, 300) + text.slice(below(text.length - 5000)).slice(0, 5000) : text;
  return Array.from({ length: 1 + below(4) }).reduce(
    (changed) => any(changes)(changed, below(changed.length + 1)),
    cut,
  );
}

const end = Date.now() + Number(values.seconds) * 1000;
const exits = new Map();
let bugs = 0;
while (Date.now() < end) {
  const text = mutate(any(texts));
  const grid = /\.entry/.test(text) && below(2) === 1 ? ["--grid", "2", "--block", "5"] : [];
  for (const argv of [
    ["lint", "-"],
    ["run", "-", "--max-steps", "20000", "--max-mem", "64M", ...grid],
  ]) {
    let said = "";
    const exit = await main(argv, {
      out: () => {},
      err: (text) => {
        said += text;
      },
      input: () => new TextEncoder().encode(text),
      env: {},
      cwd: tmpdir(),
      terminal: { out: false, err: false },
      now: () => performance.now(),
    });
    const key = `${argv[0]}: exit ${exit}`;
    exits.set(key, (exits.get(key) ?? 0) + 1);
    if (exit !== 70) continue;
    const file = join(tmpdir(), `ptxrun-fuzz-${values.seed}-${++bugs}.ptx`);
    writeFileSync(file, text);
    console.log(`${file}: ptxrun ${argv.join(" ")}: ${said.split("\n")[0]}`);
  }
}
for (const [key, count] of [...exits].sort()) console.log(`${key} ${count}`);
process.exitCode = bugs > 0 ? 1 : 0;
