import { EmbeddedActionsParser, type IToken } from "chevrotain";
import type { Span } from "../../source/source.ts";
import type * as ast from "../ast.ts";
import { types } from "../ast.ts";
import { immediateBits, type WrittenNumber } from "./immediate.ts";
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

/** What expressions may query: `%sizeof(X)` in bytes and `%DispatchSimd`. */
export interface Known {
  sizeOf(name: string): number | undefined;
  readonly dispatchSimd: number;
}

const typeNames: ReadonlySet<string> = new Set(types);
const isType = (name: string): name is ast.Type => typeNames.has(name);
const spanOf = (first: IToken, last: IToken = first): Span => ({
  start: first.startOffset,
  // While Chevrotain records the grammar, rules do not return real tokens.
  end: last.startOffset + (last.image ?? "").length,
});
const nameOf = (each: IToken): ast.Name => ({ text: each.image, span: spanOf(each) });

/** How deep parentheses may nest. */
const DEEPEST = 64;

/** Expressions, and operands made of them (CISA.y). Chevrotain runs each rule once with dummy tokens. */
export abstract class OperandGrammar extends EmbeddedActionsParser {
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
    const name = this.CONSUME(token.predefined);
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

  readonly region = this.RULE("region", (): { region: ast.Region; span: Span } => {
    const open = this.CONSUME(token.less);
    const first = this.SUBRULE(this.expression);
    let second: bigint | undefined;
    let third: bigint | undefined;
    this.OR([
      {
        ALT: () => {
          this.CONSUME(token.semicolon);
          second = this.SUBRULE2(this.expression);
          this.CONSUME(token.comma);
          third = this.SUBRULE3(this.expression);
        },
      },
      {
        ALT: () => {
          this.CONSUME2(token.comma);
          second = this.SUBRULE4(this.expression);
        },
      },
      { ALT: () => {} },
    ]);
    this.CONSUME(token.greater);
    const span = this.since(open);
    const numbers = [first, second, third].flatMap((each) => (each === undefined ? [] : [Number(each)]));
    const [horizontal = 0, width, vertical] = numbers.reverse();
    return {
      region: {
        ...(vertical === undefined ? {} : { vertical }),
        ...(width === undefined ? {} : { width }),
        horizontal,
      },
      span,
    };
  });

  readonly operand = this.RULE(
    "operand",
    (): ast.Operand =>
      this.OR([
        {
          ALT: () => {
            const sign = this.CONSUME(token.modifier);
            const modifier = modifiers.get(sign.image);
            const operand = this.OR2([
              { ALT: () => this.SUBRULE(this.indirect) },
              { ALT: () => this.SUBRULE(this.named) },
            ]);
            if (this.RECORDING_PHASE) return operand;
            if (operand.kind !== "general" && operand.kind !== "indirect")
              this.mistake("PTX8002", "a source modifier in front of what is no element", this.since(sign));
            return { ...operand, modifier, span: this.since(sign) } as ast.Operand;
          },
        },
        { ALT: () => this.SUBRULE2(this.indirect) },
        { ALT: () => this.SUBRULE(this.addressOf) },
        { GATE: () => this.isPredicate(), ALT: () => this.SUBRULE(this.inverted) },
        { GATE: () => this.isImmediate(), ALT: () => this.SUBRULE(this.immediate) },
        { ALT: () => this.SUBRULE2(this.named) },
      ]),
  );

  /** `r[A0(2),-16]<8;8,1>:d`. */
  readonly indirect = this.RULE("indirect", (): ast.Operand => {
    const first = this.CONSUME(token.registerFile);
    const address = this.CONSUME(token.word);
    this.CONSUME(token.openParenthesis);
    const element = this.SUBRULE(this.expression);
    this.CONSUME(token.closeParenthesis);
    let offset = 0n;
    this.OPTION(() => {
      this.CONSUME(token.comma);
      offset = this.SUBRULE2(this.expression);
    });
    this.CONSUME(token.closeBracket);
    const { region } = this.SUBRULE(this.region);
    const type = this.typed(this.CONSUME(token.type));
    const span = this.since(first);
    const numbers = { element: Number(element), offset: Number(offset) };
    return { kind: "indirect", address: nameOf(address), ...numbers, region, type, span };
  });

  /** `&X`, `&X[16]`. */
  readonly addressOf = this.RULE("addressOf", (): ast.Operand => {
    const first = this.CONSUME(token.and);
    const variable = this.SUBRULE(this.anyName);
    let offset = 0n;
    this.OPTION(() => {
      this.CONSUME(token.openBracket);
      offset = this.SUBRULE(this.expression);
      this.CONSUME(token.closeBracket);
    });
    return { kind: "address of", variable: nameOf(variable), offset: Number(offset), span: this.since(first) };
  });

  /** `!P1`, `!P1.any`. */
  readonly inverted = this.RULE("inverted", (): ast.Operand => {
    const first = this.CONSUME(token.not);
    const name = this.CONSUME(token.word);
    return { kind: "predicate", name: nameOf(name), inverted: true, span: this.since(first) };
  });

