// dist/ptxrun.1 and dist/completions: the manual page, which npm installs, and the scripts for shells, as the command prints
// them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ptxrun = fileURLToPath(new URL("../bin/ptxrun.js", import.meta.url));
const scripts = { bash: "ptxrun.bash", zsh: "_ptxrun", fish: "ptxrun.fish" };

/** Writes what a shell has of ptxrun into the folder `dist`. */
export function writeForShells(dist) {
  const print = (...words) => execFileSync(process.execPath, [ptxrun, ...words], { encoding: "utf8" });
  writeFileSync(join(dist, "ptxrun.1"), print("man"));
  mkdirSync(join(dist, "completions"));
  for (const [shell, file] of Object.entries(scripts))
    writeFileSync(join(dist, "completions", file), print("completion", shell));
}
