// node web/size.js: what a first visit loads until the page stands still, and what is loaded later; bytes as they are, by gzip and by
// brotli. In the Chromium of the tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { answer } from "./build/answer.js";
import { buildWeb } from "./build/build.js";

const out = fileURLToPath(new URL("dist", import.meta.url));
await buildWeb(out);

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext();
const first = [];
await context.route("**", (route) => {
  const { pathname } = new URL(route.request().url());
  first.push(pathname.slice(1));
  const { status, headers, body } = answer(pathname, (path) => readFileSync(join(out, path)));
  return route.fulfill({ status, headers, body: Buffer.from(body) });
});
const page = await context.newPage();
await page.goto("http://page.test/play.html", { waitUntil: "networkidle" });
await browser.close();

const line = (name, sizes) => console.log(`${sizes.map((size) => String(size).padStart(9)).join("")}  ${name}`);
const sizesOf = (path) => {
  const bytes = readFileSync(join(out, path));
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
};
function list(title, paths) {
  console.log(`${title}\n    bytes     gzip   brotli`);
  const sizes = paths.map(sizesOf);
  for (const [at, path] of paths.entries()) line(path, sizes[at]);
  line(
    "together",
    [0, 1, 2].map((column) => sizes.reduce((sum, each) => sum + each[column], 0)),
  );
}

list("first", first);
list(
  "\nlate",
  readdirSync(out).filter((path) => /\.(?:js|css)$/.test(path) && !first.includes(path)),
);
