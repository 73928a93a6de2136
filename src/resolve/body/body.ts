import type { Operand } from "../../interp/contract/operand.ts";
import { leaves } from "../../interp/contract/plan/effects.ts";
import type { FunctionCode, Instruction, Register } from "../../interp/contract/program.ts";
import { a, b, operation, plus, wrap } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import type { IntegerWidth } from "../../numeric/operation/type.ts";
import type * as ast from "../../parser/ast.ts";
import { type PlainBody, PlainInstruction } from "../../parser/plain/instruction.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { checkLoadingTime } from "../../source/loading.ts";
import type { Source, Span } from "../../source/source.ts";
import type { BlockNames } from "../declaration/block-names.ts";
import { type BodyLayout, symbolOf } from "../declaration/layout.ts";
import type { Callables, Symbol as Named, RegisterRange, RegisterSymbol, Scope } from "../declaration/scope.ts";
import type { Windows } from "../declaration/windows.ts";
import { resolveInstruction } from "../instruction/instruction.ts";
import { requireFeature } from "../module/header/feature.ts";
import type { Header } from "../module/header/header.ts";
import { readTarget } from "../module/header/header.ts";
import { checkPragma } from "../module/header/pragma.ts";
import type { Arch } from "../module/header/target.ts";
import { checkPrototype } from "../module/names/signature.ts";
import type { ModuleSymbol } from "../module/names/symbols.ts";
import { nearest } from "../nearest.ts";
import { Repeats } from "../repeat/repeat.ts";
import { type Report, reject } from "../report.ts";
import type { Slots } from "./slots.ts";

/** The context of a body. */
export interface BodyInput {
  /** "" for a snippet. */
  readonly name: string;
  readonly source: Source;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly files: ReadonlyMap<number, string>;
  readonly body: ast.Block;
  readonly outermost: BlockNames;
  readonly layout: BodyLayout;
  readonly windows: Windows;
  readonly callables: Callables;
  /** Registers that it does not declare are inferred from their uses. */
  readonly infers: boolean;
  /** For a device function. */
  readonly device: boolean;
  /** For a kernel with `.minperctamemory`. */
  readonly hasBlockMemory?: boolean;
  /** `ret` is implied at the end, in place of an exit. */
  readonly returns: boolean;
  /** Shared by all bodies of a program. */
  readonly slots: Slots;
  readonly code: Instruction[];
  readonly report: Report;
}

type TargetOperand = Operand & { kind: "target" };

/** Resolves the statements of one body in their order and appends them to the program's code. */
export class Body implements Scope {
  readonly source: Source;
  readonly version: number;
  readonly target: Arch;
  readonly independent: boolean;
  readonly infers: boolean;
  readonly filtered: boolean;
  readonly device: boolean;
  readonly hasBlockMemory: boolean;
  readonly callables: Callables;
  /** Slots that hold addresses in the frame of a recursive function, by offset. */
  readonly frameSlots: Map<string, FrameSlot> = new Map();
  current?: ast.Instruction;
  readonly code: Instruction[];
  readonly #slots: Slots;
  readonly #input: BodyInput;
  readonly #start: number;
  /** Where each label points, known once it has been passed. */
  readonly #labels = new Map<Named, number>();
  /** Branches that come before their label. */
  readonly #waiting: { readonly symbol: Named; readonly target: { pc: number } }[] = [];
  /** Lists and prototypes that have been passed. */
  readonly #lists = new Map<Named, ast.Targets | ast.CallPrototype>();
  #labelled: Named | undefined;
  #blockNames: BlockNames;
  #at = 0;
  #walked = 0;
  /** Number of diagnostics reported for instructions. */
  #said = 0;
  #repeats: Repeats | undefined;
  /** How often the meaning of names has changed. */
  #stamps = 1;
  #location: Instruction["location"];
  /** The statement before this one was a `.loc`. */
  #isLocated = false;
  /** The `.loc` lines since the last one that had `inlined_at`, and what those before it stand for. */
  readonly #lines: (readonly [ast.Location, Instruction["location"]])[] = [];
  readonly #seenLines = new Map<string, Instruction["location"]>();

  constructor(input: BodyInput) {
    this.#input = input;
    this.source = input.source;
    this.version = input.header.version;
    this.target = input.header.target;
    this.independent = input.header.texmode === "independent";
    this.infers = input.infers;
    this.filtered = input.header.assumed === true;
    this.device = input.device;
    this.hasBlockMemory = input.hasBlockMemory === true;
    this.callables = input.callables;
    this.code = input.code;
    this.#slots = input.slots;
    this.#start = input.code.length;
    this.#blockNames = input.outermost;
  }

