import { writtenBy } from "../../interp/contract/effects.ts";
import type { Bank, Operand } from "../../interp/contract/operand.ts";
import type { Instruction, Program, Register } from "../../interp/contract/program.ts";
import type { Span } from "../../source/source.ts";
import { type Flow, flowOf } from "./flow.ts";

/** A register that may be read before anything is written to it, and the first instruction that does. */
export interface LiveIn {
  readonly register: Register;
  readonly span: Span;
}

/** Programs whose registers somebody has asked for. */
const known = new WeakMap<Program, readonly LiveIn[]>();

/**
 * Registers of a PTX kernel that may be read before anything is written to them, in the order of their first such read. Only who
 * tells a person what has no value asks, so it is found out then.
 */
export function liveInOf(program: Program): readonly LiveIn[] {
  const before = known.get(program);
  if (before !== undefined) return before;
  const entries = program.functions.flatMap(({ entry }) => (typeof entry === "number" ? [entry] : []));
  const own = entries.length === 0 ? program.code : program.code.slice(0, Math.min(...entries));
  const found = liveIn(own, program.registers);
  known.set(program, found);
  return found;
}

/**
 * Registers that some path reads before it writes them, in the order of their first such read: backward dataflow over
 * the basic blocks. A write under a predicate does not count, since it may not happen. 32 registers are one word, and
 * each word visits only the blocks where one of its registers is live, so memory stays linear in the code. Code in
 * which everything is live everywhere would take quadratic time: after `mostVisits` visits the remaining words are not
 * examined.
 */
function liveIn(code: readonly Instruction[], registers: readonly Register[]): readonly LiveIn[] {
  const flow = flowOf(code);
  const ids = numberSlots(registers);
  const facts = new Facts(ids);
  for (let pc = 0; pc < code.length; pc++) facts.take(code[pc] as Instruction, pc, flow.blockOf[pc] ?? 0);
  const solver = new Solver(flow);
  const found: { readonly register: Register; readonly span: Span; readonly pc: number }[] = [];
  let visits = mostVisits;
  const { reads, kills, words } = facts.byWord();
  for (const word of words) {
    const { atEntry, visited } = solver.solve(reads, kills, word);
    visits -= visited;
    if (visits < 0) break;
    if (atEntry === 0) continue;
    let seen = 0;
    for (let at = reads.starts[word] ?? 0; at < (reads.starts[word + 1] ?? 0); at++) {
      const id = (reads.ids[at] ?? 0) & 31;
      if (((atEntry >>> id) & 1) === 0 || ((seen >>> id) & 1) === 1) continue;
      seen |= bit(id);
      const register = ids.owners[word * 32 + id];
      const pc = reads.places[at] ?? 0;
      if (register !== undefined) found.push({ register, span: code[pc]?.span ?? register.span, pc });
    }
  }
  const first = new Map<Register, (typeof found)[number]>();
  for (const each of found.sort((a, b) => a.pc - b.pc)) if (!first.has(each.register)) first.set(each.register, each);
  return [...first.values()].map(({ register, span }) => ({ register, span }));
}

/** Enough for the largest kernels that compilers write; less than a second. */
const mostVisits = 5_000_000;

/** Numbers the slots of registers from 1; slots of constants and special registers, which always have a value, have 0. */
interface Ids {
  readonly of: Readonly<Record<Bank, Int32Array>>;
  /** By number, less 1. */
  readonly owners: readonly Register[];
}

function numberSlots(registers: readonly Register[]): Ids {
  const ends = { p: 0, r: 0, q: 0 };
  for (const register of registers)
    ends[register.bank] = Math.max(ends[register.bank], register.slot + slotsOf(register));
  const of = { p: new Int32Array(ends.p), r: new Int32Array(ends.r), q: new Int32Array(ends.q) };
  const owners: Register[] = [];
  for (const register of registers)
    for (let at = 0; at < slotsOf(register); at++) of[register.bank][register.slot + at] = owners.push(register);
  return { of, owners };
}

const slotsOf = ({ elements, bits }: Register): number => elements * (bits === 128 ? 2 : 1);

/** Registers by their numbers, each at a place: a block, or an instruction. Those of one word of 32 follow each other. */
interface Sorted {
  readonly ids: Int32Array;
  readonly places: Int32Array;
  /** Where each word's begin. */
  readonly starts: Int32Array;
}

/** What the blocks do to registers. */
interface ByWord {
  /** Reads of registers that their blocks have not written before them, by instruction, in the order of the code. */
  readonly reads: Sorted;
  /** Registers that a block writes on every path, by block. */
  readonly kills: Sorted;
  /** Those that have reads, in the order in which their registers come up. */
  readonly words: readonly number[];
}

/** Gathers what each block reads before it writes it, and what it writes on every path. */
class Facts {
  readonly #ids: Ids;
  /** By register, one more than the last block that wrote it, and that read it before it wrote it. */
  readonly #written: Int32Array;
  readonly #read: Int32Array;
  /** Registers and instructions, one behind the other. */
  readonly #reads: number[] = [];
  /** Registers and blocks, one behind the other. */
  readonly #kills: number[] = [];
  /** Words in the order in which their registers come up. */
  readonly #order: number[] = [];
  readonly #known: Uint8Array;
  #block = 0;
  #pc = 0;

