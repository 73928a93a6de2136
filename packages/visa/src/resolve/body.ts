import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import { leaves } from "../../../../src/interp/contract/plan/effects.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { FunctionCode, Instruction, Label } from "../../../../src/interp/contract/program.ts";
import { windows } from "../../../../src/interp/contract/window.ts";
import { argument, operation, plus, wrap } from "../../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type { Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import type { Form, Instance } from "../isa/define.ts";
import { alike, formOf, isKnown, meantBy } from "../isa/table.ts";
import { plainType } from "../isa/types.ts";
import { printInstruction } from "../text/print.ts";
import { bytesOfType, factsOf } from "../type.ts";
import { attributes } from "./attributes.ts";
import { Barriers } from "./barrier.ts";
import { Blocks } from "./block.ts";
import { combined } from "./combined.ts";
import { Frames } from "./frames.ts";
import type { StackFunctions } from "./functions.ts";
import { Images } from "./image.ts";
import { Products } from "./matrix.ts";
import { Messages } from "./message.ts";
import { packed } from "./packed.ts";
import type { Platform } from "./platform.ts";
import type { Report } from "./report.ts";
import type { Storage } from "./storage.ts";
import { strides } from "./strides.ts";
import { Subroutines } from "./subroutines.ts";
import { Surfaces } from "./surface.ts";
import type { Symbols } from "./symbols.ts";
import { Verifier } from "./verify.ts";
import { withLabels } from "./with-labels.ts";

/** The address of a function by its low word. */
const codeAddress = operation({ a: "u32" }, "u64", wrap("u64", plus(argument("a"), BigInt(windows.code) << 32n)));

type SlotOperand = Operand & { kind: "slot" };

/** Turns a kernel's statements into instructions, mostly one for one. Declarations come before what uses them. */
export class Body {
  readonly code: Instruction[] = [];
  readonly labels: Label[] = [];
  readonly #report: Report;
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  readonly #verifier: Verifier;
  readonly #surfaces: Surfaces;
  readonly #messages: Messages;
  readonly #images: Images;
  readonly #blocks: Blocks;
  readonly #products: Products;
  readonly #barriers: Barriers;
  readonly #targets = new Map<string, number>();
  /** Branches whose label may come later. */
  readonly #open: { readonly pc: number; readonly label: ast.Name }[] = [];
  readonly #subroutines = new Subroutines();
  readonly #functions: StackFunctions;
  readonly #frames: Frames;
  /** The function by the stack that is being read. */
  #within: string | undefined;
  /** In front of labels of a function, which others may have, too. */
  #scope = "";

  readonly #dispatch: number;
  /** The latest function. */
  #routine: string | undefined;
  #inSubroutine = false;

  /** `dispatch`: the predicate with the initial lanes of a thread. */
  constructor(
    report: Report,
    platform: Platform,
    storage: Storage,
    symbols: Symbols,
    dispatch: number,
    functions: StackFunctions,
  ) {
    this.#dispatch = dispatch;
    this.#functions = functions;
    this.#report = report;
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
    this.#verifier = new Verifier(report, platform, symbols);
    this.#surfaces = new Surfaces(storage, symbols);
    this.#messages = new Messages(platform, storage, symbols, this.#surfaces);
    this.#images = new Images(platform, storage, symbols, this.#surfaces);
    this.#frames = new Frames(storage, symbols, dispatch);
    this.#blocks = new Blocks(platform, storage, symbols);
    this.#products = new Products(platform, storage, symbols);
    this.#barriers = new Barriers(platform, storage, symbols, dispatch);
  }

