// Builds what the package ships: the library as modules with types (tsc) and the command line as one file (esbuild).
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

const require = createRequire(import.meta.url);
rmSync("dist", { recursive: true, force: true });
execFileSync(
  process.execPath,
  [require.resolve("typescript/package.json").replace("package.json", "bin/tsc"), "-p", "."],
  {
    stdio: "inherit",
  },
);
// One bundle, because loading Chevrotain 11 and lodash-es as separate files costs more time than most runs do.
await build({
  entryPoints: ["src/cli/main.ts"],
  outfile: "dist/cli.js",
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  legalComments: "eof",
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
