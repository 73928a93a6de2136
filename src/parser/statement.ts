import { type IRecognitionException, type IToken, isRecognitionException, type OrMethodOpts } from "chevrotain";
import { type LexerInput, token, tokenize } from "../lexer/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import type * as ast from "./ast.ts";
import { DeclarationGrammar } from "./declaration.ts";
import { type Explained, explain, explainStart } from "./explain.ts";
import { Abandon, type Setup } from "./grammar.ts";
import { knownDecisions } from "./known-decisions.ts";
import type { View } from "./view.ts";

/** Bodies: instructions, labels, blocks and the directives among them (PTX ISA 4.3 and 9.1). */
export abstract class StatementGrammar extends DeclarationGrammar {
  #word: IToken | undefined;
  readonly #afterWord: OrMethodOpts<ast.Statement> = {
    ERR_MSG: "an operand or `;`",
    DEF: [{ ALT: () => this.SUBRULE(this.instruction, { ARGS: [this.#word] }) }, { ALT: () => this.label(this.#word) }],
  };
  readonly #statement: OrMethodOpts<ast.Statement> = {
    ERR_MSG: "a statement",
    DEF: [
      {
        ALT: () => {
          this.#word = this.CONSUME(token.Word);
          return this.OR2(this.#afterWord);
        },
      },
      { ALT: () => this.guarded() },
      { ALT: () => this.SUBRULE(this.declaration) },
      { ALT: () => this.SUBRULE(this.location) },
      { ALT: () => this.SUBRULE(this.intermediate) },
      { ALT: () => this.SUBRULE(this.block) },
      { ALT: () => this.SUBRULE(this.pragma) },
      { ALT: () => this.SUBRULE(this.target) },
      { ALT: () => this.targets() },
      { ALT: () => this.SUBRULE(this.prototype) },
    ],
  };
  /** One missing `}` leaves every block around it open; only the innermost is reported. */
  #reportedOpen = false;

  /** Parses a function's body, braces included. */
  parseBody(stretch: LexerInput): Staged<ast.Block> {
    this.#reportedOpen = false;
    const { value, diagnostics } = this.parseStretch(stretch, () => this.block());
    const end = stretch.base + stretch.text.length;
    return { value: value ?? { kind: "block", statements: [], start: stretch.base, end }, diagnostics };
  }

  /** Parses a stretch that is one statement; undefined where it is none, or more, or has any error. */
  parseStatement(stretch: LexerInput): { readonly statement: ast.Statement; readonly tokens: number } | undefined {
    this.#reportedOpen = false;
    const lexed = tokenize(stretch);
    const { value, diagnostics } = this.parseTokens(stretch, lexed, () => {
      const made = this.statement();
      return this.errors.length === 0 && Number.isNaN(this.LA(1).startOffset) ? made : undefined;
    });
    return value && diagnostics.length === 0 ? { statement: value, tokens: lexed.tokens.length } : undefined;
  }

  /** Parses statements without a module around them. */
  parseSnippet(stretch: LexerInput): Staged<ast.Block> {
    this.#reportedOpen = false;
    const { value, diagnostics } = this.parseStretch(stretch, () => this.snippet());
    const end = stretch.base + stretch.text.length;
    return { value: value ?? { kind: "block", statements: [], start: stretch.base, end }, diagnostics };
  }

  readonly snippet = this.RULE("snippet", (): ast.Block => {
    const start = this.base;
    const statements = this.statements(true);
    return { kind: "block", statements, start, end: this.lastEnd() };
  });

  readonly block = this.RULE("block", (): ast.Block => {
    const open = this.CONSUME(token.OpenBrace);
    this.enter();
    const statements = this.statements(false);
    this.depth--;
    const start = this.startOf(open);
    if (!this.RECORDING_PHASE && this.LA(1).tokenType !== token.CloseBrace) {
      if (!this.#reportedOpen)
        this.report(this.error("PTX1104", "this `{` is never closed", this.spanOf(open), "a `}`"));
      this.#reportedOpen = true;
      return { kind: "block", statements, start, end: this.lastEnd() };
    }
    return { kind: "block", statements, start, end: this.endOf(this.CONSUME(token.CloseBrace)) };
  });

  /** Statements up to a `}` or the end; an error loses only the statement that it is in. */
  private statements(toTheEnd: boolean): ast.Statement[] {
    const statements: ast.Statement[] = [];
    do {
      this.MANY(() => {
        const first = this.LA(1);
        const { depth } = this;
        this.tick();
        try {
          statements.push(this.SUBRULE(this.statement));
        } catch (thrown) {
          this.depth = depth;
          this.recover(thrown, first);
        }
      });
    } while (this.unexpectedStart(toTheEnd));
    return statements;
  }

  readonly statement = this.RULE("statement", (): ast.Statement => this.OR(this.#statement));

  private label(word: IToken | undefined): ast.Label {
    const end = this.endOf(this.CONSUME(token.Colon));
    const name = this.declared(word as IToken);
    // `add.u32: a, b;` is a broken instruction, and its operands start no statement.
    if (name.end !== this.endOf(word as IToken)) this.skipStatement(0);
    return { kind: "label", name, start: name.start, end };
  }

  /** `@p` and `@!p`, then an instruction. */
  private guarded(): ast.Instruction {
    const start = this.startOf(this.CONSUME(token.At));
    let negated = false;
    this.OPTION(() => {
      this.CONSUME(token.Not);
      negated = true;
    });
    const predicate = this.plain(this.CONSUME2(token.Word));
    const guard: ast.Guard = { negated, predicate, start, end: predicate.end };
    const word = this.CONSUME3(token.Word);
    return this.SUBRULE2(this.instruction, { ARGS: [word, guard] });
  }

  /** The rest of an instruction after its opcode, up to the semicolon. */
  readonly instruction = this.RULE("instruction", (word?: IToken, guard?: ast.Guard): ast.Instruction => {
    const modifiers: ast.Name[] = [];
    const mnemonic = this.split(word as IToken, modifiers);
    this.MANY(() => {
      // A detached suffix may look like a directive: `ld .weak .global .u32`.
      modifiers.push(
        this.OR([
          { ALT: () => this.dotted(this.CONSUME(token.Dotted)) },
          { ALT: () => this.dotted(this.CONSUME(token.Space)) },
          { ALT: () => this.dotted(this.CONSUME(token.Linkage)) },
        ]),
      );
    });
    const operands: ast.Operand[] = [];
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        operands.push(this.SUBRULE(this.operand));
      },
    });
    const end = this.endOf(this.CONSUME(token.Semicolon, ENDS));
    if (guard === undefined) return { kind: "instruction", mnemonic, modifiers, operands, start: mnemonic.start, end };
    return { kind: "instruction", guard, mnemonic, modifiers, operands, start: guard.start, end };
  });

  /** Splits `add.rn.f16x2`. */
  private split(word: IToken, modifiers: ast.Name[]): ast.Name {
    if (word === undefined) return { text: "", start: 0, end: 0 };
    const { image } = word;
    const start = this.base + word.startOffset;
    let dot = image.indexOf(".");
    if (dot < 0) return { text: image, start, end: start + image.length };
    const mnemonic = { text: image.slice(0, dot), start, end: start + dot };
    while (dot < image.length) {
      let next = image.indexOf(".", dot + 1);
      if (next < 0) next = image.length;
      modifiers.push({ text: image.slice(dot + 1, next), start: start + dot, end: start + next });
      dot = next;
    }
    return mnemonic;
  }

  /** `.branchtargets L1, L2;` and `.calltargets f, g;`. */
  private targets(): ast.Targets {
    const found = this.OR3([
      { ALT: () => this.CONSUME(token.BranchTargets) },
      { ALT: () => this.CONSUME(token.CallTargets) },
    ]);
    const names: ast.Name[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      ERR_MSG: "a name",
      DEF: () => {
        names.push(this.plain(this.CONSUME4(token.Word)));
      },
    });
    const end = this.endOf(this.CONSUME(token.Semicolon));
    const kind = found.tokenType === token.BranchTargets ? "branchtargets" : "calltargets";
    return { kind, names, start: this.startOf(found), end };
  }

  /** `.callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;`. */
  readonly prototype = this.RULE("prototype", (): ast.CallPrototype => {
    const start = this.startOf(this.CONSUME(token.CallPrototype));
    let returns: ast.Parameter[] = [];
    let parameters: ast.Parameter[] = [];
    const directives: ast.FunctionDirective[] = [];
    this.OPTION(() => {
      returns = this.SUBRULE(this.parameters);
    });
    this.CONSUME(token.Word);
    this.OPTION2(() => {
      parameters = this.SUBRULE2(this.parameters);
    });
    this.MANY(() => directives.push(this.SUBRULE(this.tuning)));
    const end = this.endOf(this.CONSUME(token.Semicolon));
    return { kind: "callprototype", returns, parameters, directives, start, end };
  });

  /** `.maxntid 256, 1, 1`, `.noreturn`, `.language "ptx", 5`. */
  readonly tuning = this.RULE("tuning", (): ast.FunctionDirective => {
    const name = this.dotted(this.CONSUME(token.Tuning));
    const values: ast.Expr[] = [];
    const texts: ast.Text[] = [];
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        this.OR([
          { ALT: () => values.push(this.literal("integer", this.CONSUME(token.Integer))) },
          { ALT: () => texts.push(this.text(this.CONSUME(token.Text))) },
        ]);
      },
    });
    return { name, values, texts, start: name.start, end: this.lastEnd() };
  });

