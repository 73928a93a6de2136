import { EmbeddedActionsParser, type IToken } from "chevrotain";
import type { Span } from "../../../../src/source/source.ts";
import type { Line } from "./lines.ts";
import { token, vocabulary } from "./tokens.ts";

/** An error that the grammar itself cannot find; thrown by an action, caught where the line is parsed. */
export class Mistake {
  readonly code: "PTX8002" | "PTX8104" | "PTX8204" | "PTX8207";
  readonly message: string;
  readonly span: Span;
  readonly expected: string | undefined;
  constructor(code: Mistake["code"], message: string, span: Span, expected?: string) {
    this.code = code;
    this.message = message;
    this.span = span;
    this.expected = expected;
  }
}

/** The facts that expressions may query: `%sizeof(X)` in bytes and `%DispatchSimd`. */
export interface Known {
  sizeOf(name: string): number | undefined;
  readonly dispatchSimd: number;
}

export const spanOf = (first: IToken, last: IToken = first): Span => ({
  start: first.startOffset,
  // While Chevrotain records the grammar, rules do not return real tokens.
  end: last.startOffset + (last.image ?? "").length,
});
/** How deep parentheses may nest. */
const DEEPEST = 64;

/** Expressions of integers (CISA.y). Chevrotain runs each rule once with dummy tokens. */
export abstract class ExpressionGrammar extends EmbeddedActionsParser {
  protected known: Known = { sizeOf: () => undefined, dispatchSimd: 0 };
  #depth = 0;

  constructor() {
    super([...vocabulary], { recoveryEnabled: false, maxLookahead: 2, skipValidations: true });
  }

  protected begin(line: Line, known: Known): void {
    this.input = [...line];
    this.known = known;
    this.#depth = 0;
  }

  /** From a token to the last one taken. */
  protected since(first: IToken): Span {
    return spanOf(first, this.LA(0));
  }

  protected mistake(...[code, message, span, expected]: ConstructorParameters<typeof Mistake>): void {
    if (!this.RECORDING_PHASE) throw new Mistake(code, message, span, expected);
  }

  readonly expression = this.RULE("expression", (): bigint => {
    let value = this.SUBRULE(this.product);
    this.MANY(() => {
      const sign = this.OR([{ ALT: () => this.CONSUME(token.plus) }, { ALT: () => this.CONSUME(token.minus) }]);
      const right = this.SUBRULE2(this.product);
      value = sign.image === "+" ? value + right : value - right;
    });
    return value;
  });

  readonly product = this.RULE("product", (): bigint => {
    let value = this.SUBRULE(this.prefixed).value;
    this.MANY(() => {
      const sign = this.OR([
        { ALT: () => this.CONSUME(token.star) },
        { ALT: () => this.CONSUME(token.slash) },
        { ALT: () => this.CONSUME(token.percent) },
      ]);
      const right = this.SUBRULE2(this.prefixed).value;
      if (this.RECORDING_PHASE) return;
      if (sign.image !== "*" && right === 0n) this.mistake("PTX8002", "division by zero", spanOf(sign));
      value = sign.image === "*" ? value * right : sign.image === "/" ? value / right : value % right;
    });
    return value;
  });

  readonly prefixed = this.RULE("prefixed", (): { value: bigint; negative: boolean; hex: boolean } => {
    const signs: string[] = [];
    this.MANY(() => {
      signs.push(
        this.OR([
          { ALT: () => this.CONSUME(token.minus) },
          { ALT: () => this.CONSUME(token.tilde) },
          { ALT: () => this.CONSUME(token.not) },
        ]).image,
      );
    });
    let { value, hex } = this.SUBRULE(this.atom);
    for (const sign of signs.reverse()) value = sign === "-" ? -value : sign === "~" ? ~value : value === 0n ? 1n : 0n;
    return { value, hex, negative: signs.includes("-") };
  });

  readonly atom = this.RULE("atom", (): { value: bigint; hex: boolean } =>
    this.OR([
      { ALT: () => ({ value: this.digits(this.CONSUME(token.hex)), hex: true }) },
      { ALT: () => ({ value: this.digits(this.CONSUME(token.integer)), hex: false }) },
      { ALT: () => ({ value: this.SUBRULE(this.property), hex: false }) },
      {
        ALT: () => {
          const open = this.CONSUME(token.openParenthesis);
          this.ACTION(() => {
            if (++this.#depth > DEEPEST)
              this.mistake("PTX8002", `parentheses nest more than ${DEEPEST} deep`, spanOf(open));
          });
          const value = this.SUBRULE(this.expression);
          this.CONSUME(token.closeParenthesis);
          return { value, hex: false };
        },
      },
    ]),
  );

  /** `%sizeof(X)`, `%DispatchSimd`. */
  readonly property = this.RULE("property", (): bigint => {
    const name = this.CONSUME(token.property);
    let of: IToken | undefined;
    this.OPTION(() => {
      this.CONSUME(token.openParenthesis);
      of = this.CONSUME(token.word);
      this.CONSUME(token.closeParenthesis);
    });
    if (this.RECORDING_PHASE) return 0n;
    if (name.image === "%DispatchSimd" && of === undefined) return BigInt(this.known.dispatchSimd);
    const size = name.image === "%sizeof" && of !== undefined ? this.known.sizeOf(of.image) : undefined;
    if (size === undefined)
      this.mistake("PTX8002", `${name.image} has no value here`, this.since(name), "%sizeof(X) of a declared variable");
    return BigInt(size ?? 0);
  });

  protected digits({ image }: IToken): bigint {
    return this.RECORDING_PHASE ? 0n : BigInt(image);
  }
}
