import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The text of bundle/bundle.js with these texts in place of what stands in files, for tests that run the bundle. */
export function takingTexts(text: string, changed: ReadonlyMap<string, string>): string {
  const before = readFileSync("tests/mutants/child.js", "utf8");
  const texts = [...changed].map(([file, instead]) => [resolve(file), before + instead]);
  return text.replace(
    'import { build } from "esbuild";',
    `import { build as plainly } from "esbuild";
const changed = new Map(${JSON.stringify(texts)});
const mutants = {
  name: "mutants",
  setup({ onLoad }) {
    onLoad({ filter: /\\.ts$/ }, ({ path }) =>
      changed.has(path) ? { contents: changed.get(path), loader: "ts" } : undefined);
  },
};
const build = (options) => plainly({ ...options, plugins: [mutants, ...(options.plugins ?? [])] });`,
  );
}
