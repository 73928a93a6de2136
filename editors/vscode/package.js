// Builds the extension and packs it into editors/vscode/ptxrun.vsix by @vscode/vsce. That is no dependency of ours, since it
// is 86 MB of 119 packages for one file: `npx @vscode/vsce@4.1.0` gets it, or VSCE names its script. Without it, the
// extension is built only, and the last line says so.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { buildExtension } from "./build.js";

const VSIX = "ptxrun.vsix";
const folder = fileURLToPath(new URL(".", import.meta.url));

function script() {
  if (process.env.VSCE) return process.env.VSCE;
  try {
    return createRequire(import.meta.url).resolve("@vscode/vsce/vsce");
  } catch {
    return undefined;
  }
}

await buildExtension();
const vsce = script();
if (vsce === undefined || !existsSync(vsce)) {
  console.log("The extension is built in editors/vscode/dist. Packing is skipped: there is no @vscode/vsce here.");
} else {
  const words = ["package", "--no-dependencies", "--allow-missing-repository", "--out", VSIX];
  const { status } = spawnSync(process.execPath, [vsce, ...words], { cwd: folder, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
