import type { Token } from "./tokens.ts";

/** An unfinished instruction. */
export interface Sketch {
  /** The predicate behind `@`. */
  readonly guard: Token | undefined;
  /** The cursor is after `@`, before the mnemonic. */
  readonly guarding: boolean;
  readonly mnemonic: Token | undefined;
  /** Each with its dot. */
  readonly modifiers: readonly Token[];
  /** The tokens of each operand; one more than there are commas, once a blank follows the opcode. */
  readonly operands: readonly (readonly Token[])[];
  /** Open brackets, braces and parentheses at the end, the outermost first. */
  readonly open: readonly string[];
}

/** Reads the tokens of a statement that is, or becomes, an instruction. */
export function sketchOf(tokens: readonly Token[]): Sketch {
  let at = 0;
  let guard: Token | undefined;
  let guarding = false;
  if (tokens[at]?.text === "@") {
    at++;
    if (tokens[at]?.text === "!") at++;
    guarding = true;
    if (tokens[at]?.kind === "word") {
      guard = tokens[at++];
      guarding = false;
    }
  }
  const mnemonic = tokens[at]?.kind === "word" ? tokens[at++] : undefined;
  const modifiers: Token[] = [];
  for (let next = tokens[at]; mnemonic && next?.kind === "dotted"; next = tokens[++at]) {
    if ((modifiers.at(-1) ?? mnemonic).end !== next.start) break;
    modifiers.push(next);
  }
  const operands: Token[][] = [[]];
  const open: string[] = [];
  for (const token of tokens.slice(at)) {
    const { text } = token;
    if ("[{(".includes(text)) open.push(text);
    else if ("]})".includes(text)) open.pop();
    if (text === "," && open.length === 0) operands.push([]);
    else operands.at(-1)?.push(token);
  }
  return { guard, guarding, mnemonic, modifiers, operands, open };
}

/** The suffixes without their dots. */
export const wordsOf = ({ modifiers }: Sketch): readonly string[] => modifiers.map(({ text }) => text.slice(1));
