import type { Code } from "../source/codes/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/** PTX is 7-bit ASCII (PTX ISA 4.1); of the control characters only tab, line feed and carriage return pass. */
const ILLEGAL = /[^\t\n\r -~]+/g;
/** After this many runs of such characters the rest of a file is not reported. */
const MOST = 20;

/**
 * A text with every character that PTX does not know replaced by one that it does, at the same offset, and a
 * diagnostic for each run of them. Almost always the text itself and an empty list.
 */
export function cleanCharacters(source: Source): { text: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  ILLEGAL.lastIndex = 0;
  if (!ILLEGAL.test(source.text)) return { text: source.text, diagnostics };
  // A letter keeps a name in one piece, so that the parser has nothing to add.
  const text = source.text.replace(ILLEGAL, (run, start: number) => {
    if (diagnostics.length < MOST) diagnostics.push(illegal(source, run, start));
    return run.charCodeAt(0) >= 0x80 && run.charCodeAt(0) !== 0xfeff ? "Z".repeat(run.length) : " ".repeat(run.length);
  });
  return { text, diagnostics };
}

/** 4 MiB; the longest lines that compilers write, initialisers of tables, have a tenth of that. */
const LONGEST_LINE = 2 ** 22;

/** PTX1011 for the first line that is too long to read; undefined for any text that a compiler wrote. */
export function longLine(source: Source): Diagnostic | undefined {
  const { text } = source;
  for (let start = 0; start + LONGEST_LINE < text.length; ) {
    const end = text.indexOf("\n", start);
    if (end >= 0 && end - start <= LONGEST_LINE) start = end + 1;
    else
      return {
        code: "PTX1011",
        severity: "error",
        message: `a line of ${(end < 0 ? text.length : end) - start} characters`,
        source,
        span: { start, end: start + 1 },
        expected: "at most 4 MiB",
      };
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
  if (first === 0xfeff) return error("PTX1004", "byte order mark before the text", "save the file as plain ASCII");
  if (first === 0) return error("PTX1003", "NUL character in the text", "a text file holds none: is this a binary?");
  if (first < 0x80) {
    const names = new Map([
      [0x0b, "vertical tab"],
      [0x0c, "form feed"],
      [0x1b, "escape"],
      [0x7f, "delete"],
    ]);
    const name = names.get(first) ?? `control character 0x${first.toString(16).padStart(2, "0")}`;
    return error("PTX1005", `${name} in the text`, "only tabs, line ends and spaces separate words");
  }
  const point = `U+${first.toString(16).toUpperCase().padStart(4, "0")}`;
  return error("PTX1002", `character ${point} is not ASCII`, "PTX is ASCII throughout, comments included");
}
