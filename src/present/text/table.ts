import type { Form, Section } from "../../isa/index.ts";
import { manualUrl } from "../../source/manual.ts";
import { type FormWords, formWords } from "../form.ts";
import { markdownTable } from "./markdown.ts";
import { type Palette, plain } from "./palette.ts";

/** One line for each form: its syntax, least version and target, and what is special. */
export function listForms(sections: readonly Section[], palette: Palette = plain): string {
  const width = Math.min(72, Math.max(0, ...sections.flatMap(({ forms }) => forms.map(({ syntax }) => syntax.length))));
  return sections
    .map(({ number, title, forms }) => {
      const lines = forms.map((form) => {
        const { since, ...words } = formWords(form);
        return `  ${form.syntax.padEnd(width)}  ${palette.faint(`${since[0]?.needs ?? ""}${marks(words)}`)}\n`;
      });
      return `${palette.strong(`${number} ${title}`)}\n${lines.join("")}`;
    })
    .join("\n");
}

const marks = ({ executable, undocumented }: Pick<FormWords, "executable" | "undocumented">): string =>
  `${executable ? "" : "; not executed yet"}${undocumented ? "; not in the manual" : ""}`;

/** Everything about each form, for reading; `words` are those that were asked for. */
export const describeForms = (
  forms: readonly Form[],
  palette: Palette = plain,
  words: readonly string[] = [],
): string => forms.map((form) => describeForm(formWords(form, words), palette)).join("\n");

function describeForm(words: FormWords, palette: Palette): string {
  const { syntax, where, operands, does, facts, since, checks, manual } = words;
  const pad = Math.max(
    facts.length === 0 ? 5 : 7,
    ...facts.map(({ grade }) => grade.length),
    ...where.map(({ name }) => name.length + 1),
    ...operands.map(({ name }) => name.length),
  );
  const next = `\n${" ".repeat(pad + 4)}`;
  const line = (label: string, text: string) =>
    `  ${palette.faint(label.padEnd(pad))}  ${text.replaceAll("\n", next)}\n`;
  const needs = since.map(({ with: word, needs }) => (word === "" ? needs : `${word} from ${needs}`));
  return [
    `${palette.strong(syntax)}\n`,
    ...where.map((each) => line(`.${each.name}`, choicesOf(each))),
    ...operands.map(({ name, takes }) => line(name, takes)),
    ...(words.modes === undefined
      ? does.map((text, at) => line(at === 0 ? "does" : "", text))
      : words.modes.map(({ word, does }, at) => line(at === 0 ? "does" : "", `.${word}: ${does}`))),
    ...(words.lies ?? []).map((text, at) => line(at === 0 ? "lies" : "", text)),
    ...(words.lies === undefined
      ? []
      : [line("", "which lane has an element: ptxrun explain and a spelling, then c[5][3]; or c for all of them")]),
    ...facts.map(({ grade, says }) => line(grade, says)),
    line(
      "since",
      `${needs.join("; ")}${words.newer === undefined ? "" : `, for ${words.newer.join(" ")}`}${marks(words)}`,
    ),
    ...(words.deprecated === undefined ? [] : [line("", words.deprecated)]),
    ...(words.unsaid === undefined ? [] : [line("", words.unsaid)]),
    ...checks.map((check) => line("check", check)),
    ...(facts.length === 0 ? [] : [line("sources", gradesOf(facts))]),
    line("page", manualUrl(manual)),
  ].join("");
}

/** What the grades of the facts mean, each once. */
const gradesOf = (facts: FormWords["facts"]): string =>
  [...new Map(facts.map(({ grade, source }) => [grade, source]))].map((each) => each.join(": ")).join("; ");

const choicesOf = ({ words, more }: FormWords["where"][number], quote = ""): string =>
  words.map((word) => `${quote}.${word}${quote}`).join(" ") + (more === undefined ? "" : ` and ${more} more`);

/** The table as Markdown: a heading for each section, a row for each form. */
export const tableToMarkdown = (sections: readonly Section[]): string =>
  sections
    .map(({ number, title, forms }) => {
      const rows = forms.map((form) => {
        const words = formWords(form);
        const where = words.where.map((each) => `.${each.name}: ${choicesOf(each, "`")}`);
        const runs = words.executable ? "yes" : "no";
        return [`\`${form.syntax}\``, where.join("; "), words.since[0]?.needs ?? "", runs];
      });
      return `## ${number} ${title}\n\n${markdownTable(["form", "where", "since", "runs"], rows)}`;
    })
    .join("\n");

/** The table as data, `"schema": "ptxrun.isa/1"`. */
export const tableToJson = (sections: readonly Section[]): Record<string, unknown> => ({
  schema: "ptxrun.isa/1",
  sections: sections.map(({ number, title, anchor, forms }) => ({
    number,
    title,
    anchor,
    forms: forms.map((form) => formToJson(form)),
  })),
});

/** One form as data; `words` are those that were asked for. */
export const formToJson = (form: Form, words: readonly string[] = []): Record<string, unknown> => ({
  mnemonic: form.mnemonic,
  ...formWords(form, words),
});
