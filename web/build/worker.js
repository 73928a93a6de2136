// The worker's files: one that begins it, and others that `importScripts` fetches in the midst of a call, when what is in
// them is first used. esbuild cuts the code into modules; here they become functions in classic scripts.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { alias } from "../../bundle/bundle.js";
import { late } from "../../bundle/late.js";
import { shorten } from "../../bundle/shorten.js";
import { withoutIndexes } from "./straight.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What is fetched when it is first used, besides vISA and sections of the table. */
const doors = [
  "src/source/codes/index.ts",
  "packages/demangle/src/index.ts",
  // Modules; a first visitor sees a snippet.
  "src/parser/module.ts",
  "src/resolve/module/module.ts",
  "src/resolve/declaration/initial-value.ts",
  "src/resolve/instruction/call.ts",
  "src/numeric/operation/text.ts",
  "src/link/link.ts",
  // Files that are no texts.
  "src/host/container/cubin.ts",
  "src/host/container/fatbinary.ts",
  // What is wrong with a text.
  "src/resolve/instruction/spelling/edit.ts",
  "src/resolve/instruction/spelling/unknown-mnemonic.ts",
  "src/resolve/lint/rules.ts",
  "src/lexer/demangled.ts",
  "src/lexer/repair.ts",
  "src/parser/explain.ts",
  "src/resolve/instruction/spelling/mismatch.ts",
  // What runs it.
  "src/interp/create-session.ts",
  "src/numeric/tensor/tile.ts",
  "src/interp/driver/builtin.ts",
  "src/wasm/fused.ts",
  "src/interp/compiled/module/program-code.ts",
  "src/interp/tools/injected-instruction.ts",
  "src/interp/tools/race/report.ts",
  "web/worker/adapting.ts",
  "web/worker/debugging.ts",
  "web/worker/inferring.ts",
  "web/worker/language.ts",
  "web/worker/pages.ts",
  "web/worker/reading.ts",
  "web/worker/explaining.ts",
  "web/worker/origin.ts",
  "web/worker/outcomes.ts",
].map((path) => join(root, path));

/** Sections that hardly any program does without are with the first file. */
const early = ["integer", "comparison", "logic", "movement", "control"];

/** What is fetched together, by the names of its files: what one of them needs is needed with the others, nearly always. */
const together = [
  ["machine", "debugging", "create-session"],
  ["module", "module", "initial-value", "call", "variables"],
  ["wrong", "edit", "unknown-mnemonic", "mismatch", "mend", "demangled", "explain"],
  // add, fma and mul are in each of them.
  ["arithmetic", "extended", "float", "half", "mixed", "async-memory", "beside-copies"],
];

/** The module that begins. */
const first = "worker.js";

/** Gives `{ name, text }` of each file, the first one first, what they were made of, and bytes of the first one by source. */
export async function workerFiles() {
  const load = (path) => `__late(import(${JSON.stringify(path)}))`;
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { worker: "web/worker/worker.ts" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    legalComments: "none",
    metafile: true,
    write: false,
    outdir: root,
    chunkNames: "[name]-[hash]",
    logLevel: "error",
    alias,
    plugins: [
      await late({ load, doors, early, constants: new Map([[join(root, "web/worker/words.ts"), "words"]]) }),
      withoutIndexes(new Set([...doors, join(root, "packages/visa/src/index.ts")])),
    ],
  });
  const modules = new Map();
  for (const [path, { imports, inputs, entryPoint }] of Object.entries(metafile.outputs)) {
    const file = outputFiles.find(({ path: full }) => full === join(root, path));
    const needs = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
    modules.set(basename(path), {
      name: basename(path),
      ...asFunction(basename(path), file.text),
      needs,
      inputs,
      entryPoint,
    });
  }
  const sources = Object.keys(metafile.inputs).filter((path) => !path.startsWith("late:"));
  const inputs = [...closure(modules, first)].flatMap((name) => Object.entries(modules.get(name).inputs));
  const weights = inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput]);
  return { files: packed(modules), sources: sources.map((path) => join(root, path)), weights };
}

