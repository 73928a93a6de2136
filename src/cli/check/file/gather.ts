import { problem } from "../../../host/problem.ts";
import type { SpannedText } from "../../../launch/value/assignment.ts";
import type { Diagnostic, Severity } from "../../../source/diagnostic.ts";
import type { Source } from "../../../source/source.ts";
import { type CaseLine, type LaunchLine, type Marker, readDirective } from "./directive.ts";
import { readSidecar } from "./sidecar.ts";

/** The directives of a file, from itself and from its sidecar. */
export interface Directives {
  readonly cases: readonly CaseLine[];
  readonly markers: readonly Marker[];
  /** The first `args:` line: its target is used to validate the file. */
  readonly args: { readonly source: Source; readonly part: SpannedText } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the directives of a file and of its sidecar; one that cannot be read is an error and not a comment. */
export function readDirectives(source: Source, sidecar?: Source): Directives {
  const gathering = new Gathering();
  let start = 0;
  for (let line = 1; start <= source.text.length; line++) {
    const next = source.text.indexOf("\n", start);
    const end = next < 0 ? source.text.length : next;
    readLine(source, source.text.slice(start, end), start, line, gathering);
    start = end + 1;
  }
  if (sidecar !== undefined) {
    const { value, diagnostics } = readSidecar(sidecar);
    // Not a spread: a call cannot have as many arguments as a sidecar may have lines.
    for (const each of diagnostics) gathering.diagnostics.push(each);
    gathering.begin();
    for (const part of value.directives) gathering.take(sidecar, part);
    for (const each of value.markers) gathering.markers.push(each);
  }
  return gathering;
}

/**
 * The directives in lines of another text, each behind one of the `marks` such as `PTXTEST:`. `short` reads what is no directive: a
 * case without a name.
 */
export function readMarked(
  source: Source,
  marks: readonly string[],
  short: (part: SpannedText, line: number) => Short | Diagnostic | undefined,
): Directives {
  const gathering = new Gathering();
  let start = 0;
  for (const [index, text] of source.text.split("\n").entries()) {
    const mark = marks.find((each) => text.includes(each)) ?? "";
    const at = mark === "" ? -1 : text.indexOf(mark);
    const from = at + mark.length + (/^\s*/.exec(text.slice(at + mark.length))?.[0].length ?? 0);
    const end = text.trimEnd().length;
    const part = { text: text.slice(from, end), span: { start: start + from, end: start + end } };
    start += text.length + 1;
    if (at < 0) continue;
    const read = short(part, index + 1);
    if (read === undefined) gathering.take(source, part);
    else if ("code" in read) gathering.diagnostics.push(read);
    else gathering.add(read);
  }
  return gathering;
}

/** A case without a directive's words, with the options of its launch if it brings its own. */
export type Short = Omit<CaseLine, "launches" | "args"> & Partial<Pick<CaseLine, "args">>;

function readLine(source: Source, text: string, start: number, line: number, gathering: Gathering): void {
  const marker = text.indexOf("//~");
  if (marker >= 0) {
    const span = { start: start + marker, end: start + text.trimEnd().length };
    const read = /^(\s*(error|warning|note)\s+)(PTX\d{4})\s*$/.exec(text.slice(marker + 3));
    if (read === null) {
      const place = { source, span, expected: "//~ error PTX1203" };
      gathering.diagnostics.push(problem("PTX7002", "a mark without a code", place));
    } else {
      const [, before = "", severity, code = ""] = read;
      const from = span.start + 3 + before.length;
      const codeSpan = { start: from, end: from + code.length };
      gathering.markers.push({ severity: severity as Severity, code, line, source, span, codeSpan });
    }
  }
  const head = /^\s*\/\/@\s*/.exec(text)?.[0];
  if (head === undefined) return;
  const words = text.slice(head.length).trimEnd();
  const from = start + head.length;
  gathering.take(source, { text: words, span: { start: from, end: from + words.length } });
}

/** Collects directives in order; each case gets the `args` and `launch` lines before it. */
class Gathering implements Directives {
  readonly cases: CaseLine[] = [];
  readonly markers: Marker[] = [];
  readonly diagnostics: Diagnostic[] = [];
  args: Directives["args"];
  readonly #names = new Map<string, CaseLine>();
  #args: SpannedText | undefined;
  #launches: readonly LaunchLine[] = [];
  #taken = false;

  /** Begins another text: directives of the previous one do not apply to it. */
  begin(): void {
    this.#args = undefined;
    this.#launches = [];
  }

  take(source: Source, part: SpannedText): void {
    const read = readDirective(source, part);
    if ("code" in read) {
      this.diagnostics.push(read);
      // A case that cannot be read still separates the launches before it from those after it.
      this.#taken ||= !/^launch\b/.test(part.text);
    } else if (read.kind === "args") {
      this.#args = read.args;
      this.args ??= { source, part: read.args };
    } else if (read.kind === "launch") {
      // Launches are collected until a case uses them; a case without its own uses those of the case before.
      this.#launches = this.#taken ? [read.launch] : [...this.#launches, read.launch];
      this.#taken = false;
    } else {
      this.#taken = true;
      this.add(read.line);
    }
  }

  /** Adds a case, with the `args` and `launch` lines before it. */
  add(read: Short): void {
    const line: CaseLine = { args: this.#args, ...read, launches: this.#launches };
    const before = this.#names.get(line.name);
    if (before !== undefined) this.diagnostics.push(twice(line, before));
    this.#names.set(line.name, line);
    this.cases.push(line);
  }
}

const twice = ({ name, source, span }: CaseLine, before: CaseLine): Diagnostic =>
  problem("PTX7003", `two cases are called ${name}`, {
    source,
    span,
    expected: "a name of its own",
    related: [{ source: before.source, span: before.span, message: "the first one" }],
  });
