import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeLicences } from "../../bundle/licences.js";
import { generateLoops } from "../../generate/generate.js";
import { exampleFiles } from "./examples.js";
import { pageFiles } from "./page.js";
import { sitePolicy } from "./policy.js";
import { workerFiles } from "./worker.js";

/** Where there is no site, its door leads to the page. */
const door = `<!doctype html><html lang="en"><meta charset="utf-8">${sitePolicy}<title>ptxrun</title>
<meta http-equiv="refresh" content="0; url=play.html"><a href="play.html">ptxrun in the browser</a></html>
`;

/** Writes the folder to publish, and gives the name of the worker's first file. */
export async function buildWeb(out) {
  await generateLoops();
  const { files: parts, sources } = await workerFiles();
  const [{ name: worker }] = parts;
  const page = await pageFiles(worker);
  rmSync(out, { recursive: true, force: true });
  const files = [
    ...parts.map(({ name, text }) => ({ path: name, contents: text })),
    ...page.files,
    ...exampleFiles().map(({ path, text }) => ({ path, contents: text })),
    { path: "index.html", contents: door },
    // GitHub's pages would otherwise leave out what begins with an underscore.
    { path: ".nojekyll", contents: "" },
  ];
  for (const { path, contents } of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), contents);
  }
  writeLicences([...sources, ...page.sources], join(out, "licences.txt"));
  const site = new URL("../site/build.js", import.meta.url);
  if (existsSync(site)) await (await import(site.href)).buildSite(out, { worker });
  return worker;
}
