import type * as ast from "../ast.ts";
import { askedBy, type Form, type OperandKind, type Product, type SyntaxOperand } from "../isa/define.ts";
import { arithmetic } from "../isa/types.ts";
import { factsOf, isFloat, isInteger } from "../type.ts";
import type { Platform } from "./platform.ts";
import type { Report } from "./report.ts";
import type { Symbols } from "./symbols.ts";

/** Rules of one instruction (S/IsaVerification.cpp, as measured); what it finds goes to the report. */
export class Verifier {
  readonly #report: Report;
  readonly #platform: Platform;
  readonly #symbols: Symbols;

  constructor(report: Report, platform: Platform, symbols: Symbols) {
    this.#report = report;
    this.#platform = platform;
    this.#symbols = symbols;
  }

  /** True when the instruction can be executed. */
  instruction(instruction: ast.Instruction, form: Form): boolean {
    const before = this.#report.diagnostics.filter(({ severity }) => severity === "error").length;
    const { execution, predicate, opcode, operands, span } = instruction;
    this.#modifiers(instruction, form);
    const product = form.product?.(instruction);
    if (typeof product === "object") this.#sums(instruction, product);
    const whole = form.whole === true;
    if (whole && execution !== undefined)
      this.#report.error("PTX8204", `${opcode.text} has no channels`, execution.span, opcode.text);
    else if (execution === undefined && !whole)
      this.#report.error("PTX8204", `${opcode.text} without channels`, opcode.span, "(M1, 8)");
    else if (execution !== undefined) this.execution(execution);
    if (predicate !== undefined) this.predicate(predicate, form.predicable ? undefined : opcode);
    const least = form.operands.length - (form.optional ?? 0);
    if (operands.length > form.operands.length || operands.length < least) {
      const expected = form.operands.map(({ name }) => `<${name}>`).join(" ") || "none";
      this.#report.error(
        "PTX8202",
        `${opcode.text} has ${least === form.operands.length ? "" : `${least} to `}${form.operands.length} operands, not ${operands.length}`,
        span,
        expected,
      );
      return false;
    }
    const types = operands.map((operand, at) => this.#operand(operand, form, at, execution?.size ?? 1));
    const elements = types.filter((type) => type !== undefined);
    if (this.#errors() === before && elements.length > 0) {
      const sat = instruction.modifiers.find(({ text }) => text === "sat");
      if (sat !== undefined && form.saturatesFloats && elements.some(isInteger))
        this.#report.error("PTX8201", `${form.mnemonic} of integers does not saturate`, sat.span);
      const wrong = form.types(elements);
      if (wrong !== undefined)
        this.#report.error(
          "PTX8203",
          wrong,
          span,
          form.types === arithmetic ? "integers alone, df alone, or f with hf or bf" : undefined,
        );
      else if (elements.includes("hf") && elements.includes("f") && form.mnemonic !== "mov")
        this.#report.warning("PTX8303", "hf and f in one instruction", span);
      this.#doubtful(instruction, types);
    }
    return this.#errors() === before;
  }

  /** Forms that platforms, or the manual and Intel's tools, treat differently. */
  #doubtful({ predicate, execution, operands }: ast.Instruction, types: readonly (ast.Type | undefined)[]): void {
    const size = execution?.size ?? 1;
    const found = predicate && this.#symbols.find(predicate.name.text);
    if (predicate?.combine !== undefined && found?.kind === "predicate" && found.elements !== size) {
      const message = `.${predicate.combine} of ${size} channels, and ${predicate.name.text} has ${found.elements}`;
      this.#report.warning("PTX8309", message, predicate.name.span, `a predicate of ${size} elements`);
    }
    const [to] = types;
    for (const [at, operand] of operands.entries()) {
      const type = types[at];
      if (operand.kind === "immediate" && elementsIn(operand.type) < size)
        this.#report.warning(
          "PTX8308",
          `${operand.type} packs ${elementsIn(operand.type)} elements, and there are ${size} channels`,
          operand.span,
        );
      if (
        at === 0 ||
        type === undefined ||
        to === undefined ||
        !("modifier" in operand) ||
        operand.modifier === undefined
      )
        continue;
      if (isInteger(to) && isInteger(type) && factsOf(to).bits === 64 && factsOf(type).bits < 64)
        this.#report.warning("PTX8310", `a modifier of ${type} where the destination is ${to}`, operand.span);
    }
  }

  #errors(): number {
    return this.#report.diagnostics.filter(({ severity }) => severity === "error").length;
  }

  #modifiers(instruction: ast.Instruction, form: Form): void {
    const { modifiers, opcode } = instruction;
    const asked = askedBy(form, instruction);
    if (asked !== undefined) {
      if (typeof asked === "string") this.#report.error("PTX8201", asked, opcode.span, form.syntax);
      return;
    }
    let sat = 0;
    let relation = 0;
    for (const { text, span } of modifiers) {
      const good = text === "sat" ? form.saturates && ++sat === 1 : form.relations.includes(text) && ++relation === 1;
      if (!good) this.#report.error("PTX8201", `${opcode.text} takes no .${text} here`, span);
    }
  }

  /** A product of matrices has as many columns as a register has dwords, and its sums have one of a few types. */
  #sums({ opcode, execution, operands }: ast.Instruction, { sums }: Product): void {
    const columns = this.#platform.grf / 4;
    if (execution !== undefined && execution.size !== columns)
      this.#report.error("PTX8204", `${opcode.text} of ${execution.size} channels`, execution.span, `(M1, ${columns})`);
    for (const operand of operands.slice(0, 2)) {
      const found = operand.kind === "raw" ? this.#symbols.find(operand.variable.text) : undefined;
      if (found?.kind === "variable" && found.isNull === undefined && !sums.includes(found.type))
        this.#report.error("PTX8203", `${opcode.text} sums in ${found.type}`, operand.span, sums.join(" or "));
    }
  }

  execution({ group, size, span }: ast.Execution): void {
    if (![1, 2, 4, 8, 16, 32].includes(size)) {
      this.#report.error("PTX8204", `${size} channels`, span, "1, 2, 4, 8, 16 or 32");
      return;
    }
    const step = size <= 4 ? 1 : size / 4;
    if ((group - 1) % step !== 0 || 4 * (group - 1) + size > 32)
      this.#report.error(
        "PTX8204",
        `${size} channels cannot begin at channel ${4 * (group - 1)}`,
        span,
        "a mask at a multiple of the size",
      );
  }

  predicate({ name }: ast.Predicate, forbidden?: ast.Name): void {
    if (forbidden !== undefined) this.#report.error("PTX8202", `${forbidden.text} takes no predicate`, name.span);
    const found = this.#symbols.find(name.text);
    if (found === undefined)
      this.#report.error(
        "PTX8102",
        `there is no predicate ${name.text}`,
        name.span,
        this.#symbols.visible("predicate"),
      );
    else if (found.kind !== "predicate") this.#report.error("PTX8103", `${name.text} is not a predicate`, name.span);
  }

  /** Checks an operand and returns the type of its elements; undefined when it has none. */
  #operand(operand: ast.Operand, form: Form, at: number, size: number): ast.Type | undefined {
    const slot = form.operands[at];
    if (slot === undefined) return undefined;
    const kind = kindOf(operand);
    const allowed = kind !== undefined && slot.kinds.includes(kind);
    if (!allowed) {
      this.#report.error(
        "PTX8202",
        `${what(operand)} as <${slot.name}> of ${form.mnemonic}`,
        operand.span,
        slot.kinds.map((each) => names[each]).join(", "),
      );
      return undefined;
    }
    if ("modifier" in operand && operand.modifier !== undefined) this.#modifier(operand, form, slot);
    switch (operand.kind) {
      case "general":
        return this.#general(operand, slot, size);
      case "indirect":
        return this.#indirect(operand, slot, size);
      case "immediate":
        return this.#immediate(operand);
      case "predicate":
        this.predicate(operand);
        return undefined;
      case "address":
        return this.#address(operand.name, operand.element, operand.count, operand.span) && form.mnemonic === "mov"
          ? "ud"
          : undefined;
      case "address of": {
        this.#exists(operand.variable);
        return undefined;
      }
      case "surface":
        for (const part of operand.parts) this.#exists(part);
        return undefined;
      case "raw":
      case "matrix":
      case "block":
      case "data":
      case "memory": {
        this.#exists(operand.variable);
        return undefined;
      }
      case "state": {
        if (isPredefinedState(operand.name.text)) return undefined;
        const found = this.#symbols.find(operand.name.text);
        if (found === undefined)
          this.#report.error(
            "PTX8102",
            `there is no surface ${operand.name.text}`,
            operand.span,
            this.#symbols.visible("surface"),
          );
        else if (found.kind !== "surface" && found.kind !== "sampler")
          this.#report.error("PTX8103", `${operand.name.text} is not a surface or sampler`, operand.span);
        return "ud";
      }
      default:
        return undefined;
    }
  }

  #exists({ text, span }: ast.Name): void {
    if (this.#symbols.find(text)?.kind !== "variable")
      this.#report.error("PTX8102", `there is no variable ${text}`, span, this.#symbols.visible("variable"));
  }

  #modifier(operand: ast.Operand & { kind: "general" | "indirect" }, form: Form, slot: SyntaxOperand): void {
    const logic = operand.modifier === "not";
    if (slot.written) this.#report.error("PTX8206", "a destination takes no source modifier", operand.span);
    else if (form.modifiers === "none" || logic !== (form.modifiers === "logic"))
      this.#report.error("PTX8206", `${form.mnemonic} takes no such source modifier`, operand.span);
  }

  #general(operand: ast.Operand & { kind: "general" }, slot: SyntaxOperand, size: number): ast.Type | undefined {
    const { variable, region, row, column, span } = operand;
    const found = this.#symbols.find(variable.text);
    if (found === undefined) {
      this.#report.error(
        "PTX8102",
        `there is no variable ${variable.text}`,
        variable.span,
        this.#symbols.visible("variable"),
      );
      return undefined;
    }
    if (found.kind !== "variable") {
      this.#report.error("PTX8103", `${variable.text} is not a general variable`, variable.span);
      return undefined;
    }
    if (slot.written && !found.writable)
      this.#report.error("PTX8208", `${variable.text} cannot be written`, variable.span, "another destination");
    this.#region(region, slot, size, false, span);
    const bytes = factsOf(found.type).bits / 8;
    const rows = region.width ? Math.ceil(size / region.width) - 1 : 0;
    const columns = Math.min(region.width ?? size, size) - 1;
    const last = column + rows * (region.vertical ?? 0) + columns * region.horizontal;
    const end = found.offset + row * this.#platform.grf + (last + 1) * bytes;
    if (end > found.rootBytes && found.isNull === undefined)
      this.#report.warning(
        "PTX8304",
        `${variable.text} ends at byte ${found.rootBytes - found.offset}, and this reaches byte ${end - found.offset}`,
        span,
      );
    return found.type;
  }

  #indirect(operand: ast.Operand & { kind: "indirect" }, slot: SyntaxOperand, size: number): ast.Type {
    const { address, element, region, type, offset, span } = operand;
    this.#address(address, element, 1, span);
    this.#region(region, slot, size, true, span);
    const { kind } = factsOf(type);
    if (kind === "packed" || kind === "bool")
      this.#report.error("PTX8203", `elements of type ${type} do not lie in registers`, span);
    if (type === "bf" && !this.#platform.bf)
      this.#report.error("PTX8209", `${this.#platform.name} has no type bf`, span, "--platform DG2, PVC or XE2");
    if (offset < -512 || offset > 511) this.#report.warning("PTX8306", `an offset of ${offset}`, span, "-512 to 511");
    return type;
  }

  #address(name: ast.Name, element: number, count: number, span: ast.Operand["span"]): boolean {
    const found = this.#symbols.find(name.text);
    if (found?.kind === "address") {
      if (element < 0 || element + Math.max(count, 1) > found.elements)
        this.#report.warning("PTX8304", `${name.text} has ${found.elements} elements`, span);
      return true;
    }
    if (found === undefined) this.#report.error("PTX8102", `there is no address ${name.text}`, name.span);
    else this.#report.error("PTX8103", `${name.text} is not an address`, name.span);
    return false;
  }

  #region(
    { vertical, width, horizontal }: ast.Region,
    slot: SyntaxOperand,
    size: number,
    indirect: boolean,
    span: ast.Operand["span"],
  ): void {
    const wrong = (message: string, expected: string): void => this.#report.error("PTX8205", message, span, expected);
    if (slot.written) {
      if (width !== undefined) wrong("a destination with a source's region", "<1>, <2> or <4>");
      else if (![1, 2, 4].includes(horizontal)) wrong(`a stride of ${horizontal}`, "<1>, <2> or <4>");
      return;
    }
    if (vertical === undefined && !indirect) wrong("a source with a destination's region", "<v;w,h>");
    if (vertical !== undefined && ![0, 1, 2, 4, 8, 16, 32].includes(vertical))
      wrong(`a vertical stride of ${vertical}`, "0, 1, 2, 4, 8, 16 or 32");
    if (width !== undefined && (![1, 2, 4, 8, 16].includes(width) || width > size))
      wrong(`rows of ${width} elements`, `1, 2, 4, 8 or 16, at most ${size}`);
    if (![0, 1, 2, 4].includes(horizontal)) wrong(`a horizontal stride of ${horizontal}`, "0, 1, 2 or 4");
  }

  #immediate({ type, written, bits, span }: ast.Immediate): ast.Type {
    if (type === "vf" && !this.#platform.vf)
      this.#report.error("PTX8209", `${this.#platform.name} has no immediates of type vf`, span, "values of type f");
    if (written === undefined) return type;
    if (isFloat(type) && written !== 0n && magnitude(written) < 0x1_0000n)
      this.#report.warning(
        "PTX8301",
        `${written}:${type} is the bits 0x${bits.toString(16)}`,
        span,
        `${written}.0:${type}`,
      );
    if (isInteger(type)) {
      const width = factsOf(type).bits;
      // Intel's tools write what is negative with 32 bits, whatever its type.
      const dword = BigInt.asIntN(32, written);
      const extended = written === BigInt.asUintN(32, written) && dword === BigInt.asIntN(width, dword);
      const fits = extended || written === BigInt.asIntN(width, written) || written === BigInt.asUintN(width, written);
      if (!fits)
        this.#report.warning(
          "PTX8302",
          `${written} does not fit ${type}`,
          span,
          `0x${BigInt.asUintN(width, written).toString(16)}:${type}`,
        );
    }
    return type;
  }
}

