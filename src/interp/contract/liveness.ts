import { type ControlFlow, controlFlowOf } from "./control-flow.ts";
import type { Bank, Operand } from "./operand.ts";
import { readsByAsyncProxy, writtenBy } from "./plan/effects.ts";
import type { Instruction, Program } from "./program.ts";

/** A register by its bank and slot, and CC.CF. */
export type RegisterKey = `${Bank}${number}` | "carry";

type Visit = (bank: Bank, slot: number) => void;

/** Calls `visit` for the registers of an operand. */
function eachRegister(operand: Operand | undefined, visit: Visit): void {
  switch (operand?.kind) {
    case "slot":
      visit(operand.bank, operand.slot);
      // A 128-bit register is two 64-bit slots.
      if (operand.bits === 128) visit(operand.bank, operand.slot + 1);
      break;
    case "predicate":
      visit("p", operand.slot);
      break;
    case "vector":
      for (const item of operand.items) eachRegister(item, visit);
      break;
    case "address":
      eachRegister(operand.base, visit);
      eachRegister(operand.index?.of, visit);
  }
}

/** The registers of an operand. */
export function keysOf(operand: Operand | undefined): readonly RegisterKey[] {
  const keys: RegisterKey[] = [];
  eachRegister(operand, (bank, slot) => keys.push(`${bank}${slot}`));
  return keys;
}

/**
 * Calls `read` for the registers that an instruction reads, then `write` for those that it writes in all lanes that
 * execute it: a write under a predicate may not happen. `accumulates`: the accumulator of wgmma counts as read.
 */
function eachAccess({ plan, operands, guard }: Instruction, accumulates: boolean, read: Visit, write: Visit): void {
  const count = writtenBy(plan);
  const all = accumulates && readsByAsyncProxy(plan);
  if (guard !== undefined) read("p", guard.slot);
  for (const [at, operand] of operands.entries())
    if (all || at >= count || operand?.kind === "address") eachRegister(operand, read);
  if (guard !== undefined) return;
  for (const operand of operands.slice(0, count)) if (operand?.kind !== "address") eachRegister(operand, write);
}

/** By bank: the number of slot 0. Registers are numbered bank by bank. */
export const firstNumbers = ({ p, r }: Program["banks"]): Readonly<Record<Bank, number>> => ({ p: 0, r: p, q: p + r });

/** Numbers of registers. */
interface Accesses {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Register numbers, each with a place, a block or an instruction; sorted by word of 32 registers. */
interface Sorted {
  readonly numbers: Int32Array;
  readonly places: Int32Array;
  /** By word: its first index. */
  readonly starts: Int32Array;
}

export interface LivenessOptions {
  /** The accumulator of wgmma counts as read. */
  readonly accumulates: boolean;
  /** By number: 1 for registers to ignore. */
  readonly ignored?: Uint8Array;
}

/**
 * Backward dataflow over the basic blocks, one word of 32 registers at a time: each word visits only the blocks where
 * one of its registers is live, so memory stays linear in the code.
 */
export class LiveRegisters {
  readonly flow: ControlFlow;
  /** Reads of registers not yet written in the same block, by instruction, in the order of the code. */
  readonly #reads: Sorted;
  /** Words that have reads, in ascending order. */
  readonly words: readonly number[];
  /** Registers that a block writes on every path, by block. */
  readonly #kills: Sorted;
  readonly #first: Readonly<Record<Bank, number>>;
  readonly #accumulates: boolean;
  /** By block, for the word solved last: the registers live at its start, and those that it writes. */
  readonly #live: Int32Array;
  readonly #killed: Int32Array;
  #touched: number[] = [];

