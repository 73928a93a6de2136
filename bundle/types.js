// The declarations that the library's doors need, and no others.
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import jsTokens from "js-tokens";

const references = /(export [^;"']*?from|from|import\()\s*["'](\.[^"']+)\.(?:js|ts)["']/g;

/**
 * Removes declarations below `folder` that none of `doors` reaches. Those that a door passes on keep their comments; what is
 * only part of their types loses them: nobody can name it, and comments are more than half of the declarations' bytes.
 */
export function keepReachable(folder, doors) {
  const reached = new Set();
  const named = new Set();
  const visit = (file, isNamed) => {
    if (named.has(file) || (reached.has(file) && !isNamed)) return;
    reached.add(file);
    if (isNamed) named.add(file);
    for (const [, how, path] of readFileSync(file, "utf8").matchAll(references))
      visit(resolve(dirname(file), `${path}.d.ts`), isNamed && how.startsWith("export"));
  };
  for (const door of doors) visit(join(folder, door), true);
  for (const file of reached) if (!named.has(file)) writeFileSync(file, withoutComments(readFileSync(file, "utf8")));
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

function withoutComments(text) {
  const kept = [...jsTokens(text)].filter(({ type }) => !type.endsWith("Comment"));
  return kept
    .map(({ value }) => value)
    .join("")
    .replace(/\n\s*\n/g, "\n");
}
