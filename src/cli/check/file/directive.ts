import { problem } from "../../../host/problem.ts";
import type { SpannedText } from "../../../launch/value/assignment.ts";
import { nearest } from "../../../resolve/nearest.ts";
import type { Diagnostic, Severity } from "../../../source/diagnostic.ts";
import type { Source, Span } from "../../../source/source.ts";
import { isQuote, readQuoted } from "./quoted.ts";

/** `//@ case NAME: INPUTS -> EXPECTATIONS`, split into words; they are interpreted when the program is loaded. */
export interface CaseLine {
  readonly name: string;
  /** The text that contains it: the PTX file or its sidecar. */
  readonly source: Source;
  readonly span: Span;
  readonly inputs: readonly SpannedText[];
  readonly expectations: readonly SpannedText[];
  /** For `//@ snapshot`: the part between the file's name and `.snap`, empty or `.NAME`. */
  readonly snapshot?: string;
  /** The last `//@ args:` line above it, if there is one. */
  readonly args: SpannedText | undefined;
  /** The `//@ launch` lines before it: several kernels in turn. Without any, the case is one launch. */
  readonly launches: readonly LaunchLine[];
}

/** `//@ launch KERNEL [OPTIONS][: ARGUMENTS]`: one launch of a pipeline. */
export interface LaunchLine {
  readonly span: Span;
  readonly kernel: SpannedText;
  readonly options: SpannedText;
  readonly inputs: readonly SpannedText[];
}

/** `//~ error CODE` on a line that must be rejected. */
export interface Marker {
  readonly severity: Severity;
  readonly code: string;
  /** The line of the PTX file. */
  readonly line: number;
  /** The text that contains it: the PTX file or its sidecar. */
  readonly source: Source;
  readonly span: Span;
  /** The span of the code. */
  readonly codeSpan: Span;
}

/** The content of a `//@` line, or of a directive of a sidecar. */
export type Directive =
  | { readonly kind: "args"; readonly args: SpannedText }
  | { readonly kind: "launch"; readonly launch: LaunchLine }
  | { readonly kind: "case"; readonly line: Omit<CaseLine, "args" | "launches"> };

/** Reads one directive, which is a part of its source. */
export function readDirective(source: Source, whole: SpannedText): Directive | Diagnostic {
  const head = /^args\s*:\s*/.exec(whole.text)?.[0];
  if (head !== undefined) return { kind: "args", args: inside(whole, head.length, whole.text.length) };
  if (/^launch\b/.test(whole.text)) {
    const launch = readLaunch(source, whole);
    return "code" in launch ? launch : { kind: "launch", launch };
  }
  const line = /^snapshot\b/.test(whole.text) ? readSnapshot(source, whole) : readCase(source, whole);
  return "code" in line ? line : { kind: "case", line };
}

/** The word that a quoted text may follow without a space. */
const PART = "prints~";

/** Options that are taken for directives. */
const options = new Set(["block", "grid", "cluster", "smem", "entry", "kernel", "target", "arg", "reg", "global"]);

/** The words that may follow `//@`. */
export const directives = ["case", "args", "launch", "snapshot"];

function readLaunch(source: Source, whole: SpannedText): LaunchLine | Diagnostic {
  const found = /^(launch\s+)(\S+?)(?=:?(?:\s|$))([\s\S]*?)(?::(?=\s|$)([\s\S]*))?$/.exec(whole.text);
  const [, head = "", kernel = "", options = "", inputs = ""] = found ?? [];
  if (kernel === "" || kernel.startsWith("-"))
    return problem("PTX7002", "a launch without a kernel", {
      source,
      span: whole.span,
      expected: "launch KERNEL --grid 4 --block 256: PARAMETER=VALUE ...",
    });
  const afterKernel = head.length + kernel.length;
  return {
    span: whole.span,
    kernel: inside(whole, head.length, afterKernel),
    options: inside(whole, afterKernel, afterKernel + options.length),
    inputs: words(inside(whole, whole.text.length - inputs.length, whole.text.length)),
  };
}

