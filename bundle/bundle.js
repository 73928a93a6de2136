// The package's code: `core.cjs` has every room but the command line, `cli.cjs` the command line, `start.cjs` loads both
// with V8's compiled code. The library's doors are ES modules in front of `core.cjs`, so nothing is shipped twice.
//
// CommonJS, because V8's compiled code can be kept for scripts and not for modules; one file, because each file costs
// time; and within it a module is evaluated when it is first asked for.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { late } from "./late.js";
import { shorten } from "./shorten.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: "cjs",
  target: "node20.19",
  platform: "node",
  // Licences are in dist/licences.txt (licences.js).
  legalComments: "none",
  metafile: true,
};

/**
 * What commander and chalk import and ptxrun never uses: starting other programs, and guessing whether a terminal has
 * colours. Without them Node loads a dozen modules fewer on each start, and the bundle cannot start a process.
 */
const unused = {
  name: "unused",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:child_process|#supports-color)$/ }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "export default {};" }));
  },
};

/**
 * Chevrotain fills a table of all 65,536 characters on each start, to save a division for each character beyond 255 that
 * it meets later. Texts of PTX have few; here the division is made.
 */
const smallLexer = {
  name: "small lexer",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]chevrotain[/\\]lib[/\\]src[/\\]scan[/\\]lexer\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, "utf8");
      for (const [from, to] of [
        [": charCodeToOptimizedIdxMap[charCode]", ": 255 + ~~(charCode / 255)"],
        ["if (isEmpty(charCodeToOptimizedIdxMap)) {", "if (false) {"],
      ]) {
        if (contents.split(from).length !== 2) throw new Error(`${path} is not what it was: ${from}`);
        contents = contents.replace(from, to);
      }
      return { contents };
    });
  },
};

/**
 * Chevrotain asks lodash for shallow copies of lists and records, and for functions or names of members where it walks
 * through lists. What lodash can do besides, deep copies and comparisons of everything, only takes room.
 */
const smallLodash = {
  name: "small lodash",
  setup({ onLoad }) {
    const small = {
      _baseClone: "(value) => Array.isArray(value) ? value.slice() : Object.assign({}, value)",
      _baseIteratee: `(value) => {
        if (typeof value === "function") return value;
        if (value === undefined || value === null) return (each) => each;
        if (typeof value !== "string") throw new Error("no function and no name");
        return (each) => each?.[value];
      }`,
    };
    onLoad({ filter: /[/\\]lodash-es[/\\]_base(?:Clone|Iteratee)\.js$/ }, ({ path }) => ({
      contents: `export default ${small[/_\w+(?=\.js$)/.exec(path)?.[0] ?? ""]};`,
    }));
  },
};

const roomOf = (path) => relative(src, path).replaceAll("\\", "/").replace(/\.ts$/, "");

/** Leaves what belongs to other rooms to `core.cjs`, and notes what that is. */
const fromCore = (rooms) => ({
  name: "core",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const full = resolve(resolveDir, path);
      if (!full.startsWith(`${src}/`) || full.startsWith(join(src, "cli/"))) return undefined;
      rooms.add(roomOf(full));
      return { path: `core:${roomOf(full)}`, external: true };
    });
  },
});

const doors = ["index", "isa/index", "numeric/index"];

/** Writes the code into the folder `dist`, and gives the files that it was made of. */
export async function bundle(dist) {
  const rooms = new Set(doors);
  const cli = await build({
    ...common,
    entryPoints: [join(src, "cli/main.ts")],
    outfile: join(dist, "cli.cjs"),
    plugins: [unused, fromCore(rooms)],
  });
  const open = [...rooms].map((room) => `  ${JSON.stringify(room)}: () => require("./${room}.ts"),`);
  const contents = `const rooms = {\n${open.join("\n")}\n};
const opened = new Map();
/** What the module at a path of src exports. */
export function room(path) {
  let found = opened.get(path);
  if (found === undefined) opened.set(path, (found = rooms[path]()));
  return found;
}`;
  const core = await build({
    ...common,
    // The library runs wherever modules do.
    platform: "neutral",
    mainFields: ["module", "main"],
    stdin: { contents, resolveDir: src, sourcefile: "core.js" },
    outfile: join(dist, "core.cjs"),
    // Says to those who import it what it exports.
    footer: { js: "0 && (module.exports = { room });" },
    plugins: [smallLexer, smallLodash, await late()],
  });
  const texts = ["core.cjs", "cli.cjs"].map((name) => {
    const short = Buffer.from(shorten(name, readFileSync(join(dist, name), "utf8")));
    writeFileSync(join(dist, name), short);
    return short;
  });
  const foreign = texts.findIndex((text) => text.some((byte) => byte > 127));
  if (foreign >= 0) throw new Error("start.ts reads the bundle as ASCII, and it is not");
  await build({
    ...common,
    entryPoints: [join(src, "cli/start/start.ts")],
    outfile: join(dist, "start.cjs"),
    define: { BUNDLE: JSON.stringify(createHash("sha256").update(Buffer.concat(texts)).digest("hex").slice(0, 16)) },
  });
  writeFileSync(join(dist, "check-worker.cjs"), 'require("./start.cjs").worker();\n');
  return [cli, core].flatMap(({ metafile }) => Object.keys(metafile.inputs)).map((path) => resolve(root, path));
}

/** Writes the library into `dist`: ES modules with the names that its doors have in src. */
export function writeDoors(dist) {
  const { room } = createRequire(import.meta.url)(join(dist, "core.cjs"));
  for (const door of doors) {
    const from = relative(join(dist, dirname(door)), join(dist, "core.cjs"));
    const names = Object.keys(room(door)).join(", ");
    writeFileSync(
      join(dist, `${door}.js`),
      `import { room } from "./${from}";\nexport const { ${names} } = room("${door}");\n`.replace("./..", ".."),
    );
  }
}
