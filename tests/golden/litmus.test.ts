import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./pages.ts";

/** Litmus tests of our own in plain PTX; tests/golden/examples.test.ts checks that the model has each as it states. */
const folder = join(root, "examples/litmus");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("the litmus tests", () => {
  it("are many, of many kinds, and claim that outcomes are there and that they are not", () => {
    expect(files.length).toBeGreaterThanOrEqual(400);
    expect(new Set(files.map((name) => name.split("/")[0])).size).toBeGreaterThanOrEqual(17);
    for (const kind of ["never", "exists", "forall"])
      expect(files.filter((name) => text(name).includes(`//@ ${kind} `)).length).toBeGreaterThan(9);
  });

  it.each(files.sort())("%s has its file's name, says what it is, and quotes the manual's sentence", (name) => {
    expect(/^\/\/@ litmus (.*)\n\/\/@ "[^\n]{10,}"\n/.exec(text(name))?.[1]).toBe(basename(name, ".ptx"));
    const comment = text(name)
      .split("\n")
      .filter((line) => /^\/\/ /.test(line))
      .map((line) => line.slice(3))
      .join(" ");
    expect(comment).toMatch(/^PTX ISA(?: 8(?:\.\d+)+|, [^"]+): ".{20,}[.\]]"$/);
  });

  it("are no two the same", () => {
    const bodies = files.map((name) => text(name).replace(/^\/\/(?:@ litmus|@ "| ).*\n/gm, ""));
    expect(bodies.filter((body, at) => bodies.indexOf(body) !== at)).toEqual([]);
  });
});