/** `snapshot`, `snapshot NAME`, either with `: INPUTS` after it. */
function readSnapshot(source: Source, whole: SpannedText): Omit<CaseLine, "args" | "launches"> | Diagnostic {
  const found = /^snapshot(?:\s+([\w-]+))?\s*(?::([\s\S]*))?$/.exec(whole.text);
  if (found === null) {
    return problem("PTX7002", "a snapshot that cannot be read", {
      source,
      span: whole.span,
      expected: "snapshot, or snapshot NAME: INPUTS, the name of letters, digits, _ and -",
    });
  }
  const [, name, inputs = ""] = found;
  return {
    name: name ?? "snapshot",
    source,
    span: whole.span,
    inputs: words(inside(whole, whole.text.length - inputs.length, whole.text.length)),
    expectations: [],
    snapshot: name === undefined ? "" : `.${name}`,
  };
}

function readCase(source: Source, whole: SpannedText): Omit<CaseLine, "args" | "launches"> | Diagnostic {
  const wrong = (message: string, expected: string, more: Partial<Diagnostic> = {}) =>
    problem("PTX7002", message, { source, span: whole.span, expected, ...more });
  const before = /^case\s+/.exec(whole.text)?.[0].length ?? 0;
  const colon = whole.text.indexOf(":");
  if (before === 0 || colon < before) {
    const word = /^[\w-]*/.exec(whole.text)?.[0] ?? "";
    const meant = directives.includes(word) ? undefined : nearest(word, directives);
    const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
    const [, unnamed] = /^case\s+([\w-]+)\s/.exec(whole.text) ?? [];
    if (unnamed !== undefined && colon < 0)
      return wrong(`missing colon after case ${unnamed}`, `case ${unnamed}: INPUTS -> EXPECTATIONS`);
    if (/^case\s*:/.test(whole.text)) return wrong("a case without a name", "case NAME: INPUTS -> EXPECTATIONS");
    const [written = "", dashes = "", option = ""] = /^(--?|)([a-z][a-z-]*)/.exec(whole.text) ?? [];
    if (meant === undefined && (dashes !== "" || options.has(option))) {
      const rest = whole.text.slice(written.length).replace(/^[\s:=]+/, "");
      help.push({
        message: `an option comes after args: //@ args: --${option === "kernel" ? "entry" : option} ${rest}`,
      });
    }
    return wrong(
      "a directive that cannot be read",
      "case NAME: INPUTS -> EXPECTATIONS, snapshot, args: OPTIONS, or launch KERNEL",
      { help },
    );
  }
  const name = whole.text.slice(before, colon).trimEnd();
  const begin = colon + 1;
  if (name === "") return wrong("a case without a name", "case NAME: INPUTS -> EXPECTATIONS");
  // Values hold no spaces, so an arrow between spaces (or at an end) is the only one.
  const arrow = /(?:^|\s)->(?:\s|$)/.exec(whole.text.slice(begin));
  if (arrow === null) {
    const help = whole.text.includes("=>") ? { help: [{ message: "write -> for =>" }] } : {};
    return wrong(`case ${name} expects nothing`, "-> and what must hold", help);
  }
  const middle = begin + arrow.index;
  const expectations = wordsAndTexts(inside(whole, middle + arrow[0].length, whole.text.length));
  if (expectations.length === 0) return wrong(`case ${name} expects nothing`, "what must hold, after ->");
  return { name, source, span: whole.span, inputs: words(inside(whole, begin, middle)), expectations };
}

/** A part of a part. */
export const inside = ({ text, span }: SpannedText, from: number, to: number): SpannedText => ({
  text: text.slice(from, to),
  span: { start: span.start + from, end: span.start + to },
});

/** The words of a part, each with its position. */
export const words = (part: SpannedText): SpannedText[] =>
  Array.from(part.text.matchAll(/\S+/g), (found) => inside(part, found.index, found.index + found[0].length));

/** The words of a right side: a quoted text is one, whatever it contains. */
export function wordsAndTexts(part: SpannedText): SpannedText[] {
  const found: SpannedText[] = [];
  const { text } = part;
  const begin = /\S/g;
  for (let at = begin.exec(text)?.index; at !== undefined; at = begin.exec(text)?.index) {
    const quote = text.startsWith(PART, at) ? at + PART.length : at;
    const quoted = isQuote(text, quote) ? readQuoted(text, quote) : undefined;
    const space = /\s|$/g;
    space.lastIndex = quoted?.end ?? at;
    const end = space.exec(text)?.index ?? text.length;
    found.push(inside(part, at, end));
    begin.lastIndex = end;
  }
  return found;
}
