import type * as ast from "../../parser/ast.ts";
import { evaluateInteger } from "../constant/constant.ts";
import type { Header } from "../module/header/header.ts";
import { duplicate } from "../module/names/functions.ts";
import { initialSymbols } from "../module/names/module-scope.ts";
import { namesIn } from "../module/names/names-in.ts";
import type { ModuleSymbol, VariableEntry } from "../module/names/symbols.ts";
import { overviewOf } from "../module/overview.ts";
import { type Report, reject } from "../report.ts";
import { BlockNames, labelSymbol, spanOf } from "./block-names.ts";
import { readAlign, readType, readVector } from "./declared-type.ts";
import { bitsOf, isRegisterType } from "./fundamental-types.ts";
import type { Symbol as Named, RegisterSymbol, VariableSymbol } from "./scope.ts";
import { readVariables } from "./variables.ts";
import type { LocalArea, Room, Windows } from "./windows.ts";

/** The declarations of a body, collected before its instructions are resolved. */
export interface BodyLayout {
  readonly namesByBlock: ReadonlyMap<ast.Block, BlockNames>;
  /** Variables in `.global` and `.const` declared inside the body, under names of their own. */
  readonly statics: readonly VariableEntry[];
}

export interface LayoutInput {
  /** The kernel's name, which prefixes its static variables; "" for a snippet. */
  readonly name: string;
  readonly body: ast.Block;
  /** Holds the parameters already; the body's own names are added to it. */
  readonly outermost: BlockNames;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly report: Report;
  readonly windows: Windows;
  /** Where the body's variables in local memory lie, and those in `.param`, which pass arguments of calls. */
  readonly local: LocalArea;
}

/** Enters every declaration and label of a body and places its variables in shared and local memory. */
export function layOut(input: LayoutInput): BodyLayout {
  const walk = new Walk(input);
  for (const symbol of sharedIn(input)) input.windows.shared(symbol);
  walk.block(input.body, input.outermost);
  return walk.done();
}

/** A kernel has only those shared variables of the module that it, or a function that it calls, refers to. */
function sharedIn({ names, body }: LayoutInput): readonly VariableEntry[] {
  const { shared } = overviewOf(names);
  if (shared.length === 0) return shared;
  const mentioned = namesIn(body);
  return shared.filter(({ name }) => mentioned.has(name));
}

class Walk {
  readonly #input: LayoutInput;
  readonly #namesByBlock = new Map<ast.Block, BlockNames>();
  readonly #statics = new Map<string, VariableEntry>();
  /** The memory for arguments that the current block uses. */
  #lent: Room[] = [];

  constructor(input: LayoutInput) {
    this.#input = input;
  }

  block(block: ast.Block, blockNames: BlockNames): void {
    this.#namesByBlock.set(block, blockNames);
    const { statements } = block;
    for (let index = 0; index < statements.length; index++) {
      const statement = statements[index] as ast.Statement;
      switch (statement.kind) {
        case "block":
          this.#inner(statement, blockNames);
          break;
        case "label":
          this.#enter(blockNames, labelSymbol(statement, statements[index + 1]), statement.name);
          break;
        case "declaration":
          if (statement.space.text === "reg") this.#registers(statement, blockNames);
          else this.#variables(statement, blockNames);
          break;
      }
    }
  }

  done(): BodyLayout {
    return { namesByBlock: this.#namesByBlock, statics: [...this.#statics.values()] };
  }

  /** Memory for a block's call arguments is free when the block ends. */
  #inner(block: ast.Block, blockNames: BlockNames): void {
    const { local } = this.#input;
    const before = this.#lent;
    this.#lent = [];
    this.block(block, new BlockNames(blockNames));
    for (const room of this.#lent) local.giveBack(room);
    this.#lent = before;
  }

  #enter(blockNames: BlockNames, symbol: Named, at: ast.Name): void {
    const first = blockNames.declare(symbol, at.text);
    if (first) duplicate(at, first, this.#input.report);
  }

  #registers(node: ast.Declaration, blockNames: BlockNames): void {
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
    for (const variable of node.variables) this.#register(variable, { type, elements }, blockNames);
  }

  #register(
    variable: ast.Variable,
    { type, elements }: Pick<RegisterSymbol, "type" | "elements">,
    blockNames: BlockNames,
  ): void {
    const { report } = this.#input;
    const { name, initial, dimensions, count: expr } = variable;
    if (initial) reject(report, "PTX1613", initial, "a register takes no initial value", { expected: "a mov" });
    if (dimensions.length > 0) {
      reject(report, "PTX1404", variable, "a register is not an array", { expected: `${name.text}<N>` });
      return;
    }
    const span = spanOf(variable);
    if (!expr) {
      this.#enter(blockNames, { kind: "register", name: name.text, type, elements, span }, name);
      return;
    }
    const count = evaluateInteger(expr, report);
    if (count === undefined) return;
    if (count >= 2n ** 32n) {
      reject(report, "PTX1407", expr, `${count} registers are too many`, { expected: "a count below 2^32" });
      return;
    }
    const first = blockNames.declareRange({ stem: name.text, count: Number(count), type, elements, span });
    if (first) duplicate(name, first, report);
  }

  #variables(node: ast.Declaration, blockNames: BlockNames): void {
    const { header, report } = this.#input;
    const find = initialSymbols(this.#input.names, report);
    readVariables(node, { scope: "block", header, report, find }, (variable, at) => {
      if (variable.space === "global" || variable.space === "const") this.#static(variable, at, blockNames);
      else {
        this.#enter(blockNames, { ...symbolOf(variable), ...this.#place(variable) }, { ...at, text: variable.name });
      }
    });
  }

  /** Static variables outlive the launch: they are the module's, under a name that no source can spell. */
  #static(variable: VariableEntry, at: ast.Name, blockNames: BlockNames): void {
    const plain = `${this.#input.name}.${variable.name}`;
    let name = plain;
    for (let other = 2; this.#statics.has(name); other++) name = `${plain}.${other}`;
    const renamed = { ...variable, name };
    this.#statics.set(name, renamed);
    const first = blockNames.declare({ ...symbolOf(renamed), offset: undefined }, variable.name);
    if (first) duplicate(at, first, this.#input.report);
  }

  /** Places a variable; only variables that pass arguments share memory with those of other blocks. */
  #place(variable: VariableEntry): Pick<VariableSymbol, "offset" | "framed" | "passes"> {
    const { local, windows } = this.#input;
    const { element, bytes, space } = variable;
    if (space === "shared") return { offset: windows.block(variable) };
    const framed = local.framed ? { framed: true as const } : {};
    if (space === "local") {
      const offset = local.place(bytes, element.align);
      if (!local.framed) windows.note(variable, offset);
      return { offset, ...framed };
    }
    const room = local.lend(bytes, element.align);
    this.#lent.push(room);
    return { offset: room.offset, passes: "argument", ...framed };
  }
}

/** A variable as an operand sees it; the caller fills in its offset. */
export function symbolOf({ name, space, element, bytes, contents, span }: VariableEntry): VariableSymbol {
  const { type, align } = element;
  const { functions } = contents;
  return { kind: "variable", name, space, type, bytes, align, offset: undefined, functions, span };
}
