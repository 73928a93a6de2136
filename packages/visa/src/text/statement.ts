import type { IToken } from "chevrotain";
import type * as ast from "../ast.ts";
import { type Known, spanOf } from "./expression.ts";
import { isType, nameOf, OperandGrammar } from "./grammar.ts";
import type { Line } from "./lines.ts";
import { token } from "./tokens.ts";

/** The statement of one line; braces, `.version` and `.kernel` are handled where lines are assembled. */
export type LineStatement = Exclude<ast.Statement, ast.Scope> | ast.Version | KernelLine;
export type KernelLine = Pick<ast.Kernel, "kind" | "name">;

/** Lines of a file: directives, labels and instructions (CISA.y). */
export class StatementGrammar extends OperandGrammar {
  constructor() {
    super();
    this.performSelfAnalysis();
  }

  /** The statement of a line; undefined when it does not follow the grammar; `errors` then says why. */
  parseLine(line: Line, known: Known): LineStatement | undefined {
    this.begin(line, known);
    const value = this.statement();
    return this.errors.length > 0 ? undefined : value;
  }

  readonly statement = this.RULE(
    "statement",
    (): LineStatement =>
      this.OR([
        { GATE: () => this.directive() === ".version", ALT: () => this.SUBRULE(this.version) },
        { GATE: () => kernels.has(this.directive()), ALT: () => this.SUBRULE(this.kernel) },
        { GATE: () => this.directive() === ".decl", ALT: () => this.SUBRULE(this.declaration) },
        { GATE: () => isInput(this.directive()), ALT: () => this.SUBRULE(this.inputLine) },
        { GATE: () => this.directive() === ".kernel_attr", ALT: () => this.SUBRULE(this.kernelAttribute) },
        { GATE: () => routines.has(this.directive()), ALT: () => this.SUBRULE(this.subroutine) },
        { GATE: () => remarks.has(this.directive()), ALT: () => this.SUBRULE(this.remark) },
        { ALT: () => this.SUBRULE(this.labelLine) },
        { GATE: () => notes.has(this.LA(1).image), ALT: () => this.SUBRULE(this.note) },
        { ALT: () => this.SUBRULE(this.instruction) },
      ]),
  );

  readonly version = this.RULE("version", (): ast.Version => {
    const first = this.CONSUME(token.dotted);
    const number = this.CONSUME(token.float);
    const [major = "0", minor = "0"] = number.image.split(".");
    return { major: Number(major), minor: Number.parseInt(minor, 10), span: this.since(first) };
  });

  readonly kernel = this.RULE("kernel", (): LineStatement => {
    const first = this.CONSUME(token.dotted);
    const name = this.SUBRULE(this.text);
    return { kind: first.image === ".kernel" ? "kernel" : "function", name };
  });

  readonly subroutine = this.RULE("subroutine", (): LineStatement => {
    const first = this.CONSUME(token.dotted);
    const name = this.SUBRULE(this.text);
    const span = this.since(first);
    if (first.image === ".funcdecl") return { kind: "remark", about: "forward declaration", value: name.text, span };
    return { kind: "subroutine", name, span };
  });

  readonly remark = this.RULE("remark", (): ast.Remark => {
    const first = this.CONSUME(token.dotted);
    const value = this.OR([
      { ALT: () => this.SUBRULE(this.text).text },
      { ALT: () => Number(this.CONSUME(token.integer).image) },
    ]);
    return { kind: "remark", about: first.image === ".loc" ? "line" : "file", value, span: this.since(first) };
  });

  readonly labelLine = this.RULE("labelLine", (): ast.Label => {
    const label = this.CONSUME(token.label);
    const span = spanOf(label);
    return { kind: "label", name: { text: label.image.slice(0, -1), span: { ...span, end: span.end - 1 } }, span };
  });

