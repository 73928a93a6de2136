// Writes the manual, the messages, the guides and the first page, as plain files, into the folder that is published.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Texts that are pages, beside all of docs. */
const others = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  "examples/gallery/README.md",
  "web/README.md",
];

/** The documents in the order of the list of guides, and their pictures. */
function documents() {
  const docs = readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`);
  const pictures = readdirSync(join(root, "docs/pictures"))
    .filter((name) => name.endsWith(".svg"))
    .map((name) => `docs/pictures/${name}`);
  return ["README.md", ...docs, ...others, ...pictures].map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

/** Writes the site into a folder. `worker` is the name there of the file that runs programs; without it no example runs in place. */
export async function buildSite(out, { worker = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-site-"));
  try {
    const outfile = join(folder, "pages.mjs");
    const made = { bundle: true, logLevel: "warning", target: "node20.19", platform: "node", format: "esm" };
    await build({ ...made, entryPoints: [here("pages.ts")], outfile });
    const { filesOf } = await import(pathToFileURL(outfile).href);
    for (const { path, text } of await filesOf(documents())) {
      const file = join(out, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const script = { bundle: true, minify: true, logLevel: "warning", target: "es2022", charset: "utf8" };
  const define = { WORKER_FILE: JSON.stringify(worker) };
  for (const name of ["site", "front"])
    await build({
      ...script,
      entryPoints: [here(`browser/${name}.ts`)],
      format: "iife",
      outfile: join(out, `assets/${name}.js`),
    });
  await build({
    ...script,
    entryPoints: [here("browser/run.ts")],
    format: "esm",
    define,
    outfile: join(out, "assets/run.js"),
  });
  cpSync(join(root, "docs/pictures"), join(out, "docs/pictures"), { recursive: true });
  cpSync(here("site.css"), join(out, "assets/site.css"));
  cpSync(here("../page/styles/colours.css"), join(out, "assets/colours.css"));
}