  constructor({ banks }: Pick<Program, "banks">, code: readonly Instruction[], options: LivenessOptions) {
    this.flow = controlFlowOf(code);
    this.#accumulates = options.accumulates;
    this.#first = firstNumbers(banks);
    const count = banks.p + banks.r + banks.q;
    const { reads, kills } = this.#gather(code, count, options.ignored);
    const words = (count + 31) >>> 5;
    this.#reads = sorted(reads, words);
    this.#kills = sorted(kills, words);
    this.words = [...Array(words).keys()].filter((word) => this.#reads.starts[word] !== this.#reads.starts[word + 1]);
    this.#live = new Int32Array(this.flow.starts.length);
    this.#killed = new Int32Array(this.flow.starts.length);
  }

  numberOf(bank: Bank, slot: number): number {
    return this.#first[bank] + slot;
  }

  keyOf(number: number): RegisterKey {
    const bank = number >= this.#first.q ? "q" : number >= this.#first.r ? "r" : "p";
    return `${bank}${number - this.#first[bank]}`;
  }

  /** The numbers of registers that an instruction reads, and of those that it writes in all lanes that execute it. */
  accesses(instruction: Instruction): Accesses {
    const reads: number[] = [];
    const writes: number[] = [];
    const into = (list: number[]) => (bank: Bank, slot: number) => void list.push(this.numberOf(bank, slot));
    eachAccess(instruction, this.#accumulates, into(reads), into(writes));
    return { reads, writes };
  }

  /** The registers of a word live at each block's start, valid until the next call; and the number of visits. */
  solve(word: number): { readonly live: Int32Array; readonly visits: number } {
    const live = this.#live;
    const killed = this.#killed;
    const reads = this.#reads;
    const kills = this.#kills;
    for (const block of this.#touched) live[block] = 0;
    const touched: number[] = [];
    for (let at = kills.starts[word]!; at < kills.starts[word + 1]!; at++)
      killed[kills.places[at]!]! |= bit(kills.numbers[at]!);
    for (let at = reads.starts[word]!; at < reads.starts[word + 1]!; at++) {
      const block = this.flow.blockOf[reads.places[at]!]!;
      if (live[block] === 0) touched.push(block);
      live[block]! |= bit(reads.numbers[at]!);
    }
    const open = [...touched];
    let visits = 0;
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      visits++;
      for (const before of this.flow.predecessors[block]!) {
        const known = live[before]!;
        const more = live[block]! & ~killed[before]! & ~known;
        if (more === 0) continue;
        if (known === 0) touched.push(before);
        live[before] = known | more;
        open.push(before);
      }
    }
    for (let at = kills.starts[word]!; at < kills.starts[word + 1]!; at++) killed[kills.places[at]!] = 0;
    this.#touched = touched;
    return { live, visits };
  }

  /** Reads of a word's registers not yet written in the same block: register numbers and instructions. */
  *readsOf(word: number): Generator<{ readonly number: number; readonly pc: number }> {
    const { numbers, places, starts } = this.#reads;
    for (let at = starts[word]!; at < starts[word + 1]!; at++) yield { number: numbers[at]!, pc: places[at]! };
  }

  /** Each block's reads before writes, with their instructions, and its writes on every path: pairs, consecutively. */
  #gather(code: readonly Instruction[], count: number, ignored: Uint8Array | undefined) {
    const reads: number[] = [];
    const kills: number[] = [];
    // By register, one more than the last block that wrote it, and the last that read it before a write.
    const written = new Int32Array(count);
    const read = new Int32Array(count);
    let pc = 0;
    let now = 0;
    const reading = (bank: Bank, slot: number): void => {
      const number = this.numberOf(bank, slot);
      if (ignored?.[number] === 1 || written[number] === now || read[number] === now) return;
      read[number] = now;
      reads.push(number, pc);
    };
    const writing = (bank: Bank, slot: number): void => {
      const number = this.numberOf(bank, slot);
      if (ignored?.[number] === 1 || written[number] === now) return;
      written[number] = now;
      kills.push(number, now - 1);
    };
    for (const instruction of code) {
      now = this.flow.blockOf[pc]! + 1;
      eachAccess(instruction, this.#accumulates, reading, writing);
      pc++;
    }
    return { reads, kills };
  }
}

/** Sorts registers and places by the words of the registers; stable within a word. */
function sorted(pairs: readonly number[], words: number): Sorted {
  const starts = new Int32Array(words + 1);
  for (let at = 0; at < pairs.length; at += 2) starts[(pairs[at]! >>> 5) + 1]!++;
  for (let word = 0; word < words; word++) starts[word + 1]! += starts[word]!;
  const numbers = new Int32Array(pairs.length >>> 1);
  const places = new Int32Array(pairs.length >>> 1);
  const next = starts.slice();
  for (let at = 0; at < pairs.length; at += 2) {
    const to = next[pairs[at]! >>> 5]!++;
    numbers[to] = pairs[at]!;
    places[to] = pairs[at + 1]!;
  }
  return { numbers, places, starts };
}

/** The bit of a register in its word. */
export const bit = (number: number): number => 1 << (number & 31);

/** The registers that are live behind each instruction. */
export class Liveness {
  readonly #code: readonly Instruction[];
  /** Undefined for programs whose instructions access registers in other ways than by operands. */
  readonly #registers: LiveRegisters | undefined;
  /** By word of registers: those live at each block's start. */
  readonly #words: Map<number, Int32Array> = new Map();
  /** By pc, computed on demand. */
  readonly #accesses: Accesses[] = [];

  constructor(program: Program) {
    const { code, functions, stackSlot } = program;
    this.#code = code;
    const all = functions.length > 0 || stackSlot !== undefined || code.some(({ plan }) => plan.shape === "channels");
    const registers = all ? undefined : new LiveRegisters(program, code, { accumulates: true });
    const fits = registers !== undefined && registers.words.length * registers.flow.starts.length <= MOST_WORDS;
    this.#registers = fits ? registers : undefined;
  }

  /** The program's liveness, computed once for all callers. */
  static of(program: Program): Liveness {
    const made = known.get(program) ?? new Liveness(program);
    known.set(program, made);
    return made;
  }

  /** Whether the program's liveness has been computed. */
  static has(program: Program): boolean {
    return known.has(program);
  }

  /** Whether a register may be read from `pc` on before it is written, or that is unknown. */
  after(pc: number, key: RegisterKey): boolean {
    return this.#registers === undefined || key === "carry" || this.#reads(this.#registers, pc, key);
  }

  /** The registers that may be read before they are written, constants included; undefined where all may be. */
  get atStart(): readonly RegisterKey[] | undefined {
    const registers = this.#registers;
    if (registers === undefined) return undefined;
    return registers.words.flatMap((word) => {
      const live = this.#atStarts(registers, word)[0]!;
      return [...Array(32).keys()].flatMap((at) => (live & bit(at) ? [registers.keyOf(32 * word + at)] : []));
    });
  }

  /** Whether a register may be read from `pc` on before it is written. */
  #reads(registers: LiveRegisters, pc: number, key: string): boolean {
    const { starts, blockOf, successors } = registers.flow;
    const block = blockOf[pc];
    if (block === undefined) return false;
    const number = registers.numberOf(key[0] as Bank, Number(key.slice(1)));
    const end = starts[block + 1] ?? this.#code.length;
    for (let at = pc; at < end; at++) {
      const { reads, writes } = this.#accessesAt(registers, at);
      if (reads.includes(number)) return true;
      if (writes.includes(number)) return false;
    }
    const live = this.#atStarts(registers, number >>> 5);
    return successors[block]!.some((next) => (live[next]! & bit(number)) !== 0);
  }

  #accessesAt(registers: LiveRegisters, pc: number): Accesses {
    const found = this.#accesses[pc] ?? registers.accesses(this.#code[pc]!);
    this.#accesses[pc] = found;
    return found;
  }

  #atStarts(registers: LiveRegisters, word: number): Int32Array {
    const found = this.#words.get(word) ?? registers.solve(word).live.slice();
    this.#words.set(word, found);
    return found;
  }
}

const known = new WeakMap<Program, Liveness>();

/** Limit on words of bits, 64 MiB: beyond it liveness is unknown too. */
const MOST_WORDS = 1 << 24;
