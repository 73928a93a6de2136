import type { Placed } from "../interp/program.ts";
import type * as ast from "../parser/ast.ts";
import { evaluateInteger } from "./constant.ts";
import { readAlign, readType, readVector } from "./extent.ts";
import { Frame, labelSymbol, spanOf } from "./frame.ts";
import { duplicate } from "./functions.ts";
import type { Header } from "./header.ts";
import { namesIn } from "./mentions.ts";
import { initialSymbols } from "./module-scope.ts";
import { type Report, reject } from "./report.ts";
import type { Symbol as Named, RegisterSymbol } from "./scope.ts";
import type { ModuleSymbol, VariableEntry } from "./symbols.ts";
import { bitsOf, isRegisterType } from "./types.ts";
import { readVariables } from "./variables.ts";

/** What a body declares, before any of its instructions is looked at. */
export interface Layout {
  readonly frames: ReadonlyMap<ast.Block, Frame>;
  /** Variables of the module's shared memory that the body mentions, with their offsets. */
  readonly shared: ReadonlyMap<string, number>;
  readonly placed: readonly Placed[];
  readonly sharedBytes: number;
  readonly dynamicShared: number;
  readonly localBytes: number;
  /** Where the body's own `.param` variables end, which lie behind the kernel's parameters. */
  readonly argumentEnd: number;
  /** Variables in `.global` and `.const` declared inside the body, under names of their own. */
  readonly statics: readonly VariableEntry[];
}

export interface LayoutInput {
  /** Of the kernel, which its static variables carry; "" for a snippet. */
  readonly name: string;
  readonly body: ast.Block;
  /** Holds the parameters already; the body's own names are added to it. */
  readonly outermost: Frame;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly report: Report;
  /** Bytes of the kernel's own parameters; `.param` variables of the body, which pass arguments of calls, lie behind. */
  readonly parameterBytes: number;
}

