import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import type { Source, Span } from "../../../../src/source/source.ts";
import type { Comparison, Condition, Term } from "./condition.ts";

/** A word, number or sign of a condition; offsets are those of the whole text. */
interface ConditionToken {
  readonly kind: "name" | "number" | "sign" | "unknown";
  readonly text: string;
  readonly span: Span;
}

/** Signs by what they mean; the longest are tried first. */
const signs: readonly (readonly [written: string, meaning: string])[] = [
  ["/\\", "and"],
  ["\\/", "or"],
  ["&&", "and"],
  ["||", "or"],
  ["==", "=="],
  ["!=", "!="],
  ["<>", "!="],
  ["<=", "<="],
  [">=", ">="],
  ["=", "=="],
  ["<", "<"],
  [">", ">"],
  ["~", "not"],
  ["!", "not"],
  ["&", "&"],
  ["(", "("],
  [")", ")"],
  ["[", "["],
  ["]", "]"],
  [":", ":"],
  ["-", "-"],
];
const word = /[A-Za-z_%$][\w%$.@]*/y;
const digits = /0[xX][\da-fA-F]+|\d+/y;
const blank = /\s+|\/\/[^\n]*/y;

/** The tokens of a condition; for operators `text` is the meaning; ends with a token without text. */
function conditionTokens(text: string, { start, end }: Span): readonly ConditionToken[] {
  const tokens: ConditionToken[] = [];
  let at = start;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    return found === undefined || at + found.length > end ? undefined : found;
  };
  const take = (kind: ConditionToken["kind"], length: number, meaning: string): void => {
    tokens.push({ kind, text: meaning, span: { start: at, end: at + length } });
    at += length;
  };
  while (at < end) {
    const space = match(blank);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const name = match(word);
    const number = name === undefined ? match(digits) : undefined;
    const sign = signs.find(([written]) => text.startsWith(written, at) && at + written.length <= end);
    if (name !== undefined) take("name", name.length, name);
    else if (number !== undefined) take("number", number.length, number);
    else if (sign !== undefined) take("sign", sign[0].length, sign[1]);
    else take("unknown", 1, text.slice(at, at + 1));
  }
  tokens.push({ kind: "sign", text: "", span: { start: end, end } });
  return tokens;
}

/** Limit on nested parentheses and negations: an untrusted text must not exhaust the stack. */
const DEEPEST = 200;

const comparisons: ReadonlySet<string> = new Set<Comparison>(["==", "!=", "<", "<=", ">", ">="]);

/**
 * Reads the condition that stands at `span`; undefined, with PTX1901, where it cannot be read. `/\` binds closer than
 * `\/`, `~` closer than both. A thread may be called by its number alone: `0:r1` is `P0:r1`.
 */
