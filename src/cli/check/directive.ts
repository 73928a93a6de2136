import { problem } from "../../host/problem.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic, Severity } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Part } from "../value/assignment.ts";

/** `//@ case NAME: INPUTS -> EXPECTATIONS`, in words; what they mean is known when the program is loaded. */
export interface CaseLine {
  readonly name: string;
  readonly span: Span;
  readonly inputs: readonly Part[];
  readonly expectations: readonly Part[];
  /** The `//@ args:` line above it that counts, if there is one. */
  readonly args: Part | undefined;
  /** The `//@ launch` lines before it: several kernels in turn. Without any, the case is one launch. */
  readonly launches: readonly LaunchLine[];
}

/** `//@ launch KERNEL [OPTIONS][: ARGUMENTS]`: one launch of a pipeline. */
export interface LaunchLine {
  readonly span: Span;
  readonly kernel: Part;
  readonly options: Part;
  readonly inputs: readonly Part[];
}

/** `//~ error CODE` on a line that must be rejected. */
export interface Marker {
  readonly severity: Severity;
  readonly code: string;
  readonly line: number;
  readonly span: Span;
}

/** What a file says about itself. */
export interface Directives {
  readonly cases: readonly CaseLine[];
  readonly markers: readonly Marker[];
  /** The first `//@ args:` line: with its target the file is validated. */
  readonly args: Part | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the directives of a file; one that cannot be read is a problem, never a comment. */
export function readDirectives(source: Source): Directives {
  const cases: CaseLine[] = [];
  const markers: Marker[] = [];
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, Span>();
  // Launches gather until a case takes them; a case without its own takes those of the case before.
  let launches: LaunchLine[] = [];
  let taken = false;
  let args: Part | undefined;
  let firstArgs: Part | undefined;
  let start = 0;
  for (let line = 1; start <= source.text.length; line++) {
    const next = source.text.indexOf("\n", start);
    const end = next < 0 ? source.text.length : next;
    const text = source.text.slice(start, end);
    const marker = /\/\/~(.*)$/.exec(text);
    if (marker !== null) {
      const span = { start: start + marker.index, end: start + text.trimEnd().length };
      const read = /^\s*(error|warning|note)\s+(PTX\d{4})\s*$/.exec(marker[1] ?? "");
      if (read !== null) markers.push({ severity: read[1] as Severity, code: read[2] ?? "", line, span });
      else
        diagnostics.push(problem("PTX7002", "a mark without a code", { source, span, expected: "//~ error PTX1203" }));
    }
    const directive = /^\s*\/\/@\s*/.exec(text);
    if (directive !== null) {
      const part = { text: text.slice(directive[0].length).trimEnd(), span: { start: 0, end: 0 } };
      const from = start + directive[0].length;
      const whole: Part = { text: part.text, span: { start: from, end: from + part.text.length } };
      if (/^args\s*:/.test(whole.text)) {
        args = inside(whole, (/^args\s*:\s*/.exec(whole.text)?.[0] ?? "").length, whole.text.length);
        firstArgs ??= args;
      } else if (/^launch\b/.test(whole.text)) {
        const read = readLaunch(source, whole);
        if ("code" in read) diagnostics.push(read);
        else launches = taken ? [read] : [...launches, read];
        taken = false;
      } else {
        const read = readCase(source, whole, args, launches);
        taken = true;
        if ("code" in read) diagnostics.push(read);
        else {
          const before = names.get(read.name);
          if (before !== undefined) diagnostics.push(twice(source, read, before));
          names.set(read.name, read.span);
          cases.push(read);
        }
      }
    }
    start = end + 1;
  }
  return { cases, markers, args: firstArgs, diagnostics };
}

const directives = ["case", "args", "launch"];

function readLaunch(source: Source, whole: Part): LaunchLine | Diagnostic {
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

function readCase(
  source: Source,
  whole: Part,
  args: Part | undefined,
  launches: readonly LaunchLine[],
): CaseLine | Diagnostic {
  const wrong = (message: string, expected: string, more: Partial<Diagnostic> = {}) =>
    problem("PTX7002", message, { source, span: whole.span, expected, ...more });
  const head = /^case\s+([^:]*?)\s*:/.exec(whole.text);
  if (head === null) {
    const word = /^[\w-]*/.exec(whole.text)?.[0] ?? "";
    const meant = directives.includes(word) ? undefined : nearest(word, directives);
    const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
    return wrong(
      "a directive that cannot be read",
      "case NAME: INPUTS -> EXPECTATIONS, args: OPTIONS, or launch KERNEL",
      { help },
    );
  }
  const name = head[1] ?? "";
  if (name === "") return wrong("a case without a name", "case NAME: INPUTS -> EXPECTATIONS");
  // Values hold no spaces, so an arrow between spaces (or at an end) is the only one.
  const arrow = /(?:^|\s)->(?:\s|$)/.exec(whole.text.slice(head[0].length));
  if (arrow === null) return wrong(`case ${name} expects nothing`, "-> and what must hold");
  const middle = head[0].length + arrow.index;
  const expectations = words(inside(whole, middle + arrow[0].length, whole.text.length));
  if (expectations.length === 0) return wrong(`case ${name} expects nothing`, "what must hold, behind ->");
  return { name, span: whole.span, inputs: words(inside(whole, head[0].length, middle)), expectations, args, launches };
}

const twice = (source: Source, { name, span }: CaseLine, before: Span): Diagnostic =>
  problem("PTX7003", `two cases are called ${name}`, {
    source,
    span,
    expected: "a name of its own",
    related: [{ source, span: before, message: "the first one" }],
  });

const inside = ({ text, span }: Part, from: number, to: number): Part => ({
  text: text.slice(from, to),
  span: { start: span.start + from, end: span.start + to },
});

/** The words of a part, each with its place. */
const words = (part: Part): Part[] =>
  Array.from(part.text.matchAll(/\S+/g), (found) => inside(part, found.index, found.index + found[0].length));
