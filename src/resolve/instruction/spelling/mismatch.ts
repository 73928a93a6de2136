import type { Form } from "../../../isa/form/define.ts";
import { type Candidate, match } from "../../../isa/match/match.ts";
import { isType, type Problem } from "../../../isa/match/match-form.ts";
import { roundings, typeWords } from "../../../isa/match/vocabulary.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Source } from "../../../source/source.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { misfits } from "../operand/operand-fit.ts";
import { bestShape } from "./best-form.ts";
import { type Correction, corrections } from "./corrections.ts";
import { isUnknown } from "./edit.ts";
import { Mismatch } from "./mismatch-text.ts";
import { listWords } from "./spelling-text.ts";

/** Limit on searches per text: nobody reads more errors than this, and a hostile file must not make them slow. */
const MOST_SEARCHES = 200;
const searches = new WeakMap<Source, number>();

/**
 * Explains why an instruction is no legal spelling: one error (PTX1202 to PTX1211) for each change that leads to the
 * nearest legal spelling, which is one but for two mistakes in one instruction. `form` is the nearest form, and
 * `problems` are what it finds wrong, for what no small change corrects. Gives the form that was probably meant.
 */
export function explainMismatch(
  instruction: ast.Instruction,
  form: Form,
  problems: readonly Problem[],
  scope: Scope,
): Candidate | undefined {
  const words = instruction.modifiers.map(({ text }) => text);
  if (splitName(instruction, scope) || dottedLabel(instruction, scope)) return undefined;
  const ranked = rank(searched(instruction, words, scope), instruction, scope);
  const [best] = ranked;
  const text = new Mismatch(instruction, form, ranked, scope);
  const [conflict] = problems;
  if (conflict?.kind === "conflict") {
    explainConflict(instruction, form, conflict, text, scope);
    return undefined;
  }
  if (best === undefined) return hopeless(instruction, form, problems, scope);
  if (words.length === 0 && best.edits.length > 1)
    return reject(scope, "PTX1209", instruction.mnemonic, `${instruction.mnemonic.text} alone is not an instruction`, {
      expected: form.syntax,
      help: [{ message: `write for example ${[instruction.mnemonic.text, ...best.words].join(".")}` }],
      manual: form.manual,
    });
  text.explain(best);
  const meant = match(instruction.mnemonic.text, best.words);
  return meant.kind === "forms" ? bestShape(meant.candidates, instruction.operands, scope) : undefined;
}

/** `set.p.eq.u32` for `setp.eq.u32`: a dot in the middle of a name. */
function splitName({ mnemonic, modifiers: [first, ...rest] }: ast.Instruction, scope: Scope): boolean {
  const joined = `${mnemonic.text}${first?.text ?? ""}`;
  const words = rest.map(({ text }) => text);
  if (first === undefined || match(joined, words).kind !== "forms") return false;
  const span = { start: mnemonic.start, end: first.end };
  reject(scope, "PTX1206", span, `${joined} is one word`, {
    expected: joined,
    help: [{ message: `write ${[joined, ...words].join(".")}`, replace: { span, text: joined } }],
    manual: "instruction-set",
  });
  return true;
}

/** `bra .L1;`: a label with a dot is read as a modifier. */
function dottedLabel({ mnemonic, modifiers, operands }: ast.Instruction, scope: Scope): boolean {
  const last = modifiers.at(-1);
  if (last === undefined || operands.length > 0 || !isUnknown(last.text, mnemonic.text)) return false;
  const words = modifiers.slice(0, -1).map(({ text }) => text);
  const found = match(mnemonic.text, words);
  const jumps =
    found.kind === "forms" &&
    found.candidates.some(
      ({ form: { slots }, classes }) => slots.length === 1 && classes[slots[0]?.name ?? ""]?.kind === "target",
    );
  if (!jumps) return false;
  reject(scope, "PTX1316", last, "a label does not begin with a dot", {
    expected: `$${last.text}`,
    help: [{ message: `write $${last.text} wherever it is used` }],
  });
  return true;
}

/** Programs repeat their mistakes. Emptied when it is full. */
const memo = new Map<string, readonly Correction[]>();

function searched({ mnemonic }: ast.Instruction, words: readonly string[], { source }: Scope): readonly Correction[] {
  const spelling = [mnemonic.text, ...words].join(".");
  const known = memo.get(spelling);
  if (known !== undefined) return known;
  const before = searches.get(source) ?? 0;
  if (before >= MOST_SEARCHES) return [];
  searches.set(source, before + (words.length > 8 ? 8 : 1));
  const found = corrections(mnemonic.text, words);
  if (memo.size >= 500) memo.clear();
  memo.set(spelling, found);
  return found;
}

