import type { Source, Span } from "../../../../src/source/source.ts";

/**
 * A value of a `.zeinfo`, where it stands. Intel's compiler writes them in one style of YAML, which is all that is read
 * here: mappings and sequences in blocks, sequences of words in brackets, plain and quoted words.
 */
export type Node =
  | { readonly kind: "word"; readonly text: string; readonly span: Span }
  | { readonly kind: "list"; readonly items: readonly Node[]; readonly span: Span }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, Node>; readonly span: Span };

/** What is wrong with a line, and where. */
export class Malformed {
  readonly message: string;
  readonly span: Span;
  readonly expected: string;
  constructor(message: string, span: Span, expected: string) {
    this.message = message;
    this.span = span;
    this.expected = expected;
  }
}

/** How deep blocks may nest; the compiler's go to four. */
const DEEPEST = 16;

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly start: number;
}

/** Reads a text; throws `Malformed` at the first line that is in another style. */
export function readYaml({ text }: Source): Node {
  const lines: Line[] = [];
  let start = 0;
  for (const whole of text.split("\n")) {
    const line = whole.trimEnd();
    const body = line.trimStart();
    const at = start + line.length - body.length;
    start += whole.length + 1;
    if (body === "" || body.startsWith("#") || /^(?:---|\.\.\.)$/.test(line)) continue;
    lines.push({ indent: line.length - body.length, text: body, start: at });
  }
  const blocks = new Blocks(lines);
  const [first] = lines;
  return first === undefined
    ? { kind: "map", entries: new Map(), span: { start: 0, end: 0 } }
    : blocks.whole(first.indent);
}

class Blocks {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  whole(indent: number): Node {
    const node = this.#block(indent, 0);
    const rest = this.#lines[this.#at];
    if (rest !== undefined)
      throw new Malformed("a line of no block", spanOf(rest), "the indentation of the lines above");
    return node;
  }

  /** The lines from here on that are indented so, and those below them. */
  #block(indent: number, depth: number): Node {
    const first = this.#lines[this.#at];
    if (first === undefined) throw new Error("a block has a line");
    if (depth > DEEPEST)
      throw new Malformed(`blocks nest more than ${DEEPEST} deep`, spanOf(first), "a .zeinfo of Intel's compiler");
    return isItem(first) ? this.#list(indent, depth, first) : this.#map(indent, depth, first);
  }

  #list(indent: number, depth: number, first: Line): Node {
    const items: Node[] = [];
    for (let line = this.#lines[this.#at]; line?.indent === indent && isItem(line); line = this.#lines[this.#at]) {
      // The item's first line is indented as its others are: behind the dash.
      const text = line.text.slice(1).trimStart();
      const behind = line.text.length - text.length;
      this.#lines[this.#at] = { indent: indent + behind, text, start: line.start + behind };
      if (keyed.test(text)) items.push(this.#block(indent + behind, depth + 1));
      else {
        items.push(value(text, line.start + behind));
        this.#at++;
      }
    }
    return { kind: "list", items, span: spanOf(first) };
  }

  #map(indent: number, depth: number, first: Line): Node {
    const entries = new Map<string, Node>();
    for (let line = this.#lines[this.#at]; line?.indent === indent && !isItem(line); line = this.#lines[this.#at]) {
      const [, key = "", gap = "", rest = ""] = keyed.exec(line.text) ?? [];
      if (key === "") throw new Malformed("a line without a key", spanOf(line), "key: value");
      this.#at++;
      const next = this.#lines[this.#at];
      if (rest !== "") entries.set(key, value(rest, line.start + key.length + 1 + gap.length));
      else if (next !== undefined && (next.indent > indent || (next.indent === indent && isItem(next))))
        entries.set(key, this.#block(next.indent, depth + 1));
      else entries.set(key, { kind: "word", text: "", span: spanOf(line) });
    }
    return { kind: "map", entries, span: spanOf(first) };
  }
}

const keyed = /^([\w.-]+):($| +)(.*)$/;

const isItem = ({ text }: Line): boolean => text.startsWith("- ");

const spanOf = ({ start, text }: Line): Span => ({ start, end: start + text.length });

/** `5`, `'float*;8'`, `[ 0, 1, 2 ]`. */
function value(text: string, start: number): Node {
  const span = { start, end: start + text.length };
  if (text.startsWith("[")) {
    if (!text.endsWith("]")) throw new Malformed("a list that does not end", span, "[ 0, 1, 2 ]");
    const words = text.slice(1, -1).split(",");
    const items = words.map((word): Node => ({ kind: "word", text: word.trim(), span }));
    return { kind: "list", items: text.slice(1, -1).trim() === "" ? [] : items, span };
  }
  const [quote = ""] = text;
  if (quote !== "'" && quote !== '"') return { kind: "word", text, span };
  if (text.length < 2 || !text.endsWith(quote))
    throw new Malformed("a word whose quote is open", span, `${quote}word${quote}`);
  const inner = text.slice(1, -1);
  return { kind: "word", text: quote === "'" ? inner.replaceAll("''", "'") : inner, span };
}
