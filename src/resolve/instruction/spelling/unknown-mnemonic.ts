import { spaceNames } from "../../../interp/contract/space.ts";
import { match } from "../../../isa/match/match.ts";
import { meantBy, otherSpellings } from "../../../isa/match/other-assemblers.ts";
import { typeWords } from "../../../isa/match/vocabulary.ts";
import { mnemonics } from "../../../isa/table.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Help } from "../../../source/diagnostic.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { misfits } from "../operand/operand-fit.ts";
import { apartBy, isTypo } from "./edit.ts";

const directives: readonly string[] = ["reg", ...spaceNames, "extern", "visible", "func", "entry"];

/** Reports a name that no instruction has (PTX1201), with the one that was probably meant. */
export function unknownMnemonic(instruction: ast.Instruction, scope: Scope): undefined {
  const { mnemonic } = instruction;
  return reject(scope, "PTX1201", mnemonic, `unknown instruction ${mnemonic.text}`, {
    help: [wayOut(instruction, scope)],
    manual: "instruction-set",
  });
}

function wayOut(instruction: ast.Instruction, scope: Scope): Help {
  const { mnemonic } = instruction;
  const lower = mnemonic.text.toLowerCase();
  const replaced = (text: string): Help => ({
    message: `did you mean ${text}?`,
    replace: { span: { start: mnemonic.start, end: mnemonic.end }, text },
  });
  if (directives.includes(lower)) return replaced(`.${lower}`);
  if (mnemonics.includes(lower)) {
    const words = instruction.modifiers.map(({ text }) => text.toLowerCase());
    const end = instruction.modifiers.at(-1)?.end;
    if (end === undefined || match(lower, words).kind !== "forms") return replaced(lower);
    const text = [lower, ...words].join(".");
    return { message: `did you mean ${text}?`, replace: { span: { start: mnemonic.start, end }, text } };
  }
  const familiar = otherSpellings.get(lower);
  if (familiar !== undefined) return { message: `PTX has ${familiar}` };
  if (/^U?[A-Z]{2}[A-Z0-9]*$/.test(mnemonic.text))
    return {
      message:
        "PTX is lower case; capitals are SASS, the machine code: cuobjdump -ptx shows the PTX of a program that has it",
    };
  const type = meantBy(lower).find((word) => typeWords.has(word));
  if (type !== undefined) return { message: `a register is declared with .reg .${type} NAME;` };
  const [best, second] = candidates(instruction, scope);
  if (best === undefined) return { message: "ptxrun isa lists the instructions" };
  if (second !== undefined && second.cost - best.cost < 0.05)
    return { message: `did you mean ${best.name} or ${second.name}?` };
  return replaced(best.name);
}

/** Names that look like the written one; those first that take its modifiers, then those that take its operands. */
function candidates(
  { mnemonic, modifiers, operands }: ast.Instruction,
  scope: Scope,
): { readonly name: string; readonly cost: number }[] {
  const words = modifiers.map(({ text }) => text);
  if (mnemonic.text.length > 64) return [];
  return mnemonics
    .filter((name) => isTypo(mnemonic.text, name) || apartBy(mnemonic.text, name) === 1)
    .map((name) => {
      const found = match(name, words);
      const wrong = found.kind === "forms" ? Math.min(2, misfits(found.candidates, operands, scope)) * 0.4 : 2;
      const tie = name.length === mnemonic.text.length && name[0] === mnemonic.text[0] ? 0 : 0.1;
      return { name, cost: apartBy(mnemonic.text, name) + wrong + tie };
    })
    .sort((a, b) => a.cost - b.cost);
}
