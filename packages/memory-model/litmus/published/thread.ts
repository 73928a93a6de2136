import type { Event, Placement, Thread, Trace } from "../../model/event.ts";
import type { Computation, Instruction, Operand, Test, Update } from "./instruction.ts";
import type { Memory } from "./memory.ts";

/** The result of a computation in the published format; registers have 64 bits and wrap. */
function computed(by: Computation, [a = 0n, b = 0n]: readonly bigint[]): bigint {
  switch (by) {
    case "mov":
      return a;
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "min":
      return a < b ? a : b;
    case "max":
      return a > b ? a : b;
  }
}

/** The new value of an atomic operation (PTX ISA, atom); undefined where it writes nothing. */
function updated(update: Update, old: bigint, [a = 0n, b = 0n]: readonly bigint[]): bigint | undefined {
  switch (update) {
    case "exch":
      return a;
    case "cas":
      return old === BigInt.asUintN(64, a) ? b : undefined;
    case "inc":
      return old >= a ? 0n : old + 1n;
    case "dec":
      return old === 0n || old > a ? a : old - 1n;
    default:
      return computed(update, [old, a]);
  }
}

/** Whether a branch is taken. */
function taken(when: Test | "always", left: bigint, right: bigint): boolean {
  const a = BigInt.asIntN(64, left);
  const b = BigInt.asIntN(64, right);
  switch (when) {
    case "always":
      return true;
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "lt":
      return a < b;
    case "le":
      return a <= b;
    case "gt":
      return a > b;
    case "ge":
      return a >= b;
  }
}

/** A thread of the published format: its column, and its initial registers. */
export interface Column {
  readonly name: string;
  readonly placement: Placement;
  readonly instructions: readonly Instruction[];
  /** The position of each label: the number of the instruction after it. */
  readonly labels: ReadonlyMap<string, number>;
  readonly registers: ReadonlyMap<string, bigint>;
}

/** A value, and the reads that it depends on, as positions in the trace. */
interface Value {
  readonly value: bigint;
  readonly needs: readonly number[];
}

/** Most instructions of one run: a loop that reads nothing would never end. */
const mostSteps = 100_000;

/** The thread with this index, for the model; a loop runs at most `bound` iterations. */
export function threadOf(column: Column, index: number, memory: Memory, bound: number): Thread {
  const { name, placement, instructions, labels, registers } = column;
  const code = [instructions.map(({ text }) => text).join(";"), ...labels, ...registers].join();
  return { name, placement, code, run: (values) => new Run(column, index, memory, bound, values).trace() };
}

class Run {
  readonly #column: Column;
  readonly #index: number;
  readonly #memory: Memory;
  readonly #bound: number;
  readonly #values: readonly bigint[];
  readonly #events: Event[] = [];
  readonly #registers: Map<string, Value>;
  /** How often each backward branch was taken. */
  readonly #rounds = new Map<number, number>();
  /** Where the latest round of the loop of a backward branch began, and the registers there. */
  readonly #heads = new Map<number, { readonly position: number; readonly registers: string }>();
  #round: number | undefined;
  /** Reads that decided whether this instruction is reached. */
  #control: readonly number[] = [];
  /** Reads that decided what the events are. */
  readonly #used = new Set<number>();
  #reads = 0;
  #at = 0;

  constructor(column: Column, index: number, memory: Memory, bound: number, values: readonly bigint[]) {
    this.#column = column;
    this.#index = index;
    this.#memory = memory;
    this.#bound = bound;
    this.#values = values;
    this.#registers = new Map([...column.registers].map(([name, value]) => [name, { value, needs: [] }]));
  }

  trace(): Trace {
    const { instructions } = this.#column;
    for (let steps = 0; this.#at < instructions.length; steps++) {
      if (steps >= mostSteps) return this.#end("bound");
      const end = this.#step(instructions[this.#at++] as Instruction);
      if (end !== undefined) return this.#end(end);
    }
    return this.#end("done");
  }

  #end(end: Trace["end"]): Trace {
    const sourcesOf = (name: string): readonly number[] => this.#registers.get(name)?.needs ?? [];
    const round = this.#round === undefined ? {} : { round: this.#round };
    return { events: this.#events, end, registers: this.#held(), ...round, used: [...this.#used], sourcesOf };
  }

