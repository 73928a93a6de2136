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
  const words = gather(code, flow, ids);
  const live = new Int32Array(flow.starts.length);
  const found: { readonly register: Register; readonly span: Span; readonly pc: number }[] = [];
  let visits = mostVisits;
  for (const [word, facts] of words) {
    const { atEntry, visited } = solve(facts, flow, live);
    visits -= visited;
    if (visits < 0) break;
    const seen = new Set<Register>();
    for (const { id, pc } of facts.reads) {
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

/** Numbers the slots of registers; slots of constants and special registers always have a value. */
interface Ids {
  readonly of: Readonly<Record<Bank, ReadonlyMap<number, number>>>;
  readonly owners: readonly Register[];
}

function numberSlots(registers: readonly Register[]): Ids {
  const of = { p: new Map<number, number>(), r: new Map<number, number>(), q: new Map<number, number>() };
  const owners: Register[] = [];
  for (const register of registers) {
    const slots = register.elements * (register.bits === 128 ? 2 : 1);
    for (let at = 0; at < slots; at++) {
      of[register.bank].set(register.slot + at, owners.length);
      owners.push(register);
    }
  }
  return { of, owners };
}

/** What the blocks do to the 32 registers of one word. */
interface Facts {
  /** Read in the block before the block writes them. */
  readonly gen: Map<number, number>;
  /** Written in the block on every path. */
  readonly kill: Map<number, number>;
  /** The reads that made `gen`, in code order. */
  readonly reads: { readonly id: number; readonly pc: number }[];
}

function gather(code: readonly Instruction[], flow: Flow, ids: Ids): ReadonlyMap<number, Facts> {
  const words = new Map<number, Facts>();
  const factsOf = (word: number): Facts => {
    let facts = words.get(word);
    if (!facts) {
      facts = { gen: new Map(), kill: new Map(), reads: [] };
      words.set(word, facts);
    }
    return facts;
  };
  for (const [pc, instruction] of code.entries()) {
    const block = flow.blockOf[pc] ?? 0;
    const { reads, writes } = effects(instruction);
    forSlots(reads, ids, (id) => {
      const facts = factsOf(id >>> 5);
      const bit = 1 << (id & 31);
      if ((facts.kill.get(block) ?? 0) & bit || (facts.gen.get(block) ?? 0) & bit) return;
      facts.gen.set(block, (facts.gen.get(block) ?? 0) | bit);
      facts.reads.push({ id: id & 31, pc });
    });
    if (instruction.guard) continue;
    forSlots(writes, ids, (id) => {
      const { kill } = factsOf(id >>> 5);
      kill.set(block, (kill.get(block) ?? 0) | (1 << (id & 31)));
    });
  }
  return words;
}

/** Works backward to a fixed point; returns the word at the entry and leaves `live` all zero. */
function solve({ gen, kill }: Facts, flow: Flow, live: Int32Array): { atEntry: number; visited: number } {
  let visited = 0;
  const touched: number[] = [];
  const open: number[] = [];
  for (const [block, bits] of gen) {
    live[block] = bits;
    touched.push(block);
    open.push(block);
  }
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    const here = live[block] ?? 0;
    visited++;
    for (const before of flow.predecessors[block] ?? []) {
      const known = live[before] ?? 0;
      const more = here & ~(kill.get(before) ?? 0) & ~known;
      if (more === 0) continue;
      if (known === 0) touched.push(before);
      live[before] = known | more;
      open.push(before);
    }
  }
  const atEntry = live[0] ?? 0;
  for (const block of touched) live[block] = 0;
  return { atEntry, visited };
}

interface Effects {
  readonly reads: readonly (Operand | undefined)[];
  readonly writes: readonly (Operand | undefined)[];
}

/** Which operands an instruction reads and which it writes: the written ones come first. */
function effects({ plan, operands, guard }: Instruction): Effects {
  const guards: Operand[] = guard ? [{ kind: "predicate", slot: guard.slot, negated: false }] : [];
  const written = writtenBy(plan);
  return { reads: [...guards, ...operands.slice(written)], writes: operands.slice(0, written) };
}

function forSlots(operands: readonly (Operand | undefined)[], ids: Ids, visit: (id: number) => void): void {
  const see = (bank: Bank, slot: number): void => {
    const id = ids.of[bank].get(slot);
    if (id !== undefined) visit(id);
  };
  for (const operand of operands)
    switch (operand?.kind) {
      case "slot":
        see(operand.bank, operand.slot);
        if (operand.bits === 128) see(operand.bank, operand.slot + 1);
        break;
      case "predicate":
        see("p", operand.slot);
        break;
      case "vector":
        forSlots(operand.items, ids, visit);
        break;
      case "address":
        forSlots([operand.base, operand.index?.of], ids, visit);
    }
}