  readonly inputLine = this.RULE("inputLine", (): ast.Input => {
    const first = this.CONSUME(token.dotted);
    const variable = nameOf(this.CONSUME(token.word));
    const offset = this.OPTION(() => {
      this.CONSUME(token.offset);
      this.CONSUME(token.equals);
      return this.SUBRULE(this.expression);
    });
    const size = this.OPTION2(() => {
      this.CONSUME(token.size);
      this.CONSUME2(token.equals);
      return this.SUBRULE2(this.expression);
    });
    const span = this.since(first);
    return {
      kind: "input" as const,
      variable,
      offset: Number(offset ?? 0n),
      span,
      ...(first.image === ".input" ? {} : { implicit: first.image.slice(IMPLICIT.length) }),
      ...(size === undefined ? {} : { size: Number(size) }),
    };
  });

  readonly kernelAttribute = this.RULE("kernelAttribute", (): ast.Attribute => {
    const first = this.CONSUME(token.dotted);
    return { ...this.SUBRULE(this.attribute), span: this.since(first) };
  });

  /** `Name`, `Name=`, `Name=5`, `Name="x"`. */
  readonly attribute = this.RULE("attribute", (): ast.Attribute => {
    const first = this.CONSUME(token.word);
    let value: number | string | undefined;
    this.OPTION(() => {
      this.CONSUME(token.equals);
      this.OPTION2(() => {
        value = this.OR([
          { ALT: () => this.CONSUME(token.string).image.slice(1, -1) },
          { ALT: () => Number(this.SUBRULE(this.expression)) },
        ]);
      });
    });
    const span = this.since(first);
    return { kind: "attribute", name: nameOf(first), ...(value === undefined ? {} : { value }), span };
  });

  readonly declaration = this.RULE("declaration", (): ast.Declaration => {
    const first = this.CONSUME(token.dotted);
    const name = nameOf(this.CONSUME(token.word));
    this.CONSUME(token.valueType);
    this.CONSUME(token.equals);
    const letter = this.CONSUME2(token.word);
    const type = this.OPTION(() => {
      this.CONSUME(token.elementType);
      this.CONSUME2(token.equals);
      return this.CONSUME3(token.word);
    });
    this.CONSUME(token.elements);
    this.CONSUME3(token.equals);
    const count = this.SUBRULE(this.expression);
    const align = this.OPTION2(() => {
      this.CONSUME(token.align);
      this.CONSUME4(token.equals);
      return this.SUBRULE(this.alignment);
    });
    const alias = this.OPTION3(() => this.SUBRULE(this.alias));
    const label = this.OPTION4(() => {
      this.CONSUME(token.valueName);
      this.CONSUME6(token.equals);
      return this.CONSUME4(token.word).image;
    });
    const attributes = this.OPTION5(() => this.SUBRULE(this.attributes)) ?? [];
    const span = this.since(first);
    if (this.RECORDING_PHASE) return { kind: "predicate", name, elements: 1, attributes, span };
    // Intel's parser and an object keep the count in 16 bits.
    const elements = Number(BigInt.asUintN(16, count));
    if (letter.image === "G") {
      const typed = type?.image.toLowerCase() ?? "";
      if (!isType(typed))
        this.mistake(
          "PTX8104",
          `${typed || "nothing"} is not a type of elements`,
          type ? spanOf(type) : span,
          "type=d, ud, w, uw, b, ub, q, uq, f, hf, bf or df",
        );
      if (label !== undefined) this.mistake("PTX8104", "a general variable has no v_name", span);
      return {
        kind: "variable" as const,
        name,
        type: typed as ast.Type,
        elements,
        attributes,
        span,
        ...(align === undefined ? {} : { align }),
        ...(alias === undefined ? {} : { alias }),
      };
    }
    const kind = kinds.get(letter.image);
    if (kind === undefined)
      this.mistake("PTX8104", `unknown kind of variable ${letter.image}`, spanOf(letter), "G, A, P, S or T");
    if (type !== undefined) this.mistake("PTX8104", `v_type=${letter.image} takes no type`, spanOf(type));
    if (align !== undefined) this.mistake("PTX8104", `v_type=${letter.image} takes no align`, span);
    if (alias !== undefined) this.mistake("PTX8104", `v_type=${letter.image} takes no alias`, span);
    return {
      kind: kind ?? "predicate",
      name,
      elements,
      attributes,
      span,
      ...(label === undefined ? {} : { label }),
    };
  });

