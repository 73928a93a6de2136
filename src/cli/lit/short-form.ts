import { problem } from "../../host/index.ts";
import { load } from "../../launch/program.ts";
import type { SpannedText } from "../../launch/value/assignment.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import { directives, inside, words, wordsAndTexts } from "../check/file/directive.ts";
import type { Short } from "../check/file/gather.ts";

/** A directive of `check` begins with one of its words. */
const isDirective = (text: string): boolean => directives.includes(/^\w*/.exec(text)?.[0] ?? "");

/**
 * Reads `f(3, 4) -> 7`, a call of a function and what it returns, and `x=1 y=2 -> z=3`, a case that is called by its line.
 * Undefined for a directive of `check`.
 */
export const shortForm =
  (source: Source, program: Source, now: () => number) =>
  (part: SpannedText, line: number): Short | Diagnostic | undefined => {
    if (isDirective(part.text)) return undefined;
    const arrow = part.text.indexOf("->");
    const expected = "FUNCTION(VALUES) -> VALUE, or a directive of ptxrun check";
    if (arrow < 0) return problem("PTX7002", `${part.text} expects nothing`, { source, span: part.span, expected });
    const left = part.text.slice(0, arrow).trim();
    const right = part.text.slice(arrow + 2).trim();
    const call = /^([\w$.%]+)\(([^()]*)\)$/.exec(left);
    if (call === null) return caseAt(source, line, `line ${line}`, left, right);
    const [, name = "", values = ""] = call;
    const { value: signature, diagnostics } = signatureOf(name, program, now);
    const [wrong] = diagnostics;
    if (signature === undefined) return wrong;
    const inputs = values.split(",").map((each, index) => {
      const text = each.trim();
      return text.includes("=") ? text : assigned(String(index), text, signature.takes[index]);
    });
    const isValue = !/[=~]/.test(right.split(" ")[0] ?? "") && !/^(fault|ends|prints)\b/.test(right);
    const args = { text: `--entry ${name}`, span: inside(part, 0, name.length).span };
    const given = values.trim() === "" ? "" : inputs.join(" ");
    return {
      ...caseAt(source, line, left, given, isValue ? assigned(signature.name, right, signature.gives) : right),
      args,
    };
  };

/** A case whose words are those of a text of its own, on the line of the comment. */
function caseAt(source: Source, line: number, name: string, inputs: string, expected: string): Short {
  const before = "\n".repeat(line - 1);
  const own = new Source(source.name, `${before}${inputs} -> ${expected}`);
  const span = { start: before.length, end: own.text.length };
  const whole = { text: own.text.slice(span.start), span };
  return {
    ...{ name, source: own, span },
    inputs: words(inside(whole, 0, inputs.length)),
    expectations: wordsAndTexts(inside(whole, whole.text.length - expected.length, whole.text.length)),
  };
}

/** The types of what a function takes, and the name and type of what it gives. */
interface Signature {
  readonly takes: readonly string[];
  readonly name: string;
  readonly gives: string | undefined;
}

function signatureOf(entry: string, program: Source, now: () => number): Staged<Signature | undefined> {
  const { value: loaded, diagnostics } = load(program, { entry }, now);
  if (loaded === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const { parameters, results = [] } = loaded.kernel.program;
  const [result] = results;
  const takes = parameters.map(({ type }) => type);
  return { value: { takes, name: result?.name ?? entry, gives: result?.registers[0]?.type }, diagnostics: [] };
}

/** `NAME=VALUE`, with the type that the value's spelling means where the parameter has bits alone, as those of compilers have. */
function assigned(name: string, value: string, type: string | undefined): string {
  const [, kind = "", width = ""] = /^([bsuf])(8|16|32|64)$/.exec(type ?? "") ?? [];
  const meant = /^-\d+$/.test(value) ? "s" : /^[+-]?(\d*\.\d|inf|nan)/.test(value) ? "f" : kind;
  return meant === kind || kind === "f" ? `${name}=${value}` : `${name}:${meant}${width}=${value}`;
}
