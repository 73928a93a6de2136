import type { Form, ModifierValues, Since } from "../../isa/form/define.ts";
import { least } from "../../isa/form/since.ts";
import { type Candidate, flagged, match } from "../../isa/match/match.ts";
import { formsOf } from "../../isa/table.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { has } from "./since.ts";

type Header = Pick<Scope, "version" | "target">;
const always: Since = { ptx: 10, sm: 10 };

/** An instruction without a word that its version and target did not require, with that word added; else undefined. */
export function withUnsaid({ mnemonic, modifiers }: ast.Instruction, header: Header): Candidate | undefined {
  for (const form of formsOf(mnemonic.text)) {
    const { unsaid } = form;
    if (unsaid === undefined || !has(header, always, unsaid.until)) continue;
    const found = match(mnemonic.text, [unsaid.word, ...modifiers.map(({ text }) => text)]);
    if (found.kind !== "forms" || found.candidates[0].form !== form) continue;
    const [candidate] = found.candidates;
    return { ...candidate, since: least(candidate.mods["ftz"] === true && "ftz") };
  }
  return undefined;
}

/**
 * Before sm_20 all arithmetic on f32 is that of `.ftz`, whether it says so or not, and ptxas 13.0 keeps to that on
 * newer machines. Not so conversions to and from f16, and before PTX 1.5 to and from types of 64 bits (PTX ISA, cvt).
 */
export function flushing(candidate: Candidate, { modifiers }: ast.Instruction, { version, target }: Header): Candidate {
  const { form, mods, since } = candidate;
  if (target.sm >= 20 || mods["ftz"] !== false) return candidate;
  const words = modifiers.map(({ text }) => text);
  if (!words.includes("f32") || words.includes("f16")) return candidate;
  if (version < 15 && words.some((word) => /^[fsu]64$/.test(word))) return candidate;
  const flushed = flagged(candidate, "ftz");
  return form.conflict(flushed.mods) === undefined ? { ...flushed, since } : candidate;
}

/** The opcode with all implied words. */
export const spelled = ({ mnemonic, modifiers }: Form, mods: ModifierValues): string =>
  [
    mnemonic,
    ...modifiers.flatMap(({ name, choices }) => {
      const value = mods[name];
      return value === true ? choices.slice(0, 1) : typeof value === "string" ? [value] : [];
    }),
  ].join(".");
