import { describeVisa } from "../../../../src/present/visa.ts";
import type * as ast from "../../../visa/src/ast.ts";
import { forms } from "../../../visa/src/isa/table.ts";
import type { Document } from "../document.ts";
import { diagnosticTexts } from "../hover/diagnostic.ts";
import type { Hover } from "../hover/said.ts";
import { oneLine } from "../text/excerpt.ts";
import { fileOf } from "./outline.ts";

/** Hover of vISA: an instruction's form, or a variable's declaration. */
export function visaHover(document: Document, offset: number): Hover | undefined {
  const word = wordAt(document.text, offset);
  const about = word && (variableText(document, word.text, offset) ?? formText(word.text));
  const wrong = diagnosticTexts(document, offset);
  const texts = [...(about ? [about] : []), ...wrong.map(({ text }) => text)];
  const span = about ? word : wrong[0]?.span;
  return span === undefined
    ? undefined
    : { text: texts.join("\n\n---\n\n"), span: { start: span.start, end: span.end } };
}

function formText(word: string): string | undefined {
  const found = forms.filter(({ mnemonic }) => mnemonic === word.toLowerCase());
  return found.length === 0 ? undefined : code(describeVisa(found).trimEnd());
}

function variableText(document: Document, word: string, offset: number): string | undefined {
  const { kernels } = fileOf(document);
  const own = kernels.filter((kernel) => kernel.name.span.start <= offset).at(-1) ?? kernels[0];
  const declared = own && find(own.statements, word);
  if (declared === undefined) return undefined;
  const { line } = document.lines.position(declared.span.start);
  return `${code(oneLine(document.text.slice(declared.span.start, declared.span.end)))}\n\ndeclared on line ${line + 1}`;
}

function find(all: readonly ast.Statement[], name: string): ast.Statement | undefined {
  for (const statement of all) {
    if (statement.kind === "scope") {
      const inner = find(statement.statements, name);
      if (inner !== undefined) return inner;
    } else if ("name" in statement && statement.kind !== "attribute" && statement.name.text === name) return statement;
  }
  return undefined;
}

function wordAt(
  text: string,
  offset: number,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  let start = offset;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start--;
  let end = offset;
  while (end < text.length && /\w/.test(text.charAt(end))) end++;
  return start === end ? undefined : { text: text.slice(start, end), start, end };
}

const code = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