  /** Whatever begins with a name: `X(1,2)<8;8,1>`, `X<1>`, `A0(0)<1>`, `P1`, `X.32`. */
  readonly named = this.RULE("named", (): ast.Operand => {
    const first = this.SUBRULE(this.anyName);
    const name = nameOf(first);
    const nothing: ast.Operand = { kind: "predicate", name, inverted: false, span: name.span };
    return this.OR([
      {
        ALT: (): ast.Operand => {
          this.CONSUME(token.openParenthesis);
          const row = this.SUBRULE(this.expression);
          let column: bigint | undefined;
          this.OPTION(() => {
            this.CONSUME(token.comma);
            column = this.SUBRULE2(this.expression);
          });
          this.CONSUME(token.closeParenthesis);
          const { region, span } = this.SUBRULE(this.region);
          if (this.RECORDING_PHASE) return nothing;
          if (column === undefined) {
            if (region.width !== undefined) this.mistake("PTX8002", "a row without a column", span, "X(0,0)<8;8,1>");
            return { kind: "address", name, element: Number(row), count: region.horizontal, span: this.since(first) };
          }
          if (row < 0n || column < 0n)
            this.mistake("PTX8002", "a row or column below 0", this.since(first), "0 or more");
          // An object has a byte for each; the tool takes them modulo 256.
          const place = { row: Number(row & 0xffn), column: Number(column & 0xffn) };
          return { kind: "general", variable: name, ...place, region, span: this.since(first) };
        },
      },
      {
        ALT: (): ast.Operand => {
          const { region, span } = this.SUBRULE2(this.region);
          if (this.RECORDING_PHASE) return nothing;
          if (region.width !== undefined)
            this.mistake("PTX8002", "a source names its row and column", span, `${name.text}(0,0)<8;8,1>`);
          return { kind: "general", variable: name, row: 0, column: 0, region, span: this.since(first) };
        },
      },
      {
        ALT: (): ast.Operand => {
          const offset = this.CONSUME(token.dotNumber);
          if (this.RECORDING_PHASE) return nothing;
          return { kind: "raw", variable: name, offset: Number(offset.image.slice(1)), span: this.since(first) };
        },
      },
      { ALT: (): ast.Operand => nothing },
    ]);
  });

  readonly anyName = this.RULE(
    "anyName",
    (): IToken =>
      this.OR([
        { ALT: () => this.CONSUME(token.word) },
        { ALT: () => this.CONSUME(token.predefined) },
        { ALT: () => this.CONSUME(token.oddName) },
      ]),
  );

  readonly immediate = this.RULE("immediate", (): ast.Operand => {
    const first = this.LA(1);
    const written = this.OR([
      {
        GATE: () => this.LA(1).tokenType === token.float || this.LA(2).tokenType === token.float,
        ALT: (): WrittenNumber => {
          let negative = false;
          this.OPTION(() => {
            this.CONSUME(token.minus);
            negative = true;
          });
          return { kind: "float", digits: this.CONSUME(token.float).image, negative };
        },
      },
      { ALT: (): WrittenNumber => ({ kind: "integer", ...this.SUBRULE(this.prefixed) }) },
    ]);
    const suffix = this.CONSUME(token.type);
    const span = this.since(first);
    const type = this.typed(suffix);
    if (this.RECORDING_PHASE) return { kind: "immediate", type, bits: 0n, span };
    // Only the integer types and the bits of hf and f may be written in capitals (CISA.l).
    if (written.kind === "float" && suffix.image !== suffix.image.toLowerCase())
      this.mistake("PTX8207", `${suffix.image} behind a decimal`, spanOf(suffix), suffix.image.toLowerCase());
    const field = immediateBits(written, type);
    if ("wrong" in field) throw new Mistake("PTX8207", field.wrong, span, field.expected);
    return { kind: "immediate", type, ...field, span };
  });

  protected digits({ image }: IToken): bigint {
    return this.RECORDING_PHASE ? 0n : BigInt(image);
  }

  protected typed(suffix: IToken): ast.Type {
    if (this.RECORDING_PHASE) return "d";
    const name = suffix.image.slice(1).toLowerCase();
    if (!isType(name)) throw new Mistake("PTX8207", `there is no type ${name}`, spanOf(suffix), types.join(" "));
    return name;
  }

  private isImmediate(): boolean {
    const { tokenType } = this.LA(1);
    if (tokenType === token.predefined) return /^%(?:sizeof|DispatchSimd)$/.test(this.LA(1).image);
    return tokenType !== token.word && tokenType !== token.oddName;
  }

  private isPredicate(): boolean {
    return this.LA(1).tokenType === token.not && this.LA(2).tokenType === token.word;
  }
}

const modifiers: ReadonlyMap<string, ast.Modifier> = new Map([
  ["(-)", "neg"],
  ["(abs)", "abs"],
  ["(-abs)", "neg-abs"],
  ["(~)", "not"],
]);

export { isType, nameOf, spanOf };
