// Parts of the bundle that are loaded when they are first used, and what the build knows so that no run has to find it.
// A stand-in has the same names, so the sources import these parts as they import all others; what is loaded has no
// effects, so the order in which it happens changes nothing.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const src = fileURLToPath(new URL("../src", import.meta.url));
const table = join(src, "isa/table.ts");
/** What Chevrotain finds out about the grammars: the package has the answers. */
const decisions = join(src, "parser/known-decisions.ts");
const grammars = { module: join(src, "parser/module.ts"), snippet: join(src, "parser/statement.ts") };
/** A second front end, which runs of PTX do not need. Its door has functions alone. */
const visa = join(src, "visa/index.ts");

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
function lateSection(path, name, { number, title, anchor, mnemonics }) {
  return `let forms;
export const ${name} = {
  ...${JSON.stringify({ number, title, anchor, mnemonics })},
  get forms() { return forms ??= require(${JSON.stringify(path)}).${name}.forms; },
};`;
}

const lateFunctions = (path, names) => `let made;
const real = () => made ??= require(${JSON.stringify(path)});
${names.map((name) => `export const ${name} = (...all) => real().${name}(...all);`).join("\n")}`;

/** The plugin for esbuild. */
export async function late() {
  const sections = [...readFileSync(table, "utf8").matchAll(/^import \{.*\} from "(\.\/9\.7\..*)";$/gm)].map(
    ([, path]) => resolve(dirname(table), path),
  );
  if (sections.length < 15) throw new Error(`${table}: where are its sections?`);
  const known = await exportsOf([...sections, visa, ...Object.values(grammars)]);
  const found = {
    module: new (known.get(grammars.module).ModuleGrammar)("learn").decisions(),
    snippet: new (known.get(grammars.snippet).SnippetGrammar)("learn").decisions(),
  };
  const standIn = (path) => {
    const names = Object.entries(known.get(path));
    if (path === visa)
      return lateFunctions(
        path,
        names.filter(([, value]) => typeof value === "function").map(([name]) => name),
      );
    const [[name, section], ...more] = names;
    if (more.length > 0) throw new Error(`${path}: a section is its file's only export`);
    return lateSection(path, name, section);
  };
  return {
    name: "late",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir, namespace }) => {
        const full = resolve(resolveDir, path);
        const wanted = full === visa ? !importer.startsWith(dirname(visa)) : importer === table;
        return namespace !== "late" && wanted && known.has(full) ? { path: full, namespace: "late" } : undefined;
      });
      onLoad({ filter: /known-decisions\.ts$/ }, ({ path }) =>
        path === decisions ? { contents: `export const knownDecisions = ${JSON.stringify(found)};` } : undefined,
      );
      onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
        contents: standIn(path),
        resolveDir: dirname(path),
      }));
    },
  };
}