/** Elements of a packed immediate; one that packs nothing has enough for all channels. */
const elementsIn = (type: ast.Type): number =>
  type === "vf" ? 4 : type === "v" || type === "uv" ? 8 : Number.POSITIVE_INFINITY;

/** Surfaces and samplers that need no declaration. */
const isPredefinedState = (name: string): boolean => /^(?:%slm|%bss|%scratch|T[0-5]|S31)$/.test(name);

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

const kindOf = ({ kind }: ast.Operand): OperandKind | undefined => {
  switch (kind) {
    case "general":
    case "indirect":
      return "elements";
    case "list":
      return undefined;
    default:
      return kind;
  }
};

const names: Readonly<Record<OperandKind, string>> = {
  elements: "X(0,0)<...>",
  immediate: "1:d",
  predicate: "P1",
  address: "A0(0)<1>",
  "address of": "&X",
  state: "T6(0)",
  raw: "X.0",
  data: "X:d32",
  memory: "flat[X]:a64",
  label: "a label",
  count: "2",
  matrix: "X(0,0)",
  block: "X:d16.16x8nn",
  surface: "flat[B,W,H,P,X,Y]",
};

function what(operand: ast.Operand): string {
  const kind = kindOf(operand);
  return kind === undefined
    ? "a list"
    : kind === "elements"
      ? "elements"
      : `${kind === "label" ? "a label" : names[kind]}`;
}