/** A module of esbuild's as a function of `require` that gives its exports by name. */
function asFunction(name, text) {
  let body = text;
  const imports = [];
  for (;;) {
    const found = /^import(?:\{([^}]*)\}from)?"\.\/([^"]+)";\s*/.exec(body);
    if (found === null) break;
    const [all, names, from] = found;
    const taken = names
      ?.split(",")
      .map((each) => each.replace(/ as /, ":"))
      .join(",");
    imports.push(taken === undefined ? `require("${from}");` : `const{${taken}}=require("${from}");`);
    body = body.slice(all.length);
  }
  const last = /export\{([^}]*)\};\s*$/.exec(body);
  if (last !== null) {
    const given = last[1].split(",").map((each) => {
      const [own, as = own] = each.split(" as ");
      return `${as}:${own}`;
    });
    body = `${body.slice(0, last.index)}return{${given.join(",")}};`;
  }
  body = body.replace(/__late\(import\("\.\/([^"]+)"\)\)/g, (_, from) => `require("${from}")`);
  const left = /(?:^|[;}])\s*(?:import|export)[{"*]|__late\(/.exec(body);
  if (left !== null) throw new Error(`${name}: the worker cannot do ${body.slice(left.index, left.index + 60)}`);
  return { code: `${JSON.stringify(name)}:function(require){"use strict";${imports.join("")}${body}}` };
}

/** The modules that one needs, itself among them. */
function closure(modules, name, into = new Set()) {
  if (!into.has(name)) {
    into.add(name);
    for (const each of modules.get(name).needs) closure(modules, each, into);
  }
  return into;
}

/** `debugging` of `debugging-AB12CD34.js`. */
const titleOf = (name) => name.replace(/-[A-Z0-9]+\.js$/, "");

/** Which file a late module lies in, when it is the only one that needs it. */
const fileOf = (entry) => together.find((titles) => titles.slice(1).includes(titleOf(entry)))?.[0] ?? titleOf(entry);

/**
 * Puts modules into files: what the first one needs with it; what the late modules of one file alone need with those. What
 * several files need is with the machine if that is one of them, because whoever asks for the others has it; else by itself.
 */
function packed(modules) {
  const core = closure(modules, first);
  const users = new Map();
  for (const { name: entry, entryPoint } of modules.values()) {
    if (entryPoint === undefined || entry === first) continue;
    for (const name of closure(modules, entry))
      if (!core.has(name)) users.set(name, new Set([...(users.get(name) ?? []), fileOf(entry)]));
  }
  const files = new Map();
  for (const [name, by] of users) {
    const title = by.size === 1 ? [...by][0] : by.has("machine") ? "machine" : `shared ${[...by].sort().join(" ")}`;
    files.set(title, [...(files.get(title) ?? []), name]);
  }
  const late = [...files].map(([title, names]) =>
    named(
      title.replace(/ .*/, ""),
      `self.__ptxrun({${names.map((name) => modules.get(name).code).join(",\n")}});`,
      names,
    ),
  );
  const where = Object.fromEntries(late.flatMap(({ name, holds }) => holds.map((module) => [module, name])));
  const begin = `"use strict";(()=>{const all={},made={},where=${JSON.stringify(where)};
const require=(name)=>{
  if(name in made)return made[name];
  if(!(name in all))importScripts(where[name]);
  return made[name]=all[name](require);
};
self.__ptxrun=(more)=>Object.assign(all,more);
self.__ptxrun({${[...core].map((name) => modules.get(name).code).join(",\n")}});
require("${first}");
})();`;
  return [named("worker", begin, [...core]), ...late];
}

function named(title, text, holds) {
  const short = shorten(`${title}.js`, text);
  const hash = createHash("sha256").update(short).digest("hex").slice(0, 8);
  return { name: `${title}-${hash}.js`, text: short, holds };
}
