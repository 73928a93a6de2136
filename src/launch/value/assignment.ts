import { problem } from "../../host/problem.ts";
import type { Staged } from "../../source/diagnostic.ts";
import { Source, type Span } from "../../source/source.ts";
import { valueForm } from "./form.ts";

/** Part of a text, and where it is. */
export interface SpannedText {
  readonly text: string;
  readonly span: Span;
}

/** `NAME[:TYPE]=VALUE`, from an option or from a line of a check. */
export interface Assignment {
  readonly source: Source;
  readonly span: Span;
  readonly name: SpannedText;
  readonly type?: SpannedText;
  readonly value: SpannedText;
}

/** The value of an option as a separate source, so that messages can underline part of it. */
export const optionSource = (option: string, text: string): Source => new Source(option, text);

/**
 * Reads an assignment between two offsets of a source. The name may be empty or contain `::`, the value may contain `=`
 * and `:`.
 */
export function readAssignment(
  source: Source,
  span: Span = { start: 0, end: source.text.length },
): Staged<Assignment | undefined> {
  const text = source.text.slice(span.start, span.end);
  const equals = text.indexOf("=");
  if (equals < 0) {
    const diagnostic = problem("PTX2101", `${text} sets nothing`, { source, span, expected: "NAME=VALUE" });
    return { value: undefined, diagnostics: [diagnostic] };
  }
  const head = text.slice(0, equals);
  const name = /^(?:[^:]|::)*/.exec(head)?.[0] ?? "";
  const type = name === head ? undefined : head.slice(name.length + 1);
  const value = text.slice(equals + 1);
  const part = (piece: string, at: number): SpannedText => ({
    text: piece,
    span: { start: span.start + at, end: span.start + at + piece.length },
  });
  const assignment = {
    source,
    span,
    name: part(name, 0),
    ...(type === undefined ? {} : { type: part(type, name.length + 1) }),
    value: part(value, text.length - value.length),
  };
  return { value: assignment, diagnostics: [] };
}

/** Kinds of values in which an equals sign does not end a name. */
const values: ReadonlySet<string> = new Set(["buffer", "file", "image", "tensormap", "multimem"]);

/**
 * Reads an argument: an assignment, or a value alone, such as `4`, `f32x8:fill=1` or `@x.npy`, which is for the next
 * parameter.
 */
export function readArgument(source: Source): Staged<Assignment | undefined> {
  const { text } = source;
  const { kind } = valueForm(text);
  const isAlone = !text.includes("=") || values.has(kind);
  if (!isAlone || text === "") return readAssignment(source);
  const span = { start: 0, end: text.length };
  const value = { source, span, name: { text: "", span }, value: { text, span } };
  return { value, diagnostics: [] };
}
