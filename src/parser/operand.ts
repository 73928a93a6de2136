import type { IToken, OrMethodOpts } from "chevrotain";
import { token } from "../lexer/index.ts";
import type { Expr, Name, Operand, OperandName } from "./ast.ts";
import { ExpressionGrammar } from "./expression.ts";
import { dotIn } from "./grammar.ts";

/** Operands by their shape (PTX ISA 6): names, addresses, vectors, pairs, argument lists, constants. */
export abstract class OperandGrammar extends ExpressionGrammar {
  readonly #operand: OrMethodOpts<Operand> = {
    ERR_MSG: "an operand",
    IGNORE_AMBIGUITIES: true,
    DEF: [
      { ALT: () => this.named() },
      { ALT: () => this.address() },
      { ALT: () => this.SUBRULE(this.vector) },
      { GATE: () => this.startsList(), ALT: () => this.SUBRULE(this.list) },
      {
        ALT: () => {
          this.mayNegateName = true;
          return this.computed(this.SUBRULE(this.constant));
        },
      },
    ],
  };
  readonly #base: OrMethodOpts<Operand> = {
    ERR_MSG: "an address",
    DEF: [{ ALT: () => this.namedBase() }, { ALT: () => this.computed(this.SUBRULE4(this.constant)) }],
  };
  readonly #more: OrMethodOpts<Operand> = {
    ERR_MSG: "a name or coordinates in braces",
    DEF: [{ ALT: () => this.nameOf(this.CONSUME4(token.Word)) }, { ALT: () => this.SUBRULE2(this.vector) }],
  };

  readonly operand = this.RULE("operand", (): Operand => this.OR(this.#operand));

  /** `%r1`, `v.x`, `sym+4`, `p|q`. */
  private named(): Operand {
    let left: Operand = this.nameOf(this.CONSUME(token.Word));
    // Almost every operand is a plain name, and the grammar's decision takes longer than reading
    // it.
    const next = this.LA(1).tokenType;
    if (next === token.Comma || next === token.Semicolon) return left;
    this.OPTION(() => {
      const component = this.dotted(this.CONSUME(token.Dotted));
      left = { ...(left as OperandName), component, end: component.end };
    });
    this.OPTION5({
      GATE: () => left.kind === "name" && left.component === undefined,
      DEF: () => {
        const index = this.SUBRULE(this.subscript);
        left = { kind: "element", array: (left as OperandName).name, index, start: left.start, end: this.lastEnd() };
      },
    });
    this.OPTION2({
      GATE: () => left.kind === "name",
      DEF: () => {
        this.CONSUME(token.Plus);
        left = this.computed(this.sum(this.toExpr(left as OperandName), this.SUBRULE2(this.constant)));
      },
    });
    this.OPTION3(() => {
      this.CONSUME(token.Pipe);
      const second = this.nameOf(this.CONSUME2(token.Word));
      left = { kind: "pair", first: left, second, start: left.start, end: second.end };
    });
    return left;
  }

  /** The subscript of `t[2]`, `t[%r1]`, `t[%r1+1]`. */
  readonly subscript = this.RULE("subscript", (): Operand => {
    this.CONSUME(token.OpenBracket);
    const index = this.OR({
      ERR_MSG: "an index",
      DEF: [
        {
          ALT: (): Operand => {
            let left: Operand = this.nameOf(this.CONSUME(token.Word));
            this.OPTION(() => {
              this.CONSUME(token.Plus);
              left = this.computed(this.sum(this.toExpr(left as OperandName), this.SUBRULE(this.constant)));
            });
            return left;
          },
        },
        { ALT: (): Operand => this.computed(this.SUBRULE2(this.constant)) },
      ],
    });
    this.CONSUME(token.CloseBracket);
    return index;
  });

  /** `[a]`, `[a+4]`, `[16]`, `[tex, {x, y}]`. */
  private address(): Operand {
    const start = this.startOf(this.CONSUME(token.OpenBracket));
    const base = this.OR2(this.#base);
    const more: Operand[] = [];
    this.MANY(() => {
      this.CONSUME(token.Comma);
      more.push(this.OR3(this.#more));
    });
    const end = this.endOf(this.CONSUME(token.CloseBracket));
    return { kind: "address", base, more, start, end };
  }

  private namedBase(): Operand {
    let left: Operand = this.nameOf(this.CONSUME3(token.Word));
    if (this.LA(1).tokenType === token.CloseBracket) return left;
    this.OPTION4(() => {
      this.CONSUME2(token.Plus);
      left = this.computed(this.sum(this.toExpr(left as OperandName), this.SUBRULE3(this.constant)));
    });
    return left;
  }

  /** `{a, b}`, and `{d0, d1}|p` of a texture fetch. */
  readonly vector = this.RULE("vector", (): Operand => {
    this.enter();
    const start = this.startOf(this.CONSUME(token.OpenBrace));
    const items: Operand[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      ERR_MSG: "an operand",
      DEF: () => {
        items.push(this.SUBRULE(this.operand));
      },
    });
    const end = this.endOf(this.CONSUME(token.CloseBrace, { ERR_MSG: "`,` or `}`" }));
    let left: Operand = { kind: "vector", items, start, end };
    this.OPTION(() => {
      this.CONSUME(token.Pipe);
      const second = this.nameOf(this.CONSUME(token.Word));
      left = { kind: "pair", first: left, second, start, end: second.end };
    });
    this.depth--;
    return left;
  });

  /** `(a, b)` of a call. `(1)` alone is parsed as a constant: a call treats that as a list of one. */
  readonly list = this.RULE("list", (): Operand => {
    this.enter();
    const start = this.startOf(this.CONSUME(token.OpenParen));
    const items: Operand[] = [];
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.operand));
      },
    });
    const end = this.endOf(this.CONSUME(token.CloseParen, { ERR_MSG: "`,` or `)`" }));
    this.depth--;
    return { kind: "list", items, start, end };
  });

  /** True when the parenthesis ahead holds operands rather than a constant expression. */
  private startsList(): boolean {
    const inside = this.LA(2).tokenType;
    if (inside === token.Word || inside === token.CloseParen || inside === token.OpenBracket) return true;
    if (inside === token.OpenBrace) return true;
    let open = 0;
    for (let at = 1; ; at++) {
      const { tokenType } = this.LA(at);
      if (tokenType === token.OpenParen) open++;
      else if (tokenType === token.CloseParen && --open === 0) return false;
      else if (tokenType === token.Comma && open === 1) return true;
      else if (tokenType === token.Semicolon || tokenType === token.CloseBrace) return false;
      else if (Number.isNaN(this.LA(at).startOffset)) return false;
    }
  }

  /** A word as an operand: the part after its first dot selects a component. */
  protected nameOf(found: IToken): OperandName {
    const { image } = found;
    const start = this.base + found.startOffset;
    const end = start + image.length;
    const dot = dotIn(image);
    if (dot < 0) return { kind: "name", name: { text: image, start, end }, start, end };
    const name: Name = { text: image.slice(0, dot), start, end: start + dot };
    return { kind: "name", name, component: { text: image.slice(dot + 1), start: start + dot, end }, start, end };
  }

  private computed(value: Expr): Operand {
    return { kind: "expr", value, start: value.start, end: value.end };
  }

  private toExpr(operand: OperandName): Expr {
    return { ...operand, kind: "symbol" };
  }
}
