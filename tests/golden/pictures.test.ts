import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { World } from "../unit/cli/world.ts";
import { root, textOf } from "./pages.ts";

/** Pictures of docs/memory-model.md, and what `ptxrun litmus` draws them from; `UPDATE=1` draws them anew. */
const pictures: Readonly<Record<string, readonly string[]>> = {
  "mp.svg": ["mp.litmus"],
  "mp-release.svg": ["mp-release.litmus", "--why"],
  "sb.svg": ["sb.litmus"],
  "sb-fence.svg": ["sb-fence.litmus", "--why"],
  "iriw.svg": ["iriw.litmus"],
  "barrier.svg": ["barrier.litmus", "--why"],
};

it.each(Object.entries(pictures))(
  "docs/pictures/%s is what ptxrun litmus draws of %s",
  async (name, [file = "", ...more]) => {
    const world = new World();
    try {
      const source = join(root, "examples/litmus/introduction", file);
      await world.ptxrun(["litmus", source, ...more, "--svg", "drawn.svg"]);
      if (process.env["UPDATE"] === "1")
        copyFileSync(join(world.folder, "drawn.svg"), join(root, "docs/pictures", name));
      expect(textOf(`docs/pictures/${name}`)).toBe(textOf(join(world.folder, "drawn.svg")));
    } finally {
      world.remove();
    }
  },
);

it("has all of them in the page, each with words for those who do not see it", () => {
  const shown = [...textOf("docs/memory-model.md").matchAll(/!\[([^\]]{20,})\]\(pictures\/([\w-]+\.svg)\)/g)];
  expect(shown.map(([, , name]) => name).sort()).toEqual(Object.keys(pictures).sort());
  expect(
    readdirSync(join(root, "docs/pictures"))
      .filter((name) => name.endsWith(".svg"))
      .sort(),
  ).toEqual(Object.keys(pictures).sort());
});

it("shows programs as they stand in their files", () => {
  const blocks = [...textOf("docs/memory-model.md").matchAll(/^```text\n(PTX [\s\S]*?)^```$/gm)].map(
    ([, text]) => text,
  );
  const folder = join(root, "examples/litmus/introduction");
  const files = readdirSync(folder).map((name) => textOf(join(folder, name)));
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(files).toContain(block);
  const [, ptx = ""] = /^```ptx\n([\s\S]*?)^```$/m.exec(textOf("docs/memory-model.md")) ?? [];
  expect(ptx).toBe(textOf("examples/litmus/many-threads/isa2-two-scopes.ptx"));
});
