import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { types } from "../ast.ts";
import { aligns, firstSurface, firstVariable } from "./codes.ts";
import { marks } from "./layout.ts";
import { Sink } from "./sink.ts";
import { targets } from "./strings.ts";
import { type Declared, NumberedNames, Unwritable } from "./symbols.ts";
import { bytesOfInputCount, type ObjectVersion } from "./version.ts";
import { lifetimeOf, writeInstruction } from "./write-code.ts";

const encoder = new TextEncoder();

/** A kernel's object, and where in it the inputs begin. */
export interface KernelWritten {
  readonly bytes: Uint8Array;
  readonly inputs: number;
}

/** Writes kernels statement by statement; what cannot be written is added to `diagnostics`. */
export function writeKernel(
  kernel: ast.Kernel,
  source: Source,
  version: ObjectVersion,
  diagnostics: Diagnostic[],
): KernelWritten {
  const writer = new KernelWriter(kernel, source, diagnostics);
  writer.statements(kernel.statements);
  return writer.finish(kernel, version);
}

type Tabled = "variable" | ast.FlagDeclaration["kind"] | "label" | "input" | "attribute";

class KernelWriter {
  readonly #source: Source;
  readonly #diagnostics: Diagnostic[];
  readonly #strings = new Map<string, number>();
  readonly #code = new Sink();
  readonly #symbols: NumberedNames;
  readonly #tables: Readonly<Record<Tabled, { readonly bytes: Sink; count: number }>>;
  /** The name of the latest subroutine, and where its code begins. */
  #begun: string | undefined;
  /** What a function's object has in registers: its inputs, its results. */
  readonly #registers = new Map<string, number>();

