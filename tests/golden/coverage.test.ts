import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { table } from "../../src/isa/index.ts";
import { coverage } from "../../src/present/coverage.ts";

const page = readFileSync(new URL("../../docs/coverage.md", import.meta.url), "utf8");

test("docs/coverage.md ends with what the table says (node bin/ptxrun.js isa --coverage)", () => {
  expect(page.slice(page.indexOf("|"))).toBe(coverage(table));
});

test("what runs of a section is counted, and a section that does not run says so", () => {
  const lines = coverage(table).split("\n");
  const row = (title: string): string[] =>
    (lines.find((line) => line.includes(`| ${title} `)) ?? "")
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.trim());
  expect(row("Control Flow").slice(2)).toEqual([
    String(table.find(({ name }) => name === "control-flow")?.forms.length),
    "all",
    "bra brx call ret exit",
  ]);
  const [half] = table.filter(({ name }) => name === "half-precision");
  const forms = (half?.forms ?? []).map((form) => ({ ...form, syntax: form.syntax, executable: false }));
  expect(coverage([{ ...half!, forms }])).toContain("| checked only |");
});