  readonly alignment = this.RULE("alignment", (): ast.Align => {
    const words: IToken[] = [];
    this.OR([
      { ALT: () => words.push(this.CONSUME(token.word)) },
      {
        ALT: () => {
          words.push(this.CONSUME(token.integer));
          this.OPTION(() => words.push(this.CONSUME2(token.word)));
        },
      },
    ]);
    const [first] = words;
    if (this.RECORDING_PHASE || first === undefined) return "byte";
    const text = words.map(({ image }) => image).join("");
    const align = alignments.get(text);
    if (align === undefined)
      this.mistake("PTX8104", `invalid alignment ${text}`, this.since(first), "byte, word, dword, GRF ...");
    return align ?? "byte";
  });

  readonly alias = this.RULE("alias", (): { of: ast.Name; offset: number } => {
    this.CONSUME(token.alias);
    this.CONSUME(token.equals);
    this.CONSUME(token.less);
    const of = nameOf(this.SUBRULE(this.anyName));
    this.CONSUME(token.comma);
    const offset = Number(this.SUBRULE(this.expression));
    this.CONSUME(token.greater);
    return { of, offset };
  });

  readonly attributes = this.RULE("attributes", (): ast.Attribute[] => {
    const all: ast.Attribute[] = [];
    this.CONSUME(token.attributes);
    this.CONSUME(token.equals);
    this.CONSUME(token.openBrace);
    this.AT_LEAST_ONE_SEP({ SEP: token.comma, DEF: () => all.push(this.SUBRULE(this.attribute)) });
    this.CONSUME(token.closeBrace);
    return all;
  });

  readonly instruction = this.RULE("instruction", (): LineStatement => {
    const first = this.LA(1);
    const predicate = this.OPTION(() => this.SUBRULE(this.predicate));
    const mnemonic = this.CONSUME(token.word);
    this.ACTION(() => {
      this.bare = /^dpasw?$/i.test(mnemonic.image);
      this.counts = /^(?:i?fcall|raw_sendc?|urb_write_3d|media_(?:ld|st)|vme_ime)$/i.test(mnemonic.image);
      this.lists = /^(?:media_(?:ld|st)|vme_(?:ime|fbr)|switchjmp)$/i.test(mnemonic.image);
    });
    const modifiers: ast.Name[] = [];
    this.MANY(() => {
      const each = this.OR([
        { ALT: () => this.CONSUME(token.dotted) },
        { ALT: () => this.CONSUME(token.dotNumber) },
        { ALT: () => this.CONSUME(token.mode) },
      ]);
      this.ACTION(() => modifiers.push(...parts(each)));
    });
    const execution = this.OPTION2({
      GATE: () => !this.lists || (this.LA(3).tokenType === token.comma && this.LA(2).tokenType === token.word),
      DEF: () => this.SUBRULE(this.execution),
    });
    const operands: ast.Operand[] = [];
    this.MANY2(() => operands.push(this.SUBRULE(this.operand)));
    const span = this.since(first);
    if (this.RECORDING_PHASE) return { kind: "remark", about: "line", value: 0, span };
    const opcode = { text: mnemonic.image.toLowerCase(), span: spanOf(mnemonic) };
    return {
      kind: "instruction" as const,
      opcode,
      modifiers,
      operands,
      span,
      ...(predicate === undefined ? {} : { predicate }),
      ...(execution === undefined ? {} : { execution }),
    };
  });

  /** `LOC 5`, `FILE "x"`, `lifetime.start X`. */
  readonly note = this.RULE("note", (): ast.Remark => {
    const first = this.CONSUME(token.word);
    const dotted = this.OPTION(() => this.CONSUME(token.dotted));
    const value = this.OR([
      { ALT: () => this.SUBRULE(this.text).text },
      { ALT: () => Number(this.CONSUME(token.integer).image) },
    ]);
    const span = this.since(first);
    if (first.image === "LOC") return { kind: "remark", about: "line", value, span };
    if (first.image === "FILE") return { kind: "remark", about: "file", value, span };
    return { kind: "remark", about: dotted?.image === ".end" ? "lifetime.end" : "lifetime.start", value, span };
  });

