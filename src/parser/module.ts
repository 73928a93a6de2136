import type { IToken } from "chevrotain";
import { type LexerInput, token, tokenize } from "../lexer/index.ts";
import { keywords } from "../lexer/keywords.ts";
import type { Staged } from "../source/diagnostic.ts";
import type * as ast from "./ast.ts";
import { explain } from "./explain.ts";
import type { Setup } from "./grammar.ts";
import { knownDecisions } from "./known-decisions.ts";
import { StatementGrammar } from "./statement.ts";

/** Modules: everything outside bodies, each of which is one token (PTX ISA 4.2, 5, 7 and 11). */
export class ModuleGrammar extends StatementGrammar {
  /** Bodies that a missing `}` left open: errors about the rest of each are not reported. */
  #openBodies = 0;
  /** The text has a `.version`: its beginning is not cut off. */
  #stated = false;

  constructor(setup: Setup = "known") {
    super(setup);
    this.prepare(setup, knownDecisions.module);
  }

  protected override learned(): ModuleGrammar {
    return new ModuleGrammar("learn");
  }

  /** Parses a module, leaving function bodies alone. */
  parseModule(stretch: LexerInput): Staged<ast.Module> {
    this.#openBodies = 0;
    this.#stated = false;
    const { value, diagnostics } = this.parseStretch(stretch, () => this.module());
    const end = stretch.base + stretch.text.length;
    return { value: value ?? { kind: "module", items: [], start: stretch.base, end }, diagnostics };
  }

  /** Parses a section's body, braces included. An error ends it: nothing in it runs. */
  parseSection(stretch: LexerInput): Staged<readonly ast.SectionLine[]> {
    const { value, diagnostics } = this.parseStretch(stretch, () => {
      const lines = this.sectionLines();
      const [thrown] = this.errors;
      if (thrown !== undefined) this.report(explain(this.view(), thrown, thrown.token).diagnostic);
      return lines;
    });
    return { value: value ?? [], diagnostics };
  }

  readonly module = this.RULE("module", (): ast.Module => {
    const items: ast.Item[] = [];
    do {
      this.MANY(() => {
        const first = this.LA(1);
        this.depth = 0;
        this.tick();
        try {
          items.push(this.SUBRULE(this.item));
        } catch (thrown) {
          this.recoverItem(thrown, first);
        }
      });
    } while (this.unexpectedItem());
    return { kind: "module", items, start: this.base, end: this.lastEnd() };
  });

  readonly item = this.RULE(
    "item",
    (): ast.Item =>
      this.OR([
        { ALT: (): ast.Item => this.SUBRULE(this.linked) },
        { ALT: (): ast.Item => this.SUBRULE(this.version) },
        { ALT: (): ast.Item => this.SUBRULE(this.target) },
        { ALT: (): ast.Item => this.SUBRULE(this.addressSize) },
        { ALT: (): ast.Item => this.SUBRULE(this.file) },
        { ALT: (): ast.Item => this.SUBRULE(this.section) },
        { ALT: (): ast.Item => this.SUBRULE(this.sources) },
        { ALT: (): ast.Item => this.SUBRULE(this.pragma) },
        { ALT: (): ast.Item => this.SUBRULE(this.alias) },
      ]),
  );

  /** A variable or a function, with its linkage. */
  readonly linked = this.RULE("linked", (): ast.Declaration | ast.Func => {
    let linkage: ast.Name | undefined;
    this.OPTION(() => {
      linkage = this.dotted(this.CONSUME(token.Linkage));
    });
    return this.OR({
      ERR_MSG: "a state space, `.entry` or `.func`",
      DEF: [
        { ALT: (): ast.Declaration | ast.Func => this.SUBRULE(this.declaration, { ARGS: [linkage] }) },
        { ALT: (): ast.Declaration | ast.Func => this.SUBRULE(this.func, { ARGS: [linkage] }) },
      ],
    });
  });

