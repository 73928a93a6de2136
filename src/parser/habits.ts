import type { IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import { keywords } from "../lexer/keywords.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import type { Span } from "../source/source.ts";
import { error, isOperandEnd, onOneLine, show, type View } from "./view.ts";

/** Types of C, and what PTX has for them. */
const typesOfC: ReadonlyMap<string, string> = new Map([
  ["int", ".s32"], ["unsigned", ".u32"], ["float", ".f32"], ["double", ".f64"], ["long", ".s64"], ["short", ".s16"],
  ["char", ".s8"], ["bool", ".pred"], ["half", ".b16"], ["size_t", ".u64"], ["uint", ".u32"],
]); // biome-ignore format: pairs

/** A type, or a length of vectors, without its dot. */
const TYPE = /^(?:pred|[bsuf](?:8|16|32|64|128)|f16x2|v[248]|align)$/;

/** True for the name of a type, without its dot. */
export const isTypeWord = (word: string): boolean => TYPE.test(word) && !/^(?:v\d|align)$/.test(word);

const put = (message: string, span: Span, text: string): readonly Help[] => [{ message, replace: { span, text } }];

/** What people write in declarations and operands who know another assembler, or C; undefined for all else. */
export function explainHabit(view: View, found: IToken, expected: string, first: IToken): Diagnostic | undefined {
  return (
    inType(view, found, expected, first) ??
    inHead(view, found, first) ??
    inValue(view, found, expected) ??
    inOperand(view, found, expected, first)
  );
}

/** `.reg f32 %x`, `.shared float s[4]`, `.reg .u32 a, .f32 b`. */
function inType(view: View, found: IToken, expected: string, first: IToken): Diagnostic | undefined {
  const span = view.spanOf(found);
  if (found.tokenType === token.Word && expected === token.Dotted.LABEL) {
    const type = typesOfC.get(found.image) ?? (TYPE.test(found.image) ? `.${found.image}` : undefined);
    const wanted = "a type such as `.f32`";
    if (type === undefined) return error(view, "PTX1101", `a type is missing before ${show(found)}`, span, wanted);
    const message = typesOfC.has(found.image) ? `${show(found)} is a type of C` : `${show(found)} is missing its dot`;
    return error(view, "PTX1101", message, span, wanted, put(`write \`${type}\``, span, type));
  }
  if (first.image === ".reg" && found.tokenType === token.Dotted && view.ahead(0).tokenType === token.Comma) {
    const comma = view.spanOf(view.ahead(0));
    const help = put("write `; .reg`", comma, "; .reg");
    return error(view, "PTX1101", "a declaration has one type", span, "another name of the same type", help);
  }
  return undefined;
}

/** A function's head: `.visible entry k`, `k(.u64 x)`, `k(float* x)`, `k(.param .u64 x; ...)`. */
function inHead(view: View, found: IToken, first: IToken): Diagnostic | undefined {
  const span = view.spanOf(found);
  const before = view.ahead(0);
  if (
    /^\.?(?:entry|func|kernel|function)$/.test(found.image) &&
    /^\.(?:visible|extern|weak|global)$/.test(before.image)
  ) {
    const word = /entry|kernel/.test(found.image) ? ".entry" : ".func";
    const help =
      before.image === ".global"
        ? put("write `.visible`", view.spanOf(before), ".visible")
        : put(`write \`${word}\``, span, word);
    return error(view, "PTX1101", `unexpected ${show(found)}`, span, `\`.visible ${word}\``, help);
  }
  if (!/^\.(?:visible|entry|func|weak|extern)$/.test(first.image)) return undefined;
  const opens = before.tokenType === token.OpenParen || before.tokenType === token.Comma;
  if (opens && found.tokenType === token.Dotted) {
    const help = put("write `.param` before it", { start: span.start, end: span.start }, ".param ");
    return error(view, "PTX1101", "a parameter's state space is missing", span, `\`.param ${found.image}\``, help);
  }
  if (opens && (typesOfC.has(found.image) || /^(?:const|void|struct)$/.test(found.image)))
    return error(
      view,
      "PTX1101",
      `${show(found)} is a type of C`,
      span,
      "`.param .u64 x` for a pointer, `.param .s32 n` for an int",
    );
  if (found.image === "*" || (found.image.startsWith("*") && before.tokenType === token.Dotted))
    return error(view, "PTX1101", "PTX has no pointer types", span, "`.param .u64` for a pointer");
  if (!isOperandEnd(before)) return undefined;
  if (found.image === ".param") {
    const { end } = view.spanOf(before);
    return error(
      view,
      "PTX1103",
      "a `,` is missing before `.param`",
      span,
      "`,` or `)`",
      put("add it", { start: end, end }, ","),
    );
  }
  if (found.tokenType === token.Semicolon && view.ahead(2).image === ".param")
    return error(view, "PTX1104", "parameters are separated by commas", span, "`,`", put("write `,`", span, ","));
  const body =
    before.tokenType === token.CloseParen && found.tokenType === token.Word && !onOneLine(view, before, found);
  return body
    ? error(view, "PTX1104", "the `{` of the body is missing", view.spanOf(before), "`{`", [
        { message: "put it after the parameters; a declaration without a body ends with `;`" },
      ])
    : undefined;
}

/** Initial values: `= [1, 2]`, `= 1, 2`, `= "abc"`. */
function inValue(view: View, found: IToken, expected: string): Diagnostic | undefined {
  const span = view.spanOf(found);
  const before = view.ahead(0);
  const braces = "the values of an array are written in braces, `{1, 2}`";
  if (before.image === "=" && found.tokenType === token.OpenBracket)
    return error(view, "PTX1101", `unexpected ${show(found)}`, span, "`{`", [{ message: braces }]);
  if (before.image === "=" && found.tokenType === token.Text) {
    const text = found.image.slice(1, -1);
    const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
    const bytes = text.length <= 16 && !text.includes("\\") ? `{${[...codes, 0].join(", ")}}` : undefined;
    const help =
      bytes === undefined ? [{ message: "write its bytes, `{72, 105, 0}`" }] : put(`write ${bytes}`, span, bytes);
    return error(view, "PTX1101", "a quoted text is not a value", span, "numbers in braces", help);
  }
  if (
    before.tokenType === token.Comma &&
    expected === "a name" &&
    [token.Integer, token.Float, token.Single].includes(found.tokenType)
  )
    return error(view, "PTX1101", `unexpected ${show(found)}`, span, expected, [{ message: braces }]);
  return undefined;
}

/** `[%rd1][4]`, `4(%rd1)`, `sizeof(x)`, `@%p1, add`, `add a, b, c:`. */
function inOperand(view: View, found: IToken, expected: string, first: IToken): Diagnostic | undefined {
  const span = view.spanOf(found);
  const before = view.ahead(0);
  const previous = view.spanOf(before);
  const touches = previous.end === span.start;
  if (before.tokenType === token.CloseBracket && found.tokenType === token.OpenBracket)
    return error(
      view,
      "PTX1110",
      "an offset belongs inside the brackets",
      span,
      "`[name+constant]`, the constant in bytes",
    );
  if (touches && found.tokenType === token.OpenParen && before !== first && expected.includes("`,`")) {
    const whole = { start: previous.start, end: span.end };
    if (before.tokenType === token.Integer)
      return error(
        view,
        "PTX1110",
        "an address is written in brackets, its offset after the register",
        whole,
        `\`[name+${before.image}]\``,
      );
    if (before.tokenType === token.Word)
      return error(view, "PTX1114", `\`${before.image}(\` is not PTX`, whole, "a register, a constant or an address", [
        { message: "PTX calls functions with `call` alone, and has no operators with names" },
      ]);
  }
  const guard = first.tokenType === token.At;
  if (
    guard &&
    found.tokenType === token.Comma &&
    view.ahead(-1).tokenType !== token.Comma &&
    (view.ahead(-1) === first || view.ahead(-2) === first)
  )
    return error(
      view,
      "PTX1115",
      "a guard is not followed by a comma",
      span,
      "the instruction",
      put("remove it", span, ""),
    );
  if (guard && before === first && found.tokenType === token.Minus)
    return error(view, "PTX1103", "`!` negates a guard", span, "`@!`", put("write `!`", span, "!"));
  if (found.tokenType === token.Colon && expected.endsWith("`;`") && isOperandEnd(before))
    return error(view, "PTX1101", "a `:` does not end an instruction", span, "`;`", put("write `;`", span, ";"));
  if (found.tokenType === token.Minus && touches && before.tokenType === token.Word && keywords.has(first.image))
    return error(view, "PTX1101", "a name cannot contain `-`", span, "letters, digits, `_` and `$`", [
      { message: "write `_` for it" },
    ]);
  return undefined;
}
