import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Claim } from "../litmus-test.ts";

/** The text of a thread: from behind its `//@ thread` line to the next one, or to the end. */
export interface Section {
  readonly name: string;
  readonly words: readonly string[];
  /** Its line, and the text that follows. */
  readonly line: Span;
  readonly body: Span;
}

/** What the `//@` lines of a litmus test in plain PTX say. */
export interface Sections {
  readonly name: string;
  readonly description: string;
  readonly declarations: Span;
  readonly threads: readonly Section[];
  readonly claims: readonly Claim[];
  readonly filter: Span | undefined;
  readonly bound: number | undefined;
  readonly aliases: readonly { readonly name: string; readonly of: string; readonly span: Span }[];
  readonly initially: readonly {
    readonly thread: string;
    readonly register: string;
    readonly value: string;
    readonly span: Span;
  }[];
}

const mark = /^[ \t]*\/\/@ ?(.*)$/;

/** Reads the `//@` lines. */
export function sectionsOf(source: Source, diagnostics: Diagnostic[]): Sections {
  const { text } = source;
  let name = "";
  const description: string[] = [];
  const heads: Omit<Section, "body">[] = [];
  const claims: Claim[] = [];
  let filter: Span | undefined;
  let bound: number | undefined;
  const aliases: Sections["aliases"][number][] = [];
  const initially: Sections["initially"][number][] = [];
  for (const line of linesOf(text)) {
    const found = mark.exec(text.slice(line.start, line.end));
    if (!found) continue;
    const said = (found[1] ?? "").trim();
    const [word = "", ...words] = said.split(/\s+/);
    const rest: Span = {
      start: line.start + text.slice(line.start, line.end).indexOf(word) + word.length,
      end: line.end,
    };
    const condition = trimmed(text, rest);
    switch (word) {
      case "litmus":
        name = words.join(" ");
        break;
      case "thread":
        heads.push({ name: words[0] ?? "", words: words.slice(1), line });
        break;
      case "exists":
      case "never":
      case "forall":
        claims.push({ kind: word, condition });
        break;
      case "filter":
        filter = condition;
        break;
      case "bound":
        if (/^[1-9]\d{0,3}$/.test(words[0] ?? "")) bound = Number(words[0]);
        else refuse(line, "the bound is no number of rounds", "//@ bound 4");
        break;
      case "alias":
        if (words.length === 2) aliases.push({ name: words[0] as string, of: words[1] as string, span: line });
        else refuse(line, "an alias has a name, and the name of a variable", "//@ alias y x");
        break;
      case "initially": {
        const [, thread, register, value] = /^(\w+) ?: ?([\w%$.]+) ?= ?(\S+)$/.exec(words.join(" ")) ?? [];
        if (thread && register && value) initially.push({ thread, register, value, span: line });
        else refuse(line, "this gives no register a value", "//@ initially P0:r0 = 1");
        break;
      }
      default:
        if (said.startsWith('"')) description.push(said.replace(/^"/, "").replace(/"$/, ""));
        else
          refuse(
            line,
            `${word === "" ? "an empty line" : word} says nothing of a litmus test`,
            "litmus, thread, exists, never, forall, filter, bound, alias or initially",
          );
    }
  }
  const threads = heads.map((head, i) => ({
    ...head,
    body: { start: head.line.end, end: heads[i + 1]?.line.start ?? text.length },
  }));
  const declarations = { start: 0, end: threads[0]?.line.start ?? text.length };
  return { name, description: description.join(" "), declarations, threads, claims, filter, bound, aliases, initially };

  function refuse(span: Span, message: string, expected: string): void {
    diagnostics.push({ code: "PTX1918", severity: "error", message, source, span: trimmed(text, span), expected });
  }
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start);
    yield { start, end };
    start = end + 1;
  }
}

function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from++;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  return { start: from, end: to };
}
