import type { Form, Section } from "../../../src/isa/index.ts";
import { grades } from "../../../src/numeric/operation/grade.ts";
import type { Swept, SweptSpelling } from "../../campaign/exact/spellings.ts";
import { type Known, known, type Result } from "./results.ts";
import { everywhere, evidence } from "./sections.ts";

const number = (count: number): string => count.toLocaleString("en");
/** 4294967296 as 2^32; what is no power of two as it is. */
const power = (count: number): string => {
  const bits = Math.log2(count);
  return count > 256 && Number.isInteger(bits) ? `2^${bits}` : number(count);
};
const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const head = (cells: readonly string[]): string => [row(cells), row(cells.map(() => "---"))].join("\n");
const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** The generated part of docs/exactness.md. */
export function page(table: readonly Section[], swept: readonly Swept[], results: readonly Result[]): string {
  const spellings = new Map(swept.map(({ form, spellings }) => [form, spellings]));
  const outcomes = byMeaning(swept, known(results));
  const cover = (form: Form): Cover => coverOf(spellings.get(form) ?? [], outcomes);
  return [
    summary(table, cover, results),
    campaigns(results),
    "## Form by form",
    ...table.map((section) => sectionText(section, cover)),
  ].join("\n\n");
}

/** How far the spellings of a form were swept. */
interface Cover {
  readonly spellings: number;
  /** Spellings with all inputs, by the number of inputs and the oracle. */
  readonly all: ReadonlyMap<string, number>;
  readonly allCount: number;
  /** The same of random ones. */
  readonly random: ReadonlyMap<string, number>;
  /** Spellings of which nothing but random inputs were tried. */
  readonly sampled: number;
}

/** Outcomes by what is computed: `add.f16` and `add.rn.f16` are one operation, and what holds for one holds for the other. */
function byMeaning(
  swept: readonly Swept[],
  outcomes: ReadonlyMap<string, readonly Known[]>,
): ReadonlyMap<string, readonly Known[]> {
  const found = new Map<string, readonly Known[]>();
  for (const { name, computes } of swept.flatMap(({ spellings }) => spellings)) {
    const known = found.get(computes) ?? [];
    const more = (outcomes.get(name) ?? []).filter((each) => !known.some((other) => isSame(each, other)));
    found.set(computes, [...known, ...more]);
  }
  return found;
}

const isSame = (a: Known, b: Known): boolean =>
  a.oracle === b.oracle && a.inputs === b.inputs && a.cases === b.cases && a.differ === b.differ;

function coverOf(spellings: readonly SweptSpelling[], outcomes: ReadonlyMap<string, readonly Known[]>): Cover {
  const [all, random] = [new Map<string, number>(), new Map<string, number>()];
  let [allCount, sampled] = [0, 0];
  for (const { computes } of spellings) {
    const found = outcomes.get(computes) ?? [];
    for (const { inputs, cases, oracle, differ } of found) {
      const counts = inputs === "all" ? all : random;
      const key = `${power(cases)}, ${oracle}${differ > 0 ? `, ${number(differ)} differ` : ""}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (found.some(({ inputs }) => inputs === "all")) allCount++;
    else if (found.length > 0) sampled++;
  }
  return { spellings: spellings.length, all, allCount, random, sampled };
}

function summary(table: readonly Section[], cover: (form: Form) => Cover, results: readonly Result[]): string {
  const forms = table.flatMap(({ forms }) => forms);
  const covers = forms.map(cover);
  const sum = (of: (cover: Cover) => number): string => number(covers.reduce((total, each) => total + of(each), 0));
  const facts = forms.flatMap(({ facts }) => facts);
  const total = (of: (outcome: Known) => number): number =>
    results
      .flatMap(({ outcomes }) => outcomes)
      .reduce((sum, outcome) => sum + of(outcome) * outcome.spellings.split(" ").length, 0);
  return [
    `The table has ${number(forms.length)} forms. The results of ${number(covers.filter(({ spellings }) => spellings > 0).length)} of them follow in one step from the bits`,
    `of their operands; with all their words these are ${sum(({ spellings }) => spellings)} spellings.`,
    "",
    head(["of these spellings", "number"]),
    row(["all inputs were run", sum(({ allCount }) => allCount)]),
    row(["random inputs were run, not all", sum(({ sampled }) => sampled)]),
    row(["none were run in a campaign", sum(({ spellings, allCount, sampled }) => spellings - allCount - sampled)]),
    row(["inputs in all campaigns", number(total(({ cases }) => cases))]),
    row(["results that differed", number(total(({ differ }) => differ))]),
    "",
    head(["what the manual's page does not say", "facts", "source"]),
    ...Object.entries(grades)
      .filter(([grade]) => grade !== "manual")
      .map(([grade, source]) => row([grade, `${facts.filter((fact) => fact.grade === grade).length}`, source])),
  ].join("\n");
}

function campaigns(results: readonly Result[]): string {
  return [
    "## Campaigns",
    "",
    head(["campaign", "spellings", "inputs of each", "against", "differed", "date", "ptxrun", "plan"]),
    ...results.flatMap(({ name, date, commit, version, build, plan, outcomes }) =>
      outcomes.map(({ spellings, inputs, cases, oracle, differ }) =>
        row([
          ...[
            name,
            number(spellings.split(" ").length),
            `${inputs === "all" ? "all " : ""}${power(cases)}${inputs === "all" ? "" : " random"}`,
            oracle,
          ],
          ...[number(differ), date, `${version}, commit ${commit}, build ${build}`, code(plan.slice(0, 16))],
        ]),
      ),
    ),
  ].join("\n");
}

function sectionText({ name, title, forms }: Section, cover: (form: Form) => Cover): string {
  const tests = [...Object.entries(evidence)].filter(([key]) => key === name).flatMap(([, tests]) => tests);
  const open = forms.flatMap(({ syntax, facts }) => facts.map((fact) => ({ syntax, ...fact })));
  return [
    `### ${title}`,
    "",
    ...tests.map(([file, against]) => `- tests/${file}: ${against}`),
    ...(tests.length > 0 ? [""] : []),
    head(["form", "spellings", "all inputs", "random inputs", "worked examples", "besides the manual"]),
    ...forms.map((form) => {
      const { spellings, all, random } = cover(form);
      const share = (counts: ReadonlyMap<string, number>): string =>
        [...counts].map(([what, count]) => `${count} of ${spellings}: ${what}`).join("; ");
      const sources = [...new Set(form.facts.map(({ grade }) => grade))].join(", ");
      return row([code(form.syntax), spellings === 0 ? "" : number(spellings), share(all), share(random), `${form.check.length}`, sources]); // biome-ignore format: one line
    }),
    ...(open.length > 0 ? ["", ...factLines(open)] : []),
  ].join("\n");
}

/** Facts that are the same of several forms stand once. */
function factLines(
  facts: readonly { readonly syntax: string; readonly grade: string; readonly says: string }[],
): readonly string[] {
  const forms = new Map<string, string[]>();
  for (const { syntax, grade, says } of facts) {
    const key = `**${grade}**: ${says.replaceAll("|", "\\|")}`;
    forms.set(key, [...(forms.get(key) ?? []), code(syntax.split(" ")[0] ?? "")]);
  }
  return [...forms].map(([says, syntaxes]) => `- ${says} (${[...new Set(syntaxes)].join(", ")})`);
}

/** The list of what holds all sections. */
export const everywhereText = (): string =>
  everywhere.map(([file, against]) => `- tests/${file}: ${against}`).join("\n");
