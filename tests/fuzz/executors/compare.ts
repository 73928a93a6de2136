import { LATE_ACCESSES } from "../../../src/interp/compiled/running/late-accesses.ts";
import { endsRun, meetingOf, writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { RegisterView } from "../../../src/interp/contract/views.ts";
import type { Memory, Operand, Program, Register, Session, Stop } from "../../../src/interp/index.ts";
import { LOWEST } from "../../../src/interp/memory/memory.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/** One run that is compared with another. */
export interface Side {
  readonly session: Session;
  readonly memory: Memory;
  readonly printed: readonly string[];
}

/** What is known of a program, found once for both sides and all stops. */
export class Comparison {
  readonly #program: Program;
  readonly #registers: readonly Register[];
  readonly #writers: Map<Register, readonly number[]> = new Map();

  constructor(program: Program) {
    this.#program = program;
    this.#registers = [...program.registers, ...program.functions.flatMap(({ registers }) => registers)];
  }

  /**
   * The first difference between two runs that stand at the same place, in words; undefined where there is none. `unseen`:
   * not of registers. Without `own` only of the memory that blocks share.
   */
  difference(
    a: Side,
    b: Side,
    stops: readonly [Stop, Stop],
    { grid, block: threads }: { readonly grid: number; readonly block: number },
    unseen: boolean,
    own = true,
  ): string | undefined {
    const said = unlike(
      "stop",
      `${showStop(stops[0])} after ${a.session.steps} steps`,
      `${showStop(stops[1])} after ${b.session.steps} steps`,
    );
    if (said) return said;
    const steps = unlike("steps", a.session.steps, b.session.steps);
    if (steps) return steps;
    const findings = unlike(
      "findings",
      a.session.findings.map(show).join("\n"),
      b.session.findings.map(show).join("\n"),
    );
    if (findings) return findings;
    const printed = unlike("what is printed", a.printed.join(""), b.printed.join(""));
    if (printed) return printed;
    if (a.session.state === undefined || b.session.state === undefined) return undefined;
    for (let block = 0; block < grid && !unseen; block++)
      for (let index = 0; index * 32 < threads; index++) {
        const found = this.#warps(a, b, block, index, stops[0].reason);
        if (found) return `block ${block}, warp ${index}: ${found}`;
      }
    return memories(a.memory, b.memory, own);
  }

  /** The same where workers have run blocks of the second: of registers what a session shows of some lanes. */
  afterCrew(
    a: Side,
    b: Side,
    stops: readonly [Stop, Stop],
    sizes: { readonly grid: number; readonly block: number },
    unseen: boolean,
  ): string | undefined {
    const found = this.difference(a, b, stops, sizes, true, false);
    if (found !== undefined || unseen || stops[0].reason !== "exit") return found;
    for (let block = 0; block < sizes.grid; block++)
      for (let thread = 0; thread < sizes.block; thread += 13) {
        const of = { block, warp: thread >> 5, lane: thread & 31 };
        const [mine, theirs] = [a, b].map(({ session }) => session.registers(of).map(shown).join(" "));
        if (mine !== theirs) return unlike(`registers of block ${block}, thread ${thread}`, mine, theirs);
      }
    return undefined;
  }

  /** Opcodes of the instructions that a lane of a block that is still there has executed. */
  ran(
    { session }: Side,
    { grid, block: threads }: { readonly grid: number; readonly block: number },
  ): readonly string[] {
    const { code } = this.#program;
    const pcs = new Set<number>();
    for (let block = 0; block < grid; block++)
      for (let index = 0; index * 32 < threads; index++) {
        const warp = session.state?.scheduler.find(block, index);
        if (warp === undefined) continue;
        const executed = this.#executed(warp);
        for (const [pc, lanes] of executed.entries()) {
          // Lanes that meet are not noted, nor those that leave: they come there from the line before.
          const { plan } = code[pc]!;
          const noted = meetingOf(plan) === undefined && !endsRun(plan) ? lanes : lanes | (executed[pc - 1] ?? 0);
          if (noted !== 0) pcs.add(pc);
        }
      }
    return [...pcs].map((pc) => code[pc]!.opcode);
  }

  #warps(a: Side, b: Side, block: number, index: number, reason: Stop["reason"]): string | undefined {
    const [one, two] = [a, b].map(({ session }) => session.state!.scheduler.find(block, index));
    if (one === undefined || two === undefined) return unlike("the warp", one !== undefined, two !== undefined);
    for (const mask of ["carry", "live", "active"] as const) {
      const found = unlike(mask, one[mask] >>> 0, two[mask] >>> 0);
      if (found) return found;
    }
    // After a fault nobody goes on, so what decides who does is of no use.
    for (const name of reason === "trap"
      ? (["pc", "depth"] as const)
      : (["pc", "depth", "rank", "reconvergeAt", "yieldBudget"] as const)) {
      const found = unlike(name, one[name], two[name]);
      if (found) return found;
    }
    const [run, ran] = [this.#executed(one), this.#executed(two)];
    for (const register of this.#registers) {
      const found = valuesOf(register, one, two) ?? this.#marks(register, one, two, run, ran);
      if (found) return `${register.name}: ${found}`;
    }
    return undefined;
  }

  /** Lanes that have executed each instruction, as registers of a session see it. */
  #executed(warp: Warp): Uint32Array {
    const { code } = this.#program;
    const lanes = new Uint32Array(code.length);
    let running = 0;
    for (let pc = 0; pc < code.length; pc++) {
      const { plan, guard } = code[pc]!;
      running |= warp.executedToEnd[pc]!;
      const together = guard === undefined && meetingOf(plan) === undefined ? running : 0;
      lanes[pc] = warp.executed[pc]! | together;
      if (endsRun(plan)) running = 0;
    }
    return lanes;
  }

  #marks(register: Register, one: Warp, two: Warp, run: Uint32Array, ran: Uint32Array): string | undefined {
    let [mine, theirs] = [0, 0];
    for (const pc of this.#writersOf(register)) {
      mine |= run[pc]!;
      theirs |= ran[pc]!;
    }
    if (mine === theirs) return undefined;
    const lane = 31 - Math.clz32((mine ^ theirs) & -(mine ^ theirs));
    if (lane >= Math.min(one.lanes, two.lanes)) return undefined;
    return `lane ${lane}: ${mark(mine, lane)} | ${mark(theirs, lane)}`;
  }

  #writersOf(register: Register): readonly number[] {
    const known = this.#writers.get(register);
    if (known !== undefined) return known;
    const { bank, slot, bits, elements } = register;
    const end = slot + (bits === 128 ? 2 * elements : elements);
    const found: number[] = [];
    const visit = (operand: Operand | undefined, pc: number): void => {
      if (operand?.kind === "vector") for (const item of operand.items) visit(item, pc);
      const [where, at, last] =
        operand?.kind === "slot" ? [operand.bank, operand.slot, operand.slot + (operand.bits === 128 ? 1 : 0)]
          : operand?.kind === "predicate" ? ["p", operand.slot, operand.slot]
            : ["", 0, 0]; // biome-ignore format: one thought
      if (where === bank && last >= slot && at < end) found.push(pc);
    };
    for (const [pc, { plan, operands }] of this.#program.code.entries())
      for (let at = writtenBy(plan) - 1; at >= 0; at--) visit(operands[at], pc);
    this.#writers.set(register, found);
    return found;
  }
}

