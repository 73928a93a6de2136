// An index is a list of what a room gives. Whoever imports one of its names would have all of its files with it, since esbuild
// cuts by files: here each import of an index becomes imports of the files that have the names.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const known = new Map();

/** Which file has each name of an index, and what it is called there. */
function namesOf(index) {
  const before = known.get(index);
  if (before !== undefined) return before;
  const names = new Map();
  known.set(index, names);
  for (const [, list, from] of readFileSync(index, "utf8").matchAll(/^export \{([^}]*)\} from "([^"]+)";$/gm))
    for (const { own, as } of listed(list)) names.set(as, { own, path: resolve(dirname(index), from) });
  return names;
}

/** The names between braces, types left out. */
const listed = (list) =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => {
      const [own, as = own] = each.split(" as ");
      return { own, as };
    });

/** A file whose imports lead to no index, except to those of `doors`. */
export function straightened(path, doors) {
  return readFileSync(path, "utf8").replace(
    /^import \{([^}]*)\} from "([^"]+\/index\.ts)";$/gm,
    (whole, list, from) => {
      const index = resolve(dirname(path), from);
      if (doors.has(index)) return whole;
      return listed(list)
        .map(({ own, as }) => straight(index, own, as))
        .join(" ");
    },
  );
}

function straight(index, own, as) {
  const found = namesOf(index).get(own);
  // Declared in the index itself.
  if (found === undefined) return `import { ${own} as ${as} } from ${JSON.stringify(index)};`;
  if (/\/index\.ts$/.test(found.path)) return straight(found.path, found.own, as);
  return `import { ${found.own} as ${as} } from ${JSON.stringify(found.path)};`;
}

/** The plugin for esbuild; `doors` are indexes that stand for all that is behind them. */
export const withoutIndexes = (doors) => ({
  name: "without indexes",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:src|web)[\\/].*\.ts$/, namespace: "file" }, ({ path }) => ({
      contents: straightened(path, doors),
      loader: "ts",
    }));
  },
});
