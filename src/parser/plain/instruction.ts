import type * as ast from "../ast.ts";
import type { Words } from "./words.ts";

// Items of a plain operand, as numbers: their kind in the lowest three bits, and above them the number of a word, or
// how many items follow.
export const WHAT = 7;
export const ABOVE = 3;

/** A name or a number. */
export const WORD = 0;
/** `!p`. */
export const NOT = 1;
/** `[a+4]`: the base; the number of the offset's word follows, counted from 1, or 0. */
export const ADDRESS = 2;
/** `{a, b}`: as many items follow. */
export const VECTOR = 3;
/** `d|p`: two words follow. */
export const PAIR = 4;
/** `(a, b)` of a call: as many items follow. */
export const LIST = 5;

/** The reader's results for all plain instructions of a body. */
export interface PlainBody {
  /** Opcodes as they are written, with their modifiers. */
  readonly opcodes: Words;
  readonly words: Words;
  /**
   * For each instruction its start and end in the source, its opcode, its guard (0, or the word's number from 1,
   * doubled, with 1 more for `!`), its number of operands, and their items.
   */
  readonly stream: Int32Array;
  /** The tree of the instruction at an offset of the source. */
  tree(start: number): ast.Instruction;
}

/**
 * An instruction of words, numbers, addresses, vectors and lists of words, as compilers write nearly all of them. It is
 * a few numbers in its body's stream; the tree is built on demand. A body may have a million of these, so each is as
 * small as possible.
 */
export class PlainInstruction implements ast.Instruction {
  readonly body: PlainBody;
  /** The index of its opcode in the stream. */
  readonly at: number;

  constructor(body: PlainBody, at: number) {
    this.body = body;
    this.at = at;
  }

  get kind(): "instruction" {
    return "instruction";
  }
  get start(): number {
    return this.body.stream[this.at - 2] ?? 0;
  }
  get end(): number {
    return this.body.stream[this.at - 1] ?? 0;
  }

  /** The same instruction as plain data. */
  get tree(): ast.Instruction {
    return this.body.tree(this.start);
  }

  /** Its mnemonic and modifiers together. */
  get opcode(): string {
    const { stream, opcodes } = this.body;
    return opcodes.texts[stream[this.at] ?? 0] ?? "";
  }

  /** Marks the words of its operands, by their numbers. */
  mark(words: Uint8Array): void {
    const { stream } = this.body;
    let next = this.at + 3;
    for (let left = stream[this.at + 2] ?? 0; left > 0; left--) {
      const code = stream[next++] ?? 0;
      const value = code >> ABOVE;
      const tag = code & WHAT;
      if (tag === VECTOR || tag === LIST) left += value;
      else if (tag === PAIR) left += 2;
      else {
        words[value] = 1;
        if (tag === ADDRESS) next++;
      }
    }
  }

  get guard(): ast.Guard | undefined {
    return this.tree.guard;
  }
  get mnemonic(): ast.Name {
    return this.tree.mnemonic;
  }
  get modifiers(): readonly ast.Name[] {
    return this.tree.modifiers;
  }
  get operands(): readonly ast.Operand[] {
    return this.tree.operands;
  }
}
