import { EOF, type IToken } from "chevrotain";
import type { Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { type Immediate, type Type, types } from "../ast.ts";
import { ExpressionGrammar, Mistake, spanOf } from "./expression.ts";
import { token } from "./tokens.ts";

/** A number as written in front of its type: an integer with its prefix applied, or the digits of a float. */
type WrittenNumber =
  | { readonly kind: "integer"; readonly value: bigint; readonly negative: boolean; readonly hex: boolean }
  | { readonly kind: "float"; readonly digits: string; readonly negative: boolean };

/** The types whose immediates take 64 bits of an object. */
const long: ReadonlySet<Type> = new Set<Type>(["df", "q", "uq"]);
const floating: ReadonlySet<Type> = new Set<Type>(["f", "df"]);

const scratch = new DataView(new ArrayBuffer(8));

/**
 * The field of an immediate, or what is wrong with it. In f and df, only digits with a point or an exponent are a
 * number; an integer gives the bits, and a minus sets their sign (measured with the 2024 tool).
 */
function immediateBits(
  written: WrittenNumber,
  type: Type,
): Pick<Immediate, "bits" | "written"> | { readonly wrong: string; readonly expected: string } {
  if (type === "bf") return { wrong: "there are no immediates of type bf", expected: "a value of type f" };
  if (type === "bool") return { wrong: "there are no immediates of type bool", expected: "a value of type ud" };
  if (written.kind === "float") return floatBits(written, type);
  const { value, negative, hex } = written;
  if (type === "hf") {
    if (hex && !negative && value <= 0xffffn) return { bits: value };
    return { wrong: "an immediate of type hf is its bits", expected: "0x0 to 0xffff" };
  }
  const width = long.has(type) ? 64 : 32;
  if (floating.has(type)) {
    const magnitude = BigInt.asUintN(width, negative ? -value : value);
    const bits = negative ? magnitude | (1n << BigInt(width - 1)) : magnitude;
    // Who writes 0x means the bits, as compilers do.
    return hex ? { bits } : { bits, written: value };
  }
  return { bits: BigInt.asUintN(width, value), written: value };
}

/** The tool reads a double and converts it to f, so f is rounded twice. */
function floatBits(
  { digits, negative }: WrittenNumber & { kind: "float" },
  type: Type,
): ReturnType<typeof immediateBits> {
  if (!floating.has(type))
    return { wrong: `${digits} is not a value of type ${type}`, expected: "a value of type f or df" };
  const value = Number(digits) * (negative ? -1 : 1);
  if (type === "df") {
    scratch.setFloat64(0, value);
    return { bits: scratch.getBigUint64(0) };
  }
  scratch.setFloat32(0, value);
  return { bits: BigInt(scratch.getUint32(0)) };
}

const typeNames: ReadonlySet<string> = new Set(types);
const isType = (name: string): name is ast.Type => typeNames.has(name);
const nameOf = (each: IToken): ast.Name => ({ text: each.image, span: spanOf(each) });

/** Operands (CISA.y). */
export abstract class OperandGrammar extends ExpressionGrammar {
  /** The line's last source has no region. */
  protected bare = false;
  /** The line has numbers without a type. */
  protected counts = false;
  /** The line has operands in parentheses. */
  protected lists = false;

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
            const text = this.CONSUME(token.string);
            const name = { text: text.image.slice(1, -1), span: spanOf(text) };
            return { kind: "label", name, quoted: true, span: name.span };
          },
        },
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
              this.mistake("PTX8002", "a source modifier in front of what is not an element", this.since(sign));
            return { ...operand, modifier, span: this.since(sign) } as ast.Operand;
          },
        },
        { ALT: () => this.SUBRULE2(this.indirect) },
        { ALT: () => this.SUBRULE(this.addressOf) },
        { GATE: () => this.isPredicate(), ALT: () => this.SUBRULE(this.inverted) },
        { GATE: () => this.isCount(), ALT: () => this.SUBRULE(this.count) },
        { GATE: () => this.lists, ALT: () => this.SUBRULE(this.list) },
        { GATE: () => this.isImmediate(), ALT: () => this.SUBRULE(this.immediate) },
        { ALT: () => this.SUBRULE2(this.named) },
      ]),
  );

  readonly count = this.RULE("count", (): ast.Operand => {
    const value = this.OR([{ ALT: () => this.CONSUME(token.integer) }, { ALT: () => this.CONSUME(token.hex) }]);
    if (this.digits(value) > 0xffff_ffffn)
      this.mistake("PTX8002", `${value.image} has more than 32 bits`, spanOf(value), "0 to 0xffffffff");
    const hex = value.tokenType === token.hex;
    return { kind: "count", value: Number(value.image), ...(hex && { hex }), span: spanOf(value) };
  });

  /** No list is within another. */
  readonly list = this.RULE("list", (): ast.Operand => {
    const open = this.CONSUME(token.openParenthesis);
    const operands: ast.Operand[] = [];
    this.ACTION(() => {
      this.lists = false;
    });
    this.AT_LEAST_ONE_SEP({ SEP: token.comma, DEF: () => operands.push(this.SUBRULE(this.operand)) });
    this.CONSUME(token.closeParenthesis);
    return { kind: "list", operands, span: this.since(open) };
  });

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
          let surface: IToken | undefined;
          let row = 0n;
          this.OR2([
            { ALT: () => (surface = this.CONSUME(token.word)) },
            { ALT: () => (row = this.SUBRULE(this.expression)) },
          ]);
          let column: bigint | undefined;
          this.OPTION(() => {
            this.CONSUME(token.comma);
            column = this.SUBRULE2(this.expression);
          });
          this.CONSUME(token.closeParenthesis);
          const elements = this.OPTION2(() => this.SUBRULE(this.region));
          const memory = this.OPTION3(() => {
            const { shift: _, ...rest } = this.SUBRULE(this.inMemory);
            return { ...rest, ...this.SUBRULE(this.addressSize) };
          });
          if (this.RECORDING_PHASE) return nothing;
          const by = surface === undefined ? Number(row) : nameOf(surface);
          if (memory !== undefined) return { ...memory, model: name, surface: by, span: this.since(first) };
          if (typeof by === "object") this.mistake("PTX8002", `"${by.text}" does not fit here`, by.span, "a number");
          if (elements === undefined) {
            if (column !== undefined && this.bare)
              return {
                kind: "matrix",
                variable: name,
                row: Number(row),
                column: Number(column),
                span: this.since(first),
              };
            if (column !== undefined)
              this.mistake("PTX8002", "a row and a column without a region", this.since(first), `${name.text}(0,0)<1>`);
            return { kind: "state", name, element: Number(row), span: this.since(first) };
          }
          const { region, span } = elements;
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
          const start = this.CONSUME(token.dotNumber);
          const suffix = this.OPTION4(() => this.CONSUME(token.type));
          const mask = this.OPTION5(() => this.CONSUME(token.dotted));
          if (this.RECORDING_PHASE) return nothing;
          const offset = Number(start.image.slice(1));
          if (suffix !== undefined) return this.data(first, name, offset, suffix, mask);
          return { kind: "raw", variable: name, offset, span: this.since(first) };
        },
      },
      {
        ALT: (): ast.Operand => {
          const suffix = this.CONSUME2(token.type);
          const mask = this.OPTION6(() => this.CONSUME2(token.dotted));
          const size = this.OPTION7(() => [this.CONSUME2(token.dotNumber), this.CONSUME2(token.word)]);
          if (this.RECORDING_PHASE) return nothing;
          if (size !== undefined) return this.block(name, [suffix, ...size], this.since(first));
          return this.data(first, name, 0, suffix, mask);
        },
      },
      {
        ALT: (): ast.Operand => {
          const memory = this.SUBRULE2(this.inMemory);
          const size = this.OPTION8(() => this.SUBRULE2(this.addressSize));
          if (this.RECORDING_PHASE) return nothing;
          const { shift, ...rest } = memory;
          const span = this.since(first);
          if (size !== undefined) return { ...rest, ...size, model: name, span };
          const parts = [rest.variable, ...(rest.further ?? [])];
          return { kind: "surface", model: name, parts, ...(shift && { shift }), span };
        },
      },
      { ALT: (): ast.Operand => nothing },
    ]);
  });

  /** `X:d16.2x16x8nt`: the shape is what stands behind the name. */
  private block(variable: ast.Name, words: readonly IToken[], span: Span): ast.Operand {
    const shape = words.map(({ image }) => image).join("");
    const [, bits, blocks, width, height, order = ""] = blockShape.exec(shape) ?? [];
    if (bits === undefined) this.mistake("PTX8002", `${shape} after a name`, span, ":d16.2x16x8nn");
    return {
      kind: "block",
      variable,
      bits: Number(bits),
      blocks: Number(blocks ?? 1),
      width: Number(width),
      height: Number(height),
      transposed: order.startsWith("t"),
      transformed: order.endsWith("t"),
      span,
    };
  }

  private data(first: IToken, variable: ast.Name, start: number, suffix: IToken, dotted?: IToken): ast.Operand {
    const [, mask] = /^\.(x?y?z?w?)$/.exec(dotted?.image ?? "") ?? [];
    if (dotted !== undefined && mask === undefined)
      this.mistake("PTX8002", `${dotted.image} after the shape of data`, spanOf(dotted), ".xyzw or less of it");
    const [, bits, wide, count, transposed] = dataShape.exec(suffix.image) ?? [];
    if (bits === undefined)
      this.mistake("PTX8002", `${suffix.image} after a name`, spanOf(suffix), ":d32, :d8u32, :d32x4 or :d32x4t");
    return {
      kind: "data",
      variable,
      start,
      bits: Number(bits),
      count: Number(count ?? 1),
      ...(wide === "c32" || wide === "u32" ? { widened: wide } : {}),
      ...(mask === undefined ? {} : { mask }),
      transposed: transposed !== undefined,
      span: this.since(first),
    };
  }

  /** `[V5]`, `[V5+0x10]`, `[0x4*V5.64]`: the part after an address model. */
  readonly inMemory = this.RULE("inMemory", (): InMemory => {
    this.CONSUME(token.openBracket);
    let scale = 1n;
    this.OPTION1(() => {
      scale = this.SUBRULE(this.atom).value;
      this.CONSUME(token.star);
    });
    const variable = nameOf(this.SUBRULE(this.anyName));
    let start = 0;
    this.OPTION2(() => {
      const dotted = this.CONSUME(token.dotNumber);
      this.ACTION(() => {
        start = Number(dotted.image.slice(1));
      });
    });
    const further: ast.Name[] = [];
    this.MANY(() => {
      this.CONSUME(token.comma);
      further.push(nameOf(this.SUBRULE2(this.anyName)));
    });
    let offset = 0n;
    let shift: readonly [number, number] | undefined;
    this.OPTION3({ GATE: () => this.isPair(), DEF: () => (shift = this.SUBRULE(this.pair)) });
    this.OPTION({
      GATE: () => !this.isPair(),
      DEF: () => {
        const sign = this.OR([{ ALT: () => this.CONSUME(token.plus) }, { ALT: () => this.CONSUME(token.minus) }]);
        const distance = this.SUBRULE(this.product);
        offset = sign.image === "-" ? -distance : distance;
      },
    });
    this.CONSUME(token.closeBracket);
    return {
      kind: "memory",
      scale: Number(scale),
      variable,
      ...(further.length === 0 ? {} : { further }),
      start,
      offset: Number(offset),
      ...(shift && { shift }),
    };
  });

  /** `+ (16,0)`. */
  readonly pair = this.RULE("pair", (): readonly [number, number] => {
    this.CONSUME(token.plus);
    this.CONSUME(token.openParenthesis);
    const x = this.SUBRULE(this.expression);
    this.CONSUME(token.comma);
    const y = this.SUBRULE2(this.expression);
    this.CONSUME(token.closeParenthesis);
    return [Number(x), Number(y)];
  });

  /** `:a64`, `:a32s`: of each address. */
  readonly addressSize = this.RULE("addressSize", (): Pick<ast.Operand & { kind: "memory" }, "bits" | "extended"> => {
    const suffix = this.CONSUME(token.type);
    const [, width, extended] = addressShape.exec(suffix.image) ?? [];
    if (!this.RECORDING_PHASE && width === undefined)
      this.mistake("PTX8002", `${suffix.image} after an address`, spanOf(suffix), ":a16, :a32, :a64, :a32s or :a32u");
    return {
      bits: Number(width ?? 32) as 16 | 32 | 64,
      ...(extended === "s" || extended === "u" ? { extended } : {}),
    };
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
      this.mistake("PTX8207", `${suffix.image} after a decimal`, spanOf(suffix), suffix.image.toLowerCase());
    const field = immediateBits(written, type);
    if ("wrong" in field) throw new Mistake("PTX8207", field.wrong, span, field.expected);
    return { kind: "immediate", type, ...field, span };
  });

  protected typed(suffix: IToken): ast.Type {
    if (this.RECORDING_PHASE) return "d";
    const name = suffix.image.slice(1).toLowerCase();
    if (!isType(name)) throw new Mistake("PTX8207", `unknown type ${name}`, spanOf(suffix), types.join(" "));
    return name;
  }

  private isCount(): boolean {
    const { tokenType } = this.LA(1);
    return (
      this.counts && (tokenType === token.integer || tokenType === token.hex) && this.LA(2).tokenType !== token.type
    );
  }

  private isImmediate(): boolean {
    const { tokenType } = this.LA(1);
    return tokenType !== token.word && tokenType !== token.oddName && tokenType !== token.predefined;
  }

  /** Whether `+ (16,0)` follows, and not the parentheses of an expression. */
  private isPair(): boolean {
    if (this.LA(1).tokenType !== token.plus || this.LA(2).tokenType !== token.openParenthesis) return false;
    for (let at = 3; ; at++) {
      const { tokenType } = this.LA(at);
      if (tokenType === token.comma) return true;
      if (tokenType === token.closeParenthesis || tokenType === EOF) return false;
    }
  }

  private isPredicate(): boolean {
    return this.LA(1).tokenType === token.not && this.LA(2).tokenType === token.word;
  }
}

/** What stands in brackets; of a surface in one variable, how far from there. */
type InMemory = Pick<ast.Operand & { kind: "memory" }, Addressed> & { readonly shift?: readonly [number, number] };
type Addressed = "kind" | "scale" | "variable" | "further" | "start" | "offset";

/** `:d32`, `:d8c32`, `:d8u32`, `:d32x4`, `:d32x4t`: bits in memory, bits in a register, elements a channel, a block. */
const dataShape = /^:d(8|16|32|64)([cu]32)?(?:x(1|2|3|4|8|16|32|64))?(t)?$/;

/** `:d16.16x8nn`, `:d8.2x32x8nn`. */
const blockShape = /^:d(8|16|32|64)\.(?:(\d+)x)?(\d+)x(\d+)([nt][nt])?$/;

/** `:a32`, `:a32s`. */
const addressShape = /^:a(16|64|32(?=([su])?$))[su]?$/;

const modifiers: ReadonlyMap<string, ast.Modifier> = new Map([
  ["(-)", "neg"],
  ["(abs)", "abs"],
  ["(-abs)", "neg-abs"],
  ["(~)", "not"],
]);

export { isType, nameOf };
