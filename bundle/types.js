// The declarations that the library's doors need, and no others.
import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Removes declarations below `folder` that none of `doors` reaches. */
export function keepReachable(folder, doors) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*["'](\.[^"']+)\.(?:js|ts)["']/g))
      visit(resolve(dirname(file), `${path}.d.ts`));
  };
  for (const door of doors) visit(join(folder, door));
  const sweep = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) sweep(path);
      else if (path.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
    }
    if (readdirSync(at).length === 0) rmdirSync(at);
  };
  sweep(folder);
}
