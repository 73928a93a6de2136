import { goesOn, nextOf, readsCarry, writtenBy } from "../contract/effects.ts";
import type { Operand } from "../contract/operand.ts";
import type { Instruction, Program } from "../contract/program.ts";
import type { RegisterKey } from "./registers.ts";

/** Which registers somebody may still read, behind each instruction. */
export class Liveness {
  /** By pc: the numbers of registers that may be read from there on, before they are written. */
  readonly #before: readonly Set<string>[];
  readonly #code: readonly Instruction[];
  /** Programs whose instructions reach registers in other ways than by operands. */
  readonly #all: boolean;

  constructor(program: Program) {
    const { code, functions } = program;
    this.#code = code;
    this.#all = functions.length > 0 || code.some(({ plan }) => plan.shape === "channels");
    this.#before = this.#all ? [] : solve(code);
  }

  /** Whether somebody may read a register when `[from, to)` has run and others come next. */
  after(pc: number, key: RegisterKey): boolean {
    if (this.#all || key === "carry") return true;
    if (pc >= this.#code.length) return false;
    return this.#before[pc]!.has(key);
  }
}

function solve(code: readonly Instruction[]): readonly Set<string>[] {
  const before = code.map(() => new Set<string>());
  const facts = code.map((instruction) => ({ reads: readsOf(instruction), writes: writesOf(instruction) }));
  for (let changed = true; changed; ) {
    changed = false;
    for (let pc = code.length - 1; pc >= 0; pc--) {
      const live = before[pc]!;
      const size = live.size;
      const { reads, writes } = facts[pc]!;
      for (const next of nextsOf(code, pc)) for (const key of before[next] ?? []) if (!writes.has(key)) live.add(key);
      for (const key of reads) live.add(key);
      if (live.size !== size) changed = true;
    }
  }
  return before;
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
  const reads = operands.flatMap((operand, at) => (at < count ? basesOf(operand) : keysOf(operand)));
  if (readsCarry(plan)) reads.push("carry");
  return guard === undefined ? reads : [...reads, `p${guard.slot}`];
}

/** What is written in all lanes that execute, whatever they do. */
function writesOf({ plan, operands, guard }: Instruction): ReadonlySet<string> {
  if (guard !== undefined) return new Set();
  return new Set(
    operands.slice(0, writtenBy(plan)).flatMap((operand) => (operand?.kind === "address" ? [] : keysOf(operand))),
  );
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
