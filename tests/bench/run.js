// Speed of the executor: instruction mixes against a decoded switch, and eight kernels that nvcc compiled. It measures
// the library that ships, so it needs a build first (`npm run build`); under vitest every name that a module imports is
// looked up at run time, which would be measured too.
//
//   node tests/bench/run.js [--strict] [PART OF A NAME]
//
// With --strict a target that is not met makes it exit 1.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const outfile = fileURLToPath(new URL("executor.built.js", here));
await build({
  entryPoints: [fileURLToPath(new URL("executor.ts", here))],
  outfile,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  plugins: [
    {
      name: "library",
      setup: ({ onResolve }) => {
        onResolve({ filter: /\/src\/index\.ts$/ }, () => ({ path: "../../dist/index.js", external: true }));
      },
    },
  ],
});
try {
  const { measure } = await import(outfile);
  const [part = ""] = process.argv.slice(2).filter((word) => word !== "--strict");
  const met = measure(part);
  if (!met && process.argv.includes("--strict")) process.exitCode = 1;
} finally {
  rmSync(outfile);
}
