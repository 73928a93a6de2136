// What npm packs keeps the rights of its files: everybody may read them, whatever the umask of whoever builds.
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { files, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const programs = new Set(Object.values(bin).map((path) => join(root, path)));

export function setModes() {
  for (const path of ["package.json", "README.md", "LICENSE"]) setAll(join(root, path));
  for (const path of files) if (!path.startsWith("!")) setAll(join(root, path));
}

/** A file, or a folder with all in it. What V8 compiled stays its owner's. */
function setAll(path) {
  if (path === join(root, "dist/code")) return;
  if (!statSync(path).isDirectory()) {
    chmodSync(path, programs.has(path) ? 0o755 : 0o644);
    return;
  }
  chmodSync(path, 0o755);
  for (const name of readdirSync(path)) setAll(join(path, name));
}
