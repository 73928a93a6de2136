// Which packages the bundle has code of.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package that a file belongs to; undefined for our own. */
function packageOf(file) {
  const [, folder] = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(file) ?? [];
  return folder;
}

/** The packages that `files` belong to, by name: `{ name, version, license, folder }`. */
export function packagesOf(files) {
  const folders = [...new Set(files.map(packageOf).filter((folder) => folder !== undefined))].sort();
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
}
