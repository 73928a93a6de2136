import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isComputed } from "../../src/interp/contract/plan/effects.ts";
import { table } from "../../src/isa/index.ts";
import { sweptForms } from "../campaign/exact/spellings.ts";
import { spellings } from "../conformance/spellings.ts";
import { everywhereText, page } from "./exactness/page.ts";
import { known, results } from "./exactness/results.ts";
import { everywhere, evidence } from "./exactness/sections.ts";

const root = resolve(import.meta.dirname, "../..");
const file = resolve(root, "docs/exactness.md");
const MARK = "<!-- generated: UPDATE=1 npx vitest run tests/golden/exactness.test.ts -->\n";
const swept = sweptForms();

describe("docs/exactness.md", () => {
  it("is what the table and the campaigns' results say (UPDATE=1 writes it)", () => {
    const text = readFileSync(file, "utf8");
    const written = text.slice(0, text.indexOf(MARK));
    const whole = `${written}${MARK}\n${everywhereText()}\n\n${page(table, swept, results())}\n`;
    if (process.env["UPDATE"] === "1") writeFileSync(file, whole);
    expect(readFileSync(file, "utf8")).toBe(whole);
  });

  it("names tests that are there, for sections that are there", () => {
    const names = new Set(table.map(({ name }) => name));
    for (const section of Object.keys(evidence)) expect(names).toContain(section);
    for (const [name] of [...Object.values(evidence).flat(), ...everywhere])
      expect(existsSync(resolve(root, "tests", name)), name).toBe(true);
  });

  it("counts results of spellings that the table has, by plans of campaigns/", () => {
    const spellings = new Set(swept.flatMap(({ spellings }) => spellings.map(({ name }) => name)));
    expect([...known(results()).keys()].filter((spelling) => !spellings.has(spelling))).toEqual([]);
    for (const { name, outcomes } of results()) {
      if (name.startsWith("exact")) continue;
      const plan = JSON.parse(readFileSync(resolve(root, `campaigns/${name}.json`), "utf8"));
      const names = plan.jobs.map(({ name }: { readonly name: string }) => name).sort();
      expect(outcomes.flatMap(({ spellings }) => spellings.split(" ")).sort()).toEqual(names);
    }
  });

  it("leaves out no words of a form that it has", () => {
    const has = new Set(swept.flatMap(({ spellings }) => spellings.map(({ name }) => name)));
    const all = swept.flatMap(({ form }) =>
      [...spellings(form)].flatMap(({ words, mods }) => (isComputed(form.plan(mods)) ? [words.join(".")] : [])),
    );
    expect(all.filter((name) => !has.has(name))).toEqual([]);
  });

  it("tells of a result that differs, and of spellings that no campaign had", () => {
    const some = swept.find(({ spellings }) => spellings.length > 4);
    const [section] = table;
    const spelling = some!.spellings[0]!;
    const same = some!.spellings.filter(({ computes }) => computes === spelling.computes).length;
    const all = some!.spellings.length;
    const outcome = {
      oracle: "exact arithmetic",
      inputs: "all",
      cases: 65_536,
      differ: 3,
      spellings: spelling.name,
    } as const;
    const head = { name: "x", date: "2026-01-01", commit: "c", version: "0", build: "b", plan: "0123456789abcdefgh" };
    const text = page([{ ...section!, forms: [some!.form] }], [some!], [{ ...head, outcomes: [outcome] }]);
    expect(text).toContain("| results that differed | 3 |");
    expect(text).toContain(`| none were run in a campaign | ${all - same} |`);
    expect(text).toContain(`${same} of ${all}: 2^16, exact arithmetic, 3 differ`);
  });
});
