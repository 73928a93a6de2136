// The page's own files: modules, styles and the document, with names that change with what is in them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { alias } from "../../bundle/bundle.js";
import { shorten } from "../../bundle/shorten.js";
import { pagePolicy } from "./policy.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The launch of the first example, as the worker answers: the page shows it before a worker is there. */
async function recording() {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-record-"));
  try {
    const outfile = join(folder, "record.mjs");
    const made = { absWorkingDir: root, bundle: true, logLevel: "error", platform: "node", format: "esm", alias };
    await build({ ...made, entryPoints: ["web/build/record.ts"], outfile });
    const { first, freeze, record } = await import(pathToFileURL(outfile).href);
    return freeze(await record(first));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Gives `{ path, contents }` of each file, and what they were made of; `worker` is the name of the worker's first file. */
export async function pageFiles(worker) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: "web/page/main.ts", style: "web/page/page.css" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: ["es2022", "chrome117", "firefox121", "safari17.4"],
    define: { WORKER_FILE: JSON.stringify(worker), RECORDING: JSON.stringify(await recording()) },
    legalComments: "none",
    metafile: true,
    write: false,
    outdir: root,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    logLevel: "error",
  });
  const named = (source) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source);
    return basename(found[0]);
  };
  const [script, style] = [named("web/page/main.ts"), named("web/page/page.css")];
  const html = readFileSync(join(root, "web/page/index.html"), "utf8");
  const guarded = html.replace('<meta charset="utf-8">', `<meta charset="utf-8">\n${pagePolicy}`);
  const page = guarded.replace('href="page.css"', `href="${style}"`).replace('src="page.js"', `src="${script}"`);
  for (const part of [script, style, pagePolicy])
    if (!page.includes(part)) throw new Error("index.html names no page.js, page.css or charset");
  return {
    files: [
      { path: "play.html", contents: page },
      ...outputFiles.map(({ path, text }) => ({
        path: basename(path),
        contents: path.endsWith(".js") ? shorten(basename(path), text) : text,
      })),
    ],
    sources: Object.keys(metafile.inputs).map((path) => join(root, path)),
  };
}
