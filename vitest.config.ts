import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { generateLoops } from "./generate/generate.js";
import { testFolders } from "./tests/folders.ts";
import { long } from "./tests/long.ts";
import { built, eachSource, oneLibrary, type Replaced } from "./tests/sources.ts";
import { Summary } from "./tests/summary.ts";
import { hasBrowser } from "./web/tests/browser.ts";

// Tests run the sources, and the loops that go with them.
await generateLoops();

/** PTXRUN_EXECUTOR=js or wasm: programs are executed so wherever a test does not say how. */
const executor = process.env["PTXRUN_EXECUTOR"];
if (executor !== undefined && executor !== "js" && executor !== "wasm")
  throw new Error(`PTXRUN_EXECUTOR is js or wasm, not ${executor}`);
/** What needs each source by itself: what asks which file imports which, what runs again on a change, and files by name. */
const single =
  !process.argv.includes("run") || process.argv.some((each) => /\.test\b|^related$|^--(changed|coverage)/.test(each));
/** The sources, with programs executed by one executor wherever a test does not say how. */
const sourcesBy = async (name: "js" | "wasm" | undefined) => {
  const replaced: Replaced =
    name === undefined ? {} : { "src/interp/default-executor.ts": `tests/executors/${name}.ts` };
  return single ? eachSource(replaced) : await oneLibrary(replaced);
};
/** PTXRUN_TESTS=all: all tests. PTXRUN_TESTS=rest: those of files that `npm test` does not run whole. */
const asked = process.env["PTXRUN_TESTS"];
if (asked !== undefined && asked !== "all" && asked !== "rest")
  throw new Error(`PTXRUN_TESTS is all or rest, not ${asked}`);

/** How long code runs before it is compiled once more: V8 counted bytes of it up to Node 20, and counts calls and rounds since. */
const budget =
  Number.parseInt(process.versions.node, 10) < 22
    ? ["--interrupt-budget=500000"]
    : ["--invocation-count-for-maglev=3000", "--invocation-count-for-turbofan=22000"];

/**
 * Most tests run code a few times: V8's fast compiler does for that, and what its other one, which works beside the tests, makes of a
 * function is thrown away when the next file calls it with other objects. Memory is there for garbage, and for what was compiled.
 */
const engine = ["--always-sparkplug", ...budget, "--no-flush-bytecode", "--max-semi-space-size=128"];

/** In a real browser. */
const ofPage = (file: string): boolean => /^web\/tests\/[^/]+$/.test(file);
const texts = new Map(
  testFolders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(".test.ts") && !ofPage(file))
      .map((file) => [file, readFileSync(file, "utf8")] as const),
  ),
);
const filesWith = (is: (text: string, file: string) => boolean): readonly string[] =>
  [...texts].flatMap(([file, text]) => (is(text, file) ? [file] : []));

const isLong = (file: string): boolean => file in long;
// Of a file that is left out nothing has been asked before the rest.
for (const [file, text] of texts)
  if (isLong(file) && /\bshare\(/.test(text)) throw new Error(`${file} asks for a share, but npm test leaves it out`);
/** Those that `npm test` leaves out, and those of which it runs no more than a share. */
const rest = filesWith((text, file) => isLong(file) || /\/share\.ts"/.test(text));
/** Files that somebody names are run, long ones too. */
const named = process.argv.slice(2).some((each) => /\btests\b|\.test\b|\bpackages\/|^related$|^--changed/.test(each));
const short = named ? [...texts.keys()] : [...texts.keys()].filter((file) => !isLong(file));
const wanted = asked === "rest" ? rest : asked === "all" ? [...texts.keys()] : short;

/** Whether a project is named on the command line, as `--project page`. */
const isAskedFor = (project: string): boolean =>
  process.argv.some(
    (each, at) => each === `--project=${project}` || (each === project && process.argv[at - 1] === "--project"),
  );
/** What `npm test` leaves out altogether. */
const more = asked !== undefined && !named;
/** What executes programs, once more with everything compiled that can be, however short it runs. */
const executes =
  /^tests\/(?:unit\/(?:interp|host)|properties\/divergence|conformance\/(?:asynchrony|atomics|calls|carry-flags|checks|control-flow|group-order|locks|narrow-addresses|synchronization|transfers|vector-move)\b)/;
/** Files that choose what executes say the same again; these parts of the interpreter execute nothing. */
const chooses = (file: string, text: string): boolean =>
  (/\b(?:create-session|executor)\.ts"/.test(text) && !file.endsWith("/default-executor.test.ts")) ||
  /\/interp\/(?:shapes|history|linear|vector-clock|weak|compiled)\b/.test(file);
const compiled =
  more || isAskedFor("compiled") ? filesWith((text, file) => executes.test(file) && !chooses(file, text)) : [];
/** The page in a real browser. */
const page =
  (more && hasBrowser) || isAskedFor("page") || process.argv.some((each) => /\bweb\/tests\/(?!unit)/.test(each))
    ? ["web/tests/*.test.ts"]
    : [];
/** Both are the same whether the other tests are all or what `npm test` has left. */
const asShare = { PTXRUN_TESTS: asked === "all" ? "all" : "" };

/** What all projects with tests have. */
const common = {
  // Benchmarks have a project of their own: otherwise each would run once a project.
  benchmark: { include: [] },
  setupFiles: ["tests/around-file.ts"],
  server: { deps: { external: [built] } },
  execArgv: [...engine],
  isolate: false,
  // What never comes: a machine that is slow does not reach it.
  testTimeout: 1_200_000,
  hookTimeout: 1_200_000,
  expect: { poll: { timeout: 1_200_000 } },
};
const sources = await sourcesBy(executor);

export default defineConfig({
  test: {
    // CI adds up what was passed and failed.
    reporters: ["default", new Summary(), ...(process.env["CI"] === undefined ? [] : ["json"])],
    outputFile: { json: `coverage/tests-${asked ?? "share"}.json` },
    // Vitest leaves a core to itself, of two as of many; it hardly needs one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // One for all folders: a project has modules, bundles and what is transformed of its own.
      {
        plugins: [sources],
        test: { ...common, name: "tests", include: [...wanted], globalSetup: ["tests/unit/cli/bundles.ts"] },
      },
      {
        plugins: [compiled.length === 0 ? sources : await sourcesBy("wasm")],
        test: {
          ...common,
          name: "compiled",
          include: [...compiled],
          globalSetup: ["tests/unit/cli/bundles.ts"],
          env: { ...asShare, PTXRUN_EXECUTOR: "wasm" },
        },
      },
      {
        plugins: [sources],
        test: { ...common, name: "page", include: page, globalSetup: ["web/tests/build.ts"], env: asShare },
      },
      { test: { name: "bench", include: [], benchmark: { include: ["tests/bench/**/*.bench.ts"] } } },
    ],
  },
});
