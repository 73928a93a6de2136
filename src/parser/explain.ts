import type { IRecognitionException, IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import { keywords } from "../lexer/keywords.ts";
import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import type { Source, Span } from "../source/source.ts";

/** What explaining needs of the parser. */
export interface View {
  readonly source: Source;
  spanOf(found: IToken): Span;
  /** The token so many steps ahead; 0 is the last one consumed. */
  ahead(distance: number): IToken;
}

/** A syntax error in people's words, and where parsing goes on: as if it were mended, at a `{`, or behind the `;`. */
export interface Explained {
  readonly diagnostic: Diagnostic;
  readonly resume: "here" | "brace" | "skip";
}

/** Finds the words for an error inside a statement or an item that began with `first`. */
export function explain(view: View, thrown: IRecognitionException, first: IToken): Explained {
  const found = thrown.token;
  const before = view.ahead(0);
  const rules = thrown.context.ruleStack;
  const rule = rules.at(-1);
  const expected = thrown.message;
  const wantsMore = expected === "`;`" || expected === "a body in braces or `;`";
  const skip = (diagnostic: Diagnostic): Explained => ({ diagnostic, resume: "skip" });

  const lexical = explainLexical(view, found);
  if (lexical !== undefined) return skip(lexical);
  const foreign = explainForeign(view, first, found);
  if (foreign !== undefined) return { diagnostic: foreign, resume: "brace" };
  if (rules.includes("operand")) {
    const address = explainAddress(view, found, before, rules);
    if (address !== undefined) return skip(address);
  }
  if (rule === "constant" && found.tokenType === token.Word) {
    const message = `\`${found.image}\` cannot stand in a constant expression`;
    const help = { message: "compute it with an instruction into a register first" };
    return skip(error(view, "PTX1111", message, view.spanOf(found), "a constant", [help]));
  }
  if (found.tokenType === token.Comma || (before.tokenType === token.Comma && isEnd(found))) {
    const at = found.tokenType === token.Comma ? found : before;
    const span = view.spanOf(at);
    const comma = { message: "remove it", replace: { span, text: "" } };
    const fits = !wantsMore || before === first || before.tokenType === token.Comma;
    if (fits && expected !== "`]`")
      return skip(error(view, "PTX1115", "no operand beside this comma", span, "an operand", [comma]));
  }
  if (found.tokenType === token.WarpSize && expected === "a name")
    return skip(
      error(view, "PTX1117", "`WARP_SZ` is a constant and cannot be declared", view.spanOf(found), "another name"),
    );
  if (wantsMore && (before.tokenType === token.Word || isOperandEnd(before))) {
    const behind = { start: view.spanOf(before).end, end: view.spanOf(before).end };
    const at = { start: Math.max(behind.start - 1, 0), end: behind.end };
    if (!isOperandStart(found) || !sameLine(view, before, found)) {
      const ends = isEnd(found) || startsStatement(found) || !sameLine(view, before, found);
      if (ends && found.tokenType !== token.Semicolon) {
        const help = { message: "add it", replace: { span: behind, text: ";" } };
        return {
          diagnostic: error(view, "PTX1102", "the `;` behind this is missing", at, "`;`", [help]),
          resume: "here",
        };
      }
    } else {
      const help = { message: "add it", replace: { span: behind, text: "," } };
      return skip(
        error(view, "PTX1103", `a \`,\` is missing before ${show(found)}`, view.spanOf(found), "`,` or `;`", [help]),
      );
    }
  }
  if (found.tokenType === token.Dotted && expected !== "a dotted word") {
    const message = `the suffix \`${found.image}\` does not fit here`;
    return skip(error(view, "PTX1101", message, view.spanOf(found), expected));
  }
  if (found.tokenType === token.Semicolon || found.tokenType === token.CloseBrace || atEnd(found)) {
    if (expected === "`]`" || expected === "`)`" || expected === "`}`")
      return skip(error(view, "PTX1104", `${expected} is missing before ${show(found)}`, view.spanOf(found), expected));
  }
  return skip(error(view, "PTX1101", `unexpected ${show(found)}`, view.spanOf(found), expected));
}

/** A token that starts no statement where one should. */
export function explainStart(view: View, found: IToken): Diagnostic {
  const span = view.spanOf(found);
  const lexical = explainLexical(view, found);
  if (lexical !== undefined) return lexical;
  if (found.tokenType === token.Semicolon) {
    const help = { message: "remove it", replace: { span, text: "" } };
    return error(view, "PTX1106", "this `;` ends nothing", span, "a statement", [help]);
  }
  if (found.tokenType === token.Dotted) return unknownDirective(view, found, span);
  if (keywords.has(found.image))
    return error(view, "PTX1109", `\`${found.image}\` does not belong here`, span, "a statement");
  return error(view, "PTX1101", `unexpected ${show(found)}`, span, "a statement");
}

/** `.REG`, `.i32`, `.foo`. */
function unknownDirective(view: View, found: IToken, span: Span): Diagnostic {
  const lower = found.image.toLowerCase();
  const near = keywords.has(lower) ? lower : [...keywords.keys()].find((word) => isNear(word, lower));
  const help =
    near === undefined ? undefined : [{ message: `did you mean \`${near}\`?`, replace: { span, text: near } }];
  return error(view, "PTX1108", `\`${found.image}\` is no directive`, span, "a directive or an instruction", help);
}

function explainLexical(view: View, found: IToken): Diagnostic | undefined {
  if (found.tokenType !== token.Stray) return undefined;
  const span = view.spanOf(found);
  if (found.image === ".") {
    const help = { message: "write the dot against its word" };
    return error(view, "PTX1113", "a dot without its word", span, "a word right behind the dot", [help]);
  }
  if (found.image === '"')
    return error(view, "PTX1007", "this quoted text is never closed", span, '`"` on the same line');
  if (found.image === "#")
    return error(view, "PTX1009", "`#` starts no line marker here", span, '`# 1 "file"` on a line of its own');
  return error(view, "PTX1001", `${show(found)} means nothing in PTX`, span);
}

/** `if (a) b;`, `x = y + z;`, `for (...)`: a statement of C. */
function explainForeign(view: View, first: IToken, found: IToken): Diagnostic | undefined {
  const keyword = /^(?:if|else|while|for|do|switch|return|int|float|unsigned|goto)$/.test(first.image);
  const assigns = found.tokenType === token.Equal && first.tokenType === token.Word && view.ahead(0) === first;
  if (!keyword && !assigns) return undefined;
  const message = assigns ? "PTX has no assignment" : `\`${first.image}\` is not PTX`;
  const help = assigns
    ? { message: "write `mov`, `add` and the like, destination first" }
    : { message: "compare with `setp`, guard with `@p`, jump with `bra`" };
  return error(view, "PTX1114", message, view.spanOf(first), "an instruction", [help]);
}

/** Mistakes inside `[ ]`. */
function explainAddress(view: View, found: IToken, before: IToken, rules: readonly string[]): Diagnostic | undefined {
  if (rules.at(-1) !== "constant" && rules.at(-1) !== "operand") return undefined;
  let back = 0;
  while (view.ahead(back).tokenType !== token.OpenBracket) {
    const { tokenType, startOffset } = view.ahead(back);
    if (tokenType === token.CloseBracket || tokenType === token.Semicolon || Number.isNaN(startOffset))
      return undefined;
    back--;
  }
  const span = { start: view.spanOf(view.ahead(back)).start, end: view.spanOf(found).end };
  const wrong = (message: string, help: string): Diagnostic =>
    error(view, "PTX1110", message, span, "`[name]`, `[name+constant]` or `[constant]`", [{ message: help }]);
  if (found.tokenType === token.Word && before.tokenType === token.Plus)
    return wrong(
      `an address cannot add \`${found.image}\``,
      "add the two into a register first, with `add.u64` or `add.s64`",
    );
  if (found.tokenType === token.Minus) return wrong("an address cannot subtract", "write `+-` and the constant");
  if (found.tokenType === token.Infix && before.tokenType === token.Word)
    return wrong(`\`${found.image}\` cannot stand in an address`, "scale the index first, with `mul.wide` or `shl`");
  if (found.tokenType === token.OpenBracket) return wrong("addresses do not nest", "load the inner address first");
  if (found.tokenType === token.Dotted || found.tokenType === token.OpenBrace || found.tokenType === token.Word)
    return wrong(`${show(found)} does not fit an address`, "compute the address into a register first");
  return undefined;
}

function error(
  view: View,
  code: Code,
  message: string,
  span: Span,
  expected?: string,
  help?: readonly Help[],
): Diagnostic {
  return {
    code,
    severity: "error",
    message,
    source: view.source,
    span,
    ...(expected === undefined || expected === "" ? {} : { expected }),
    ...(help === undefined ? {} : { help }),
  };
}

const show = (found: IToken): string =>
  atEnd(found)
    ? "the end of the text"
    : `\`${found.image.length > 40 ? `${found.image.slice(0, 40)}...` : found.image.trimEnd()}\``;
const atEnd = (found: IToken): boolean => Number.isNaN(found.startOffset);
const isEnd = (found: IToken): boolean =>
  found.tokenType === token.Semicolon || found.tokenType === token.CloseBrace || atEnd(found);
const isOperandEnd = ({ tokenType }: IToken): boolean =>
  [
    token.Integer,
    token.Float,
    token.Single,
    token.WarpSize,
    token.CloseBracket,
    token.CloseBrace,
    token.CloseParen,
    token.Dotted,
    token.Greater,
    token.Text,
  ].includes(tokenType);
const isOperandStart = ({ tokenType }: IToken): boolean =>
  [
    token.Word,
    token.Integer,
    token.Float,
    token.Single,
    token.WarpSize,
    token.OpenBracket,
    token.OpenBrace,
    token.OpenParen,
    token.Not,
    token.Tilde,
    token.Text,
  ].includes(tokenType);
const startsStatement = (found: IToken): boolean =>
  found.tokenType === token.At || (keywords.has(found.image) && found.tokenType !== token.Align);
const sameLine = (view: View, a: IToken, b: IToken): boolean =>
  !view.source.text.slice(view.spanOf(a).start, view.spanOf(b).start).includes("\n");

/** At most one letter added, dropped or changed. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
