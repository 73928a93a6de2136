import { writtenBy } from "../../interp/contract/effects.ts";
import type { Bank, Operand } from "../../interp/contract/operand.ts";
import type { Instruction, LiveIn, Register } from "../../interp/contract/program.ts";
import type { Span } from "../../source/source.ts";
import { type Flow, flowOf } from "./flow.ts";

/**
 * Registers that some path reads before it writes them, in the order of their first such read: backward dataflow over
 * the basic blocks. A write under a predicate does not count, since it may not happen. 32 registers are one word, and
 * each word visits only the blocks where one of its registers is live, so memory stays linear in the code. Code in
 * which everything is live everywhere would take quadratic time: after `mostVisits` visits the remaining words are not
 * examined.
 */
export function liveIn(code: readonly Instruction[], registers: readonly Register[]): readonly LiveIn[] {
  const flow = flowOf(code);
  const ids = numberSlots(registers);
  const facts = new Facts(ids);
  for (let pc = 0; pc < code.length; pc++) facts.take(code[pc] as Instruction, pc, flow.blockOf[pc] ?? 0);
  const solver = new Solver(flow);
  const found: { readonly register: Register; readonly span: Span; readonly pc: number }[] = [];
  let visits = mostVisits;
  for (const { word, reads, kills } of facts.words()) {
    const { atEntry, visited } = solver.solve(reads, kills);
    visits -= visited;
    if (visits < 0) break;
    const seen = new Set<Register>();
    for (const { id, pc } of reads) {
      const register = ids.owners[word * 32 + id];
      if (((atEntry >>> id) & 1) === 0 || register === undefined || seen.has(register)) continue;
      seen.add(register);
      found.push({ register, span: code[pc]?.span ?? register.span, pc });
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

/** A read of a register that its block has not written before it; `id` is the register's place in its word. */
interface Read {
  readonly id: number;
  readonly pc: number;
  readonly block: number;
}

/** What the blocks do to the 32 registers of one word. */
interface WordFacts {
  readonly word: number;
  /** In the order of the code. */
  readonly reads: readonly Read[];
  /** Blocks that write a register on every path, and the registers' places, one behind the other. */
  readonly kills: readonly number[];
}

/** Gathers what each block reads before it writes it, and what it writes on every path. */
class Facts {
  readonly #ids: Ids;
  /** By register, one more than the last block that wrote it, and that read it before it wrote it. */
  readonly #written: Int32Array;
  readonly #read: Int32Array;
  readonly #reads = new Map<number, Read[]>();
  /** Blocks and registers, one behind the other. */
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

  *words(): Iterable<WordFacts> {
    const kills = new Map<number, number[]>();
    for (let at = 0; at < this.#kills.length; at += 2) {
      const [block = 0, id = 0] = [this.#kills[at], this.#kills[at + 1]];
      if (!this.#reads.has(id >>> 5)) continue;
      const known = kills.get(id >>> 5);
      if (known) known.push(block, id & 31);
      else kills.set(id >>> 5, [block, id & 31]);
    }
    for (const word of this.#order) {
      const reads = this.#reads.get(word);
      if (reads) yield { word, reads, kills: kills.get(word) ?? [] };
    }
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
      this.#kills.push(this.#block, id);
    } else if (this.#read[id] !== now) {
      this.#read[id] = now;
      const read = { id: id & 31, pc: this.#pc, block: this.#block };
      const known = this.#reads.get(id >>> 5);
      if (known) known.push(read);
      else this.#reads.set(id >>> 5, [read]);
    }
  }
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
  solve(reads: readonly Read[], kills: readonly number[]): { atEntry: number; visited: number } {
    const [live, kill] = [this.#live, this.#kill];
    const touched: number[] = [];
    const open: number[] = [];
    for (let at = 0; at < kills.length; at += 2)
      kill[kills[at] ?? 0] = (kill[kills[at] ?? 0] ?? 0) | bit(kills[at + 1]);
    for (const { id, block } of reads) {
      if (live[block] === 0) {
        touched.push(block);
        open.push(block);
      }
      live[block] = (live[block] ?? 0) | bit(id);
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
    for (let at = 0; at < kills.length; at += 2) kill[kills[at] ?? 0] = 0;
    return { atEntry, visited };
  }
}

const bit = (id: number | undefined): number => 1 << (id ?? 0);