const shown = ({ name, bits, written }: RegisterView): string => `${name}=${written ? bits.join(",") : "?"}`;

const mark = (mask: number, lane: number): string => ((mask >>> lane) & 1 ? "written" : "not written");

function valuesOf({ bank, slot, bits, elements }: Register, one: Warp, two: Warp): string | undefined {
  const [a, b] = [one[bank], two[bank]];
  const slots = bits === 128 ? 2 * elements : elements;
  const each = bank === "p" ? 1 : one.lanes;
  for (let at = slot * each; at < (slot + slots) * each; at++)
    if (a[at] !== b[at])
      return `${bank === "p" ? "lanes" : `lane ${at % each}`}: 0x${a[at]!.toString(16)} | 0x${b[at]!.toString(16)}`;
  return undefined;
}

/** Bytes behind all allocations that are compared as well. */
const BEHIND = 4096;

/**
 * Everything but the registers of warps, which have been compared: data and their shadow. Without `own` only what blocks
 * share: nobody may look at the rest once they have ended.
 */
function memories(a: Memory, b: Memory, own: boolean): string | undefined {
  // Where loads wait is the compiled executor's own. Blocks that come to more slots later lie behind it: no program sees where.
  const isPushed = b.allocations.live.some(({ name }) => name === LATE_ACCESSES);
  const shared = ({ allocations }: Memory) => allocations.live.filter(({ name }) => name !== LATE_ACCESSES);
  const [mine, theirs] = [shared(a), shared(b)];
  const list = (live: typeof mine): string => live.map(({ name, start, end }) => `${name} ${start}-${end}`).join(", ");
  if (mine.length !== theirs.length) return unlike("allocations", list(mine), list(theirs));
  let [from, isAlike] = [LOWEST, true];
  for (const [at, { name, start, end, kind }] of mine.entries()) {
    const other = theirs[at]!;
    const isOfSlot = name.includes(" of slot ");
    if (
      other.name !== name ||
      other.end - other.start !== end - start ||
      ((!isPushed || !isOfSlot) && other.start !== start)
    )
      return unlike("allocations", list(mine), list(theirs));
    isAlike &&= other.start === start;
    // An access without the check of bounds may have gone between.
    const between = isAlike && bytes(a.data.u8, b.data.u8, from, start);
    if (between) return `before ${name}: ${between}`;
    from = end;
    if (kind === "state" || (!own && isOfSlot)) continue;
    // A page whose shadow nobody has asked for yet holds what it would be filled with.
    a.know(start, end - start);
    b.know(other.start, end - start);
    const found =
      bytes(a.data.u8, b.data.u8, start, end, other.start) ?? bytes(a.shadow.u8, b.shadow.u8, start, end, other.start);
    if (found) return `${name}: ${found}`;
  }
  const behind = isAlike && bytes(a.data.u8, b.data.u8, from, Math.min(from + BEHIND, a.given));
  return behind ? `behind all allocations: ${behind}` : undefined;
}