  /** `(!P1.any)`. */
  readonly predicate = this.RULE("predicate", (): ast.Predicate => {
    this.CONSUME(token.openParenthesis);
    const not = this.OPTION(() => this.CONSUME(token.not));
    const name = nameOf(this.CONSUME(token.word));
    const dotted = this.OPTION2(() => this.CONSUME(token.dotted));
    this.CONSUME(token.closeParenthesis);
    if (this.RECORDING_PHASE) return { name, inverted: false };
    const combine = dotted?.image.slice(1);
    if (dotted !== undefined && combine !== "any" && combine !== "all")
      this.mistake("PTX8002", `${dotted.image} on a predicate`, spanOf(dotted), ".any or .all");
    return {
      name,
      inverted: not !== undefined,
      ...(combine === "any" || combine === "all" ? { combine } : {}),
    };
  });

  /** `(M3_NM, 8)`, `(8)`. */
  readonly execution = this.RULE("execution", (): ast.Execution => {
    const first = this.CONSUME(token.openParenthesis);
    const mask = this.OPTION(() => {
      const word = this.CONSUME(token.word);
      this.CONSUME(token.comma);
      return word;
    });
    const size = this.CONSUME(token.integer);
    this.CONSUME(token.closeParenthesis);
    const span = this.since(first);
    const [, group, noMask] = /^(?:M([1-8])(_NM)?|NoMask)$/.exec(mask?.image ?? "M1") ?? [];
    if (this.RECORDING_PHASE || mask === undefined) return { group: 1, noMask: false, size: Number(size.image), span };
    if (mask.image === "NoMask") return { group: 1, noMask: true, size: Number(size.image), span };
    if (group === undefined)
      this.mistake("PTX8204", `invalid execution mask ${mask.image}`, spanOf(mask), "M1 to M8, M1_NM to M8_NM");
    return {
      group: Number(group) as ast.Execution["group"],
      noMask: noMask !== undefined,
      size: Number(size.image),
      span,
    };
  });

  /** `"name"` or a word. */
  readonly text = this.RULE(
    "text",
    (): ast.Name =>
      this.OR([
        {
          ALT: () => {
            const { text, span } = nameOf(this.CONSUME(token.string));
            return { text: text.slice(1, -1), span };
          },
        },
        { ALT: () => nameOf(this.SUBRULE(this.anyName)) },
      ]),
  );

  private directive(): string {
    const { tokenType, image } = this.LA(1);
    return tokenType === token.dotted ? image : "";
  }
}

const IMPLICIT = ".implicit_";
const isInput = (directive: string): boolean => directive === ".input" || directive.startsWith(IMPLICIT);

const kernels: ReadonlySet<string> = new Set([".kernel", ".global_function"]);
const routines: ReadonlySet<string> = new Set([".function", ".funcdecl"]);
const notes: ReadonlySet<string> = new Set(["LOC", "FILE", "lifetime"]);
const remarks: ReadonlySet<string> = new Set([".loc", ".file"]);

const kinds: ReadonlyMap<string, ast.FlagDeclaration["kind"]> = new Map([
  ["P", "predicate"],
  ["A", "address"],
  ["S", "sampler"],
  ["T", "surface"],
]);

const alignments: ReadonlyMap<string, ast.Align> = new Map<string, ast.Align>([
  ...(["byte", "word", "dword", "qword", "oword", "hword", "GRF"] as const).map((each): [string, ast.Align] => [
    each,
    each,
  ]),
  ...([["GRFx2", "2GRF"], ["wordx32", "32word", "64"], ["wordx64", "64word", "128"]] as const).flatMap(
    ([name, ...others]) => [name, ...others].map((each): [string, ast.Align] => [each, name]),
  ),
  ...(["byte", "word", "dword", "qword", "oword", "hword"] as const).map((each, at): [string, ast.Align] => [
    String(2 ** at),
    each,
  ]),
]); // biome-ignore format: a table

/** `.sat.lt` as its words. */
function parts(each: IToken): ast.Name[] {
  const start = each.startOffset;
  return [...each.image.matchAll(/\.([^.]*)/g)].map(({ 1: text = "", index }) => ({
    text: text.toLowerCase(),
    span: { start: start + index, end: start + index + 1 + text.length },
  }));
}