  /** Walks the body; afterwards every branch has its target. */
  resolve(): void {
    this.#block(this.#input.body, this.#input.outermost);
    this.#finish();
    for (const { symbol, target } of this.#waiting) target.pc = this.#labels.get(symbol) ?? this.code.length - 1;
  }

  /** The labels before instructions, in their order. */
  get labels(): readonly { readonly name: string; readonly pc: number }[] {
    return [...this.#labels].filter(([{ kind }]) => kind === "label").map(([{ name }, pc]) => ({ name, pc }));
  }

  lookup(name: string): Named | undefined {
    const own = this.#blockNames.find(name, this.#at);
    if (own) return own;
    const found = this.#input.names.get(name);
    // A body sees what is declared before it; a function sees itself. A paste may have lost the earlier declarations.
    if (!found || (startOf(found) >= this.#at && !this.#input.header.assumed)) return undefined;
    if (found.kind === "function") return { kind: "function", name, span: found.span };
    return { ...symbolOf(found), offset: this.#input.windows.offsetOf(name) };
  }

  rangeOf(name: string): RegisterRange | undefined {
    return this.#blockNames.rangeOf(name);
  }

  declaredElsewhere(name: string): Span | undefined {
    for (const block of this.#input.layout.namesByBlock.values()) {
      const found = block.own(name);
      if (found !== undefined) return found.span;
    }
    return undefined;
  }

  *names(kind: Named["kind"]): Iterable<string> {
    yield* this.#blockNames.names(kind);
    for (const [name, symbol] of this.#input.names) if (symbol.kind === kind) yield name;
  }

  use(symbol: RegisterSymbol): Register {
    return this.#slots.register(symbol);
  }

  constant(bits: bigint, width: IntegerWidth | 128): Operand & { kind: "slot" } {
    return this.#slots.constant(bits, width);
  }

  truth(value: boolean): Operand & { kind: "predicate" } {
    return this.#slots.truth(value);
  }

  addressOf(variable: string, offset: bigint, width: 32 | 64): Operand & { kind: "slot" } {
    return this.#slots.address(variable, offset, width);
  }

  special(name: string, width: 16 | 32 | 64): Operand & { kind: "slot" } {
    return this.#slots.special(name, width);
  }

  label(name: ast.Name): TargetOperand {
    const symbol = this.#blockNames.find(name.text, this.#at);
    if (symbol?.kind !== "label") throw new Error(`${name.text} is used as a label and is not one`);
    const target = { kind: "target" as const, pc: this.#labels.get(symbol) ?? -1 };
    if (target.pc < 0) this.#waiting.push({ symbol, target });
    return target;
  }

  listAt(name: ast.Name): ast.Targets | ast.CallPrototype | undefined {
    const symbol = this.#blockNames.find(name.text, this.#at);
    return symbol && this.#lists.get(symbol);
  }

  inFrame(offset: number, width: 32 | 64): Operand & { kind: "slot" } {
    const bank = width === 64 ? "q" : "r";
    const known = this.frameSlots.get(`${bank}${offset}`);
    const slot = known?.slot ?? this.#slots.spare(bank);
    if (!known) this.frameSlots.set(`${bank}${offset}`, { bank, slot, offset });
    return { kind: "slot", bank, slot, bits: width };
  }

  sum(register: Operand & { kind: "slot" }, offset: bigint, { start, end }: Span): Operand {
    const { bank, bits } = register;
    const width = bits === 8 || bits === 16 || bits === 32 ? bits : 64;
    const to = { ...register, slot: this.#slots.spare(bank) };
    const plan = { shape: "compute", op: addition(width) } as const;
    const operands = [to, register, this.constant(offset, width)];
    const made = { plan, operands, span: { start, end }, opcode: `add.u${width}` };
    this.code.push(this.#location ? { ...made, location: this.#location } : made);
    return to;
  }

  diagnose(diagnostic: Diagnostic): void {
    this.#said++;
    this.#input.report.diagnose(diagnostic);
  }

  #block(block: ast.Block, blockNames: BlockNames): void {
    const { statements } = block;
    const { report } = this.#input;
    for (let each = 0; each < statements.length; each++) {
      if (report.full) return;
      const statement = statements[each] as ast.Statement;
      this.#blockNames = blockNames;
      this.#at = statement.start;
      if ((++this.#walked & 0xff) === 0) checkLoadingTime(this.#input.report.source, this.#at);
      this.#statement(statement, blockNames);
      this.#isLocated = statement.kind === "loc" && !statement.intermediate;
    }
  }

  #inner(block: ast.Block, blockNames: BlockNames): void {
    const facts = this.#repeats?.facts;
    const before = facts?.stamp ?? 1;
    if (facts) facts.stamp = ++this.#stamps;
    this.#block(block, blockNames);
    if (this.#repeats) this.#repeats.facts.stamp = facts ? before : ++this.#stamps;
  }

  #statement(statement: ast.Statement, blockNames: BlockNames): void {
    switch (statement.kind) {
      case "block":
        this.#inner(statement, this.#input.layout.namesByBlock.get(statement) ?? blockNames);
        break;
      case "declaration":
        if (this.#repeats) this.#repeats.facts.stamp = ++this.#stamps;
        break;
      case "label": {
        const symbol = blockNames.find(statement.name.text, this.#at + 1);
        // A second label of the same name is reported already and leads nowhere.
        if (symbol && symbol.span.start === statement.name.start) this.#labels.set(symbol, this.code.length);
        this.#labelled = symbol;
        break;
      }
      case "instruction":
        this.#instruction(statement);
        break;
      case "loc":
        if (statement.intermediate) this.#locateIntermediate(statement);
        else this.#locate(statement);
        break;
      case "branchtargets":
      case "calltargets":
        this.#targets(statement);
        this.#list(statement);
        break;
      case "callprototype":
        this.#list(statement);
        break;
      case "target":
        // ptxas ignores it, but checks the name.
        readTarget(statement, this.version, true, this.#input.report);
        break;
      case "pragma":
        checkPragma(statement, this.#input.device ? "function" : "kernel", this.#input.header, this.#input.report);
        break;
      case "section":
        reject(this.#input.report, "PTX1419", statement, "debug data belongs at module scope", {
          expected: "it outside functions",
        });
        break;
    }
  }

  #instruction(node: ast.Instruction): void {
    const repeats = node instanceof PlainInstruction ? this.#repeatsOf(node.body) : undefined;
    const again = repeats?.instruction(node as PlainInstruction, this.#location);
    if (again !== undefined) {
      this.code.push(again);
      return;
    }
    const before = this.#said;
    const made = resolveInstruction(node instanceof PlainInstruction ? node.tree : node, this);
    if (!made) return;
    repeats?.learn(node as PlainInstruction, made, this.#said === before);
    const { instruction } = made;
    this.code.push(this.#location ? { ...instruction, location: this.#location } : instruction);
  }

  #repeatsOf(body: PlainBody): Repeats {
    this.#repeats ??= new Repeats(this, body);
    return this.#repeats;
  }

  #list(statement: ast.Targets | ast.CallPrototype): void {
    const { header, report } = this.#input;
    requireFeature(`.${statement.kind}`, statement, header, report);
    if (statement.kind === "callprototype") checkPrototype(statement, header, report);
    if (this.#labelled) this.#lists.set(this.#labelled, statement);
  }

  #locate(node: ast.Location): void {
    const { file, line, column, inlinedAt } = node;
    const name = this.#input.files.get(file);
    for (const [each, stands] of inlinedAt === undefined ? [] : this.#lines.splice(0))
      this.#seenLines.set(locationText(each), stands);
    const call = inlinedAt && this.#seenLines.get(locationText(inlinedAt));
    const outermost = call?.inlinedAt ?? call;
    this.#location =
      name === undefined ? undefined : { file: name, line, column, ...(outermost && { inlinedAt: outermost }) };
    if (Math.max(file, line, column) > 0xffff_ffff)
      reject(this.#input.report, "PTX1419", node, "numbers in .loc have 32 bits", { expected: "at most 4294967295" });
    this.#lines.push([node, this.#location]);
    if (inlinedAt === undefined || this.#seenLines.has(locationText(inlinedAt))) return;
    reject(this.#input.report, "PTX1419", node, "inlined_at names a place that no earlier .loc has", {
      expected: "an earlier .loc",
    });
  }

  /** Only debuggers read it; what it stands for is at the `.loc` before it. */
  #locateIntermediate(node: ast.Location): void {
    const { header, files, report } = this.#input;
    requireFeature(".loc_intermediate", node, header, report);
    if (!this.#isLocated)
      reject(report, "PTX1419", node, "no .loc directly before it", { expected: "a .loc of the same instruction" });
    if (!files.has(node.file))
      reject(report, "PTX1419", node, `there is no .file ${node.file}`, { expected: "the index of a .file" });
  }

  #targets({ kind, names }: ast.Targets): void {
    for (const name of names) {
      const found = this.lookup(name.text);
      const wanted = kind === "branchtargets" ? "label" : "function";
      if (found?.kind === wanted) continue;
      const near = nearest(name.text, this.names(wanted));
      reject(this.#input.report, "PTX1416", name, `there is no ${wanted} ${name.text} here`, {
        ...(near && {
          help: [
            { message: `did you mean ${near}?`, replace: { span: { start: name.start, end: name.end }, text: near } },
          ],
        }),
      });
    }
  }

  /** Falling off the end of a body is a return; a label at the end needs something to point at. */
  #finish(): void {
    const last = this.code.length > this.#start ? this.code.at(-1) : undefined;
    if (last !== undefined && leaves(last) && ![...this.#labels.values()].includes(this.code.length)) return;
    const { end } = this.#input.body;
    const { returns } = this.#input;
    const opcode = returns ? "ret" : "exit";
    this.code.push({
      plan: { shape: returns ? "return" : "exit" },
      operands: [],
      span: { start: Math.max(0, end - 1), end },
      opcode,
    });
  }
}

const addition = (width: IntegerWidth): Operation =>
  operation({ a: `u${width}`, b: `u${width}` }, `u${width}`, wrap(`u${width}`, plus(a, b)));

const locationText = ({ file, line, column }: Pick<ast.Location, "file" | "line" | "column">): string =>
  `${file}:${line}:${column}`;

const startOf = (symbol: ModuleSymbol): number => (symbol.kind === "function" ? symbol.first.start : symbol.span.start);

/** A slot for an address in a frame. */
type FrameSlot = NonNullable<FunctionCode["recursive"]>["frameSlots"][number];
