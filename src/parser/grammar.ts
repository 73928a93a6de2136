import {
  EmbeddedActionsParser,
  type IOrAlt,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
} from "chevrotain";
import { bracedEnd, type LexerInput, rememberingEnds, token, tokenize } from "../lexer/index.ts";
import type { Code } from "../source/codes/index.ts";
import type { BodyEnd } from "../source/count-tokens.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import { checkLoadingTime, demandRoom, noteTokens } from "../source/loading.ts";
import { shorten } from "../source/shorten.ts";
import { Source, type Span } from "../source/source.ts";
import type { Name, Text } from "./ast.ts";
import { LazyLookahead } from "./lookahead.ts";

/**
 * Chevrotain's messages, reduced to what was expected: `explain.ts` writes the sentence, since it also knows the
 * token that was found. Alternatives are named by their `ERR_MSG`.
 */
const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.LABEL ?? expected.name,
  buildNotAllInputParsedMessage: () => "the end",
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? "",
  buildEarlyExitMessage: ({ customUserDescription }) => customUserDescription ?? "",
};

/** Internals of a Chevrotain parser that its types do not declare; the version is fixed, and a test checks them. */
interface Inside {
  selfAnalysisDone: boolean;
  readonly tokensMap: Readonly<Record<string, TokenType>>;
  /** By rule, kind of decision and occurrence. */
  readonly lookAheadFuncsCache: Map<number, unknown>;
  LA(distance: 1): { readonly tokenTypeIdx: number };
}
const inside = (parser: EmbeddedActionsParser): Inside => parser as unknown as Inside;

/**
 * All decisions of an analysed parser as a text: a line each, with its key, `|` or `?`, and the ways, whose tokens are
 * indices into the first line.
 */
function decisionsOf(parser: EmbeddedActionsParser, { decisions }: LazyLookahead): string {
  const names: string[] = [];
  const place = (name: string): number => {
    const at = names.indexOf(name);
    return at >= 0 ? at : names.push(name) - 1;
  };
  const lines = [...inside(parser).lookAheadFuncsCache].map(([key, found]) => {
    const decision = decisions.get(found)?.();
    if (decision === undefined) throw new Error(`decision ${key}: not made here`);
    return `${key}${decision.isChoice ? "|" : "?"}${decision.ways.map((way) => way.map(place).join(" ")).join("|")}`;
  });
  return [names.join(" "), ...lines].join("\n");
}

/** Sets the precomputed decisions of a parser, in place of an analysis of its grammar. */
export function decideBy(text: string, parser: EmbeddedActionsParser): void {
  const { lookAheadFuncsCache, tokensMap } = inside(parser);
  const [first = "", ...lines] = text.split("\n");
  const names = first.split(" ");
  const tokensOf = (way: string): readonly number[] | undefined =>
    way === "" ? undefined : way.split(" ").map((place) => tokensMap[names[Number(place)] ?? ""]?.tokenTypeIdx ?? -1);
  for (const line of lines) {
    const kind = line.search(/[|?]/);
    // Parsed at the first use of the decision: a text needs few.
    const ways = () =>
      line
        .slice(kind + 1)
        .split("|")
        .map(tokensOf);
    lookAheadFuncsCache.set(Number(line.slice(0, kind)), line[kind] === "|" ? choice(ways) : entrance(ways));
  }
  inside(parser).selfAnalysisDone = true;
}

type Ways = () => readonly (readonly number[] | undefined)[];

/** The first way that begins with the next token, and whose condition holds. */
function choice(ways: Ways): (this: Inside, alternatives?: readonly IOrAlt<unknown>[]) => number | undefined {
  let byToken: ReadonlyMap<number, readonly number[]> | undefined;
  let others: readonly number[] = [];
  return function (alternatives) {
    if (byToken === undefined) {
      const all = [...ways().entries()];
      const begin = (token?: number): readonly number[] =>
        all.filter(([, tokens]) => tokens === undefined || tokens.includes(token ?? -1)).map(([way]) => way);
      byToken = new Map(all.flatMap(([, tokens]) => tokens ?? []).map((token) => [token, begin(token)]));
      others = begin();
    }
    for (const way of byToken.get(this.LA(1).tokenTypeIdx) ?? others) {
      const gate = alternatives?.[way]?.GATE;
      if (gate === undefined || gate.call(this) !== false) return way;
    }
    return undefined;
  };
}

