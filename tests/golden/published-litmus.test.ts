import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPublished } from "../../packages/memory-model/litmus/published/read-published.ts";
import { judge, prepare } from "../../packages/memory-model/litmus/verdict.ts";
import { usualBounds } from "../../packages/memory-model/model/enumerate.ts";
import { Source } from "../../src/source/source.ts";
import { share } from "../share.ts";
import { root } from "./pages.ts";

/** Litmus tests of our own in the published format: what it has and plain PTX has not, and what it counts in its own way. */
const folder = join(root, "examples/litmus");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".litmus") && !name.startsWith("introduction"))
  .sort();
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("the litmus tests of the published format", () => {
  it.each(share(files, 4))("%s holds, has its file's name, and quotes the manual's sentence", (name) => {
    expect(/^PTX (.*)\n"[^\n]{10,}"\n/.exec(text(name))?.[1]).toBe(basename(name, ".litmus"));
    const [, comment = ""] = /\(\*([\s\S]*?)\*\)/.exec(text(name)) ?? [];
    expect(comment.replaceAll(/\s+/g, " ")).toMatch(/^ PTX ISA(?: 8(?:\.\d+)+|, barrier): ".{20,}" $/);
    const { value, diagnostics } = readPublished(new Source(name, text(name)));
    const { ready } = value === undefined ? { ready: undefined } : prepare(value);
    expect(diagnostics).toEqual([]);
    if (!ready) throw new Error("its conditions cannot be read");
    expect(judge(ready, usualBounds).holds).toBe(true);
  });

  it("are no two the same", () => {
    const bodies = files.map((name) =>
      text(name)
        .replace(/^PTX .*\n".*"\n/, "")
        .replace(/\(\*[\s\S]*?\*\)/, ""),
    );
    expect(bodies.filter((body, at) => bodies.indexOf(body) !== at)).toEqual([]);
  });
});