  constructor({ name, statements }: ast.Kernel, source: Source, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#diagnostics = diagnostics;
    const table = () => ({ bytes: new Sink(), count: 0 });
    this.#tables = {
      variable: table(),
      address: table(),
      predicate: table(),
      label: table(),
      sampler: table(),
      surface: table(),
      input: table(),
      attribute: table(),
    };
    // String 0 is reserved for "no name" (manual 4, string pool).
    this.#string("");
    this.#string(name.text);
    const labels = new Map<string, number>();
    for (const label of labelsOf(statements))
      if (!labels.has(label.name.text)) labels.set(label.name.text, labels.size);
    this.#symbols = new NumberedNames(labels);
  }

  statements(statements: readonly ast.Statement[]): void {
    for (const statement of statements)
      try {
        this.#statement(statement);
      } catch (thrown) {
        if (!(thrown instanceof Unwritable)) throw thrown;
        const { code, message, span, expected } = thrown;
        const said = expected === undefined ? {} : { expected };
        this.#diagnostics.push({ code, severity: "error", message, source: this.#source, span, ...said });
      }
  }

  #statement(statement: ast.Statement): void {
    switch (statement.kind) {
      case "variable":
        this.#variable(statement);
        return;
      case "input":
        this.#input(statement);
        return;
      case "attribute":
        this.#kernelAttribute(statement);
        return;
      case "label":
      case "subroutine":
        this.#label(statement);
        return;
      case "scope":
        this.#symbols.enter();
        this.statements(statement.statements);
        this.#symbols.leave();
        return;
      case "remark":
        this.#remark(statement);
        return;
      case "instruction":
        writeInstruction(statement, this.#code, this.#symbols);
        return;
      default:
        this.#flag(statement);
    }
  }

  #variable(declaration: ast.VariableDeclaration): void {
    const { name, type, elements, align = "byte", alias, attributes } = declaration;
    // Looked up first, since an alias of the same name is one of the outer scope.
    const root = alias === undefined ? 0 : this.#symbols.find(alias.of, "variable").number;
    const offset = within(alias?.offset ?? 0, 0xffff, "offset of an alias", declaration);
    this.#symbols.declare(declaration);
    const out = this.#record("variable");
    out.u32(this.#string(name.text));
    out.u8(types.indexOf(type) | (aligns.indexOf(align) << 4));
    out.u16(within(elements, 0xffff, "number of elements", declaration));
    out.u32(root);
    out.u16(offset);
    out.u8(0);
    out.u8(within(attributes.length, 255, "number of attributes", declaration));
    for (const attribute of attributes) this.#attribute(attribute, out);
  }

  #flag(declaration: ast.FlagDeclaration): void {
    const { kind, name, elements, attributes } = declaration;
    this.#symbols.declare(declaration);
    const out = this.#record(kind);
    out.u32(this.#string(name.text));
    out.u16(within(elements, 0xffff, "number of elements", declaration));
    out.u8(within(attributes.length, 255, "number of attributes", declaration));
    for (const attribute of attributes) this.#attribute(attribute, out);
  }

  #input(input: ast.Input): void {
    const { kind, number, size } = this.#symbols.find(input.variable, "variable", "sampler", "surface");
    if (isPredefined(kind, number)) {
      const { text, span } = input.variable;
      throw new Unwritable("PTX8103", `${text} is predefined`, span, "a declared variable");
    }
    const offset = within(input.offset, 0xffff, "offset of an input", input);
    const bytes = within(input.size ?? size, 0xffff, "size of an input", input);
    const out = this.#record("input");
    out.u8(kind === "variable" ? 0 : kind === "sampler" ? 1 : 2);
    out.u32(number);
    out.u16(offset);
    out.u16(bytes);
  }

  #kernelAttribute(attribute: ast.Attribute): void {
    if (typeof attribute.value === "number") this.#registers.set(attribute.name.text, attribute.value);
    this.#attribute(attribute, this.#record("attribute"));
  }

  /** Name, size, value: a number takes 4 bytes, `Target` 1. */
  #attribute(attribute: ast.Attribute, out: Sink): void {
    const { name, value } = attribute;
    out.u32(this.#string(name.text));
    if (value === undefined) {
      out.u8(0);
      return;
    }
    const isTarget = name.text === "Target";
    const target = isTarget ? (typeof value === "number" ? value : targets.indexOf(value)) : -1;
    // As text it would be read as a number, with another meaning.
    if (isTarget && target < 0)
      throw new Unwritable("PTX8521", `invalid Target ${value}`, attribute.span, `${targets.join(", ")}, or a number`);
    if (target >= 0) {
      out.u8(1);
      out.u8(within(target, 255, "Target", attribute));
    } else if (typeof value === "number") {
      out.u8(4);
      out.u32(within(value < 0 ? value + 2 ** 32 : value, 0xffff_ffff, "value of an attribute", attribute));
    } else {
      const bytes = encoder.encode(value);
      out.u8(within(bytes.length, 255, "length of an attribute", attribute));
      out.bytes(bytes);
    }
  }

  #label(statement: ast.Label | ast.Subroutine): void {
    const { name, kind, span } = statement;
    const number = this.#symbols.label(name);
    // A subroutine that begins with a label of its own name has one, as in text.
    if (kind === "label" && this.#begun === `${name.text} ${this.#code.length}`) return;
    if (number < this.#tables.label.count)
      throw new Unwritable("PTX8101", `label ${name.text} is declared twice`, span);
    within(number, 0xffff, "number of a label", statement);
    const out = this.#record("label");
    out.u32(this.#string(name.text));
    out.u8(kind === "subroutine" ? 1 : 0);
    out.u8(0);
    this.#code.u8(kind === "subroutine" ? marks.subroutine : marks.label);
    this.#code.u16(number);
    if (kind === "subroutine") this.#begun = `${name.text} ${this.#code.length}`;
  }

  #remark(remark: ast.Remark): void {
    switch (remark.about) {
      case "line": {
        const line = within(Number(remark.value), 0xffff_ffff, "line number", remark);
        this.#code.u8(marks.line);
        this.#code.u32(line);
        return;
      }
      case "file":
        this.#code.u8(marks.file);
        this.#code.u32(this.#string(String(remark.value)));
        return;
      case "forward declaration":
        return;
      default: {
        const { bits, number } = lifetimeOf(remark, this.#symbols);
        this.#code.u8(marks.lifetime);
        this.#code.u8(bits);
        this.#code.u32(number);
      }
    }
  }

  /** One more record of a table. */
  #record(kind: Tabled): Sink {
    const table = this.#tables[kind];
    table.count += 1;
    return table.bytes;
  }

  #string(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const number = this.#strings.size;
    this.#strings.set(text, number);
    return number;
  }

  finish({ kind, name }: ast.Kernel, version: ObjectVersion): KernelWritten {
    const out = new Sink();
    out.u32(this.#strings.size);
    for (const text of this.#strings.keys()) {
      out.bytes(encoder.encode(text));
      out.u8(0);
    }
    out.u32(this.#string(name.text));
    const table = (each: Tabled, bytesOfCount: 1 | 2 | 4) => {
      const { bytes, count } = this.#tables[each];
      out.unsigned(bytesOfCount, count);
      out.bytes(bytes.finish());
    };
    table("variable", 4);
    table("address", 2);
    table("predicate", 2);
    table("label", 2);
    table("sampler", 1);
    table("surface", 1);
    out.u8(0); // VME variables
    const inputs = out.length;
    if (kind === "kernel") table("input", bytesOfInputCount(version));
    out.u32(this.#code.length);
    const { bytes: attributes } = this.#tables.attribute;
    const sizes = kind === "function" ? ["ArgSize", "RetValSize"].map((each) => this.#registers.get(each) ?? 0) : [];
    // The code begins after this offset, the sizes of a function, and the attributes with their count.
    out.u32(out.length + 4 + sizes.length + 2 + attributes.length);
    for (const size of sizes) out.u8(size);
    table("attribute", 2);
    out.bytes(this.#code.finish());
    return { bytes: out.finish(), inputs };
  }
}

const isPredefined = (kind: Declared["kind"], number: number): boolean =>
  (kind === "variable" && number < firstVariable) || (kind === "surface" && number < firstSurface);

function within(value: number, largest: number, what: string, { span }: ast.Statement): number {
  if (Number.isInteger(value) && value >= 0 && value <= largest) return value;
  throw new Unwritable("PTX8521", `a ${what} of ${value}`, span, `0 to ${largest}`);
}

function* labelsOf(statements: readonly ast.Statement[]): Iterable<ast.Label | ast.Subroutine> {
  for (const statement of statements)
    if (statement.kind === "label" || statement.kind === "subroutine") yield statement;
    else if (statement.kind === "scope") yield* labelsOf(statement.statements);
}
