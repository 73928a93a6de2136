import { problem } from "../host/problem.ts";
import type { Staged } from "../source/diagnostic.ts";
import type { Source, Span } from "../source/source.ts";

/** A JSON value with its place in the text. */
export type JsonNode =
  | {
      readonly kind: "object";
      readonly span: Span;
      readonly members: readonly { readonly key: JsonText; readonly value: JsonNode }[];
    }
  | { readonly kind: "array"; readonly span: Span; readonly items: readonly JsonNode[] }
  | JsonText
  | { readonly kind: "number"; readonly span: Span; readonly value: number }
  | { readonly kind: "word"; readonly span: Span };

/** A string; its span is the text between the quotes. */
export interface JsonText {
  readonly kind: "string";
  readonly span: Span;
  readonly text: string;
  /** True without escapes: the span contains exactly the characters of `text`. */
  readonly plain: boolean;
}

/** No sidecar nests deeper than this. */
const DEEPEST = 16;

/** Parses a JSON text (RFC 8259) with positions, which `JSON.parse` does not provide. */
export function readJson(source: Source): Staged<JsonNode | undefined> {
  const reader = new JsonReader(source.text);
  const value = reader.document();
  if (value !== undefined) return { value, diagnostics: [] };
  const span = { start: reader.at, end: Math.min(reader.at + 1, source.text.length) };
  const expected = reader.wanted;
  return { value, diagnostics: [problem("PTX7012", "this is not JSON", { source, span, expected })] };
}

/** A recursive-descent reader; a rule that fails returns `undefined` and leaves `at` where it failed. */
class JsonReader {
  at = 0;
  wanted = "a value";
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode | undefined {
    const value = this.#value();
    if (value === undefined) return undefined;
    this.#space();
    return this.at === this.#text.length ? value : this.#fail("nothing more");
  }

  #value(): JsonNode | undefined {
    this.#space();
    const start = this.at;
    switch (this.#text[start]) {
      case "{":
        return this.#list(
          "}",
          () => this.#member(),
          (members, span) => ({ kind: "object", members, span }),
        );
      case "[":
        return this.#list(
          "]",
          () => this.#value(),
          (items, span) => ({ kind: "array", items, span }),
        );
      case '"':
        return this.#string();
    }
    const word = this.#match(/true|false|null/y);
    if (word !== undefined) return { kind: "word", span: { start, end: this.at } };
    const digits = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y);
    if (digits === undefined) return this.#fail("a value");
    return { kind: "number", span: { start, end: this.at }, value: Number(digits) };
  }

  #list<T>(
    close: string,
    item: () => T | undefined,
    made: (items: readonly T[], span: Span) => JsonNode,
  ): JsonNode | undefined {
    const start = this.at;
    if (this.#depth === DEEPEST) return this.#fail(`at most ${DEEPEST} levels`);
    this.#depth += 1;
    this.at += 1;
    const items: T[] = [];
    this.#space();
    while (this.#text[this.at] !== close) {
      if (items.length > 0 && this.#match(/,/y) === undefined) return this.#fail(`a comma or ${close}`);
      const read = item();
      if (read === undefined) return undefined;
      items.push(read);
      this.#space();
    }
    this.at += 1;
    this.#depth -= 1;
    return made(items, { start, end: this.at });
  }

  #member(): { readonly key: JsonText; readonly value: JsonNode } | undefined {
    this.#space();
    const key = this.#text[this.at] === '"' ? this.#string() : this.#fail("a name in quotes");
    if (key === undefined) return undefined;
    this.#space();
    if (this.#match(/:/y) === undefined) return this.#fail("a colon");
    const value = this.#value();
    return value && { key, value };
  }

  #string(): JsonText | undefined {
    const start = this.at + 1;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string
    const whole = this.#match(/"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y);
    if (whole === undefined) return this.#fail("a text that is closed on its line");
    const text: string = JSON.parse(whole);
    return { kind: "string", span: { start, end: this.at - 1 }, text, plain: !whole.includes("\\") };
  }

  #space(): void {
    this.#match(/[ \t\r\n]*/y);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #fail(wanted: string): undefined {
    this.wanted = wanted;
    return undefined;
  }
}