  statements(statements: readonly ast.Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  /** Ends the kernel, adds the functions that it calls by the stack, and fills in the targets of branches. */
  finish(end: Span): void {
    const last = this.code.at(-1);
    if (last === undefined || !leaves(last) || this.#targets.size > 0)
      this.code.push({ plan: { shape: "exit" }, operands: [], span: end, opcode: "ret" });
    for (const { text } of this.#subroutines.called) {
      const found = this.#functions.find(text);
      if (found !== undefined) this.#function(found);
    }
    for (const { pc, label } of this.#open) {
      const target = this.#targets.get(label.text);
      const branch = this.code[pc];
      if (target === undefined)
        this.#report.error("PTX8102", `there is no label ${label.text.replace(/^.*:/, "")}`, label.span);
      else if (branch !== undefined) this.code[pc] = { ...branch, operands: [{ kind: "target", pc: target }] };
    }
    for (const { text, span } of this.#subroutines.called)
      if (!this.#targets.has(text)) this.#report.error("PTX8102", `there is no subroutine ${text}`, span);
  }

  /** A function with variables and labels of its own. Those that it calls are called, too, from now on. */
  #function({ name, statements }: ast.Kernel): void {
    this.#targets.set(name.text, this.code.length);
    this.labels.push({ name: name.text, pc: this.code.length });
    this.#scope = `${name.text}:`;
    this.#within = name.text;
    this.#inSubroutine = true;
    this.#symbols.enter();
    this.#storage.within(name.text, () => this.statements(statements));
    this.#symbols.leave();
    this.#scope = "";
  }

  /** Whether a message goes to local memory. */
  get usesLocalMemory(): boolean {
    return this.#messages.local;
  }

  /** Variables with the handle of a surface. */
  get handles(): ReadonlySet<string> {
    return this.#surfaces.handles;
  }

  /** The subroutines that calls reach. */
  get functions(): readonly FunctionCode[] {
    return this.#subroutines.functions((name) => this.#targets.get(name) ?? 0);
  }

  #statement(statement: ast.Statement): void {
    switch (statement.kind) {
      case "variable":
      case "predicate":
      case "address":
      case "sampler":
      case "surface":
        this.#symbols.declare(statement);
        break;
      case "label":
      case "subroutine": {
        const name = `${this.#scope}${statement.name.text}`;
        // A function that begins with a label of its own name has one name, not two.
        if (
          statement.kind === "label" &&
          this.#routine === name &&
          this.#targets.get(this.#routine) === this.code.length
        )
          break;
        if (statement.kind === "subroutine") {
          this.#routine = name;
          this.#inSubroutine = this.code.length > 0;
        }
        if (this.#targets.has(name))
          this.#report.error("PTX8101", `label ${statement.name.text} is declared twice`, statement.name.span);
        this.#targets.set(name, this.code.length);
        this.labels.push({ name, pc: this.code.length });
        break;
      }
      case "scope":
        this.#symbols.enter();
        this.statements(statement.statements);
        this.#symbols.leave();
        break;
      case "input":
        this.#input(statement);
        break;
      case "attribute":
        if (!attributes.has(statement.name.text.toLowerCase()))
          this.#report.warning("PTX8305", `unknown attribute ${statement.name.text}`, statement.name.span);
        break;
      case "instruction":
        this.#instruction(statement);
    }
  }

  #input({ variable, size, span }: ast.Input): void {
    const found = this.#symbols.find(variable.text);
    if (found?.kind !== "variable") {
      this.#report.error(
        "PTX8102",
        `there is no variable ${variable.text}`,
        variable.span,
        this.#symbols.visible("variable"),
      );
      return;
    }
    const bytes = found.elements * bytesOfType(found.type);
    if (size !== undefined && size !== bytes)
      this.#report.error("PTX8106", `${variable.text} has ${bytes} bytes, not ${size}`, span, `size=${bytes}`);
  }

  #instruction(given: ast.Instruction): void {
    const { opcode, span } = given;
    const form = formOf(given);
    if (form === undefined) {
      if (isKnown(given)) this.#gap(given);
      else {
        const meant = meantBy(opcode.text);
        const others = meant === undefined ? alike(opcode.text) : undefined;
        this.#report.error("PTX8201", `unknown instruction ${opcode.text}`, opcode.span, others, meant);
      }
      return;
    }
    const instruction = withLabels(given, form);
    if (!this.#verifier.instruction(instruction, form)) return;
    const channels = this.#channels(instruction, form);
    const name = [opcode, ...given.modifiers].map(({ text }) => text).join(".");
    if (form.control === "signal" || form.control === "wait") {
      this.code.push(...this.#barriers.lines(instruction, form.control, name));
      return;
    }
    if (form.control === "address") {
      this.#addressOf(instruction);
      return;
    }
    const plan = this.#planOf(instruction, form, channels);
    if (plan === undefined) {
      this.#gap(given, form.control && nameIn(instruction));
      return;
    }
    const { before, after } = this.#kept(instruction, form, name);
    const through = form.control === "indirect call" ? [this.#callee(instruction, channels, name)] : [];
    this.code.push(
      ...before,
      ...through,
      { plan, operands: this.#operands(form, instruction), span, opcode: name },
      ...after,
    );
  }

  /** Loads the address that an indirect call goes through, the same for all channels. */
  #callee({ operands: [from], span }: ast.Instruction, channels: Channels, opcode: string): Instruction {
    const bits = (from && factsOf(this.#typeOf(from) ?? "uq").bits) === 32 ? 32 : 64;
    const slot = this.#storage.scratch(0, bits);
    const access = from && this.#access(from, slot, bits, channels.count);
    const widen: Inner = {
      plan: { shape: "compute", op: codeAddress },
      operands: [this.#storage.scratch(0, 64), slot],
    };
    const inner = bits === 32 ? [widen] : [];
    const plan: Plan = { shape: "channels", channels, loads: access ? [access] : [], inner, stores: [] };
    return { plan, operands: [], span, opcode };
  }

  /** What a function keeps while it calls one that may enter it again. */
  #kept({ operands: [target], span }: ast.Instruction, { control }: Form, opcode: string) {
    const direct = control === "stack call" && target?.kind === "label" ? [target.name] : [];
    const called = control === "indirect call" ? this.#functions.all : direct;
    const within = this.#within;
    return within !== undefined && called.some(({ text }) => this.#functions.mayReenter(within, text))
      ? this.#frames.around(span, opcode)
      : { before: [], after: [] };
  }

  #planOf(instruction: ast.Instruction, form: Form, channels: Channels): Plan | undefined {
    if (form.control === undefined && form.message !== undefined)
      return this.#messages.plan(instruction, form, channels);
    const image = form.image?.(instruction);
    if (typeof image === "object") return this.#images.plan(image, channels);
    const move = form.blocks?.(instruction);
    if (typeof move === "object") return this.#blocks.plan(instruction, move, channels);
    const product = form.product?.(instruction);
    if (typeof product === "object") return this.#products.plan(instruction, product, channels);
    return this.#control(instruction, form, channels) ?? this.#computing(instruction, form, channels);
  }

  /** The address of a symbol goes to an element, whatever channels are enabled. */
  #addressOf(line: ast.Instruction): void {
    const [symbol, to] = line.operands;
    const bits = to === undefined ? 64 : factsOf(this.#typeOf(to) ?? "uq").bits;
    const slot = this.#storage.scratch(0, bits);
    const access = to && this.#access(to, slot, bits, 1);
    const address = symbol?.kind === "label" ? this.#symbolAt(symbol, bits) : undefined;
    if (address === undefined || access === undefined) {
      this.#gap(line, address === undefined ? nameIn(line) : undefined);
      return;
    }
    const channels = { first: 0, count: 1, all: true, dispatch: this.#dispatch };
    const move: Inner = { plan: { shape: "move" }, operands: [slot, address] };
    this.code.push({
      plan: { shape: "channels", channels, loads: [], inner: [move], stores: [access] },
      operands: [],
      span: line.span,
      opcode: line.opcode.text,
    });
  }

  /** Of a function there is a short address, too. */
  #symbolAt({ name, quoted }: ast.Operand & { kind: "label" }, bits: number): Operand | undefined {
    if (this.#functions.find(name.text) !== undefined && bits >= 32)
      return this.#storage.value(bits as 32 | 64, this.#subroutines.addressOf(name));
    const found =
      this.#symbols.constants(name.text) ??
      (quoted ? { variable: this.#symbols.text(name.text), offset: 0 } : undefined);
    return found === undefined || bits !== 64 ? undefined : this.#storage.address(found.variable, found.offset);
  }

  /** Additional operands of control-flow plans; branch targets are filled in at the end. */
  #operands({ control }: Form, { operands: [target] }: ast.Instruction): Instruction["operands"] {
    if (control === "barrier") return [this.#storage.value(32, 0n)];
    if (control === "indirect call")
      return this.#subroutines.callThrough(this.#storage.scratch(0, 64), this.#functions.all);
    if (target?.kind !== "label") return [];
    if (control === "stack call") return this.#subroutines.call(target.name);
    return control === "call" ? this.#subroutines.call(this.#scoped(target.name)) : [];
  }

  /** A label as the function has it that the line is in. */
  #scoped = (name: ast.Name): ast.Name => ({ ...name, text: `${this.#scope}${name.text}` });

  /** `name`: what nothing defines, where the instruction would be executed else. */
  #gap(instruction: ast.Instruction, name?: string): void {
    const form = instruction.opcode.text;
    this.code.push({
      plan: { shape: "gap", form: printInstruction(instruction), ...(name === undefined ? {} : { lacks: name }) },
      operands: [],
      span: instruction.span,
      opcode: form,
    });
  }

  #control(instruction: ast.Instruction, form: Form, channels: Channels): Plan | undefined {
    const [target] = instruction.operands;
    switch (form.control) {
      case "jump":
      case "goto":
        if (target?.kind === "label") this.#open.push({ pc: this.code.length, label: this.#scoped(target.name) });
        // jmp is scalar, and so is a goto of one channel: the predicate decides for all, whatever the execution mask.
        return form.control === "jump" || channels.count === 1
          ? { shape: "branch", channels: { ...channels, all: true }, uniform: true }
          : { shape: "branch", channels };
      case "stack call":
        if (target?.kind !== "label" || this.#functions.find(target.name.text) === undefined) return undefined;
        return { shape: "call", channels };
      case "indirect call":
        return this.#functions.all.length === 0 ? undefined : { shape: "call", channels };
      case "call": {
        const uniform = channels.count === 1;
        return uniform ? { shape: "call", channels: { ...channels, all: true }, uniform } : { shape: "call", channels };
      }
      case "leave": {
        // All active channels leave together, whatever the size.
        const shape = this.#inSubroutine ? "return" : "exit";
        return channels.predicate === undefined ? { shape } : { shape, channels };
      }
      case "barrier":
        return { shape: "barrier", act: "sync", aligned: false };
      case "fence":
        return { shape: "nothing", why: "accesses are in order", fence: { sem: "acq_rel", scope: "gpu" } };
      default:
        return undefined;
    }
  }

  #computing(instruction: ast.Instruction, form: Form, channels: Channels): Plan | undefined {
    const { operands } = instruction;
    const written = form.operands.filter((each) => each.written).length;
    const instance = this.#instance(instruction, form, written, channels.first);
    const meaning = form.run?.(instance);
    if (meaning === undefined) return undefined;
    const loads: ElementAccess[] = [];
    const stores: ElementAccess[] = [];
    const values = operands.map((operand, at) => {
      const place = this.#operand(operand, at, channels.count, instance.types[at]);
      if (place.access !== undefined) (at < written ? stores : loads).push(place.access);
      return place.value;
    });
    const sources = values.slice(written);
    const behind = form.wide ? this.#behind(stores, channels.count) : undefined;
    if (behind !== undefined) stores.push(behind);
    const { combine } = instruction.predicate ?? {};
    const masks: { readonly predicate: number; readonly slot: SlotOperand }[] = [];
    const mask = (predicate: Operand): SlotOperand => {
      const slot = this.#storage.scratch(operands.length, 32);
      if (predicate.kind === "predicate") masks.push({ predicate: predicate.slot, slot });
      return slot;
    };
    if (meaning.extra === "predicate") {
      const selector = this.#selector(instruction);
      sources.push(combine === undefined ? selector : mask(selector));
    }
    if (meaning.extra === "lane") sources.push(this.#storage.lane());
    if (meaning.extra === "mask") sources[0] = mask(sources[0] ?? { kind: "sink" });
    const inner = (operations: readonly Operation[]): readonly Inner[] =>
      operations.map((each, at) => ({
        plan: {
          shape: "compute",
          op: combine !== undefined && meaning.extra === "predicate" ? combined(each, instruction, channels) : each,
        },
        operands: [at < written ? values[at] : behind?.slot, ...sources],
      }));
    const whole = { shape: "channels" as const, channels, loads, stores, ...(masks.length === 0 ? {} : { masks }) };
    if ("results" in meaning) return { ...whole, inner: inner(meaning.results) };
    const cr0 = this.#symbols.find("%cr0");
    if (cr0?.kind !== "variable") throw new Error("there is no %cr0");
    const { controlled } = meaning;
    return {
      ...whole,
      inner: (word) => inner(controlled(word)),
      control: this.#storage.address(cr0.root, cr0.offset),
    };
  }

  /** The second half of a wide destination: behind the registers of the first one. */
  #behind([first]: readonly ElementAccess[], count: number): ElementAccess | undefined {
    if (first === undefined) return undefined;
    const bytes = (first.cell.bits / 8) * count;
    const registers = Math.ceil(bytes / this.#platform.grf) * this.#platform.grf;
    return { ...first, slot: this.#storage.scratch(first.slot.slot + 8, 32), offset: first.offset + registers };
  }

  #channels({ execution, predicate }: ast.Instruction, form: Form): Channels {
    const { group = 1, noMask = false, size = 1 } = execution ?? {};
    const range = { first: 4 * (group - 1), count: size, all: noMask, dispatch: this.#dispatch };
    const found = predicate && this.#symbols.find(predicate.name.text);
    // sel's predicate selects and does not guard.
    if (predicate === undefined || found?.kind !== "predicate" || form.mnemonic === "sel") return range;
    const { inverted, combine } = predicate;
    return { ...range, predicate: { slot: found.slot, inverted, ...(combine === undefined ? {} : { combine }) } };
  }

  #selector({ predicate }: ast.Instruction): Operand {
    const found = predicate && this.#symbols.find(predicate.name.text);
    if (found?.kind !== "predicate") return { kind: "predicate", slot: this.#storage.always(), negated: false };
    return { kind: "predicate", slot: found.slot, negated: predicate?.inverted ?? false };
  }

  #instance({ operands, modifiers }: ast.Instruction, form: Form, written: number, first: number): Instance {
    const names = modifiers.map(({ text }) => text);
    return {
      types: operands.map((operand) => this.#typeOf(operand)),
      modifiers: operands.map((operand) => ("modifier" in operand ? operand.modifier : undefined)),
      sat: names.includes("sat"),
      relation: names.find((each) => form.relations.includes(each)) ?? "",
      immediate: operands.slice(written).map(({ kind }) => kind === "immediate"),
      first,
    };
  }

  #typeOf(operand: ast.Operand): ast.Type | undefined {
    switch (operand.kind) {
      case "general": {
        const found = this.#symbols.find(operand.variable.text);
        return found?.kind === "variable" ? found.type : undefined;
      }
      case "indirect":
      case "immediate":
        return operand.type;
      case "address":
      case "address of":
      case "state":
        return "ud";
      default:
        return undefined;
    }
  }

  /** The slots of an operand's values while the instruction computes, and the moves before or after. */
  #operand(
    operand: ast.Operand,
    at: number,
    count: number,
    type: ast.Type | undefined,
  ): { readonly value: Operand; readonly access?: ElementAccess } {
    if (operand.kind === "predicate") {
      const found = this.#symbols.find(operand.name.text);
      const slot = found?.kind === "predicate" ? found.slot : 0;
      return { value: { kind: "predicate", slot, negated: operand.inverted } };
    }
    if (operand.kind === "immediate") return this.#immediate(operand, at, count);
    const bits = type === undefined ? 32 : factsOf(type).bits;
    const slot = this.#storage.scratch(at, bits);
    const access = this.#access(operand, slot, bits, count);
    if (access !== undefined) return { value: slot, access };
    if (operand.kind === "address of") {
      const found = this.#symbols.find(operand.variable.text);
      if (found?.kind === "variable")
        return { value: this.#storage.shortAddress(found.root, found.offset + operand.offset) };
    }
    // What is written to %null is discarded.
    return { value: at === 0 ? { kind: "sink" } : slot };
  }

  #access(operand: ast.Operand, slot: SlotOperand, bits: 8 | 16 | 32 | 64, count: number): ElementAccess | undefined {
    const size = bits / 8;
    const cell = { bits, signed: false };
    switch (operand.kind) {
      case "general": {
        const found = this.#symbols.find(operand.variable.text);
        if (found?.kind !== "variable" || found.isNull) return undefined;
        const base = this.#storage.address(found.root, found.offset);
        const offset = operand.row * this.#platform.grf + operand.column * size;
        return { slot, cell, base, offset, ...strides(operand.region, size, count) };
      }
      case "indirect": {
        const found = this.#symbols.find(operand.address.text);
        if (found?.kind !== "address") return undefined;
        const base = this.#storage.address(found.place, operand.element * 4);
        const rows = operand.region.vertical === undefined && operand.region.width !== undefined;
        return {
          slot,
          cell,
          base,
          pointers: rows ? "rows" : "one",
          offset: operand.offset,
          ...strides(operand.region, size, count),
        };
      }
      case "address": {
        const found = this.#symbols.find(operand.name.text);
        if (found?.kind !== "address") return undefined;
        const base = this.#storage.address(found.place, operand.element * 4);
        return { slot, cell, base, offset: 0, width: count, rowStride: 0, columnStride: 4 };
      }
      case "state": {
        const found = this.#symbols.find(operand.name.text);
        if (found?.kind !== "surface" && found?.kind !== "sampler") return undefined;
        const base = this.#storage.address(found.place, operand.element * 4);
        return { slot, cell, base, offset: 0, width: count, rowStride: 0, columnStride: 4 };
      }
      default:
        return undefined;
    }
  }

  #immediate(operand: ast.Immediate, at: number, count: number) {
    const type = plainType(operand.type);
    if (type === operand.type) return { value: this.#storage.value(factsOf(type).bits, operand.bits) };
    const size = bytesOfType(type);
    const slot = this.#storage.scratch(at, factsOf(type).bits);
    const base = this.#storage.address(this.#storage.pack(type, packed(operand)));
    const cell = { bits: factsOf(type).bits, signed: false };
    const access: ElementAccess = { slot, cell, base, offset: 0, width: count, rowStride: 0, columnStride: size };
    return { value: slot, access };
  }
}

/** What a line calls or names; of a call through an address, any function. */
const nameIn = ({ operands: [first] }: ast.Instruction): string =>
  first?.kind === "label" ? first.name.text : "a function that it could call";
