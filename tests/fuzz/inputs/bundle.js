import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Files know where they stood before they were put into one. */
const inPlace = {
  name: "in place",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/](tests|src)[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text
        .replaceAll("import.meta.dirname", () => JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(path)));
      return { contents, loader: "ts" };
    }),
};

/** Puts each of these files, and all that it takes, into one of the same name in a folder. */
export const bundle = (names, folder) =>
  build({
    entryPoints: names.map((name) => join(import.meta.dirname, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    sourcemap: "linked",
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [inPlace],
  });