  constructor(ids: Ids) {
    this.#ids = ids;
    const { length } = ids.owners;
    this.#written = new Int32Array(length);
    this.#read = new Int32Array(length);
    this.#known = new Uint8Array((length >>> 5) + 1);
  }

  take({ plan, operands, guard }: Instruction, pc: number, block: number): void {
    this.#block = block;
    this.#pc = pc;
    const written = writtenBy(plan);
    if (guard) this.#slot("p", guard.slot, false);
    for (let at = written; at < operands.length; at++) this.#operand(operands[at], false);
    // A write that may not happen does not count.
    if (!guard) for (let at = 0; at < written; at++) this.#operand(operands[at], true);
  }

  byWord(): ByWord {
    const count = this.#known.length;
    const reads = sorted(this.#reads, count);
    const words = this.#order.filter((word) => reads.starts[word] !== reads.starts[word + 1]);
    return { reads, kills: sorted(this.#kills, count), words };
  }

  #operand(operand: Operand | undefined, writes: boolean): void {
    switch (operand?.kind) {
      case "slot":
        this.#slot(operand.bank, operand.slot, writes);
        if (operand.bits === 128) this.#slot(operand.bank, operand.slot + 1, writes);
        break;
      case "predicate":
        this.#slot("p", operand.slot, writes);
        break;
      case "vector":
        for (const item of operand.items) this.#operand(item, writes);
        break;
      case "address":
        this.#operand(operand.base, writes);
        this.#operand(operand.index?.of, writes);
    }
  }

  #slot(bank: Bank, slot: number, writes: boolean): void {
    const id = (this.#ids.of[bank][slot] ?? 0) - 1;
    if (id < 0) return;
    if (this.#known[id >>> 5] === 0) {
      this.#known[id >>> 5] = 1;
      this.#order.push(id >>> 5);
    }
    const now = this.#block + 1;
    if (this.#written[id] === now) return;
    if (writes) {
      this.#written[id] = now;
      this.#kills.push(id, this.#block);
    } else if (this.#read[id] !== now) {
      this.#read[id] = now;
      this.#reads.push(id, this.#pc);
    }
  }
}

/** Registers and places, one behind the other, by the words of the registers; within a word their order stays. */
function sorted(pairs: readonly number[], words: number): Sorted {
  const starts = new Int32Array(words + 1);
  for (let at = 0; at < pairs.length; at += 2) {
    const next = ((pairs[at] ?? 0) >>> 5) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let word = 0; word < words; word++) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0);
  const ids = new Int32Array(pairs.length >>> 1);
  const places = new Int32Array(pairs.length >>> 1);
  const next = starts.slice();
  for (let at = 0; at < pairs.length; at += 2) {
    const id = pairs[at] ?? 0;
    const to = next[id >>> 5] ?? 0;
    next[id >>> 5] = to + 1;
    ids[to] = id;
    places[to] = pairs[at + 1] ?? 0;
  }
  return { ids, places, starts };
}

/** Works backward to a fixed point, for one word after the other. */
class Solver {
  readonly #flow: Flow;
  readonly #live: Int32Array;
  readonly #kill: Int32Array;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.#live = new Int32Array(flow.starts.length);
    this.#kill = new Int32Array(flow.starts.length);
  }

  /** The word at the entry, and how many blocks were visited. */
  solve(reads: Sorted, kills: Sorted, word: number): { atEntry: number; visited: number } {
    const [live, kill] = [this.#live, this.#kill];
    const { blockOf } = this.#flow;
    const touched: number[] = [];
    const open: number[] = [];
    const [firstKill = 0, endOfKills = 0] = [kills.starts[word], kills.starts[word + 1]];
    for (let at = firstKill; at < endOfKills; at++) {
      const block = kills.places[at] ?? 0;
      kill[block] = (kill[block] ?? 0) | bit(kills.ids[at]);
    }
    for (let at = reads.starts[word] ?? 0; at < (reads.starts[word + 1] ?? 0); at++) {
      const block = blockOf[reads.places[at] ?? 0] ?? 0;
      if (live[block] === 0) {
        touched.push(block);
        open.push(block);
      }
      live[block] = (live[block] ?? 0) | bit(reads.ids[at]);
    }
    let visited = 0;
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const here = live[block] ?? 0;
      visited++;
      for (const before of this.#flow.predecessors[block] ?? []) {
        const known = live[before] ?? 0;
        const more = here & ~(kill[before] ?? 0) & ~known;
        if (more === 0) continue;
        if (known === 0) touched.push(before);
        live[before] = known | more;
        open.push(before);
      }
    }
    const atEntry = live[0] ?? 0;
    for (const block of touched) live[block] = 0;
    for (let at = firstKill; at < endOfKills; at++) kill[kills.places[at] ?? 0] = 0;
    return { atEntry, visited };
  }
}

/** The bit of a register in its word. */
const bit = (id: number | undefined): number => 1 << ((id ?? 0) & 31);
