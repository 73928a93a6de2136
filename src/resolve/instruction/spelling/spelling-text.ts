import { nameParts, typeWords } from "../../../isa/match/vocabulary.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Help } from "../../../source/diagnostic.ts";
import type { Span } from "../../../source/source.ts";
import type { Correction } from "./corrections.ts";
import type { Edit } from "./edit.ts";

/** `.rn, .ftz or .sat`. */
export function listWords(words: readonly string[], last = "or"): string {
  const dotted = words.slice(0, 16).map((word) => `.${word}`);
  if (words.length > dotted.length) return `${dotted.join(", ")} ...`;
  const final = dotted.pop() ?? "";
  return dotted.length === 0 ? final : `${dotted.join(", ")} ${last} ${final}`;
}

/** One instruction's words in the text: where they are, and how they are put right. */
export class SpellingText {
  readonly #instruction: ast.Instruction;
  readonly #mnemonic: string;

  constructor(instruction: ast.Instruction) {
    this.#instruction = instruction;
    this.#mnemonic = instruction.mnemonic.text;
  }

  /** The legal spelling in the place of the whole. */
  spelling(correction: Correction): Help {
    const { mnemonic, modifiers } = this.#instruction;
    const span = { start: mnemonic.start, end: modifiers.at(-1)?.end ?? mnemonic.end };
    const text = this.show(correction);
    return { message: `write ${text}`, replace: { span, text } };
  }

  /** The whole spelling as text; what is replaced is one change alone, so that several can be taken. */
  way(edit: Edit, best: Correction): Help {
    const message = `write ${this.show(best)}`;
    if (edit.kind === "delete") return this.without([edit.at], best);
    if (edit.kind === "insert") {
      const at = this.#instruction.modifiers[edit.at - 1]?.end ?? this.#instruction.mnemonic.end;
      return { message, replace: { span: { start: at, end: at }, text: `.${edit.word}` } };
    }
    return best.edits.length === 1 ? this.spelling(best) : { message };
  }

  /** Without the words at `gone`, which stand together. */
  without(gone: readonly number[], best: Correction): Help {
    const { mnemonic, modifiers } = this.#instruction;
    const start = modifiers[(gone[0] ?? 0) - 1]?.end ?? mnemonic.end;
    const end = this.span(gone.at(-1) ?? 0).end;
    return { message: `write ${this.show(best)}`, replace: { span: { start, end }, text: "" } };
  }

  /** The whole name. */
  show({ words }: Pick<Correction, "words">): string {
    return [this.#mnemonic, ...words].join(".");
  }

  /** `mul.lo.f32`: the mnemonic with what tells which instruction is meant. */
  name(words: readonly string[]): string {
    return [this.#mnemonic, ...words.filter((word) => typeWords.has(word) || nameParts.has(word))].join(".");
  }

  /** A word with its dot. */
  span(at: number): Span {
    const word = this.#instruction.modifiers[at] ?? this.#instruction.mnemonic;
    return { start: word.start, end: word.end };
  }

  /** From one word to another. */
  across(from: number, to: number): Span {
    return { start: this.span(from).start, end: this.span(to).end };
  }
}