/** Nearest first; what the operands and the target do not go with is less likely to be meant. */
function rank(
  found: readonly Correction[],
  { mnemonic, modifiers, operands }: ast.Instruction,
  scope: Scope,
): readonly Correction[] {
  const [nearest] = found;
  if (nearest === undefined) return [];
  const close = found.filter(({ cost }) => cost <= nearest.cost + 6).slice(0, 200);
  const scored = close
    .map((correction) => {
      const legal = match(mnemonic.text, correction.words);
      const candidates = legal.kind === "forms" ? legal.candidates : [];
      const apart = Math.min(2, misfits(candidates, operands, scope));
      // What is written is the order of the operands, too: types that would have to change places with them have not been mixed up.
      const isSwapped = operands.length > 0 && correction.edits.some(({ kind }) => kind === "swap");
      // Nor is a word too many that PTX has, if the operands are not those of the spelling without it.
      const isShorter = correction.edits.every(
        (edit) => edit.kind === "delete" && !isUnknown(modifiers[edit.at]?.text ?? "", mnemonic.text),
      );
      const wrong = apart * 1.5 + (apart === 0 ? 0 : isSwapped ? 4 : isShorter ? 5 : 0);
      const young = candidates.every(({ since }) => since.ptx > scope.version || since.sm > scope.target.sm);
      return {
        ...correction,
        cost: correction.cost + wrong + (young ? 0.3 : 0),
        ...(wrong > 0 && { misfit: true as const }),
      };
    })
    .sort((a, b) => a.cost - b.cost);
  return [...scored, ...found.slice(close.length)];
}

/** Words that the form excludes together: it says itself which, and against what. */
function explainConflict(
  instruction: ast.Instruction,
  { manual, syntax }: Form,
  { at, against }: Problem & { readonly kind: "conflict" },
  text: Mismatch,
  scope: Scope,
): void {
  const { mnemonic, modifiers } = instruction;
  const word = modifiers[at ?? -1];
  const other = word === undefined ? otherTypes(instruction, scope) : [];
  const help = other.length > 0 ? [{ message: `write ${other.join(" or ")}` }] : text.spellings(at);
  if (word === undefined)
    reject(scope, "PTX1210", mnemonic, `${mnemonic.text} does not have ${against}`, { expected: syntax, help, manual });
  else
    reject(
      scope,
      roundings.has(word.text) ? "PTX1203" : "PTX1207",
      word,
      `.${word.text} cannot be combined with ${against}`,
      { expected: `no .${word.text}`, help, manual },
    );
}

/** The same words with another type of the same width. */
function otherTypes({ mnemonic, modifiers, operands }: ast.Instruction, scope: Scope): readonly string[] {
  const words = modifiers.map(({ text }) => text);
  const at = words.findLastIndex((word) => typeWords.has(word));
  const written = words[at] ?? "";
  const width = written.slice(1);
  if (!/^[usbf]\d\d?$/.test(written)) return [];
  return [...typeWords].flatMap((type) => {
    if (!type.endsWith(width) || type.length !== width.length + 1 || type.startsWith("f") !== written.startsWith("f"))
      return [];
    const made = words.with(at, type);
    const found = match(mnemonic.text, made);
    const fits = found.kind === "forms" && misfits(found.candidates, operands, scope) === 0;
    return fits ? [[mnemonic.text, ...made].join(".")] : [];
  });
}

/** Nothing legal is near: shows the nearest form's line. */
function hopeless(
  instruction: ast.Instruction,
  { syntax, manual }: Form,
  problems: readonly Problem[],
  scope: Scope,
): undefined {
  const { mnemonic, modifiers } = instruction;
  const unknown = modifiers.findIndex(({ text }) => isUnknown(text, mnemonic.text));
  const [first] = problems;
  const at = unknown >= 0 ? unknown : first !== undefined && "at" in first ? first.at : undefined;
  const word = modifiers[at ?? -1];
  const help = [{ message: `ptxrun isa ${mnemonic.text} lists its forms` }];
  const detail = { expected: syntax, help, manual };
  if (word !== undefined) {
    const type = typeWords.has(word.text);
    const code = unknown >= 0 ? "PTX1202" : type ? "PTX1210" : roundings.has(word.text) ? "PTX1203" : "PTX1206";
    const what = type ? "type" : "modifier";
    return reject(scope, code, word, `${mnemonic.text} with these modifiers has no ${what} .${word.text}`, detail);
  }
  const span = { start: mnemonic.start, end: modifiers.at(-1)?.end ?? mnemonic.end };
  const types = first?.kind === "missing" && isType(first.modifier);
  const code = types ? "PTX1210" : "PTX1209";
  const wanted = first !== undefined && "modifier" in first ? listWords(first.modifier.choices) : "more modifiers";
  return reject(scope, code, span, `${mnemonic.text} needs ${types ? "a type" : wanted}`, detail);
}
