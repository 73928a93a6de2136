import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { forms } from "../src/index.ts";
import { known } from "../src/isa/table.ts";
import { archive } from "./archive.ts";

const root = resolve(import.meta.dirname, "../../..");
const page = join(root, "docs/visa.md");
const MARK = "<!-- operations -->\n";

/** Lines of the dumps with each opcode. */
function counts(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, text] of archive)
    if (name.endsWith(".visaasm"))
      for (const [, opcode = ""] of text.matchAll(/^ {4}(?:\(.*?\) )?([a-z_0-9]+)/gm))
        found.set(opcode, (found.get(opcode) ?? 0) + 1);
  return found;
}

/** Names, and how often the dumps have them, in lines that a page can have. */
function wrapped(names: readonly string[], lines: ReadonlyMap<string, number>): string {
  const rows = [""];
  for (const name of names) {
    const item = `\`${name}\`${lines.has(name) ? ` ${lines.get(name)}` : ""}`;
    const row = rows.at(-1) ?? "";
    if (row.length + item.length < 118) rows[rows.length - 1] = row === "" ? item : `${row}, ${item}`;
    else {
      rows[rows.length - 1] = `${row},`;
      rows.push(item);
    }
  }
  return `${rows.join("\n")}\n`;
}

function instructions(): string {
  const lines = counts();
  const runs = [...new Set(forms.map(({ mnemonic }) => mnemonic))].sort();
  return `
Executed:

${wrapped(runs, lines)}
Recognized: a kernel with one of these loads, and executing it ends the run with exit code 5.

${wrapped([...known].sort(), lines)}`;
}

it("docs/visa.md ends with the instructions of the table, and how often the dumps have them (UPDATE=1 writes it)", () => {
  const [before = ""] = readFileSync(page, "utf8").split(MARK);
  const whole = `${before}${MARK}${instructions()}`;
  if (process.env["UPDATE"] === "1") writeFileSync(page, whole);
  expect(readFileSync(page, "utf8")).toBe(whole);
});

it("every line of the dumps is an operation that runs", () => {
  const runs = new Set(forms.map(({ mnemonic }) => mnemonic));
  expect([...counts().keys()].filter((opcode) => !runs.has(opcode))).toEqual([]);
});
