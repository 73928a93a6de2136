import type { Constant } from "../../../src/interp/contract/constant.ts";
import type { Bank, Operand } from "../../../src/interp/contract/operand.ts";
import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import type {
  Instruction,
  Program,
  Register,
  SpecialSlot,
  WindowVariable,
} from "../../../src/interp/contract/program.ts";
import type { Cell, Space } from "../../../src/interp/contract/space.ts";
import { createSession, Memory, type Session, type SessionOptions, type Stop } from "../../../src/interp/index.ts";
import { Source } from "../../../src/source/source.ts";

type Slot = Operand & { kind: "slot" };
type Predicate = Operand & { kind: "predicate" };
type Guard = Instruction["guard"];

/** Makes programs by hand, so that the machine can be tested without a front end. */
export class Build {
  readonly #code: { plan: Plan; operands: (Operand | string | undefined)[]; guard: Guard; opcode: string }[] = [];
  readonly #registers: Register[] = [];
  readonly #constants: Constant[] = [];
  readonly #specials: SpecialSlot[] = [];
  readonly #labels = new Map<string, number>();
  readonly #used = { p: 0, r: 0, q: 0 };
  #guard: Guard;
  sharedBytes = 0;
  localBytes = 0;
  parameterBytes = 0;
  variables: WindowVariable[] = [];

  reg(name: string, bits: 8 | 16 | 32 | 64 | 128 = 32, elements: 1 | 2 | 4 = 1): Slot {
    const bank = bits > 32 ? "q" : "r";
    const slot = this.#take(bank, (bits === 128 ? 2 : 1) * elements);
    this.#registers.push({ name, type: `b${bits}`, bits, bank, slot, elements, span: { start: 0, end: 0 } });
    return { kind: "slot", bank, slot, bits };
  }

  pred(name: string): Predicate {
    const slot = this.#take("p", 1);
    this.#registers.push({ name, type: "pred", bits: 1, bank: "p", slot, elements: 1, span: { start: 0, end: 0 } });
    return { kind: "predicate", slot, negated: false };
  }

  constant(value: bigint | number, bits: 16 | 32 | 64 = 32): Slot {
    const bank = bits > 32 ? "q" : "r";
    const slot = this.#take(bank, 1);
    this.#constants.push({ bank, slot, value: BigInt(value) });
    return { kind: "slot", bank, slot, bits };
  }

  truth(value: 0n | 1n): Predicate {
    const slot = this.#take("p", 1);
    this.#constants.push({ bank: "p", slot, value });
    return { kind: "predicate", slot, negated: false };
  }

  variable(name: string, offset = 0n): Slot {
    const slot = this.#take("q", 1);
    this.#constants.push({ bank: "q", slot, value: { variable: name, offset } });
    return { kind: "slot", bank: "q", slot, bits: 64 };
  }

  special(name: string, bits: 32 | 64 = 32): Slot {
    const bank = bits > 32 ? "q" : "r";
    const slot = this.#take(bank, 1);
    this.#specials.push({ bank, slot, name });
    return { kind: "slot", bank, slot, bits };
  }

  label(name: string): this {
    this.#labels.set(name, this.#code.length);
    return this;
  }

  /** Guards the next instruction. */
  when({ slot, negated }: Predicate): this {
    this.#guard = { slot, negated };
    return this;
  }

  /** Adds an instruction; a string is a label. */
  do(plan: Plan, ...operands: (Operand | string | undefined)[]): this {
    this.#code.push({ plan, operands, guard: this.#guard, opcode: plan.shape });
    this.#guard = undefined;
    return this;
  }

  load(d: Operand, space: Space, cell: Cell["bits"], base: Slot | undefined, offset = 0n, signed = false): this {
    return this.do({ shape: "load", space, cell: { bits: cell, signed } }, d, address(base, offset));
  }

  store(space: Space, cell: Cell["bits"], base: Slot | undefined, b: Operand, offset = 0n): this {
    return this.do({ shape: "store", space, cell: { bits: cell, signed: false } }, address(base, offset), b);
  }

  move(d: Operand, a: Operand): this {
    return this.do({ shape: "move" }, d, a);
  }

  branch(label: string): this {
    return this.do({ shape: "branch" }, label);
  }

  exit(): this {
    return this.do({ shape: "exit" });
  }

  program(): Program {
    const lines = this.#code.map(({ opcode }, at) => `${opcode} ${at};`);
    const source = new Source("test.ptx", lines.join("\n"));
    let start = 0;
    const code = this.#code.map(({ plan, operands, guard, opcode }, at): Instruction => {
      const span = { start, end: start + opcode.length };
      start += lines[at]!.length + 1;
      const resolved = operands.map((operand): Operand | undefined =>
        typeof operand === "string" ? { kind: "target", pc: this.#labels.get(operand)! } : operand,
      );
      return { plan, operands: resolved, span, opcode, ...(guard === undefined ? {} : { guard }) };
    });
    return {
      name: "test",
      source,
      code,
      registers: this.#registers,
      banks: { ...this.#used },
      constants: this.#constants,
      specials: this.#specials,
      parameters: [],
      parameterBytes: this.parameterBytes,
      functions: [],
      target: "sm_100a",
      stackBytes: 0,
      sharedBytes: this.sharedBytes,
      dynamicShared: this.sharedBytes,
      localBytes: this.localBytes,
      variables: this.variables,
      limits: {},
    };
  }

  session(options: Partial<SessionOptions> = {}): Session {
    return createSession({
      program: this.program(),
      memory: new Memory({ limit: 64 << 20 }),
      grid: [1, 1, 1],
      block: [1, 1, 1],
      parameters: new Uint8Array(this.parameterBytes),
      addressOf: (name) => {
        throw new Error(`no variable ${name}`);
      },
      ...options,
    });
  }

  #take(bank: Bank, count: number): number {
    const slot = this.#used[bank];
    this.#used[bank] += count;
    return slot;
  }
}

export const address = (base: Slot | undefined, offset = 0n): Operand => ({
  kind: "address",
  ...(base === undefined ? {} : { base }),
  offset,
});
export const vector = (...items: Operand[]): Operand => ({ kind: "vector", items });
export const sink: Operand = { kind: "sink" };
export const not = (p: Predicate): Predicate => ({ ...p, negated: !p.negated });
export const thread = (lane = 0, warp = 0, block = 0): { block: number; warp: number; lane: number } => ({
  block,
  warp,
  lane,
});

/** A register's bits in one thread. */
export function value(session: Session, name: string, lane = 0, warp = 0, block = 0): bigint {
  const view = session.registers({ block, warp, lane }).find((each) => each.name === name);
  return view!.bits[0]!;
}

/** A register's bits in the first `lanes` threads of a warp. */
export const values = (session: Session, name: string, lanes = 32, warp = 0, block = 0): number[] =>
  Array.from({ length: lanes }, (_, lane) => Number(value(session, name, lane, warp, block)));

export function message(stop: Stop): string {
  return stop.reason === "trap" ? `${stop.diagnostic.code}: ${stop.diagnostic.message}` : stop.reason;
}