  #held(): Map<string, bigint> {
    return new Map([...this.#registers].map(([name, { value }]) => [name, value]));
  }

  /** Executes one instruction; returns how the run ends, if it ends there. */
  #step(instruction: Instruction): Trace["end"] | undefined {
    const { does, operands } = instruction;
    switch (does.kind) {
      case "nothing":
        return undefined;
      case "compute": {
        const [to, ...from] = operands;
        const inputs = from.map((each) => this.#value(each));
        const value = computed(
          does.by,
          inputs.map((each) => each.value),
        );
        this.#set(to, { value, needs: [...new Set(inputs.flatMap(({ needs }) => needs))] });
        return undefined;
      }
      case "branch":
        return this.#branch(instruction);
      case "fence": {
        const { semantics, scope } = does;
        this.#events.push({ ...this.#happening(instruction), kind: "fence", semantics, scope });
        return undefined;
      }
      case "proxy fence":
        this.#events.push({ ...this.#happening(instruction), kind: "proxy fence", proxy: does.proxy });
        return undefined;
      case "barrier": {
        const [id = 0n, count] = operands.map((each) => this.#use(this.#value(each)).value);
        const how = {
          of: does.of,
          does: does.does,
          id: Number(id),
          ...(does.relaxed ? { relaxed: true as const } : {}),
        };
        const counted = count === undefined ? {} : { count: Number(count) };
        const registers = this.#held();
        this.#events.push({ ...this.#happening(instruction), kind: "barrier", ...how, ...counted, registers });
        return undefined;
      }
      default:
        return this.#access(instruction);
    }
  }

  #branch({ does, operands }: Instruction): Trace["end"] | undefined {
    if (does.kind !== "branch") return undefined;
    const label = operands.at(-1)?.text ?? "";
    const [left, right] = operands.slice(0, -1).map((each) => this.#use(this.#value(each)));
    if (left && right) this.#control = [...new Set([...this.#control, ...left.needs, ...right.needs])];
    if (!taken(does.when, left?.value ?? 0n, right?.value ?? 0n)) return undefined;
    const to = this.#column.labels.get(label) ?? this.#column.instructions.length;
    if (to < this.#at) {
      const rounds = (this.#rounds.get(this.#at) ?? 0) + 1;
      this.#rounds.set(this.#at, rounds);
      const registers = [...this.#held().entries()].join();
      const head = this.#heads.get(this.#at);
      if (rounds >= this.#bound) {
        if (head?.registers === registers) this.#round = head.position;
        return "bound";
      }
      this.#heads.set(this.#at, { position: this.#events.length, registers });
    }
    this.#at = to;
    return undefined;
  }

  /** A load, a store or an atomic operation. */
  #access(instruction: Instruction): Trace["end"] | undefined {
    const { does, operands } = instruction;
    if (does.kind !== "load" && does.kind !== "store" && does.kind !== "atomic") return undefined;
    const reads = does.kind === "load" || (does.kind === "atomic" && !does.reduction);
    const to = reads ? operands[0] : undefined;
    const [place, ...rest] = reads ? operands.slice(1) : operands;
    const address = this.#use(this.#value(place ?? { text: "0", span: instruction.span }));
    const inputs = rest.map((each) => this.#use(this.#value(each)));
    const there = this.#memory.at(address.value);
    if (!there) return { fault: `there is no memory at ${address.value}, the address that ${place?.text} holds` };
    const proxy = (does.kind === "atomic" ? undefined : does.proxy) ?? there.proxy;
    const { semantics, scope } = does;
    const happening = this.#happening(instruction, address.needs);
    const access = { ...happening, location: there.location, semantics, scope, proxy };
    const needs = [...new Set([...happening.needs, ...inputs.flatMap((input) => input.needs)])];
    if (does.kind === "store") {
      this.#events.push({ ...access, needs, kind: "write", value: cut(inputs[0]?.value ?? 0n) });
      return undefined;
    }
    const position = this.#events.length;
    const old = this.#values[this.#reads++];
    const reduction = does.kind === "atomic" && does.reduction ? { reduction: true as const } : {};
    const update = does.kind === "atomic" ? { update: true as const } : {};
    const read = { ...access, ...reduction, ...update, kind: "read" as const, value: cut(old ?? 0n) };
    this.#events.push(read);
    if (old === undefined) return "asks";
    if (to) this.#set(to, { value: read.value, needs: [position] });
    if (does.kind !== "atomic") return undefined;
    const value = updated(
      does.update,
      read.value,
      inputs.map((input) => input.value),
    );
    if (value === undefined) return undefined;
    this.#events[position] = { ...read, atomic: position + 1 };
    const own = does.update === "exch" ? [] : [position];
    this.#events.push({ ...access, needs: [...needs, ...own], kind: "write", value: cut(value), atomic: position });
    return undefined;
  }

  #happening({ text, span }: Instruction, needs: readonly number[] = []) {
    const all = [...new Set([...this.#control, ...needs])];
    return { thread: this.#index, order: this.#events.length, text, span, needs: all };
  }

  /** A register, a number or an address. */
  #value({ text }: Operand): Value {
    const name = text.replace(/^\[(.*)\]$/, "$1").trim();
    const number = /^-?(?:0[xX][\da-fA-F]+|\d+)$/.test(name);
    if (number) return { value: name.startsWith("-") ? -BigInt(name.slice(1)) : BigInt(name), needs: [] };
    const register = this.#registers.get(name);
    if (register) return register;
    const element = /^&?([A-Za-z_$%][\w$%.]*)(?:\[(\w+)\])?$/.exec(name);
    if (!element) return { value: 0n, needs: [] };
    const [, base = "", index] = element;
    if (index === undefined) return { value: this.#memory.address(base), needs: [] };
    const at = this.#value({ text: index, span: { start: 0, end: 0 } });
    return { value: this.#memory.address(base, Number(at.value)), needs: at.needs };
  }

  /** A value that decides what an event is. */
  #use(value: Value): Value {
    for (const read of value.needs) this.#used.add(read);
    return value;
  }

  #set(to: Operand | undefined, value: Value): void {
    if (to) this.#registers.set(to.text, { ...value, value: cut(value.value), needs: value.needs });
  }
}

/** Registers and memory have 64 bits here. */
const cut = (value: bigint): bigint => BigInt.asUintN(64, value);