  /** Reports what a statement threw and continues after it; `first` is the statement's first token. */
  private recover(thrown: unknown, first: IToken): void {
    const { diagnostic, resume } = this.explained(thrown, first);
    this.report(diagnostic);
    if (resume === "here") return;
    // A block that nests too deeply is skipped to its own end, so that the blocks around it stay balanced.
    const whole = diagnostic.code === "PTX1107";
    if (whole) this.#reportedOpen = true;
    let open = 0;
    for (let back = 0; this.LA(1) !== first; back--) {
      open += nesting(this.LA(back));
      if (this.LA(back) === first) break;
    }
    this.skipStatement(Math.max(open, 0), { toBrace: resume === "brace", whole });
  }

  /** A thrown value as a diagnostic; rethrown when it is not an error in the text. */
  protected explained(thrown: unknown, first: IToken): Explained {
    if (thrown instanceof Abandon && thrown.diagnostic.code === "PTX1107")
      return { diagnostic: thrown.diagnostic, resume: "skip" };
    if (!isRecognitionException(thrown as Error)) throw thrown;
    return explain(this.view(), thrown as IRecognitionException, first);
  }

  /**
   * Skips past the next `;`, or to the `}` that closes the block around it. `opened` braces are already open; `toBrace`
   * stops at a `{` where a block is likely, `whole` skips semicolons in braces.
   */
  private skipStatement(opened: number, { toBrace = false, whole = false } = {}): void {
    let open = opened;
    for (;;) {
      const next = this.LA(1);
      if (Number.isNaN(next.startOffset)) return;
      if (toBrace && next.tokenType === token.OpenBrace) return;
      if (next.tokenType === token.CloseBrace && open === 0) return;
      open += nesting(next);
      this.SKIP_TOKEN();
      if (next.tokenType === token.Semicolon && !(whole && open > 0)) return;
    }
  }

