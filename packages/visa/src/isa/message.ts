import type * as ast from "../ast.ts";
import type { Form, Message, OperandKind, SyntaxOperand } from "./define.ts";

/** The kinds that each operand of a message may have, by its name in the syntax line. */
const kinds: Readonly<Record<string, readonly OperandKind[]>> = {
  surface: ["state"],
  offset: ["immediate", "elements"],
  element_offset: ["raw"],
  addresses: ["raw"],
  dst: ["raw"],
  src: ["raw"],
  src0: ["raw"],
  src1: ["raw"],
  data: ["data"],
  address: ["memory"],
};

/**
 * An entry for a message, from the manual's line of text; `asks` reads the dotted words, or returns the error in them.
 */
export function message(
  syntax: string,
  given: {
    readonly opcode: number;
    readonly about: string;
    readonly asks: (line: ast.Instruction) => Message | string;
    /** Operands that are one element, and its types. */
    readonly scalar?: Readonly<Record<string, readonly ast.Type[]>>;
  },
): Form {
  const found = /^(\[\(<P>\)\] )?([A-Z_0-9]+)((?:\.<\w+>|\[[^\]]+\])*) \(<\w+>\)((?: <\w+>)*)$/.exec(syntax);
  if (found === null) throw new Error(`${syntax} is not a line of the manual`);
  const [, predicable, mnemonic = "", , names = ""] = found;
  const { opcode, about, asks, scalar = {} } = given;
  const [allowed] = Object.values(scalar);
  return {
    syntax,
    opcode,
    about,
    message: asks,
    mnemonic: mnemonic.toLowerCase(),
    predicable: predicable !== undefined,
    saturates: false,
    relations: [],
    modifiers: "none" as const,
    check: [],
    types: (types) =>
      allowed === undefined || types.every((each) => allowed.includes(each))
        ? undefined
        : `the place is of type ${allowed.join(" or ")}`,
    operands: [...names.matchAll(/<(\w+)>/g)].map(
      ({ 1: name = "" }): SyntaxOperand => ({
        name,
        written: name === "dst",
        kinds: name in scalar ? ["elements", "immediate"] : (kinds[name] ?? []),
      }),
    ),
  };
}

/** Positions of R, G, B and A, in the order of memory. */
export function channelsOf({ modifiers: [mask], opcode }: ast.Instruction): readonly number[] | string {
  const letters = [..."rgba"].filter((letter) => mask?.text.includes(letter));
  if (mask === undefined || letters.join("") !== mask.text)
    return `${opcode.text} takes one of .R to .RGBA, in this order`;
  return letters.map((letter) => "rgba".indexOf(letter));
}

/** A number that follows a dot, one of these. */
export function numberOf({ modifiers, opcode }: ast.Instruction, at: number, ...allowed: number[]): number | string {
  const number = Number(modifiers[at]?.text ?? "");
  return allowed.includes(number) ? number : `${opcode.text} takes .${allowed.join(", .")} there`;
}

export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