  readonly func = this.RULE("func", (linkage?: ast.Name): ast.Func => {
    const keyword = this.OR([{ ALT: () => this.CONSUME(token.Entry) }, { ALT: () => this.CONSUME(token.Func) }]);
    const entry = keyword.tokenType === token.Entry;
    let attributes: ast.Attribute[] = [];
    let returns: ast.Parameter[] = [];
    let parameters: ast.Parameter[] = [];
    const directives: ast.FunctionDirective[] = [];
    this.OPTION({
      GATE: () => !entry,
      DEF: () => {
        attributes = this.SUBRULE(this.attribute);
      },
    });
    this.OPTION2({
      GATE: () => !entry,
      DEF: () => {
        returns = this.SUBRULE(this.parameters);
      },
    });
    const name = this.declared(this.CONSUME(token.Word));
    this.OPTION3(() => {
      parameters = this.SUBRULE2(this.parameters);
    });
    this.MANY(() => {
      directives.push(
        this.OR2([
          { ALT: () => this.fitting(entry, this.SUBRULE(this.tuning)) },
          {
            ALT: () => {
              const { texts, start, end } = this.SUBRULE(this.pragma);
              return this.fitting(entry, { name: { text: "pragma", start, end }, values: [], texts, start, end });
            },
          },
        ]),
      );
    });
    const body = this.OR3({
      ERR_MSG: "a body in braces or `;`",
      DEF: [
        {
          ALT: () => {
            const found = this.CONSUME(token.Body);
            if (!found.image?.endsWith("}")) this.#openBodies++;
            return this.spanOf(found);
          },
        },
        {
          ALT: () => {
            this.CONSUME(token.Semicolon);
            return undefined;
          },
        },
        // ptxas wants no `;` behind the declaration of a device function.
        { GATE: () => !entry && this.startsItem(), ALT: () => undefined },
      ],
    });
    return {
      kind: "function",
      ...(linkage === undefined ? {} : { linkage }),
      entry,
      attributes,
      name,
      returns,
      parameters,
      directives,
      ...(body === undefined ? {} : { body }),
      start: linkage?.start ?? this.startOf(keyword),
      end: this.lastEnd(),
    };
  });

  /** `.noreturn` and `.abi_preserve` belong to functions, `.language` to both, the rest to kernels (PTX ISA 11.4, 11.8). */
  private fitting(entry: boolean, directive: ast.FunctionDirective): ast.FunctionDirective {
    if (this.RECORDING_PHASE) return directive;
    const { text } = directive.name;
    const forFunc = text === "noreturn" || text.startsWith("abi_");
    if (forFunc === entry && text !== "language") {
      const owner = entry ? "`.entry`" : "`.func`";
      this.report(this.error("PTX1109", `\`.${text}\` does not belong to ${owner}`, directive.name));
    }
    const takesNone = ["noreturn", "explicitcluster", "blocksareclusters"].includes(text);
    const named = text === "language";
    const given = directive.values.length + directive.texts.length;
    const fits = named
      ? given > 0
      : directive.texts.length === 0 && (takesNone ? given === 0 : given > 0 && given <= 3);
    if (text !== "pragma" && !fits) {
      const expected = named ? "names of languages" : takesNone ? "nothing after it" : "one to three integers";
      this.report(this.error("PTX1101", `\`.${text}\` has ${given} values`, directive, expected));
    }
    return directive;
  }

  readonly version = this.RULE("version", (): ast.Version => {
    const keyword = this.CONSUME(token.Version);
    this.#stated = true;
    const number = this.CONSUME(token.Float, { ERR_MSG: "a version such as 9.4" });
    const span = { start: this.startOf(keyword), end: this.endOf(number) };
    if (this.RECORDING_PHASE) return { kind: "version", major: 0, minor: 0, ...span };
    const parts = /^(\d+)\.(\d+)$/.exec(number.image);
    if (parts === null) {
      const message = `\`${number.image}\` is not a version`;
      this.report(this.error("PTX1101", message, this.spanOf(number), "`major.minor`"));
    }
    if (this.source.text.slice(span.start, span.end).includes("\n"))
      this.report(this.error("PTX1118", "`.version` and its number are on different lines", span, "one line"));
    return { kind: "version", major: Number(parts?.[1] ?? 0), minor: Number(parts?.[2] ?? 0), ...span };
  });

  readonly addressSize = this.RULE("addressSize", (): ast.AddressSize => {
    const start = this.startOf(this.CONSUME(token.AddressSize));
    const found = this.CONSUME(token.Integer);
    return { kind: "addressSize", bits: this.integer(found), start, end: this.endOf(found) };
  });

  /** `.file 1 "axpy.cu", 1700000000, 812`. */
  readonly file = this.RULE("file", (): ast.File => {
    const start = this.startOf(this.CONSUME(token.File));
    const index = this.integer(this.CONSUME(token.Integer));
    const path = this.text(this.CONSUME(token.Text));
    const numbers: bigint[] = [];
    this.OPTION(() => {
      this.CONSUME(token.Comma);
      numbers.push(this.bigInteger(this.CONSUME2(token.Integer)));
      this.OPTION2(() => {
        this.CONSUME2(token.Comma);
        numbers.push(this.bigInteger(this.CONSUME3(token.Integer)));
      });
    });
    const [timestamp, size] = numbers;
    return {
      kind: "file",
      index,
      path,
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(size === undefined ? {} : { size }),
      start,
      end: this.lastEnd(),
    };
  });

