import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDoors } from "../../bundle/bundle.js";
import { Bundle } from "../unit/cli/bundle.ts";
import { root, textOf } from "./pages.ts";

/** The scripts of docs/library.md, run against the library as this checkout would ship it. */
const project = mkdtempSync(join(tmpdir(), "ptxrun-library-"));
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  const dist = dirname(bundle.entry);
  for (const room of ["isa", "numeric"]) mkdirSync(join(dist, room));
  writeDoors(dist);
  const installed = join(project, "node_modules/ptxrun");
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  symlinkSync(dist, join(installed, "dist"));
});
afterAll(() => {
  bundle.remove();
  rmSync(project, { recursive: true, force: true });
});

const page = textOf("docs/library.md");
const blocks = [...page.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)].map(([, script, output]) => ({
  script,
  output,
}));
const names = readdirSync(join(root, "examples/library")).sort();

describe("docs/library.md", () => {
  it("has three scripts, each a file of examples/library", () => {
    expect(names).toEqual(["launch.mjs", "numbers.mjs", "operation.mjs"]);
    const texts = names.map((name) => textOf(`examples/library/${name}`));
    expect(blocks.map(({ script }) => script).toSorted()).toEqual(texts.toSorted());
  });

  it.each(names)("shows what %s prints", (name) => {
    const shown = blocks.find(({ script }) => script === textOf(`examples/library/${name}`))?.output;
    const script = join(project, name);
    copyFileSync(join(root, "examples/library", name), script);
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect([stderr, stdout]).toEqual(["", shown]);
  });
});