/** Enters every declaration and label of a body and places its variables in shared and local memory. */
export function layOut(input: LayoutInput): Layout {
  const walk = new Walk(input);
  walk.moduleShared();
  walk.block(input.body, input.outermost);
  return walk.done();
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

class Walk {
  readonly #input: LayoutInput;
  readonly #frames = new Map<ast.Block, Frame>();
  readonly #placed: Placed[] = [];
  readonly #statics = new Map<string, VariableEntry>();
  readonly #shared = new Map<string, number>();
  /** Arrays of dynamic shared memory, which all begin where static shared memory ends. */
  readonly #dynamic: VariableEntry[] = [];
  #sharedBytes = 0;
  #localBytes = 0;
  #paramBytes: number;

  constructor(input: LayoutInput) {
    this.#input = input;
    this.#paramBytes = input.parameterBytes;
  }

  /** A kernel has only those shared variables of the module that it mentions. */
  moduleShared(): void {
    const { names, body } = this.#input;
    const shared = [...names.values()].filter((symbol) => symbol.kind === "variable" && symbol.space === "shared");
    if (shared.length === 0) return;
    const mentioned = namesIn(body);
    for (const symbol of shared)
      if (symbol.kind === "variable" && mentioned.has(symbol.name)) this.#shared.set(symbol.name, this.#place(symbol));
  }

  block(block: ast.Block, frame: Frame): void {
    this.#frames.set(block, frame);
    const { statements } = block;
    for (const [index, statement] of statements.entries())
      switch (statement.kind) {
        case "block":
          this.block(statement, new Frame(frame));
          break;
        case "label":
          this.#enter(frame, labelSymbol(statement, statements[index + 1]), statement.name);
          break;
        case "declaration":
          if (statement.space.text === "reg") this.#registers(statement, frame);
          else this.#variables(statement, frame);
          break;
      }
  }

  done(): Layout {
    const align = this.#dynamic.reduce((most, { element }) => Math.max(most, element.align), 1);
    const dynamicShared = roundUp(this.#sharedBytes, align);
    for (const { name, element, bytes } of this.#dynamic) {
      this.#shared.set(name, dynamicShared);
      this.#placed.push({ name, space: "shared", type: element.type, offset: dynamicShared, bytes });
    }
    return {
      frames: this.#frames,
      shared: this.#shared,
      placed: this.#placed,
      sharedBytes: this.#sharedBytes,
      dynamicShared,
      localBytes: this.#localBytes,
      argumentEnd: this.#paramBytes,
      statics: [...this.#statics.values()],
    };
  }

  #enter(frame: Frame, symbol: Named, at: ast.Name): void {
    const first = frame.declare(symbol, at.text);
    if (first) duplicate(at, first, this.#input.report);
  }

  #registers(node: ast.Declaration, frame: Frame): void {
    const { header, report } = this.#input;
    if (node.linkage) reject(report, "PTX1409", node.linkage, "a register has no linkage");
    readAlign(node.align, report);
    const type = readType(node.type, header, report);
    if (type === undefined) return;
    if (!isRegisterType(type)) {
      reject(report, "PTX1403", node.type, `a .${type} is not held in a register`, { expected: ".b64 for a handle" });
      return;
    }
    if (node.vector && type === "pred") {
      reject(report, "PTX1403", node.vector, "predicates make no vectors", { expected: "scalars: .reg .pred p<4>" });
      return;
    }
    const elements = readVector(node.vector, bitsOf(type) ?? 1, report);
    if (elements === undefined) return;
    for (const variable of node.variables) this.#register(variable, { type, elements }, frame);
  }

  #register(variable: ast.Variable, { type, elements }: Pick<RegisterSymbol, "type" | "elements">, frame: Frame): void {
    const { report } = this.#input;
    const { name, initial, dimensions, count: expr } = variable;
    if (initial) reject(report, "PTX1613", initial, "a register takes no initial value", { expected: "a mov" });
    if (dimensions.length > 0) {
      reject(report, "PTX1404", variable, "a register is not an array", { expected: `${name.text}<N>` });
      return;
    }
    const span = spanOf(variable);
    if (!expr) {
      this.#enter(frame, { kind: "register", name: name.text, type, elements, span }, name);
      return;
    }
    const count = evaluateInteger(expr, report);
    if (count === undefined) return;
    if (count >= 2n ** 32n) {
      reject(report, "PTX1407", expr, `${count} registers are too many`, { expected: "a count below 2^32" });
      return;
    }
    const first = frame.declareRange({ stem: name.text, count: Number(count), type, elements, span });
    if (first) duplicate(name, first, report);
  }

  #variables(node: ast.Declaration, frame: Frame): void {
    const { header, report } = this.#input;
    const find = initialSymbols(this.#input.names, report);
    readVariables(node, { scope: "block", header, report, find }, (variable, at) => {
      if (variable.space === "global" || variable.space === "const") this.#static(variable, at, frame);
      else {
        const offset = this.#place(variable);
        this.#enter(frame, { ...symbolOf(variable), offset }, { ...at, text: variable.name });
      }
    });
  }

  /** Static variables outlive the launch: they are the module's, under a name that no source can spell. */
  #static(variable: VariableEntry, at: ast.Name, frame: Frame): void {
    const plain = `${this.#input.name}.${variable.name}`;
    let name = plain;
    for (let other = 2; this.#statics.has(name); other++) name = `${plain}.${other}`;
    const renamed = { ...variable, name };
    this.#statics.set(name, renamed);
    const first = frame.declare({ ...symbolOf(renamed), offset: undefined }, variable.name);
    if (first) duplicate(at, first, this.#input.report);
  }

  /** Gives a variable its offset in its window; the blocks of a body do not share memory. */
  #place(variable: VariableEntry): number {
    const { name, space, element, bytes, linkage } = variable;
    const { align, type } = element;
    if (space === "shared" && linkage === "extern") {
      this.#dynamic.push(variable);
      return 0;
    }
    if (space === "shared" || space === "local") {
      const offset = roundUp(space === "shared" ? this.#sharedBytes : this.#localBytes, align);
      if (space === "shared") this.#sharedBytes = offset + bytes;
      else this.#localBytes = offset + bytes;
      this.#placed.push({ name, space, type, offset, bytes });
      return offset;
    }
    const offset = roundUp(this.#paramBytes, align);
    this.#paramBytes = offset + bytes;
    return offset;
  }
}

/** A variable as an operand sees it; its offset is filled in by whoever knows. */
export function symbolOf({ name, space, element, bytes, span }: VariableEntry): Extract<Named, { kind: "variable" }> {
  return { kind: "variable", name, space, type: element.type, bytes, offset: undefined, span };
}