  /** A malformed number, such as `12try`, has been reported by the lexer and counts as 0. */
  private bigInteger(found: IToken): bigint {
    const [digits] = /^(?:0x[\da-f]+|0b[01]+|0[0-7]*|[1-9]\d*)(?=U?$)/i.exec(found.image) ?? ["0"];
    return this.RECORDING_PHASE ? 0n : BigInt(digits.replace(/^0(?=\d)/, "0o"));
  }

  /** `.section .debug_str { $L: .b8 97, 0 }`: written by compilers with `-g`, read by debuggers. */
  readonly section = this.RULE("section", (): ast.Section => {
    const start = this.startOf(this.CONSUME(token.Section));
    const name = this.dotted(this.CONSUME(token.Dotted));
    const body = this.spanOf(this.CONSUME(token.Body));
    return { kind: "section", name, body, lines: [], start, end: body.end };
  });

  /** `.nv_intermediate_source_section { .code_block { ... } }`; the texts in it are blank here. */
  readonly sources = this.RULE("sources", (): ast.Sources => {
    const start = this.startOf(this.CONSUME(token.Sources));
    const found = this.CONSUME(token.Body);
    const { start: base, end } = this.spanOf(found);
    const blocks: ast.CodeBlock[] = [];
    if (this.RECORDING_PHASE) return { kind: "sources", blocks, start, end };
    const placed = ({ startOffset, image }: IToken) => ({ start: base + startOffset, end: base + startOffset + image.length }); // biome-ignore format: one line
    const { tokens } = tokenize({ source: this.source, text: found.image, base, as: "body" });
    let at = 1;
    for (; CODE_BLOCK.every((image, index) => fits(tokens[at + index], image)); at += CODE_BLOCK.length) {
      const [open, name, index, begins, ends, close] = [0, 4, 7, 8, 9, 10].map((each) => tokens[at + each]) as [
        IToken, IToken, IToken, IToken, IToken, IToken,
      ]; // biome-ignore format: as CODE_BLOCK
      const span = { start: base + open.startOffset, end: base + close.startOffset + 1 };
      const from = base + begins.startOffset + begins.image.length;
      const irName = { text: name.image.slice(1, -1), ...placed(name) };
      const text = this.source.text.slice(from, base + ends.startOffset);
      blocks.push({ irName, file: Number(index.image), text, ...span });
    }
    const next = tokens[at];
    if (blocks.length === 0 || at !== tokens.length - 1) {
      const span = next === undefined ? { start: end - 1, end } : placed(next);
      this.report(
        this.error(
          "PTX1101",
          "there is no `.code_block` here",
          span,
          '`.code_block { .ir_name: "TileIR" .sourceFileName: 1 .source_begin ... .source_end }`',
        ),
      );
    }
    return { kind: "sources", blocks, start, end };
  });

  /** The lines within a section's braces. */
  readonly sectionLines = this.RULE("sectionLines", (): ast.SectionLine[] => {
    const lines: ast.SectionLine[] = [];
    this.CONSUME(token.OpenBrace);
    this.MANY(() => {
      lines.push(
        this.OR([
          {
            ALT: (): ast.SectionLine => {
              const label = this.plain(this.CONSUME(token.Word));
              return { kind: "label", name: label, start: label.start, end: this.endOf(this.CONSUME(token.Colon)) };
            },
          },
          {
            ALT: (): ast.SectionLine => {
              const type = this.dotted(this.CONSUME2(token.Dotted));
              const values: ast.Expr[] = [];
              this.AT_LEAST_ONE_SEP({
                SEP: token.Comma,
                ERR_MSG: "a constant",
                DEF: () => {
                  values.push(this.SUBRULE(this.sectionValue));
                },
              });
              return { kind: "data", type, values, start: type.start, end: values.at(-1)?.end ?? type.end };
            },
          },
        ]),
      );
    });
    this.CONSUME(token.CloseBrace);
    return lines;
  });

  /** `12`, `-1`, `$L`, `.debug_abbrev`, `$L1-$L0`. */
  readonly sectionValue = this.RULE("sectionValue", (): ast.Expr => {
    const term = (found: IToken): ast.Expr =>
      found.tokenType === token.Integer
        ? this.literal("integer", found)
        : { kind: "symbol", name: this.word(found), ...this.spanOf(found) };
    let left = this.OR({
      ERR_MSG: "a constant",
      DEF: [
        { ALT: () => term(this.CONSUME(token.Integer)) },
        { ALT: () => term(this.CONSUME(token.Word)) },
        { ALT: () => term(this.CONSUME(token.Dotted)) },
        {
          ALT: (): ast.Expr => {
            const start = this.startOf(this.CONSUME(token.Minus));
            const operand = term(this.CONSUME2(token.Integer));
            return { kind: "unary", operator: "-", operand, start, end: operand.end };
          },
        },
      ],
    });
    this.OPTION(() => {
      const sign = this.OR2([{ ALT: () => this.CONSUME(token.Plus) }, { ALT: () => this.CONSUME2(token.Minus) }]);
      const right = this.OR3([
        { ALT: () => term(this.CONSUME3(token.Integer)) },
        { ALT: () => term(this.CONSUME2(token.Word)) },
      ]);
      const operator = sign.tokenType === token.Plus ? "+" : "-";
      left = { kind: "binary", operator, left, right, start: left.start, end: right.end };
    });
    return left;
  });