export function parseCondition(source: Source, span: Span): Staged<Condition | undefined> {
  const reader = new Reader(source, conditionTokens(source.text, span));
  try {
    return { value: reader.whole(), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { value: undefined, diagnostics: [error.diagnostic] };
  }
}

/** Thrown to end parsing; never leaves this file. */
class Unreadable extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

class Reader {
  readonly #source: Source;
  readonly #tokens: readonly ConditionToken[];
  #at = 0;
  #depth = 0;

  constructor(source: Source, tokens: readonly ConditionToken[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  whole(): Condition {
    const condition = this.#any();
    if (this.#next.text !== "") this.#refuse("the condition ends here", "/\\, \\/ or the end");
    return condition;
  }

  get #next(): ConditionToken {
    return this.#tokens[this.#at] ?? { kind: "sign", text: "", span: { start: 0, end: 0 } };
  }

  #takes(kind: ConditionToken["kind"], text: string): boolean {
    if (this.#next.kind !== kind || this.#next.text !== text) return false;
    this.#at++;
    return true;
  }

  #refuse(message: string, expected: string, { span, text } = this.#next): never {
    throw new Unreadable({
      code: "PTX1901",
      severity: "error",
      message: text === "" ? "the condition is not complete" : message,
      source: this.#source,
      span,
      expected,
    });
  }

  /** Conditions with `\/` between them. */
  #any(): Condition {
    const all = [this.#all()];
    while (this.#takes("sign", "or")) all.push(this.#all());
    return joined("or", all);
  }

  #all(): Condition {
    const all = [this.#one()];
    while (this.#takes("sign", "and")) all.push(this.#one());
    return joined("and", all);
  }

  #one(): Condition {
    if (++this.#depth > DEEPEST) this.#refuse("the condition is nested too deeply", `${DEEPEST} levels at most`);
    const condition =
      this.#negation() ?? this.#parenthesis() ?? this.#constant() ?? this.#ended() ?? this.#comparison();
    this.#depth--;
    return condition;
  }

  #negation(): Condition | undefined {
    if (!this.#takes("sign", "not") && !this.#takes("name", "not")) return undefined;
    return { kind: "not", of: this.#one() };
  }

  #parenthesis(): Condition | undefined {
    if (!this.#takes("sign", "(")) return undefined;
    const inner = this.#any();
    if (!this.#takes("sign", ")")) this.#refuse(`${this.#next.text} is used where ) is needed`, ")");
    return inner;
  }

  #constant(): Condition | undefined {
    if (this.#takes("name", "true")) return { kind: "constant", value: true };
    return this.#takes("name", "false") ? { kind: "constant", value: false } : undefined;
  }

  /** `deadlock`, `nontermination` or `terminated`, where it is no name of memory or of a thread. */
  #ended(): Condition | undefined {
    const { text, span } = this.#next;
    const next = this.#tokens[this.#at + 1]?.text ?? "";
    if (text !== "deadlock" && text !== "nontermination" && text !== "terminated") return undefined;
    if (comparisons.has(next) || next === ":" || next === "[") return undefined;
    this.#at++;
    const none = { kind: "number", value: 0n, span } as const;
    const left = { kind: text === "deadlock" ? "waiting" : "endless", span } as const;
    return { kind: "compare", by: text === "terminated" ? "==" : "!=", left, right: none };
  }

  #comparison(): Condition {
    const left = this.#term();
    const { kind, text } = this.#next;
    if (kind !== "sign" || !comparisons.has(text))
      this.#refuse("there is no comparison here", "==, !=, <, <=, > or >=");
    this.#at++;
    return { kind: "compare", by: text as Comparison, left, right: this.#term() };
  }

  #term(): Term {
    const first = this.#next;
    const { start } = first.span;
    if (this.#takes("sign", "[")) {
      const inner = this.#term();
      if (!this.#takes("sign", "]")) this.#refuse("the bracket is not closed", "]");
      return inner;
    }
    if (this.#takes("sign", "&")) {
      const { name, span } = this.#memory();
      return { kind: "address", name, span: { start, end: span.end } };
    }
    const minus = this.#takes("sign", "-");
    const { kind, text, span } = this.#next;
    if (kind === "number") {
      this.#at++;
      const value = BigInt(text);
      if (!minus && this.#takes("sign", ":")) return this.#register(`P${text}`, start);
      return { kind: "number", value: minus ? -value : value, span: { start, end: span.end } };
    }
    if (kind !== "name" || minus)
      this.#refuse(`${text} is not a value`, "a register (P0:r1), memory (x), an address (&x) or a number");
    if (this.#tokens[this.#at + 1]?.text === ":") {
      this.#at += 2;
      return this.#register(text, start);
    }
    return this.#memory();
  }

  #register(thread: string, start: number): Term {
    const { kind, text, span } = this.#next;
    if (kind !== "name") this.#refuse(`${text} is not a register`, `a register of ${thread}`);
    this.#at++;
    return { kind: "register", thread, name: text, span: { start, end: span.end } };
  }

  #memory(): Extract<Term, { readonly kind: "memory" }> {
    const { kind, text, span } = this.#next;
    if (kind !== "name") this.#refuse(`${text} is not memory`, "the name of memory");
    this.#at++;
    if (!this.#takes("sign", "[")) return { kind: "memory", name: text, span };
    const index = this.#next;
    if (index.kind !== "number") this.#refuse(`${index.text} is not an index`, "a number");
    this.#at++;
    const { end } = this.#next.span;
    if (!this.#takes("sign", "]")) this.#refuse("the bracket is not closed", "]");
    return { kind: "memory", name: `${text}[${BigInt(index.text)}]`, span: { start: span.start, end } };
  }
}

const joined = (kind: "and" | "or", all: readonly Condition[]): Condition =>
  all.length === 1 && all[0] !== undefined ? all[0] : { kind, all };
