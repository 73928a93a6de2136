import { goesOn, nextOf, readsByAsyncProxy, readsCarry, writtenBy } from "./effects.ts";
import type { Bank, Operand } from "./operand.ts";
import type { Instruction, Program } from "./program.ts";

/** A register by its bank and slot, and CC.CF. */
export type RegisterKey = `${Bank}${number}` | "carry";

/** Which registers somebody may still read, behind each instruction. */
export class Liveness {
  /** What is known of registers; of programs whose instructions reach them in other ways than by operands, nothing. */
  readonly #flow: Flow | undefined;

  constructor(program: Program) {
    const { code, functions, stackSlot } = program;
    const all = functions.length > 0 || stackSlot !== undefined || code.some(({ plan }) => plan.shape === "channels");
    this.#flow = all ? undefined : flowOf(code);
  }

  /** The same for whoever asks: a program is looked at once. */
  static of(program: Program): Liveness {
    const made = known.get(program) ?? new Liveness(program);
    known.set(program, made);
    return made;
  }

  /** Whether the program has been looked at. */
  static has(program: Program): boolean {
    return known.has(program);
  }

  /** Whether somebody may read a register when `[from, to)` has run and others come next. */
  after(pc: number, key: RegisterKey): boolean {
    return this.#flow === undefined || key === "carry" || this.#flow.reads(pc, key);
  }

  /** The slots that may be read before they are written, constants included; undefined where all may be. */
  get atStart(): readonly RegisterKey[] | undefined {
    const flow = this.#flow;
    return flow?.keys.filter((key) => key !== "carry" && flow.reads(0, key));
  }
}

const known = new WeakMap<Program, Liveness>();

/** Words of bits at most, 64 MiB: of programs that would need more nothing is known, either. */
const MOST_WORDS = 1 << 24;

function flowOf(code: readonly Instruction[]): Flow | undefined {
  const flow = new Flow(code);
  if (flow.words > MOST_WORDS) return undefined;
  flow.solve();
  return flow;
}

/** What one instruction reads, and what it writes in all lanes that execute it, by numbers of registers. */
interface Fact {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Backward dataflow over straight pieces of code, a bit a register. */
class Flow {
  /** Registers that somebody reads, in the order of their numbers. */
  readonly keys: readonly RegisterKey[];
  readonly #numbers: Map<string, number> = new Map();
  readonly #facts: readonly Fact[];
  /** By piece: where it begins, and the pieces that come next; by pc: its piece. */
  readonly #starts: readonly number[];
  readonly #nexts: readonly (readonly number[])[];
  readonly #pieceOf: Int32Array;
  /** By piece: the registers that may be read from its start on, in words of 32. */
  #live: readonly Uint32Array[] = [];

