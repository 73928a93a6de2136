// npm run build:web: makes web/dist, the folder to publish; `node web/build.js FOLDER` makes another one.
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build/build.js";

await buildWeb(process.argv[2] ?? fileURLToPath(new URL("dist", import.meta.url)));
