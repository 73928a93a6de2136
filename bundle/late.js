// Parts of the bundle that are loaded when they are first used, and what the build knows so that no run has to find it.
// A stand-in has the same names, so the sources import these parts as they import all others; what is loaded has no
// effects, so the order in which it happens changes nothing.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const src = fileURLToPath(new URL("../src", import.meta.url));
const table = join(src, "isa/table.ts");
/** What Chevrotain finds out about the grammars: the package has the answers. */
const decisions = join(src, "parser/known-decisions.ts");
const grammars = { module: join(src, "parser/module.ts"), snippet: join(src, "parser/statement.ts") };
/** A second front end, which runs of PTX do not need. Its door has functions alone. */
const visa = join(src, "../packages/visa/src/index.ts");

/** The exports of some modules, by their paths. */
async function exportsOf(paths) {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-late-"));
  try {
    const outfile = join(folder, "modules.mjs");
    const contents = paths.map((path, at) => `export * as m${at} from ${JSON.stringify(path)};`).join("\n");
    await build({
      stdin: { contents, resolveDir: src },
      ...{ outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" },
    });
    const modules = await import(pathToFileURL(outfile).href);
    return new Map(paths.map((path, at) => [path, modules[`m${at}`]]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A section of the table says what it has without having it. */
function lateSection(path, exported, { name, number, title, anchor, mnemonics }, load) {
  return `let forms;
export const ${exported} = {
  ...${JSON.stringify({ name, number, title, anchor, mnemonics })},
  get forms() { return forms ??= ${load(path)}.${exported}.forms; },
};`;
}

/**
 * Functions are called where they are, classes are made there, which a function can do that gives what it has made; of other
 * objects, such as maps, each member is asked for.
 */
const lateExports = (path, exported, load) => `let made;
const real = () => made ??= ${load(path)};
${exported.map(([name, value]) => lateExport(name, value)).join("\n")}`;

function lateExport(name, value) {
  if (typeof value === "object")
    return `export const ${name} = new Proxy({}, { get: (_, member) => {
      const value = real().${name}[member];
      return typeof value === "function" ? value.bind(real().${name}) : value;
    } });`;
  // Numbers and words need not wait.
  if (typeof value !== "function") return `export const ${name} = ${JSON.stringify(value)};`;
  if (/^class\b/.test(String(value))) return `export function ${name}(...all) { return new (real().${name})(...all); }`;
  return `export const ${name} = (...all) => real().${name}(...all);`;
}

/**
 * The plugin for esbuild. `load` writes what loads a module in the midst of a call; `doors` are more modules that are loaded
 * when something of theirs is first used: functions, objects, and classes that nobody extends. `early` are sections that are not late;
 * `constants` are functions without parameters, by their files, of which the build knows what they give.
 */
export async function late({
  load = (path) => `require(${JSON.stringify(path)})`,
  doors = [],
  early = [],
  constants = new Map(),
} = {}) {
  const sections = [...readFileSync(table, "utf8").matchAll(/^import \{.*\} from "(\.\/(?!form\/).*)";$/gm)].map(
    ([, path]) => resolve(dirname(table), path),
  );
  if (sections.length < 15) throw new Error(`${table}: where are its sections?`);
  const known = await exportsOf([...sections, visa, ...Object.values(grammars), ...doors, ...constants.keys()]);
  const found = {
    module: new (known.get(grammars.module).ModuleGrammar)("learn").decisions(),
    snippet: new (known.get(grammars.snippet).SnippetGrammar)("learn").decisions(),
  };
  const standIn = (path) => {
    const names = Object.entries(known.get(path));
    const functions = names.filter(([, value]) => typeof value === "function");
    if (path === visa) return lateExports(path, functions, load);
    if (doors.includes(path)) return lateExports(path, names, load);
    const [[name, section], ...more] = names;
    if (more.length > 0) throw new Error(`${path}: a section is its file's only export`);
    return lateSection(path, name, section, load);
  };
  return {
    name: "late",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(?:\.\.?\/|\/.*\.ts$)/ }, ({ path, importer, resolveDir, namespace }) => {
        const full = resolve(resolveDir, path);
        const section = importer === table && !early.includes(basename(full, ".ts"));
        const wanted = full === visa ? !importer.startsWith(dirname(visa)) : section || doors.includes(full);
        return namespace !== "late" && wanted && known.has(full) ? { path: full, namespace: "late" } : undefined;
      });
      onLoad({ filter: /known-decisions\.ts$/ }, ({ path }) =>
        path === decisions ? { contents: `export const knownDecisions = ${JSON.stringify(found)};` } : undefined,
      );
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const name = constants.get(path);
        if (name === undefined) return undefined;
        return { contents: `export const ${name} = () => (${JSON.stringify(known.get(path)[name]())});` };
      });
      onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
        contents: standIn(path),
        resolveDir: dirname(path),
      }));
    },
  };
}
