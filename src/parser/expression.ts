import type { IOrAlt, IToken, OrMethodOpts } from "chevrotain";
import { token } from "../lexer/index.ts";
import type { BinaryOperator, Expr } from "./ast.ts";
import { DEEPEST, Grammar } from "./grammar.ts";
import { precedenceOf, UNARY } from "./precedence.ts";

type UnaryOperator = Extract<Expr, { kind: "unary" }>["operator"];

/** Constant expressions, with the operators and the precedence of C (PTX ISA 4.5.4). */
export abstract class ExpressionGrammar extends Grammar {
  /** Set by an operand before it calls `constant`: `-a` and `!p` are allowed there, but not any deeper. */
  protected mayNegateName = false;

  // Alternatives are kept in fields so that a rule does not build them again on every call.
  readonly #primary: OrMethodOpts<Expr> = {
    ERR_MSG: "a constant",
    DEF: [
      { ALT: () => this.literal("integer", this.CONSUME(token.Integer)) },
      { ALT: () => this.literal("float", this.CONSUME(token.Float)) },
      { ALT: () => this.literal("float", this.CONSUME(token.Single)) },
      { ALT: () => this.symbol(this.CONSUME(token.WarpSize)) },
      { ALT: () => this.parenthesised() },
      { ALT: () => this.signed() },
    ],
  };
  readonly #sign: IOrAlt<IToken>[] = [
    { ALT: () => this.CONSUME3(token.Minus) },
    { ALT: () => this.CONSUME(token.Not) },
    { ALT: () => this.CONSUME2(token.Plus) },
    { ALT: () => this.CONSUME(token.Tilde) },
  ];
  readonly #infix: IOrAlt<IToken>[] = [
    { ALT: () => this.CONSUME(token.Infix) },
    { ALT: () => this.CONSUME(token.Plus) },
    { ALT: () => this.CONSUME2(token.Minus) },
    { ALT: () => this.CONSUME(token.Less) },
    { ALT: () => this.CONSUME(token.Greater) },
    { ALT: () => this.CONSUME(token.Pipe) },
  ];

  /** An expression over literals and `WARP_SZ`, whose operators bind at least as tightly as `least`. */
  readonly constant = this.RULE("constant", (least = 0): Expr => {
    this.enter();
    let left = this.OR(this.#primary);
    this.mayNegateName = false;
    if (left.kind === "unary" && left.operand.kind === "symbol" && left.operand.name.text !== "WARP_SZ") {
      this.depth--;
      return left;
    }
    let operators = 0;
    this.MANY({
      GATE: () => precedenceOf(this.LA(1).image) > least,
      DEF: () => {
        if (++operators > DEEPEST) this.depth = DEEPEST;
        const found = this.OR3(this.#infix);
        const operator = found.image as BinaryOperator;
        // The right side of a left-associative operator includes only operators that bind more
        // tightly.
        const right = this.SUBRULE(this.constant, { ARGS: [precedenceOf(operator)] });
        this.forbidSingle(operator, left);
        this.forbidSingle(operator, right);
        left = { kind: "binary", operator, left, right, start: left.start, end: right.end };
      },
    });
    this.OPTION({
      GATE: () => least === 0,
      DEF: () => {
        this.CONSUME(token.Question);
        const then = this.SUBRULE2(this.constant);
        this.CONSUME(token.Colon);
        const otherwise = this.SUBRULE3(this.constant);
        left = { kind: "conditional", test: left, then, otherwise, start: left.start, end: otherwise.end };
      },
    });
    this.depth--;
    return left;
  });

  /** `(1 + 2)` and the cast `(.s64) 1`. */
  private parenthesised(): Expr {
    this.mayNegateName = false;
    const start = this.startOf(this.CONSUME(token.OpenParen));
    return this.OR2({
      ERR_MSG: "a constant",
      DEF: [
        {
          ALT: (): Expr => {
            const type = this.dotted(this.CONSUME(token.Dotted));
            this.CONSUME(token.CloseParen);
            const operand = this.SUBRULE4(this.constant, { ARGS: [UNARY] });
            return { kind: "cast", type, operand, start, end: operand.end };
          },
        },
        {
          ALT: (): Expr => {
            const inner = this.SUBRULE5(this.constant);
            return { ...inner, start, end: this.endOf(this.CONSUME2(token.CloseParen)) };
          },
        },
      ],
    });
  }

  /** `-1`, `!0`, `~0`; where an operand stands, also `-a` and `!p`. */
  private signed(): Expr {
    const mayNegate = this.mayNegateName;
    this.mayNegateName = false;
    const found = this.OR4(this.#sign);
    const operator = found.image as UnaryOperator;
    const operand = this.OR5({
      ERR_MSG: "a constant",
      DEF: [
        {
          GATE: () => mayNegate && (operator === "-" || operator === "!"),
          ALT: () => this.symbol(this.CONSUME(token.Word)),
        },
        { ALT: () => this.SUBRULE6(this.constant, { ARGS: [UNARY] }) },
      ],
    });
    this.forbidSingle(operator, operand);
    return { kind: "unary", operator, operand, start: this.startOf(found), end: operand.end };
  }

  /** `a`, `a + 4`, `generic(a) + 4`, `0xFF(a)` or a constant: what an initialiser may contain. */
  readonly symbolic = this.RULE("symbolic", (): Expr => {
    this.enter();
    const value = this.OR({
      ERR_MSG: "a value",
      DEF: [
        {
          ALT: (): Expr => {
            let left = this.symbol(this.CONSUME(token.Word));
            this.OPTION(() => {
              this.CONSUME(token.OpenParen);
              const argument = this.symbol(this.CONSUME2(token.Word));
              const end = this.endOf(this.CONSUME(token.CloseParen));
              left = { kind: "apply", callee: left, argument, start: left.start, end };
            });
            this.OPTION2(() => {
              this.CONSUME(token.Plus);
              left = this.sum(left, this.SUBRULE(this.constant));
            });
            return left;
          },
        },
        {
          ALT: (): Expr => {
            let left = this.SUBRULE2(this.constant);
            // Only an integer masks an address: `0xFF00(a)`.
            this.OPTION3({
              GATE: () => left.kind === "integer",
              DEF: () => {
                this.CONSUME2(token.OpenParen);
                const argument = this.SUBRULE(this.symbolic);
                const end = this.endOf(this.CONSUME2(token.CloseParen));
                left = { kind: "apply", callee: left, argument, start: left.start, end };
              },
            });
            return left;
          },
        },
      ],
    });
    this.depth--;
    return value;
  });

  protected literal(kind: "integer" | "float", found: IToken): Expr {
    return { kind, text: found.image, start: this.startOf(found), end: this.endOf(found) };
  }

  protected symbol(found: IToken): Expr {
    const span = this.spanOf(found);
    const dot = found.image.indexOf(".");
    if (dot < 0) return { kind: "symbol", name: this.word(found), ...span };
    const middle = span.start + dot;
    const name = { text: found.image.slice(0, dot), start: span.start, end: middle };
    return {
      kind: "symbol",
      name,
      component: { text: found.image.slice(dot + 1), start: middle, end: span.end },
      ...span,
    };
  }

  protected sum(left: Expr, right: Expr): Expr {
    return { kind: "binary", operator: "+", left, right, start: left.start, end: right.end };
  }

  /** `-0f3F800000` is an error, `-(0f3F800000)` is none: the lexer's rule of ptxas, measured. */
  private forbidSingle(operator: string, operand: Expr): void {
    if (operand.kind !== "float" || operand.end - operand.start !== 10 || !/^0[fF]/.test(operand.text)) return;
    const bits = operand.text.slice(2);
    const negative = (Number.parseInt(bits, 16) ^ 0x80000000) >>> 0;
    const help =
      operator === "-"
        ? [{ message: `the negative is 0f${negative.toString(16).toUpperCase().padStart(8, "0")}` }]
        : undefined;
    const message = `\`${operator}\` does not apply to \`${operand.text}\``;
    this.report(this.error("PTX1112", message, operand, "the bits of the result", help));
  }
}