  /** `.alias a, f;`. */
  readonly alias = this.RULE("alias", (): ast.Alias => {
    const start = this.startOf(this.CONSUME(token.Alias));
    const alias = this.plain(this.CONSUME(token.Word));
    this.CONSUME(token.Comma);
    const aliasee = this.plain(this.CONSUME2(token.Word));
    return { kind: "alias", alias, aliasee, start, end: this.endOf(this.CONSUME(token.Semicolon)) };
  });

  /** At the text's end, or before what can only begin another item. */
  private startsItem(): boolean {
    const { tokenType, startOffset } = this.LA(1);
    return Number.isNaN(startOffset) || ITEM_STARTS.has(tokenType) || tokenType === token.Space;
  }

  private recoverItem(thrown: unknown, first: IToken): void {
    const { diagnostic, resume } = this.explained(thrown, first);
    this.report(diagnostic);
    if (resume !== "here") this.skipItem(this.LA(1) === first);
  }

  /** Reports a token that starts no item and continues at the next that does; false at the end. */
  private unexpectedItem(): boolean {
    if (this.RECORDING_PHASE) return false;
    const next = this.LA(1);
    if (Number.isNaN(next.startOffset)) return false;
    if (this.#openBodies > 0) this.#openBodies--;
    else this.report(this.explainItem(next));
    // A lone `;` or `}` is the complete error; a statement at module scope is usually followed by
    // others.
    if (next.tokenType === token.Semicolon || next.tokenType === token.CloseBrace) this.SKIP_TOKEN();
    else this.skipItem(true);
    return true;
  }

  private explainItem(next: IToken): ReturnType<typeof this.error> {
    const span = this.spanOf(next);
    if (next.tokenType === token.CloseBrace)
      return this.error("PTX1105", "this `}` closes nothing", span, "a directive");
    if (next.tokenType === token.Word && keywords.has(`.${next.image}`))
      return this.error("PTX1108", `\`${next.image}\` is missing its dot`, span, `\`.${next.image}\``, [
        { message: "add the dot", replace: { span: { start: span.start, end: span.start }, text: "." } },
      ]);
    if (next.tokenType === token.Body && !this.#stated)
      return {
        ...this.error("PTX9016", "a body without a head is ignored", { start: span.start, end: span.start + 1 }),
        severity: "note",
        help: [{ message: "Compiler Explorer hides `.entry k()` with its filter of directives: untick it to run k" }],
      };
    if (next.tokenType === token.Body)
      return this.error("PTX1101", "a block outside of a function", span, "a directive", [
        { message: "a `;` before it ends the head of the function: remove that" },
      ]);
    if (next.tokenType === token.Word || next.tokenType === token.At)
      return this.error("PTX1101", `unexpected \`${next.image}\` outside of a function`, span, "a directive");
    return this.explainStart(next);
  }

  /** Skips past a `;` or a body, or to a directive that can only start an item. */
  private skipItem(atLeastOne: boolean): void {
    let must = atLeastOne;
    const statements = this.LA(1).tokenType === token.Word || this.LA(1).tokenType === token.At;
    for (;;) {
      const { tokenType, startOffset } = this.LA(1);
      if (Number.isNaN(startOffset) || (!must && ITEM_STARTS.has(tokenType))) return;
      this.SKIP_TOKEN();
      must = false;
      if (tokenType === token.Body || (tokenType === token.Semicolon && !statements)) return;
    }
  }
}

/** What a text of an intermediate language stands in (PTX ISA 11.5.6): words, `"` for a name and `0` for a number. */
const CODE_BLOCK = [".code_block", "{", ".ir_name", ":", '"', ".sourceFileName", ":", "0", ".source_begin", ".source_end", "}"]; // biome-ignore format: one line

const fits = (found: IToken | undefined, wanted: string): boolean => {
  if (wanted === '"') return found?.tokenType === token.Text;
  return wanted === "0" ? found?.tokenType === token.Integer : found?.image === wanted;
};

const ITEM_STARTS: ReadonlySet<IToken["tokenType"]> = new Set([
  token.Entry,
  token.Func,
  token.Linkage,
  token.Version,
  token.Target,
  token.AddressSize,
  token.File,
  token.Section,
  token.Sources,
  token.Alias,
]);
