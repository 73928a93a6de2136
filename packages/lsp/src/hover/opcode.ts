import { completions, type Form, match, table } from "../../../../src/isa/index.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import { formWords } from "../../../../src/present/form.ts";
import type { Document } from "../document.ts";
import { formOf } from "../names/access.ts";
import { innermost } from "../names/body-names.ts";
import { isOf } from "../names/definition.ts";
import { namesIn } from "../names/text-names.ts";
import { type Sketch, wordsOf } from "../text/sketch.ts";
import { instructionAt } from "../text/statement-at.ts";

/** Forms that are shown of a spelling that is not finished. */
const MAX_SHOWN_FORMS = 6;

/**
 * The form of an instruction as the manual writes it, its meaning from its data, and the version that introduced
 * it.
 */
export function opcodeText(document: Document, func: ast.Func | undefined, sketch: Sketch): string | undefined {
  const mnemonic = sketch.mnemonic?.text ?? "";
  const words = wordsOf(sketch);
  const node = instructionAt(document.block(func), sketch.mnemonic?.start ?? 0);
  const names = namesIn(document, func).definitions;
  const form =
    node &&
    formOf(node, (name) =>
      innermost(
        names.filter((each) => isOf(each, name)),
        node,
      ),
    )?.form;
  if (form !== undefined) return formText(form, words);
  const found = match(mnemonic, words);
  if (found.kind === "forms") return found.candidates.map((each) => formText(each.form, words)).join("\n\n---\n\n");
  const begun = completions(mnemonic, words);
  if (begun.length === 0) return undefined;
  const lines = begun.slice(0, MAX_SHOWN_FORMS).map(({ syntax }) => syntax);
  const more = begun.length > MAX_SHOWN_FORMS ? `\n\nand ${begun.length - MAX_SHOWN_FORMS} more forms` : "";
  return `${fenced(lines.join("\n"))}${more}`;
}

/** A complete description of one form, with the words of a spelling. */
export function formText(form: Form, words: readonly string[] = []): string {
  const { syntax, where, operands, does, facts, since, executable, manual } = formWords(form, words);
  const needs = since.map(({ with: word, needs }) => (word === "" ? needs : `\`${word}\` from ${needs}`));
  const choices = where.map(
    ({ name, words, more }) =>
      `- \`.${name}\`: ${words.map((word) => `\`.${word}\``).join(" ")}${more === undefined ? "" : ` and ${more} more`}`,
  );
  const lines = [
    fenced(syntax),
    ...(does.length === 0 ? [] : [does.map((line) => `\`${line}\``).join("  \n")]),
    ...(executable ? [] : ["ptxrun knows it and does not execute it."]),
    [...choices, ...operands.map(({ name, takes }) => `- \`${name}\`: ${takes}`)].join("\n"),
    ...(facts.length === 0 ? [] : [facts.map(({ says, source }) => `- ${says} (${source})`).join("\n")]),
    `Since ${needs.join("; ")}. ${sectionText(form, manual)}`,
  ];
  return lines.filter((line) => line !== "").join("\n\n");
}

const fenced = (text: string): string => `\`\`\`ptx\n${text}\n\`\`\``;

/** The manual's section of a form, with its address. */
function sectionText(form: Form, anchor: string): string {
  const section = table.find(({ mnemonics, forms }) => mnemonics.includes(form.mnemonic) && forms.includes(form));
  const where = section === undefined ? "PTX ISA" : `PTX ISA ${section.number} ${section.title}`;
  return `[${where}](https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#${anchor})`;
}
