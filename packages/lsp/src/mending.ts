import type { OperandClass, RegisterClass } from "../../../src/isa/form/operands.ts";
import type * as ast from "../../../src/parser/ast.ts";
import type { RegisterSymbol } from "../../../src/resolve/declaration/scope.ts";
import { placedOperands } from "../../../src/resolve/instruction/operand/placed-operands.ts";
import { fits } from "../../../src/resolve/instruction/operand/register-type.ts";
import type { Diagnostic, Help } from "../../../src/source/diagnostic.ts";
import type { Document } from "./document.ts";
import { formOf, writtenBy } from "./names/access.ts";
import { type Definition, isOf } from "./names/definition.ts";
import { inOperand } from "./names/mentioned.ts";
import { namesIn } from "./names/text-names.ts";
import { funcAround } from "./navigate/name-at.ts";

/**
 * A diagnostic of a wrong or undeclared register with what only the rest of its body says: the register that was probably meant, which
 * is read and nothing writes it, or the other way round; and where a declaration goes.
 */
export function withMending(document: Document, diagnostic: Diagnostic): Diagnostic {
  const { code, span, help = [] } = diagnostic;
  if (code !== "PTX1302" && code !== "PTX1320") return diagnostic;
  const func = funcAround(document, span.start);
  if (func?.body === undefined) return diagnostic;
  const declared = help.map((each) => placed(each, func));
  const isMended = help.some(({ replace }) => replace !== undefined);
  const meant = isMended ? undefined : meantAt(document, func, span.start);
  if (meant === undefined) return { ...diagnostic, help: declared };
  const { name, written } = meant;
  const why = written ? "which is read and never written" : "which is written and never read";
  return { ...diagnostic, help: [{ message: `write ${name}, ${why}`, replace: { span, text: name } }, ...declared] };
}

/** A declaration that is asked for goes to the beginning of the body. */
function placed(help: Help, { body }: ast.Func): Help {
  const [, declaration] = /^declare it first: (\.reg \S+ \S+;)$/.exec(help.message) ?? [];
  const at = (body?.start ?? 0) + 1;
  if (declaration === undefined || body === undefined) return help;
  return { ...help, replace: { span: { start: at, end: at }, text: `\n  ${declaration}` } };
}

/** The only register that could stand at a place and lacks just that; `written` is how the place uses it. */
function meantAt(
  document: Document,
  func: ast.Func,
  start: number,
): { readonly name: string; readonly written: boolean } | undefined {
  const { mentions, definitions } = namesIn(document, func);
  const lookup = (name: string): Definition | undefined => definitions.find((each) => isOf(each, name));
  const here = mentions.find((each) => each.start === start);
  if (here?.statement.kind !== "instruction") return undefined;
  const wanted = classAt(here.statement, start, lookup);
  if (wanted === undefined) return undefined;
  // What stands at a wrong place says nothing of what is missing elsewhere.
  const wrong = new Set(document.diagnostics.map(({ span }) => span.start));
  const written = new Set<string>();
  const read = new Set<string>();
  for (const { statement, text, start: at } of mentions) {
    if (statement.kind !== "instruction" || wrong.has(at)) continue;
    const isWritten = writtenBy(statement, lookup).some((each) => each.start === at);
    (isWritten ? written : read).add(text);
  }
  const writes = wanted.access === "write";
  const [has, lacks] = writes ? [read, written] : [written, read];
  const fitting = [...has].filter((name) => {
    const { kind, type = "" } = lookup(name) ?? {};
    return kind === "register" && !lacks.has(name) && fits(type as RegisterSymbol["type"], wanted);
  });
  // Rather of the very type: wider registers fit as well.
  const same = fitting.filter((name) => lookup(name)?.type === wanted.type);
  const [name, ...others] = same.length > 0 ? same : fitting;
  return name === undefined || others.length > 0 ? undefined : { name, written: writes };
}

/** What an instruction takes at the place of a name. */
function classAt(
  statement: ast.Instruction,
  start: number,
  lookup: (name: string) => Definition | undefined,
): RegisterClass | undefined {
  const candidate = formOf(statement, lookup);
  if (candidate === undefined) return undefined;
  const { form, classes } = candidate;
  for (const [index, operand] of placedOperands(candidate, statement.operands).entries()) {
    let isHere = false;
    if (operand?.kind === "name" || operand?.kind === "vector")
      inOperand(operand, (name) => (isHere ||= name.start === start));
    const wanted = isHere ? classes[form.slots[index]?.name ?? ""] : undefined;
    if (wanted !== undefined) return registerOf(wanted);
  }
  return undefined;
}

const registerOf = (wanted: OperandClass): RegisterClass | undefined =>
  wanted.kind === "register" ? wanted : wanted.kind === "vector" ? registerOf(wanted.of) : undefined;
