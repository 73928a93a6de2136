import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * What a module of the sources exports: `contents` is its text, as if it lay in `folder`, which is relative to this one.
 * Sweeps run the sources, so that they need no build.
 */
export async function sources(folder, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(folder, import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
