// The package's code: `core.cjs` has what the library's doors reach, `cli.br` the command line and what it alone uses,
// `start.cjs` loads both with V8's compiled code. The doors are ES modules in front of `core.cjs`, so nothing is shipped
// twice. The library runs wherever modules do, so its code is text; the command line runs on Node, which unpacks brotli:
// a seventh less than npm's gzip makes of it, and `start.cjs` unpacks it once for all runs that follow.
//
// CommonJS, because V8's compiled code can be kept for scripts and not for modules; one file, because each file costs
// time; and within it a module is evaluated when it is first asked for.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import { late } from "./late.js";
import { shorten } from "./shorten.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");

/** Chevrotain asks lodash-es for 40 functions, whose modules take 8 ms of each start to evaluate; these have the same names. */
export const alias = { "lodash-es": "es-toolkit/compat" };

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: "cjs",
  target: "node20.19",
  platform: "node",
  alias,
  // Licences are in dist/licences.txt (licences.js).
  legalComments: "none",
  metafile: true,
};

/** The rooms that start other programs; a C compiler is started by src/system/native-compiler.ts, when it is asked for. */
const starts = ["src/cli/exec", "src/cli/man", "packages/lab/campaign", "packages/lab/hunt"].map((room) =>
  join(root, room),
);

/**
 * What commander imports and ptxrun never uses: starting other programs. Without it no other code in the bundle can start a
 * process, and Node loads a dozen modules fewer on each start.
 */
const unused = {
  name: "unused",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      starts.includes(dirname(importer)) ? { path, external: true } : { path, namespace: "unused" },
    );
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "export default {};" }));
  },
};

/** What the protocol's SDK checks answers to its questions with, which ptxrun asks none of: half of all that it brings. */
const unasked = {
  name: "unasked",
  setup({ onLoad }) {
    onLoad({ filter: /modelcontextprotocol.*ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
  },
};

const roomOf = (path) => relative(src, path).replaceAll("\\", "/").replace(/\.ts$/, "");

/** The names that a file imports from a path, types left out. */
function namesFrom(path, file) {
  const text = readFileSync(file, "utf8");
  const from = [...text.matchAll(/^(?:im|ex)port (?!type\b)([^;]*?) from "([^"]*)";/gm)].filter(
    (found) => found[2] === path,
  );
  return from.flatMap(([, what]) => {
    if (!what.startsWith("{")) throw new Error(`${file}: import names from ${path}, not ${what}`);
    return what
      .replace(/[{}]/g, "")
      .split(",")
      .map((name) => name.trim().replace(/ as .*/, ""))
      .filter((name) => name !== "" && !name.startsWith("type "));
  });
}

/** Leaves what the library has to `core.cjs`, and notes what that is: the names of each room. */
const fromCore = (library, rooms) => ({
  name: "core",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
      const full = resolve(resolveDir, path);
      if (!library.has(full)) return undefined;
      const names = rooms.get(roomOf(full)) ?? new Set();
      for (const name of namesFrom(path, importer)) names.add(name);
      rooms.set(roomOf(full), names);
      return { path: `core:${roomOf(full)}`, external: true };
    });
  },
});

/** Rooms for the command line have what it names, and no more. Doors have all that they have in src. */
const onlyUsed = (rooms) => ({
  name: "rooms",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind !== "require-call") return undefined;
      if (doors.includes(path)) return { path: join(src, `${path}.ts`) };
      return rooms.has(path) ? { path, namespace: "room" } : undefined;
    });
    onLoad({ filter: /./, namespace: "room" }, ({ path }) => ({
      contents: `export { ${[...(rooms.get(path) ?? [])].sort().join(", ")} } from "./${path}.ts";`,
      resolveDir: src,
    }));
  },
});

/** In words that every Node knows: which one is found on the path is nobody's choice. */
const clientWorker = `const version = process.versions.node.split(".").map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) require("./start.cjs").clientWorker();
else {
  console.error("ptxrun needs Node.js 20.19 or newer, and " + process.execPath + " is " + process.versions.node);
  process.exitCode = 2;
}
`;

const doors = ["index", "isa/index", "numeric/index"];

/** The library's own bundle runs wherever modules do. */
const neutral = { ...common, platform: "neutral", mainFields: ["module", "main"] };

/** The files that the doors reach. */
async function libraryFiles(plugins) {
  const entryPoints = doors.map((door) => join(src, `${door}.ts`));
  const { metafile } = await build({ ...neutral, minify: false, entryPoints, plugins, write: false, outdir: root });
  return new Set(Object.keys(metafile.inputs).map((path) => resolve(root, path)));
}

/**
 * Writes the code into the folder `dist`, and gives the files that it was made of. Where it need not be `small`, as tests
 * want it, that takes half the time.
 */
export async function bundle(dist, { small = true } = {}) {
  const plugins = [await late()];
  const rooms = new Map();
  const cli = await build({
    ...common,
    entryPoints: [join(src, "cli/main.ts")],
    outfile: join(dist, "cli.cjs"),
    plugins: [unused, unasked, fromCore(await libraryFiles(plugins), rooms)],
  });
  // In one order, whichever file was read first: the same sources give the same bytes.
  const open = [...new Set([...doors, ...rooms.keys()])]
    .sort()
    .map((room) => `  ${JSON.stringify(room)}: () => require("${room}"),`);
  const contents = `const rooms = {\n${open.join("\n")}\n};
const opened = new Map();
/** What the module at a path of src exports. */
export function room(path) {
  let found = opened.get(path);
  if (found === undefined) opened.set(path, (found = rooms[path]()));
  return found;
}`;
  const core = await build({
    ...neutral,
    stdin: { contents, resolveDir: src, sourcefile: "core.js" },
    outfile: join(dist, "core.cjs"),
    // Says to those who import it what it exports.
    footer: { js: "0 && (module.exports = { room });" },
    plugins: [onlyUsed(rooms), ...plugins],
  });
  const texts = ["core.cjs", "cli.cjs"].map((name) => {
    const text = readFileSync(join(dist, name), "utf8");
    return Buffer.from(small ? shorten(name, text) : text);
  });
  const foreign = texts.findIndex((text) => text.some((byte) => byte > 127));
  if (foreign >= 0) throw new Error("start.ts reads the bundle as ASCII, and it is not");
  writeFileSync(join(dist, "core.cjs"), texts[0]);
  const params = small ? { [constants.BROTLI_PARAM_LGWIN]: 24 } : { [constants.BROTLI_PARAM_QUALITY]: 1 };
  writeFileSync(join(dist, "cli.br"), brotliCompressSync(texts[1], { params }));
  rmSync(join(dist, "cli.cjs"));
  await build({
    ...common,
    entryPoints: [join(src, "cli/start/start.ts")],
    outfile: join(dist, "start.cjs"),
    define: { BUNDLE: JSON.stringify(createHash("sha256").update(Buffer.concat(texts)).digest("hex").slice(0, 16)) },
  });
  writeFileSync(join(dist, "check-worker.cjs"), 'require("./start.cjs").worker();\n');
  writeFileSync(join(dist, "pool-worker.cjs"), 'require("./start.cjs").poolMember();\n');
  writeFileSync(join(dist, "client-worker.cjs"), clientWorker);
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
