import type { IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import type * as ast from "./ast.ts";
import { OperandGrammar } from "./operand.ts";

/** Variables, parameters and the directives that are allowed both at module scope and in bodies (PTX ISA 5 and 11). */
export abstract class DeclarationGrammar extends OperandGrammar {
  /** `.reg .b32 %r<10>, x;`; the linkage before it, if any, is already read. */
  readonly declaration = this.RULE("declaration", (linkage?: ast.Name): ast.Declaration => {
    const space = this.dotted(this.CONSUME(token.Space));
    let bank: ast.Expr | undefined;
    let attributes: readonly ast.Attribute[] = [];
    const align: ast.Expr[] = [];
    this.OPTION(() => {
      this.CONSUME(token.OpenBracket);
      bank = this.count();
      this.CONSUME(token.CloseBracket);
    });
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            align.push(this.SUBRULE(this.alignment));
          },
        },
        {
          ALT: () => {
            attributes = attributes.concat(this.SUBRULE(this.attribute));
          },
        },
      ]);
    });
    const { vector, type } = this.SUBRULE(this.type);
    const variables: ast.Variable[] = [];
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        variables.push(this.SUBRULE(this.variable));
      },
    });
    const end = this.endOf(this.CONSUME(token.Semicolon, { ERR_MSG: "`,` or `;`" }));
    return {
      kind: "declaration",
      ...(linkage === undefined ? {} : { linkage }),
      space,
      ...(bank === undefined ? {} : { bank }),
      attributes,
      align,
      ...(vector === undefined ? {} : { vector }),
      type,
      variables,
      start: linkage?.start ?? space.start,
      end,
    };
  });

  /** `.b32`, `.v4 .f32`. The resolver decides which words are types. */
  readonly type = this.RULE("type", (): { vector?: ast.Name; type: ast.Name } => {
    const first = this.dotted(this.CONSUME(token.Dotted));
    let second: ast.Name | undefined;
    this.OPTION(() => {
      second = this.dotted(this.CONSUME2(token.Dotted));
    });
    return second === undefined ? { type: first } : { vector: first, type: second };
  });

  readonly alignment = this.RULE("alignment", (): ast.Expr => {
    this.CONSUME(token.Align);
    return this.literal("integer", this.CONSUME(token.Integer));
  });

  /** `.attribute(.managed, .unified(1, 2))`. */
  readonly attribute = this.RULE("attribute", (): ast.Attribute[] => {
    const attributes: ast.Attribute[] = [];
    this.CONSUME(token.Attribute);
    this.CONSUME(token.OpenParen);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      ERR_MSG: "an attribute",
      DEF: () => {
        const name = this.dotted(this.CONSUME(token.Dotted));
        const values: ast.Expr[] = [];
        this.OPTION(() => {
          this.CONSUME2(token.OpenParen);
          this.AT_LEAST_ONE_SEP2({
            SEP: token.Comma,
            ERR_MSG: "a constant",
            DEF: () => {
              values.push(this.SUBRULE(this.constant));
            },
          });
          this.CONSUME2(token.CloseParen);
        });
        attributes.push({ name, arguments: values, start: name.start, end: this.lastEnd() });
      },
    });
    this.CONSUME(token.CloseParen);
    return attributes;
  });

  readonly variable = this.RULE("variable", (): ast.Variable => {
    const name = this.declared(this.CONSUME(token.Word));
    let count: ast.Expr | undefined;
    let initial: ast.Initial | undefined;
    this.OPTION(() => {
      this.CONSUME(token.Less);
      count = this.literal("integer", this.CONSUME(token.Integer));
      this.CONSUME(token.Greater);
    });
    const dimensions = this.SUBRULE(this.dimensions);
    this.OPTION2(() => {
      this.CONSUME(token.Equal);
      initial = this.SUBRULE(this.initial);
    });
    return {
      name,
      ...(count === undefined ? {} : { count }),
      dimensions,
      ...(initial === undefined ? {} : { initial }),
      start: name.start,
      end: this.lastEnd(),
    };
  });

  /** `[4][2]`; only the first may be open. */
  readonly dimensions = this.RULE("dimensions", (): (ast.Expr | undefined)[] => {
    const dimensions: (ast.Expr | undefined)[] = [];
    this.MANY(() => {
      const open = this.CONSUME(token.OpenBracket);
      let size: ast.Expr | undefined;
      this.OPTION(() => {
        size = this.count();
      });
      const close = this.CONSUME(token.CloseBracket);
      if (size === undefined && dimensions.length > 0) {
        const span = { start: this.startOf(open), end: this.endOf(close) };
        this.report(this.error("PTX1101", "only the first dimension may be left open", span, "a size"));
      }
      dimensions.push(size);
    });
    return dimensions;
  });

  /** Sizes and banks are literals: ptxas accepts no expression there. */
  private count(): ast.Expr {
    return this.literal("integer", this.CONSUME(token.Integer));
  }

  readonly initial = this.RULE("initial", (): ast.Initial => {
    this.enter();
    const initial = this.OR({
      ERR_MSG: "a value",
      DEF: [
        {
          ALT: (): ast.Initial => {
            const start = this.startOf(this.CONSUME(token.OpenBrace));
            const items: ast.Initial[] = [];
            const fields: { name: ast.Name; value: ast.Expr }[] = [];
            this.MANY_SEP({
              SEP: token.Comma,
              DEF: () => {
                this.OR2({
                  ERR_MSG: "a value",
                  IGNORE_AMBIGUITIES: true,
                  DEF: [
                    {
                      GATE: () => this.LA(2).tokenType === token.Equal,
                      ALT: () => {
                        const name = this.plain(this.CONSUME(token.Word));
                        this.CONSUME(token.Equal);
                        fields.push({ name, value: this.SUBRULE(this.symbolic) });
                      },
                    },
                    { ALT: () => items.push(this.SUBRULE(this.initial)) },
                  ],
                });
              },
            });
            const end = this.endOf(this.CONSUME(token.CloseBrace, { ERR_MSG: "`,` or `}`" }));
            return fields.length > 0 ? { kind: "fields", fields, start, end } : { kind: "list", items, start, end };
          },
        },
        {
          ALT: (): ast.Initial => {
            const value = this.SUBRULE2(this.symbolic);
            return { kind: "value", value, start: value.start, end: value.end };
          },
        },
      ],
    });
    this.depth--;
    return initial;
  });

  /** `(.param .u64 .ptr .global .align 16 x, ...)`. In a prototype names may be `_`. */
  readonly parameters = this.RULE("parameters", (): ast.Parameter[] => {
    const parameters: ast.Parameter[] = [];
    this.CONSUME(token.OpenParen);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        parameters.push(this.SUBRULE(this.parameter));
      },
    });
    this.CONSUME(token.CloseParen, { ERR_MSG: "a parameter, `,` or `)`" });
    return parameters;
  });

  readonly parameter = this.RULE("parameter", (): ast.Parameter => {
    const space = this.dotted(this.CONSUME(token.Space));
    const align: ast.Expr[] = [];
    this.MANY(() => align.push(this.SUBRULE(this.alignment)));
    const { vector, type } = this.SUBRULE(this.type);
    let pointer: ast.Parameter["pointer"];
    this.OPTION(() => {
      this.CONSUME(token.Pointer);
      let target: ast.Name | undefined;
      let alignment: ast.Expr | undefined;
      this.OPTION2(() => {
        target = this.dotted(this.CONSUME2(token.Space));
      });
      this.OPTION3(() => {
        alignment = this.SUBRULE2(this.alignment);
      });
      pointer = {
        ...(target === undefined ? {} : { space: target }),
        ...(alignment === undefined ? {} : { align: alignment }),
      };
    });
    const name = this.plain(this.CONSUME(token.Word));
    const dimensions = this.SUBRULE(this.dimensions);
    return {
      space,
      align,
      ...(vector === undefined ? {} : { vector }),
      type,
      ...(pointer === undefined ? {} : { pointer }),
      name,
      dimensions,
      start: space.start,
      end: this.lastEnd(),
    };
  });

  /** `.pragma "nounroll";`. */
  readonly pragma = this.RULE("pragma", (): ast.Pragma => {
    const start = this.startOf(this.CONSUME(token.Pragma));
    const texts: ast.Text[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      ERR_MSG: "a quoted text",
      DEF: () => {
        texts.push(this.text(this.CONSUME(token.Text)));
      },
    });
    return { kind: "pragma", texts, start, end: this.endOf(this.CONSUME(token.Semicolon)) };
  });

  /** `.target sm_90a, texmode_independent`. */
  readonly target = this.RULE("target", (): ast.Target => {
    const start = this.startOf(this.CONSUME(token.Target));
    const names: ast.Name[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      ERR_MSG: "a target's name, such as sm_90",
      DEF: () => {
        names.push(this.plain(this.CONSUME(token.Word)));
      },
    });
    return { kind: "target", names, start, end: this.lastEnd() };
  });

  /** `.loc 1 12 5, function_name $L__info_string0 + 4, inlined_at 1 40 3`. */
  readonly location = this.RULE("location", (): ast.Location => {
    const start = this.startOf(this.CONSUME(token.Loc));
    const file = this.integer(this.CONSUME(token.Integer));
    const line = this.integer(this.CONSUME2(token.Integer));
    const column = this.integer(this.CONSUME3(token.Integer));
    let functionName: ast.Location["functionName"];
    let inlinedAt: ast.Location["inlinedAt"];
    this.OPTION(() => {
      this.CONSUME(token.Comma);
      this.keyword(this.CONSUME(token.Word), "function_name");
      const symbol = this.word(this.CONSUME2(token.Word));
      let offset: ast.Expr | undefined;
      this.OPTION2(() => {
        this.CONSUME(token.Plus);
        offset = this.literal("integer", this.CONSUME4(token.Integer));
      });
      functionName = offset === undefined ? { symbol } : { symbol, offset };
      this.CONSUME2(token.Comma);
      this.keyword(this.CONSUME3(token.Word), "inlined_at");
      inlinedAt = {
        file: this.integer(this.CONSUME5(token.Integer)),
        line: this.integer(this.CONSUME6(token.Integer)),
        column: this.integer(this.CONSUME7(token.Integer)),
      };
    });
    return {
      kind: "loc",
      file,
      line,
      column,
      ...(functionName === undefined ? {} : { functionName }),
      ...(inlinedAt === undefined ? {} : { inlinedAt }),
      start,
      end: this.lastEnd(),
    };
  });

  /** `.loc_intermediate 2 23 6`. */
  readonly intermediate = this.RULE("intermediate", (): ast.Location => {
    const start = this.startOf(this.CONSUME(token.LocIntermediate));
    const file = this.integer(this.CONSUME(token.Integer));
    const line = this.integer(this.CONSUME2(token.Integer));
    const column = this.integer(this.CONSUME3(token.Integer));
    return { kind: "loc", intermediate: true, file, line, column, start, end: this.lastEnd() };
  });

  private keyword(found: IToken, wanted: string): void {
    if (found.image !== wanted)
      this.report(this.error("PTX1101", `unexpected \`${found.image}\``, this.spanOf(found), `\`${wanted}\``));
  }
}
