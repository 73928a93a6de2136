// npm run build:web: makes web/dist, the folder to publish.
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build/build.js";

await buildWeb(fileURLToPath(new URL("dist", import.meta.url)));
