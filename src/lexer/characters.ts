import type { Code } from "../source/codes/index.ts";
import { commentEnd } from "../source/comment.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/**
 * PTX is 7-bit ASCII (PTX ISA 4.1); of the control characters only tab, line feed and carriage return pass everywhere. To
 * ptxas 13.0 form feed is a blank, and all of them but NUL pass in comments and quoted texts.
 */
const ILLEGAL = /[^\t\n\r -~]+/g;
/** Any of them; searching for one character takes half the time of searching for runs. */
const SOME_ILLEGAL = /[^\t\n\r -~]/;
/** After this many runs of such characters the rest of a file is not reported. */
const MAX_REPORTED_RUNS = 20;

/** Characters that word processors and chats substitute for blanks, visible or not, and for quotes and dashes. */
const LOOKALIKE =
  /[\u0085\u00a0\u00ad\u1680\u2000-\u200f\u2010-\u2015\u201c-\u201f\u2028\u2029\u202f\u205f-\u2064\u2212\u3000\ufeff]/g;

/**
 * A text with every character that PTX does not know replaced by one that it does, at the same offset, and a
 * diagnostic for each run of them. Almost always the text itself and an empty list.
 *
 * A lookalike of a blank, a quote or a minus sign is replaced by it, and one note reports this.
 */
export function cleanCharacters(source: Source): { text: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const given = withoutSources(source.text);
  if (!SOME_ILLEGAL.test(given)) return { text: given, diagnostics };
  const plain = withoutLookalikes(source, given, diagnostics);
  const most = diagnostics.length + MAX_REPORTED_RUNS;
  // The replacement is a letter, which keeps a name in one token, so that the parser reports
  // nothing more.
  const isQuoted = quoted(plain);
  const text = plain.replace(ILLEGAL, (run, start: number) => {
    if (CONTROLS.test(run) && isQuoted(start)) return run;
    if (FORM_FEEDS.test(run)) return " ".repeat(run.length);
    if (diagnostics.length < most) diagnostics.push(illegal(source, run, start));
    return run.charCodeAt(0) >= 0x80 ? "Z".repeat(run.length) : " ".repeat(run.length);
  });
  return { text, diagnostics };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CONTROLS = /^[\x01-\x1f\x7f]+$/;
const FORM_FEEDS = /^\f+$/;

/** Whether an offset is in a comment or a closed quoted text; call it with ascending offsets. */
function quoted(text: string): (at: number) => boolean {
  const mark = /\/[/*]|"[^"\n]*"?/g;
  let start = 0;
  let end = 0;
  return (at) => {
    while (at >= end) {
      mark.lastIndex = end;
      const found = mark.exec(text);
      start = found?.index ?? text.length;
      if (found === null) end = Number.POSITIVE_INFINITY;
      else if (found[0].startsWith("/")) end = commentEnd(text, start);
      else {
        end = start + found[0].length;
        if (found[0].length < 2 || !found[0].endsWith('"')) start = end;
      }
    }
    return at >= start;
  };
}

/** What `.nv_intermediate_source_section` quotes is any text at all (PTX ISA 11.5.6): blanks take its place. */
function withoutSources(text: string): string {
  if (!text.includes(".nv_intermediate_source_section")) return text;
  let clean = "";
  let at = 0;
  for (;;) {
    const begins = text.indexOf(BEGINS, at);
    const from = begins + BEGINS.length;
    const to = begins < 0 ? -1 : text.indexOf(".source_end", from);
    if (to < 0) return clean + text.slice(at);
    clean += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, " ");
    at = to;
  }
}
const BEGINS = ".source_begin";

function withoutLookalikes(source: Source, given: string, diagnostics: Diagnostic[]): string {
  const marked = source.text.charCodeAt(0) === 0xfeff;
  const note = (code: Code, at: number, message: string, help: string): void => {
    const span = { start: at, end: at + 1 };
    diagnostics.push({ code, severity: "note", message, source, span, help: [{ message: help }] });
  };
  if (marked) note("PTX1004", 0, "a byte order mark before the text is ignored", "ptxas takes none");
  let first = -1;
  let others = -1;
  const text = given.replace(LOOKALIKE, (char, at: number) => {
    if (at > 0 || !marked) {
      if (first < 0) first = at;
      others++;
    }
    const code = char.charCodeAt(0);
    return code >= 0x201c && code <= 0x201f ? '"' : (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? "-" : " ";
  });
  if (first >= 0) {
    const [it, they] = { '"': ["a quote", "quotes"], "-": ["a minus sign", "minus signs"] }[text.charAt(first)] ?? [
      "a space",
      "blanks",
    ];
    const more = others > 0 ? `, and ${others} more like it` : "";
    note(
      "PTX9012",
      first,
      `${pointOf(source.text, first)} is read as ${it}${more}`,
      `ptxas accepts plain ${they} only`,
    );
  }
  return text;
}

const pointOf = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** 4 MiB; the longest lines that compilers write, initialisers of tables, have a tenth of that. */
const LONGEST_LINE = 2 ** 22;

/** PTX1011 for the first line that is too long to read; undefined for any text that a compiler wrote. */
export function longLine(source: Source): Diagnostic | undefined {
  const { text } = source;
  for (let start = 0; start + LONGEST_LINE < text.length; ) {
    // The last line end within what one line may have: all lines before it are shorter.
    const last = text.lastIndexOf("\n", start + LONGEST_LINE);
    if (last >= start) start = last + 1;
    else {
      const end = text.indexOf("\n", start);
      return {
        code: "PTX1011",
        severity: "error",
        message: `a line of ${(end < 0 ? text.length : end) - start} characters`,
        source,
        span: { start, end: start + 1 },
        expected: "at most 4 MiB",
      };
    }
  }
  return undefined;
}

function illegal(source: Source, run: string, start: number): Diagnostic {
  const span = { start, end: start + run.length };
  const error = (code: Code, message: string, help: string): Diagnostic => ({
    code,
    severity: "error",
    message,
    source,
    span,
    help: [{ message: help, replace: { span, text: "" } }],
    manual: "source-format",
  });
  const first = run.codePointAt(0) ?? 0;
  if (first === 0) return error("PTX1003", "NUL character in the text", "a text file holds none: is this a binary?");
  if (first < 0x80) {
    const names = new Map([
      [0x0b, "vertical tab"],
      [0x1b, "escape"],
      [0x7f, "delete"],
    ]);
    const name = names.get(first) ?? `control character 0x${first.toString(16).padStart(2, "0")}`;
    return error("PTX1005", `${name} in the text`, "only tabs, line ends, form feeds and spaces separate words");
  }
  return error("PTX1002", `character ${pointOf(run, 0)} is not ASCII`, "PTX is ASCII throughout, comments included");
}
