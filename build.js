// Builds what the package ships: loops made from the table, types (tsc), and the code in few files (bundle/).
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { bundle, writeDoors } from "./bundle/bundle.js";
import { writeLicences } from "./bundle/licences.js";
import { setModes } from "./bundle/modes.js";
import { writeBillOfMaterials } from "./bundle/sbom.js";
import { writeForShells } from "./bundle/shell.js";
import { joinTypes } from "./bundle/types.js";
import { warm } from "./bundle/warm.js";
import { generateLoops } from "./generate/generate.js";

const require = createRequire(import.meta.url);
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
await generateLoops();
rmSync(at("dist"), { recursive: true, force: true });
const tsc = require.resolve("typescript/package.json").replace("package.json", "bin/tsc");
// Whether the types are right is asked by `npm run typecheck`.
execFileSync(process.execPath, [tsc, "-p", at("."), "--emitDeclarationOnly", "--noCheck"], { stdio: "inherit" });
await joinTypes(at("dist"), "src", ["index", "isa/index", "numeric/index"]);
const files = await bundle(at("dist"));
writeLicences(files, at("dist/licences.txt"));
writeBillOfMaterials(files, at("dist/sbom.json"));
writeDoors(at("dist"));
writeForShells(at("dist"));
setModes();
warm();
