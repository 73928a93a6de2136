import type { Match } from "../../../isa/match/match.ts";
import { nameParts, typeWords } from "../../../isa/match/vocabulary.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { spelled } from "../unsaid.ts";

/** `.lo` is part of the name: nothing may come between, not even a comment. */
export function attached({ mnemonic, modifiers: [first] }: ast.Instruction, scope: Scope): boolean {
  if (first === undefined || !nameParts.has(first.text) || first.start === mnemonic.end) return true;
  if (mnemonic.text === "setp" || mnemonic.text === "set") return true;
  reject(scope, "PTX1206", first, `.${first.text} must come right after ${mnemonic.text}`, {
    expected: `${mnemonic.text}.${first.text}`,
  });
  return false;
}

/**
 * The type is where readers look for the end of the name. What stands before it has many orders in compilers' output, and
 * instructions of two types have a word behind them in the manual's own examples.
 */
function standsBehindType(modifiers: readonly ast.Name[], at: number): boolean {
  const types = modifiers.flatMap(({ text }, index) => (typeWords.has(text) ? [index] : []));
  const [only, second] = types;
  return only !== undefined && second === undefined && at > only;
}

/**
 * Notes on opcodes that ptxas accepts and the manual does not have: words after the type, repeated, or without effect.
 */
export function noteSpelling(
  { mnemonic, modifiers }: ast.Instruction,
  { candidates: [{ form, mods }], unordered, repeated, idle }: Match & { kind: "forms" },
  scope: Scope,
): void {
  const behind = modifiers[unordered.find((at) => standsBehindType(modifiers, at)) ?? -1];
  if (behind) {
    const text = spelled(form, mods);
    const span = { start: mnemonic.start, end: modifiers.at(-1)?.end ?? mnemonic.end };
    const replace = repeated.length === 0 && idle === undefined ? { replace: { span, text } } : {};
    reject(scope, "PTX9001", behind, `.${behind.text} is after the type`, {
      severity: "note",
      help: [{ message: `ptxas accepts it there; the manual writes ${text}`, ...replace }],
    });
  }
  for (const at of repeated) {
    const word = modifiers[at];
    if (word) reject(scope, "PTX9002", word, `.${word.text} is given twice`, { severity: "note" });
  }
  const forgotten = modifiers[idle ?? -1];
  if (forgotten)
    reject(scope, "PTX9006", forgotten, `.${forgotten.text} has no effect here`, {
      severity: "note",
      help: [{ message: "testp uses it; ptxas accepts it on every instruction and ignores it" }],
    });
}
