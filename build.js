// Builds what the package ships: loops made from the table, the library as modules with types (tsc) and the command line in few files (esbuild).
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";
import { generateLoops } from "./generate/generate.js";

const require = createRequire(import.meta.url);
await generateLoops();
rmSync("dist", { recursive: true, force: true });
execFileSync(
  process.execPath,
  [require.resolve("typescript/package.json").replace("package.json", "bin/tsc"), "-p", "."],
  {
    stdio: "inherit",
  },
);
/**
 * What commander and chalk import and ptxrun never uses: starting other programs, and guessing whether a terminal has
 * colours. Without them Node loads a dozen modules fewer on each start, and the bundle cannot start a process.
 */
const unused = {
  name: "unused",
  setup(build) {
    build.onResolve({ filter: /^(node:child_process|#supports-color)$/ }, ({ path }) => ({
      path,
      namespace: "unused",
    }));
    build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "export default {};" }));
  },
};
// Bundled, because loading Chevrotain 11 and lodash-es as separate files costs more time than most runs do; split,
// because so does compiling the commands that a run does not use.
await build({
  entryPoints: { cli: "src/cli/main.ts", "check-worker": "src/cli/check/worker.ts" },
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  splitting: true,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  legalComments: "eof",
  plugins: [unused],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
