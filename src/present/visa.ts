import type { Type } from "../../packages/visa/src/ast.ts";
import type { Form, Named } from "../../packages/visa/src/index.ts";
import { linesOf } from "../numeric/operation/text.ts";
import { type Palette, plain } from "./text/palette.ts";
import { hex } from "./value.ts";

/** One line a form of vISA's table. */
export function listVisa(forms: readonly (Form | Named)[], palette: Palette = plain): string {
  const width = Math.max(0, ...forms.map(({ syntax }) => syntax.length));
  const lines = forms.map((form) => {
    const runs = "operands" in form ? "" : " (not executed)";
    return `  ${form.syntax.padEnd(width)}  ${palette.faint(`${form.about}${runs}`)}\n`;
  });
  return `${palette.strong("Intel vISA")}\n${lines.join("")}`;
}

/** Everything about each form. */
export const describeVisa = (forms: readonly (Form | Named)[], palette: Palette = plain): string =>
  forms.map((form) => ("operands" in form ? describe(form, palette) : describeNamed(form, palette))).join("\n");

/** A form in words, ready to be printed. */
export interface VisaWords {
  /** The value of each destination. */
  readonly means: readonly string[];
  readonly opcode: string;
  /** The source modifiers that it accepts; empty for none. */
  readonly modifiers: string;
  readonly checks: readonly string[];
}

/** The facts in vISA's table about a form, besides its line. */
export const visaWords = (form: Form): VisaWords => ({
  means: meanings(form),
  opcode: hex(BigInt(form.opcode), 8),
  modifiers: form.modifiers === "none" ? "" : form.modifiers === "logic" ? "(~)" : "(-) (abs) (-abs)",
  checks: form.check.map(example),
});

const describeNamed = ({ syntax, about, opcode }: Named, palette: Palette): string =>
  [
    `${palette.strong(syntax)}\n`,
    `  ${palette.faint("does")}    ${about}\n`,
    `  ${palette.faint("opcode")}  ${hex(BigInt(opcode), 8)}\n`,
    `  ${palette.faint("runs")}    no: a run ends with exit code 5 where a thread reaches it\n`,
  ].join("");

function describe(form: Form, palette: Palette): string {
  const { syntax, about, operands, relations } = form;
  const { means, opcode, modifiers, checks } = visaWords(form);
  const width = Math.max(9, ...operands.map(({ name }) => name.length));
  const line = (label: string, text: string): string => `  ${palette.faint(label.padEnd(width))}  ${text}\n`;
  return [
    `${palette.strong(syntax)}\n`,
    line("does", about),
    ...means.map((text) => line("means", text)),
    line("opcode", opcode),
    ...(relations.length === 0
      ? []
      : [line("rel", relations.length > 16 ? `${relations[0]} to ${relations.at(-1)}` : relations.join(" "))]),
    ...operands.map(({ name, kinds }) => line(name, kinds.join(", "))),
    ...(modifiers === "" ? [] : [line("modifiers", modifiers)]),
    ...checks.map((each) => line("check", each)),
  ].join("");
}

/** The value of each destination, for the types of the first worked example. */
function meanings({ run, check, operands }: Form): readonly string[] {
  const [first] = check;
  if (run === undefined || first === undefined) return [];
  const { types, modifiers = [], sat = false, relation = "" } = first;
  const instance = { types: types as readonly Type[], modifiers, sat, relation, immediate: [], first: 0 };
  const meaning = run(instance);
  if (meaning === undefined) return [];
  const results = "results" in meaning ? meaning.results : meaning.controlled(0);
  return results.flatMap((each, at) => linesOf(each, operands[at]?.name));
}

function example({ types, modifiers = [], sat, relation, sources, gives }: Form["check"][number]): string {
  const written = gives.map((bits, at) => `${spell(bits)}:${types[at]}`).join(", ");
  const read = sources.map((bits, at) => {
    const modifier = modifiers[gives.length + at];
    return `${modifier === undefined ? "" : `${modifier} `}${spell(bits)}:${types[gives.length + at] ?? "P"}`;
  });
  return `${[relation, sat ? "sat" : undefined].flatMap((word) => (word === undefined ? [] : [`.${word} `])).join("")}${read.join(", ")} -> ${written}`;
}

const spell = (bits: number | bigint): string => `0x${bits.toString(16)}`;

/** The forms of table words: `visa` all, `visa.add` one mnemonic's; undefined for words of another table. */
export function visaForms<Entry extends Named>(words: string, forms: readonly Entry[]): readonly Entry[] | undefined {
  const found = /^visa(?:\.([a-z_0-9]+))?$/i.exec(words);
  if (found === null) return undefined;
  const [, mnemonic] = found;
  return forms.filter((form) => mnemonic === undefined || form.mnemonic === mnemonic.toLowerCase());
}