function bytes(a: Uint8Array, b: Uint8Array, start: number, end: number, there = start): string | undefined {
  const mine = Buffer.from(a.buffer, a.byteOffset + start, end - start);
  const theirs = Buffer.from(b.buffer, b.byteOffset + there, end - start);
  if (mine.equals(theirs)) return undefined;
  let at = 0;
  while (mine[at] === theirs[at]) at++;
  const what = a.byteOffset === 0 ? "byte" : "shadow of byte";
  const text = (view: Buffer): string => view.subarray(at, at + 16).toString("hex");
  return `${what} ${at}: ${text(mine)} | ${text(theirs)}`;
}

function unlike(what: string, mine: unknown, theirs: unknown): string | undefined {
  return mine === theirs ? undefined : `${what}: ${String(mine)} | ${String(theirs)}`;
}

function show({ code, severity, message, span, expected, related = [], help = [] }: Diagnostic): string {
  const notes = related.map(({ message, span }) => ` related ${span.start}: ${message}`).join("");
  const helps = help.map(({ message }) => ` help: ${message}`).join("");
  return `${severity} ${code} at ${span.start}-${span.end}: ${message}${expected ? ` expected ${expected}` : ""}${notes}${helps}`;
}

function showStop(stop: Stop): string {
  if (stop.reason === "exit") return "exit";
  const { block, warp, lane } = stop.at;
  return `${stop.reason} at pc ${stop.pc} of ${block}/${warp}/${lane}${stop.reason === "trap" ? ` ${show(stop.diagnostic)}` : ""}`;
}
