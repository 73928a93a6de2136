import type { IRecognitionException, IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import { keywords } from "../lexer/keywords.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import type { Span } from "../source/source.ts";
import { explainHabit, isTypeWord } from "./habits.ts";
import { error, isAtEnd, isOperandEnd, isOperandStart, onOneLine, show, type View } from "./view.ts";

/** Mistakes inside `[ ]`: forms of address that other assemblers have and PTX does not. */
function explainAddress(view: View, found: IToken, rules: readonly string[]): Diagnostic | undefined {
  const rule = rules.at(-1);
  if (!rules.includes("operand") || (rule !== "constant" && rule !== "operand")) return undefined;
  const open = openBracket(view);
  if (open === undefined) return undefined;
  const before = view.ahead(0);
  const span = { start: view.spanOf(open).start, end: view.spanOf(found).end };
  const wrong = (message: string, help: string, replace?: Help["replace"]): Diagnostic =>
    error(view, "PTX1110", message, span, "`[name]`, `[name+constant]` or `[constant]`", [
      { message: help, ...(replace && { replace }) },
    ]);
  switch (found.tokenType) {
    case token.Word:
      if (before.tokenType === token.Plus)
        return wrong(`an address cannot add \`${found.image}\``, "add the two into a register first");
      return wrong(`${show(found)} does not fit here in an address`, "compute the address into a register first");
    case token.Minus:
      return wrong(
        "an address cannot subtract",
        "write `+-` and the constant",
        view.ahead(2).tokenType === token.Integer ? { span: view.spanOf(found), text: "+-" } : undefined,
      );
    case token.Infix:
      if (found.image === "&") return wrong("PTX has no `&`", "a variable's name is its address: write it alone");
      return wrong(
        `\`${found.image}\` is not allowed in an address`,
        "scale the index first, with `mul.wide` or `shl`",
      );
    case token.OpenBracket:
      return wrong("addresses do not nest", "load the inner address first");
    case token.Dotted:
    case token.OpenBrace:
    case token.Integer:
      return wrong(`${show(found)} does not fit here in an address`, "compute the address into a register first");
    default:
      return undefined;
  }
}

/** The `[` that is still open in this statement. */
function openBracket(view: View): IToken | undefined {
  for (let back = 0; ; back--) {
    const found = view.ahead(back);
    if (found.tokenType === token.OpenBracket) return found;
    if (found.tokenType === token.CloseBracket || found.tokenType === token.Semicolon || isAtEnd(found))
      return undefined;
  }
}

/** Names and signs where only constants may stand. */
function explainConstant(view: View, found: IToken, rules: readonly string[]): Diagnostic | undefined {
  const before = view.ahead(0);
  if (
    found.tokenType === token.Word &&
    /^%\d/.test(found.image) &&
    isNumber(before) &&
    onOneLine(view, before, found)
  ) {
    const { start } = view.spanOf(found);
    const help = { message: "put a space after the `%`", replace: { span: { start, end: start + 1 }, text: "% " } };
    return error(view, "PTX1120", `\`${found.image}\` is read as a name`, view.spanOf(found), "`%` and a space", [
      help,
    ]);
  }
  if (rules.at(-1) === "constant" && found.tokenType === token.Word) {
    const message = `\`${found.image}\` is not allowed in a constant expression`;
    const help = { message: "compute it with an instruction into a register first" };
    return error(view, "PTX1111", message, view.spanOf(found), "a constant", [help]);
  }
  if (before.tokenType === token.CloseParen && isNumber(found)) {
    const type = view.ahead(-1);
    if (type.tokenType !== token.Word || view.ahead(-2).tokenType !== token.OpenParen) return undefined;
    const { start } = view.spanOf(type);
    const help = { message: "add the dot", replace: { span: { start, end: start }, text: "." } };
    return error(view, "PTX1121", "a cast's type begins with a dot", view.spanOf(type), `\`(.${type.image})\``, [help]);
  }
  return undefined;
}

const isNumber = ({ tokenType }: IToken): boolean =>
  tokenType === token.Integer || tokenType === token.Float || tokenType === token.Single;

/**
 * A syntax error in plain words, and where parsing continues: here as if it were corrected, at a `{`, or after the `;`.
 */
export interface Explained {
  readonly diagnostic: Diagnostic;
  readonly resume: "here" | "brace" | "skip";
}

const skip = (diagnostic: Diagnostic): Explained => ({ diagnostic, resume: "skip" });

/** Explains an error inside a statement or an item that began with `first`. */
export function explain(view: View, thrown: IRecognitionException, first: IToken): Explained {
  const found = thrown.token;
  const rules = thrown.context.ruleStack;
  const expected = thrown.message;

  const lexical = explainStray(view, found);
  if (lexical !== undefined) return skip(lexical);
  const foreign = explainForeign(view, first, found);
  if (foreign !== undefined) return { diagnostic: foreign, resume: "brace" };
  const inside = explainAddress(view, found, rules) ?? explainConstant(view, found, rules);
  if (inside !== undefined) return skip(inside);
  if (found.tokenType === token.WarpSize && /^(?:declaration|variable|parameter|func)$/.test(rules.at(-1) ?? "")) {
    const message = "`WARP_SZ` is a constant and cannot be declared";
    return skip(error(view, "PTX1117", message, view.spanOf(found), "another name"));
  }
  const habit = explainHabit(view, found, expected, first);
  if (habit !== undefined) return skip(habit);
  const separator = explainSeparator(view, found, expected, first);
  if (separator !== undefined) return separator;
  if (isEnd(found) && /`[\])}]`$/.test(expected)) {
    const missing = expected.slice(-3);
    return skip(error(view, "PTX1104", `${missing} is missing before ${show(found)}`, view.spanOf(found), expected));
  }
  if (found.tokenType === token.Dotted && expected !== token.Dotted.LABEL) {
    const message = `the suffix \`${found.image}\` does not fit here`;
    return skip(error(view, "PTX1101", message, view.spanOf(found), expected));
  }
  const message = isAtEnd(found) ? "the text ends here" : `unexpected ${show(found)}`;
  return skip(error(view, "PTX1101", message, view.spanOf(found), expected));
}

/** Commas and semicolons: one too many, or one missing. */
function explainSeparator(view: View, found: IToken, expected: string, first: IToken): Explained | undefined {
  const before = view.ahead(0);
  const trailing = before.tokenType === token.Comma && !isOperandStart(found);
  const leading =
    found.tokenType === token.Comma && (before === first || !isOperandEnd(before) || before.tokenType === token.Dotted);
  if (leading || trailing) {
    const span = view.spanOf(trailing ? before : found);
    const help = { message: "remove it", replace: { span, text: "" } };
    return skip(error(view, "PTX1115", "nothing next to this comma", span, "an operand", [help]));
  }
  const guarded = explainGuard(view, found, before) ?? explainBrace(view, found, before);
  if (guarded !== undefined) return skip(guarded);
  const wantsComma = expected.includes("`,`");
  const wantsEnd = expected.endsWith("`;`");
  if (!(wantsComma || wantsEnd) || !isOperandEnd(before) || found.tokenType === token.Semicolon) return undefined;
  // `ret` and, on the next line, `add.u32 a, b;`: the second opcode was read as the operand of the first.
  const opcode = view.ahead(-1);
  if (wantsEnd && opcode.tokenType === token.Word && !onOneLine(view, opcode, before) && isOperandStart(found))
    return skip(missingEnd(view, opcode));
  const { end } = view.spanOf(before);
  if (wantsComma && isOperandStart(found) && (onOneLine(view, before, found) || !wantsEnd)) {
    const message = `a \`,\` is missing before ${show(found)}`;
    // `p add.u32 a, b;`, `%p bra L;`, and words that are no instruction at all.
    const bare = view.ahead(-1) === first && first.tokenType === token.Word && !first.image.includes(".");
    const register = first.image.startsWith("%") && !before.image.startsWith("%");
    if (bare && (register || before.image.includes("."))) {
      const span = view.spanOf(first);
      if (!/^%|^[pq]\d*$/i.test(first.image)) {
        const label = `\`@${first.image}\` for a guard, or \`${first.image}:\` for a label`;
        return skip(error(view, "PTX1103", `unexpected ${show(first)} before an instruction`, span, label));
      }
      const start = span.start;
      const help = { message: `write \`@${first.image}\``, replace: { span: { start, end: start }, text: "@" } };
      return skip(error(view, "PTX1103", "a guard begins with `@`", span, `\`@${first.image}\``, [help]));
    }
    const help = { message: "add it", replace: { span: { start: end, end }, text: "," } };
    const words = bare && before.tokenType === token.Word && found.tokenType === token.Word;
    return skip(error(view, "PTX1103", message, view.spanOf(found), expected, words ? undefined : [help]));
  }
  if (wantsEnd && (isEnd(found) || startsStatement(found) || !onOneLine(view, before, found)))
    return { diagnostic: missingEnd(view, before), resume: "here" };
  return undefined;
}

/** `add.u32 @p a, b;` */
function explainGuard(view: View, found: IToken, before: IToken): Diagnostic | undefined {
  if (found.tokenType !== token.At || !onOneLine(view, before, found) || before.tokenType === token.Semicolon)
    return undefined;
  if (view.ahead(-1).tokenType === token.At || view.ahead(-2).tokenType === token.At)
    return error(view, "PTX1101", "an instruction has one guard", view.spanOf(found), "the instruction", [
      { message: "combine the predicates first, with `and.pred`" },
    ]);
  return error(view, "PTX1101", "a guard comes before the instruction, not in it", view.spanOf(found), "`@p add ...;`");
}

/** `st.global.v2.u32 [rd], a, b};` */
function explainBrace(view: View, found: IToken, before: IToken): Diagnostic | undefined {
  const next = view.ahead(2);
  if (found.tokenType !== token.CloseBrace || next.tokenType !== token.Semicolon || !isOperandEnd(before))
    return undefined;
  if (!onOneLine(view, before, next)) return undefined;
  return error(
    view,
    "PTX1105",
    "this `}` closes nothing",
    view.spanOf(found),
    "a `{` before the first of these operands",
  );
}

function missingEnd(view: View, last: IToken): Diagnostic {
  const { end } = view.spanOf(last);
  const help = { message: "add it", replace: { span: { start: end, end }, text: ";" } };
  const span = { start: Math.max(end - 1, 0), end };
  return error(view, "PTX1102", "missing `;` after this", span, "`;`", [help]);
}

/** A token that starts no statement where one should. */
export function explainStart(view: View, found: IToken): Diagnostic {
  const span = view.spanOf(found);
  const lexical = explainStray(view, found);
  if (lexical !== undefined) return lexical;
  if (found.tokenType === token.Semicolon) {
    const comment = view.ahead(2).tokenType === token.Word && onOneLine(view, found, view.ahead(2));
    const help = comment
      ? { message: "a comment begins with `//`", replace: { span, text: "//" } }
      : { message: "remove it", replace: { span, text: "" } };
    return error(view, "PTX1106", "this `;` ends nothing", span, "a statement", [help]);
  }
  if (found.tokenType === token.Dotted) return unknownDirective(view, found, span);
  if (found.tokenType === token.Not) {
    const at = view.ahead(2);
    const both = at.tokenType === token.At ? { start: span.start, end: view.spanOf(at).end } : span;
    const help = { message: "write `@!`", replace: { span: both, text: "@!" } };
    return error(view, "PTX1103", "a guard begins with `@`", span, "`@!`", [help]);
  }
  if (keywords.has(found.image)) {
    if (found.image === ".align")
      return error(
        view,
        "PTX1109",
        "a declaration begins with its state space",
        span,
        "`.shared .align 16 .b8 s[64];`",
      );
    const help =
      found.image === ".extern"
        ? [{ message: "declare it before the function: `.extern .shared .align 16 .b8 smem[];`" }]
        : undefined;
    return error(view, "PTX1109", `\`${found.image}\` does not belong here`, span, "a statement", help);
  }
  if (found.tokenType === token.Minus)
    return error(view, "PTX1101", `unexpected ${show(found)}`, span, "a statement", [
      { message: "a comment begins with `//`" },
    ]);
  if (found.image.startsWith("<"))
    return error(view, "PTX1101", `unexpected ${show(found)}`, span, "a statement", [
      { message: "tags are HTML: save the text of the page, not the page" },
    ]);
  return error(view, "PTX1101", `unexpected ${show(found)}`, span, "a statement");
}

/** `.REG`, `.regg`, `.foo`. */
function unknownDirective(view: View, found: IToken, span: Span): Diagnostic {
  const name = found.image.slice(1);
  if (view.ahead(2).tokenType === token.Colon)
    return error(view, "PTX1108", "a label does not begin with a dot", span, `\`$${name}:\``, [
      { message: `write $${name} wherever it is used` },
    ]);
  if (isTypeWord(name))
    return error(view, "PTX1108", "a declaration begins with its state space", span, `\`.reg ${found.image}\``, [
      {
        message: `write \`.reg ${found.image}\` for a register`,
        replace: { span: { start: span.start, end: span.start }, text: ".reg " },
      },
    ]);
  if (found.image === ".include")
    return error(view, "PTX1108", "PTX has no `.include`", span, "a directive or an instruction", [
      { message: "give all files, ptxrun a.ptx b.ptx: they are linked" },
    ]);
  const lower = found.image.toLowerCase();
  const near = keywords.has(lower) ? lower : [...keywords.keys()].find((word) => isNear(word, lower));
  const help =
    near === undefined ? undefined : [{ message: `did you mean \`${near}\`?`, replace: { span, text: near } }];
  return error(view, "PTX1108", `\`${found.image}\` is not a directive`, span, "a directive or an instruction", help);
}

/** A character that starts no token. */
function explainStray(view: View, found: IToken): Diagnostic | undefined {
  if (found.tokenType !== token.Stray) return undefined;
  const span = view.spanOf(found);
  switch (found.image) {
    case ".": {
      const help = { message: "put the dot right before its word" };
      return error(view, "PTX1113", "a dot without its word", span, "a word right after the dot", [help]);
    }
    case '"':
      return error(view, "PTX1007", "this quoted text is never closed", span, '`"` on the same line');
    case "#":
      if (isNumber(view.ahead(2)))
        return error(view, "PTX1009", "a constant has no `#`", span, "the number by itself", [
          { message: "remove it", replace: { span, text: "" } },
        ]);
      return error(view, "PTX1009", "`#` starts no line marker here", span, '`# 1 "file"` on a line of its own', [
        { message: "a comment begins with `//`; PTX has no preprocessor" },
      ]);
    case "'":
      return error(view, "PTX1001", "`'` means nothing in PTX", span, "a number: there are no characters in quotes");
    default:
      return error(
        view,
        "PTX1001",
        `${show(found)} means nothing in PTX`,
        span,
        "words, numbers and punctuation of PTX",
      );
  }
}

/** `if (a) b;`, `x = y + z;`, `for (...)`: a statement of C. */
function explainForeign(view: View, first: IToken, found: IToken): Diagnostic | undefined {
  const declares = types.has(first.image);
  const keyword = declares || /^(?:if|else|while|for|do|switch|return|goto|asm|__asm__|__shared__)$/.test(first.image);
  const assigns = first.tokenType === token.Word && assignsTo(view, first, found);
  if (!keyword && !assigns) return undefined;
  const message = assigns ? "PTX has no assignment" : `\`${first.image}\` is not PTX`;
  const help =
    assigns && first.image.includes(".") && found.tokenType === token.Equal
      ? { message: "write `,` for `=`", replace: { span: view.spanOf(found), text: "," } }
      : assigns
        ? { message: "write `mov`, `add` and the like, destination first" }
        : declares
          ? { message: "declare a register: `.reg .s32 i;` for an int, `.reg .f32 x;` for a float" }
          : /asm/.test(first.image)
            ? { message: "write the instructions of its text, without asm and quotes" }
            : {
                message:
                  "this is C: compile it with nvcc -ptx, or compare with `setp`, guard with `@p`, jump with `bra` to a label",
              };
  return error(view, "PTX1114", message, view.spanOf(first), "an instruction", [help]);
}

/** `a = b`, `a += b`, `a++`, `a[0] = b`. */
function assignsTo(view: View, first: IToken, found: IToken): boolean {
  const [last, before] = [view.ahead(0), view.ahead(-1)];
  if (found.tokenType === token.Equal)
    return last === first || before === first || last.tokenType === token.CloseBracket;
  return last.image === before.image && /^[+-]$/.test(last.image) && view.ahead(-2) === first;
}

const types = new Set([
  "int",
  "float",
  "double",
  "unsigned",
  "char",
  "long",
  "short",
  "void",
  "bool",
  "const",
  "struct",
]);

const isEnd = (found: IToken): boolean =>
  found.tokenType === token.Semicolon || found.tokenType === token.CloseBrace || isAtEnd(found);
const startsStatement = (found: IToken): boolean => found.tokenType === token.At || keywords.has(found.image);

/** At most one letter added, dropped or changed. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
