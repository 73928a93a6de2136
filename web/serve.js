// npm run web [-- --port N]: builds the page and serves it on this machine alone; built again when a source has changed and the
// page is asked for.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { answer } from "./build/answer.js";
import { buildWeb } from "./build/build.js";

const { port = "4173" } = parseArgs({ options: { port: { type: "string" } } }).values;
const out = fileURLToPath(new URL("dist", import.meta.url));
const sources = ["page", "worker", "site", "../src", "../packages"].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

/** When a source was last written, in milliseconds. */
const newest = () =>
  Math.max(
    ...sources.flatMap((folder) => {
      try {
        return readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).mtimeMs);
      } catch {
        // There may be no such folder.
        return [];
      }
    }),
  );

let built = newest();
await buildWeb(out);

createServer(async (request, response) => {
  if (request.url?.split("?")[0].endsWith("/") || request.url?.includes(".html")) {
    const now = newest();
    if (now > built) {
      built = now;
      await buildWeb(out).catch((error) => console.error(error.message));
    }
  }
  const { status, headers, body } = answer(request.url ?? "/", (path) => readFileSync(join(out, path)));
  response.writeHead(status, headers).end(body);
}).listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/play.html`));