  constructor(code: readonly Instruction[]) {
    const written = code.map(writesOf);
    const read = code.map((instruction) => readsOf(instruction).map((key) => this.#number(key)));
    // What nobody reads is never live.
    const numbers = (keys: readonly string[]): readonly number[] => keys.flatMap((key) => this.#numbers.get(key) ?? []);
    this.#facts = code.map((_, pc) => ({ reads: read[pc]!, writes: numbers(written[pc]!) }));
    this.keys = [...this.#numbers.keys()] as RegisterKey[];
    const starts = startsOf(code);
    this.#starts = starts;
    this.#pieceOf = new Int32Array(code.length);
    for (const [piece, start] of starts.entries()) this.#pieceOf.fill(piece, start);
    const endOf = (piece: number): number => starts[piece + 1] ?? code.length;
    this.#nexts = starts.map((_, piece) =>
      nextsOf(code, endOf(piece) - 1).flatMap((pc) => (pc < code.length ? [this.#pieceOf[pc]!] : [])),
    );
  }

  /** How many words `solve` fills in. */
  get words(): number {
    return this.#starts.length * this.#wordsOfPiece;
  }

  get #wordsOfPiece(): number {
    return (this.keys.length + 31) >>> 5;
  }

  /** Finds what is live at the start of each piece. */
  solve(): void {
    const words = this.#wordsOfPiece;
    this.#live = this.#starts.map(() => new Uint32Array(words));
    const now = new Uint32Array(words);
    for (let changed = true; changed; ) {
      changed = false;
      for (let piece = this.#starts.length - 1; piece >= 0; piece--) if (this.#refine(piece, now)) changed = true;
    }
  }

  /** Whether a register may be read from `pc` on before it is written. */
  reads(pc: number, key: RegisterKey): boolean {
    const number = this.#numbers.get(key);
    if (number === undefined || pc >= this.#facts.length) return false;
    const piece = this.#pieceOf[pc]!;
    const end = this.#starts[piece + 1] ?? this.#facts.length;
    for (let at = pc; at < end; at++) {
      const { reads, writes } = this.#facts[at]!;
      if (reads.includes(number)) return true;
      if (writes.includes(number)) return false;
    }
    return this.#nexts[piece]!.some((next) => (this.#live[next]![number >>> 5]! >>> (number & 31)) & 1);
  }

  #number(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }

  /** Takes over what the next pieces read; gives whether more registers are live than were known to be. */
  #refine(piece: number, now: Uint32Array): boolean {
    now.fill(0);
    for (const next of this.#nexts[piece]!) for (let at = 0; at < now.length; at++) now[at]! |= this.#live[next]![at]!;
    const end = this.#starts[piece + 1] ?? this.#facts.length;
    for (let pc = end - 1; pc >= this.#starts[piece]!; pc--) {
      const { reads, writes } = this.#facts[pc]!;
      for (const number of writes) now[number >>> 5]! &= ~(1 << (number & 31));
      for (const number of reads) now[number >>> 5]! |= 1 << (number & 31);
    }
    const live = this.#live[piece]!;
    for (let at = 0; at < now.length; at++)
      if (now[at] !== live[at]) {
        live.set(now);
        return true;
      }
    return false;
  }
}

/** Where straight pieces begin: at the start, where lanes come from elsewhere, and behind what sends them elsewhere. */
function startsOf(code: readonly Instruction[]): readonly number[] {
  const starts = new Set(code.length > 0 ? [0] : []);
  for (const pc of code.keys()) {
    const nexts = nextsOf(code, pc);
    if (nexts.length === 1 && nexts[0] === pc + 1) continue;
    for (const next of [...nexts, pc + 1]) if (next < code.length) starts.add(next);
  }
  return [...starts].sort((a, b) => a - b);
}

/** Where lanes that execute an instruction go. */
function nextsOf(code: readonly Instruction[], pc: number): readonly number[] {
  const instruction = code[pc]!;
  const nexts = nextOf(instruction.plan) === "targets" ? instruction.operands.flatMap(targetsOf) : [];
  return goesOn(instruction) ? [...nexts, pc + 1] : nexts;
}

function targetsOf(operand: Operand | undefined): readonly number[] {
  if (operand?.kind === "target") return [operand.pc];
  return operand?.kind === "vector" ? operand.items.flatMap(targetsOf) : [];
}

function readsOf({ plan, operands, guard }: Instruction): readonly string[] {
  const count = writtenBy(plan);
  // wgmma adds to what it writes.
  const adds = readsByAsyncProxy(plan);
  const reads = operands.flatMap((operand, at) => (at < count && !adds ? basesOf(operand) : keysOf(operand)));
  if (readsCarry(plan)) reads.push("carry");
  return guard === undefined ? reads : [...reads, `p${guard.slot}`];
}

/** What is written in all lanes that execute, whatever they do. */
function writesOf({ plan, operands, guard }: Instruction): readonly string[] {
  if (guard !== undefined) return [];
  return operands.slice(0, writtenBy(plan)).flatMap((operand) => (operand?.kind === "address" ? [] : keysOf(operand)));
}

/** The registers of an operand. */
export function keysOf(operand: Operand | undefined): readonly RegisterKey[] {
  switch (operand?.kind) {
    case "slot":
      return operand.bits === 128 ? [`q${operand.slot}`, `q${operand.slot + 1}`] : [`${operand.bank}${operand.slot}`];
    case "predicate":
      return [`p${operand.slot}`];
    case "vector":
      return operand.items.flatMap(keysOf);
    case "address":
      return basesOf(operand);
    default:
      return [];
  }
}

function basesOf(operand: Operand | undefined): readonly RegisterKey[] {
  if (operand?.kind !== "address") return [];
  return [...keysOf(operand.base), ...keysOf(operand.index?.of)];
}
