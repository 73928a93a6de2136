import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { sourceFiles } from "./folders.ts";

const root = resolve(import.meta.dirname, "..");
const pathOf = (file: string): string => relative(root, file).replaceAll("\\", "/");

const options = { absWorkingDir: root, format: "esm", target: "node20.19" } as const;

/** What is built here is for Node itself: Vite needs longer for it than the tests. */
export const built = /\/coverage\/library-/;

/** A new folder in the project: packages are found from there. */
function folder(): string {
  mkdirSync(join(root, "coverage"), { recursive: true });
  return mkdtempSync(join(root, "coverage/library-"));
}

/** Modules by path from the project, and those that stand in their places: these may import the ones that they replace. */
export type Replaced = Readonly<Record<string, string>>;

/** What is to be loaded where `importer` imports `path`, if that is replaced. */
function other(replaced: Replaced, path: string, importer: string): string | undefined {
  const found = path.startsWith(".") ? replaced[pathOf(resolve(dirname(importer), path))] : undefined;
  return found === undefined || pathOf(importer) === found ? undefined : join(root, found);
}

/** Writes one module that has the named ones as `m0`, `m1` and so on, with all that they import. */
async function joined(files: readonly string[], replaced: Replaced, outfile: string): Promise<void> {
  const contents = files.map((file, at) => `export * as m${at} from "./${file}";`).join("\n");
  const stdin = { contents, resolveDir: root };
  const replacing: Plugin = {
    name: "replacing",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\./ }, ({ path, importer }) => ({ path: other(replaced, path, importer) ?? "" })),
  };
  await build({
    ...options,
    stdin,
    outfile,
    plugins: [replacing],
    bundle: true,
    packages: "external",
    sourcemap: "inline",
  });
}

/**
 * Loads modules anew, with all that they are made of, and with others in the place of some: gives each by its path from the
 * project. No other test has taught the engine anything about their functions.
 */
export async function loadAnew(
  files: readonly string[],
  replaced: Replaced = {},
): Promise<<Module>(file: string) => Module> {
  const home = folder();
  await joined(files, replaced, join(home, "library.mjs"));
  const library: Readonly<Record<string, unknown>> = await import(join(home, "library.mjs"));
  rmSync(home, { recursive: true });
  return (file) => library[`m${files.indexOf(file)}`] as never;
}

/** A plugin of Vite that takes each source by itself. */
export const eachSource = (replaced: Replaced) => ({
  name: "each-source",
  enforce: "pre" as const,
  resolveId: (id: string, importer = "") => other(replaced, id, importer),
});

/** A program of its own: it acts as soon as it is loaded. */
const PROGRAM = "src/cli/start/executable.ts";

/**
 * A plugin of Vite that lets test files import the sources from one module, made of all of them at the start of the run:
 * Vite transforms 1,450 files one by one, and each process that runs tests evaluates them one by one, which costs more than
 * the tests of most rooms. Not for a single file, which needs less than all, nor where the graph of modules is asked for.
 */
export async function oneLibrary(replaced: Replaced) {
  const home = folder();
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  const files = sourceFiles.filter((file) => !file.endsWith(".d.ts") && file !== PROGRAM);
  const each = await build({
    ...options,
    entryPoints: files,
    outdir: home,
    outbase: root,
    write: false,
    metafile: true,
  });
  await joined(files, replaced, join(home, "library.mjs"));
  /** In front of each module's part stands a module with its names. */
  const doors = new Map<string, string>();
  for (const { entryPoint = "", exports } of Object.values(each.metafile.outputs)) {
    const door = join(home, `${entryPoint.slice(0, -"ts".length)}mjs`);
    const whole = relative(dirname(door), join(home, "library.mjs")).replaceAll("\\", "/");
    const at = `m${files.indexOf(entryPoint)}`;
    const taken = exports.map((name, nth) => `const e${nth} = ${at}[${JSON.stringify(name)}];\n`).join("");
    const given = exports.map((name, nth) => `e${nth} as ${name}`).join(", ");
    mkdirSync(dirname(door), { recursive: true });
    writeFileSync(door, `import { ${at} } from "${whole}";\n${taken}export { ${given} };\n`);
    doors.set(entryPoint, door);
  }
  return {
    name: "one-library",
    enforce: "pre" as const,
    resolveId: (id: string, importer = "") => {
      const file = id.startsWith("file:") ? fileURLToPath(id) : resolve(dirname(importer), id);
      return /^(\.|\/|file:)/.test(id) ? doors.get(pathOf(file)) : undefined;
    },
  };
}
