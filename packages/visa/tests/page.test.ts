import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { forms } from "../src/index.ts";
import { known } from "../src/isa/table.ts";

const root = resolve(import.meta.dirname, "../../..");
const page = join(root, "docs/visa.md");
const MARK = "<!-- operations -->\n";

/** Lines of the dumps with each opcode. */
function counts(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const folder = join(root, "tests/data/visa/opencl");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".visaasm")))
    for (const [, opcode = ""] of readFileSync(join(folder, name), "utf8").matchAll(/^ {4}(?:\(.*?\) )?([a-z_0-9]+)/gm))
      found.set(opcode, (found.get(opcode) ?? 0) + 1);
  return found;
}

function table(): string {
  const lines = counts();
  const rows = forms.map(({ mnemonic, syntax, about }, at) => [
    // The lines of a name count once, at its first text.
    ...[
      `\`${mnemonic}\``,
      `${forms[at - 1]?.mnemonic === mnemonic ? "" : (lines.get(mnemonic) ?? "")}`,
      `\`${syntax.replaceAll("|", "\\|")}\``,
      about,
    ],
  ]);
  const head = ["operation", "lines", "text", "does"];
  const widths = head.map((each, at) => Math.max(each.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  const names = [...known].sort().map((each) => `\`${each}\``);
  const wrapped = names.reduce<string[]>(
    (all, each) => {
      const last = all.at(-1) ?? "";
      if (last.length + each.length < 118) return [...all.slice(0, -1), `${last} ${each}`.trim()];
      return [...all, each];
    },
    [""],
  );
  return [
    ...["", line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ""],
    ...[
      "These are known by name: a kernel with one loads, and executing it ends the run with exit code 5.",
      "",
      ...wrapped,
      "",
    ],
  ].join("\n");
}

it("docs/visa.md ends with what the table says, and how often the dumps say it (UPDATE=1 writes it)", () => {
  const [before = ""] = readFileSync(page, "utf8").split(MARK);
  const whole = `${before}${MARK}${table()}`;
  if (process.env["UPDATE"] === "1") writeFileSync(page, whole);
  expect(readFileSync(page, "utf8")).toBe(whole);
});

it("every line of the dumps is an operation that runs", () => {
  const runs = new Set(forms.map(({ mnemonic }) => mnemonic));
  expect([...counts().keys()].filter((opcode) => !runs.has(opcode))).toEqual([]);
});