/** Whether the part can begin with the next token. */
function entrance(ways: Ways): (this: Inside) => boolean {
  let tokens: ReadonlySet<number> | undefined;
  let always = false;
  return function () {
    if (tokens === undefined) {
      const [way] = ways();
      tokens = new Set(way);
      always = way === undefined;
    }
    return always || tokens.has(this.LA(1).tokenTypeIdx);
  };
}

/** Limit on the nesting of blocks, parentheses, braces and brackets, and on consecutive operators. */
export const DEEPEST = 256;
const MOST_ERRORS = 100;

const bodyEnd: BodyEnd = (text, at) => bracedEnd(text, at).end;

/** Thrown inside the grammar when it cannot continue; the outermost rule reports it and stops. */
export class Abandon {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    this.diagnostic = diagnostic;
  }
}

/** Where a word's suffixes begin, or -1; dots within a C++ name (`f(char, ...)`) are its own. */
export function dotIn(image: string): number {
  const dot = image.indexOf(".");
  return dot < 0 || !/[(<{ ]/.test(image) ? dot : -1;
}

/**
 * How a parser obtains its decisions: from the known ones, if there are any; or Chevrotain computes them; or it also
 * checks the grammar for ambiguities, which is slow and always has the same result.
 */
export type Setup = "known" | "learn" | "validate";

/**
 * The base of the grammar's layers: the text being parsed, the errors so far, and how names and spans are made.
 *
 * Chevrotain runs every rule once with dummy tokens to record the grammar; actions must work with these, too.
 */
export abstract class Grammar extends EmbeddedActionsParser {
  protected source: Source = new Source("", "");
  /** Offsets of tokens are relative to this one. */
  protected base = 0;
  protected depth = 0;
  #end = 0;
  #ticks = 0;
  #diagnostics: Diagnostic[] = [];
  /** Chevrotain's recorded grammar, computed on demand if this parser uses known decisions. */
  #learned: ReturnType<EmbeddedActionsParser["getGAstProductions"]> | undefined;
  readonly #lookahead: LazyLookahead;

  constructor(setup: Setup) {
    const lookahead = new LazyLookahead({ maxLookahead: 1 });
    // Grammar errors are thrown and handled a statement at a time, by `statement.ts` and `module.ts`.
    super(token.vocabulary, {
      recoveryEnabled: false,
      maxLookahead: 1,
      lookaheadStrategy: lookahead,
      errorMessageProvider: expectations,
      skipValidations: setup !== "validate",
    });
    this.#lookahead = lookahead;
  }

  /** Ends the constructor. */
  protected prepare(setup: Setup, known: string | undefined): void {
    if (setup === "known" && known !== undefined) decideBy(known, this);
    else this.performSelfAnalysis();
  }

  /** A parser of the same grammar that has recorded it. */
  protected abstract learned(): Grammar;

  /** The decisions of a parser that has recorded its grammar, for those that have not. */
  decisions(): string {
    return decisionsOf(this, this.#lookahead);
  }

  /** Chevrotain makes its messages from this: it requests it when a text has an error. */
  override getGAstProductions(): ReturnType<EmbeddedActionsParser["getGAstProductions"]> {
    const own = super.getGAstProductions();
    if (Object.keys(own).length > 0) return own;
    this.#learned ??= this.learned().getGAstProductions();
    return this.#learned;
  }

  /**
   * Parses a text by one of the rules and returns what it built and what was wrong. Throws `LoadingStopped` where the
   * source's loading is limited.
   */
  protected parseStretch<T>(
    stretch: LexerInput,
    rule: () => T | undefined,
  ): { value: T | undefined; diagnostics: Diagnostic[] } {
    const { source, text, base } = stretch;
    checkLoadingTime(source, base);
    const read = (bodyEnd?: BodyEnd): ReturnType<typeof tokenize> => {
      demandRoom(source, text, base, bodyEnd);
      return tokenize(stretch);
    };
    const lexed = stretch.as === "module" ? rememberingEnds(text, () => read(bodyEnd)) : read();
    noteTokens(source, lexed.tokens.length);
    checkLoadingTime(source, base);
    return this.parseTokens(stretch, lexed, rule);
  }

  /** The same for a text whose tokens exist already, and have been counted. */
  protected parseTokens<T>(
    { source, text, base }: LexerInput,
    { tokens, diagnostics }: ReturnType<typeof tokenize>,
    rule: () => T | undefined,
  ): { value: T | undefined; diagnostics: Diagnostic[] } {
    this.source = source;
    this.base = base;
    this.depth = 0;
    this.#end = base + text.length;
    this.#diagnostics = diagnostics;
    this.input = tokens;
    let value: T | undefined;
    try {
      value = rule.call(this);
    } catch (thrown) {
      if (!(thrown instanceof Abandon)) throw thrown;
      diagnostics.push(thrown.diagnostic);
    }
    // Frees the tokens, which a large module has many of.
    this.input = [];
    return { value, diagnostics };
  }

  /** Called for each statement: checks the time now and then. */
  protected tick(): void {
    if ((++this.#ticks & 0xff) === 0 && !this.RECORDING_PHASE) checkLoadingTime(this.source, this.startOf(this.LA(1)));
  }

  protected report(diagnostic: Diagnostic): void {
    if (this.RECORDING_PHASE) return;
    if (this.#diagnostics.length >= MOST_ERRORS)
      throw new Abandon(this.error("PTX1119", `more than ${MOST_ERRORS} syntax errors`, diagnostic.span));
    this.#diagnostics.push(diagnostic);
  }

  protected error(code: Code, message: string, span: Span, expected?: string, help?: readonly Help[]): Diagnostic {
    return {
      code,
      severity: "error",
      message: shorten(message),
      source: this.source,
      span: { start: span.start, end: span.end },
      ...(expected === undefined ? {} : { expected }),
      ...(help === undefined ? {} : { help }),
    };
  }

  /** One level deeper; leave by setting `depth` back. */
  protected enter(): void {
    if (++this.depth > DEEPEST && !this.RECORDING_PHASE)
      throw new Abandon(this.error("PTX1107", `nested more than ${DEEPEST} deep`, this.spanOf(this.LA(0))));
  }

  protected startOf(found: IToken): number {
    return Number.isNaN(found.startOffset) ? this.#end : this.base + found.startOffset;
  }

  protected endOf(found: IToken): number {
    if (Number.isNaN(found.startOffset)) return this.#end;
    // Separators include the blanks after them.
    const single = found.tokenType === token.Semicolon || found.tokenType === token.Comma;
    return this.base + found.startOffset + (single ? 1 : found.image.length);
  }

  protected spanOf(found: IToken): Span {
    return { start: this.startOf(found), end: this.endOf(found) };
  }

  /** Where the last consumed token ends. */
  protected lastEnd(): number {
    return this.endOf(this.LA(0));
  }

  /** A token's text as a name, dots included. */
  protected word(found: IToken): Name {
    return { text: found.image, start: this.startOf(found), end: this.endOf(found) };
  }

  /** A dotted token's text without its dot; the span keeps it. */
  protected dotted(found: IToken): Name {
    return { text: found.image.slice(1), start: this.startOf(found), end: this.endOf(found) };
  }

  /** A name that must not carry suffixes. */
  protected plain(found: IToken): Name {
    const dot = dotIn(found.image);
    if (dot >= 0) {
      const name = found.image.slice(0, dot);
      const span = { start: this.startOf(found) + dot, end: this.endOf(found) };
      const help = { message: `write \`${name}\``, replace: { span, text: "" } };
      this.report(this.error("PTX1116", `\`${found.image}\` is not a plain name`, span, "a name without dots", [help]));
      return { text: name, start: this.startOf(found), end: span.start };
    }
    return this.word(found);
  }

  /** A plain name that is being declared. */
  protected declared(found: IToken): Name {
    if (found.image === "_")
      this.report(this.error("PTX1117", "`_` is the sink and cannot be declared", this.spanOf(found), "another name"));
    return this.plain(found);
  }

  protected text(found: IToken): Text {
    return { text: found.image.slice(1, -1), start: this.startOf(found), end: this.endOf(found) };
  }

  /** The value of an integer literal that counts or indexes something. */
  protected integer(found: IToken): number {
    const digits = found.image.replace(/U$/, "");
    return /^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  }
}
