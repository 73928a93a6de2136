import type { Plan } from "../interp/plan.ts";
import type { Instruction, Operand, Register } from "../interp/program.ts";
import type * as ast from "../parser/ast.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";
import type { Frame } from "./frame.ts";
import type { Header } from "./header.ts";
import { readTarget } from "./header.ts";
import { resolveInstruction } from "./instruction.ts";
import { type Layout, symbolOf } from "./layout.ts";
import { nearest } from "./nearest.ts";
import { type Report, reject } from "./report.ts";
import type { Arch, Symbol as Named, RegisterSymbol, Scope } from "./scope.ts";
import { Slots } from "./slots.ts";
import type { FunctionEntry, ModuleSymbol } from "./symbols.ts";
import { checkUntabled } from "./untabled.ts";

/** A body's surroundings. */
export interface BodyInput {
  /** "" for a snippet. */
  readonly name: string;
  readonly source: Source;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly files: ReadonlyMap<number, string>;
  readonly body: ast.Block;
  readonly outermost: Frame;
  readonly layout: Layout;
  readonly parameterBytes: number;
  readonly report: Report;
}

const argumentGap = (opcode: string): Plan => ({ shape: "gap", form: `${opcode} of a call's argument` });

type Target = Operand & { kind: "target" };

/** Resolves the statements of one body in their order. `slots` and `code` are what it makes. */
export class Body implements Scope {
  readonly source: Source;
  readonly version: number;
  readonly target: Arch;
  readonly infers: boolean;
  readonly slots = new Slots();
  readonly code: Instruction[] = [];
  readonly #input: BodyInput;
  /** Where each label points, as soon as it is passed. */
  readonly #labels = new Map<Named, number>();
  /** Branches met before their label. */
  readonly #waiting: { readonly symbol: Named; readonly target: { pc: number } }[] = [];
  #frame: Frame;
  #at = 0;
  #location: Instruction["location"];
  readonly #seenLines = new Set<string>();

  constructor(input: BodyInput) {
    this.#input = input;
    this.source = input.source;
    this.version = input.header.version;
    this.target = input.header.target;
    this.infers = input.name === "";
    this.#frame = input.outermost;
  }

  /** Walks the body; afterwards every branch has its target. */
  resolve(): void {
    this.#block(this.#input.body, this.#input.outermost);
    this.#finish();
    for (const { symbol, target } of this.#waiting) target.pc = this.#labels.get(symbol) ?? this.code.length - 1;
  }

  lookup(name: string): Named | undefined {
    const own = this.#frame.find(name, this.#at);
    if (own) return own;
    const found = this.#input.names.get(name);
    // A body sees what stands before it; a function sees itself.
    if (!found || this.#start(found) >= this.#at) return undefined;
    if (found.kind === "function") return { kind: "function", name, span: found.span };
    return { ...symbolOf(found), offset: this.#input.layout.shared.get(name) };
  }

  *names(kind: Named["kind"]): Iterable<string> {
    yield* this.#frame.names(kind);
    for (const [name, symbol] of this.#input.names) if (symbol.kind === kind) yield name;
  }

  use(symbol: RegisterSymbol): Register {
    return this.slots.register(symbol);
  }

  constant(bits: bigint, width: 8 | 16 | 32 | 64 | 128): Operand & { kind: "slot" } {
    return this.slots.constant(bits, width);
  }

  truth(value: boolean): Operand & { kind: "predicate" } {
    return this.slots.truth(value);
  }

  addressOf(variable: string, offset: bigint, width: 32 | 64): Operand & { kind: "slot" } {
    return this.slots.address(variable, offset, width);
  }

  special(name: string, width: 16 | 32 | 64): Operand & { kind: "slot" } {
    return this.slots.special(name, width);
  }

  label(name: ast.Name): Target {
    const symbol = this.#frame.find(name.text, this.#at);
    if (symbol?.kind !== "label") throw new Error(`${name.text} is asked for as a label and is none`);
    const target = { kind: "target" as const, pc: this.#labels.get(symbol) ?? -1 };
    if (target.pc < 0) this.#waiting.push({ symbol, target });
    return target;
  }

  diagnose(diagnostic: Diagnostic): void {
    this.#input.report.diagnose(diagnostic);
  }

  #start(symbol: ModuleSymbol): number {
    return symbol.kind === "function" ? (symbol as FunctionEntry).first.start : symbol.span.start;
  }

  #block(block: ast.Block, frame: Frame): void {
    for (const statement of block.statements) {
      if (this.#input.report.full) return;
      this.#frame = frame;
      this.#at = statement.start;
      this.#statement(statement, frame);
    }
  }

  #statement(statement: ast.Statement, frame: Frame): void {
    switch (statement.kind) {
      case "block":
        this.#block(statement, this.#input.layout.frames.get(statement) ?? frame);
        break;
      case "label": {
        const symbol = frame.find(statement.name.text, this.#at + 1);
        // A second label of the same name is reported already and leads nowhere.
        if (symbol && symbol.span.start === statement.name.start) this.#labels.set(symbol, this.code.length);
        break;
      }
      case "instruction":
        this.#instruction(statement);
        break;
      case "loc":
        this.#locate(statement);
        break;
      case "branchtargets":
      case "calltargets":
        this.#targets(statement);
        break;
      case "target":
        // ptxas passes over it, and checks the name.
        readTarget(statement, this.version, true, this.#input.report);
        break;
      case "section":
        reject(this.#input.report, "PTX1419", statement, "debug data stands at module scope", {
          expected: "it outside functions",
        });
        break;
    }
  }

  #instruction(node: ast.Instruction): void {
    const made = resolveInstruction(node, this);
    if (!made) return;
    if (made.plan.shape === "gap") checkUntabled(node, this);
    const sound = this.#passesArguments(made) ? { ...made, plan: argumentGap(made.opcode), operands: [] } : made;
    this.code.push(this.#location ? { ...sound, location: this.#location } : sound);
  }

  /** `.param` variables of a body pass arguments of calls, and calls are a gap. */
  #passesArguments({ plan, operands }: Instruction): boolean {
    if ((plan.shape !== "load" && plan.shape !== "store") || plan.space !== "param") return false;
    const address = operands[plan.shape === "load" ? 1 : 0];
    if (address?.kind !== "address" || address.base) return false;
    const { parameterBytes, layout } = this.#input;
    return address.offset >= BigInt(parameterBytes) && address.offset < BigInt(layout.argumentEnd);
  }

  #locate({ file, line, column, inlinedAt, ...at }: ast.Location): void {
    const name = this.#input.files.get(file);
    this.#location = name === undefined ? undefined : { file: name, line, column };
    this.#seenLines.add(`${file}:${line}:${column}`);
    if (inlinedAt && !this.#seenLines.has(`${inlinedAt.file}:${inlinedAt.line}:${inlinedAt.column}`))
      reject(this.#input.report, "PTX1419", at, "inlined_at names a place that no .loc before it has", {
        expected: "an earlier .loc",
      });
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

  /** Falling off the end of a body ends the thread, as `exit` does; a label at the end needs something to point at. */
  #finish(): void {
    const last = this.code.at(-1);
    const ends = last !== undefined && !last.guard && (last.plan.shape === "exit" || last.plan.shape === "return");
    if (ends && ![...this.#labels.values()].includes(this.code.length)) return;
    const { end } = this.#input.body;
    this.code.push({
      plan: { shape: "exit" },
      operands: [],
      span: { start: Math.max(0, end - 1), end },
      opcode: "exit",
    });
  }
}