  /** Reports a token that starts no statement and continues after it; false when there is none. */
  private unexpectedStart(closingToo: boolean): boolean {
    if (this.RECORDING_PHASE) return false;
    const next = this.LA(1);
    if (Number.isNaN(next.startOffset)) return false;
    if (next.tokenType === token.CloseBrace) {
      if (!closingToo) return false;
      this.report(this.error("PTX1105", "this `}` closes nothing", this.spanOf(next), "the end"));
      this.SKIP_TOKEN();
      return true;
    }
    this.report(this.explainStart(next));
    this.skipStatement(0);
    return true;
  }

  protected explainStart(next: IToken): Diagnostic {
    return explainStart(this.view(), next);
  }

  /** The parser's interface for the explaining functions. */
  protected view(): View {
    return {
      source: this.source,
      spanOf: (found) => this.spanOf(found),
      ahead: (distance) => this.LA(distance),
    };
  }
}

/** The part of the grammar for snippets: a third less to set up than for modules. */
export class SnippetGrammar extends StatementGrammar {
  constructor(setup: Setup = "known") {
    super(setup);
    this.prepare(setup, knownDecisions.snippet);
  }

  protected override learned(): SnippetGrammar {
    return new SnippetGrammar("learn");
  }
}

const ENDS = { ERR_MSG: "`,` or `;`" };

const nesting = (found: IToken | undefined): number =>
  found?.tokenType === token.OpenBrace ? 1 : found?.tokenType === token.CloseBrace ? -1 : 0;
