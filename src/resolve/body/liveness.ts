import { bit, firstNumbers, LiveRegisters } from "../../interp/contract/liveness.ts";
import type { Instruction, Program, Register } from "../../interp/contract/program.ts";
import type { Span } from "../../source/source.ts";

/** A register that may be read before it is written, and the first instruction that reads it. */
export interface LiveIn {
  readonly register: Register;
  readonly span: Span;
}

/** Cached results per program. */
const known = new WeakMap<Program, readonly LiveIn[]>();

/**
 * Registers of a PTX kernel that may be read before they are written, in the order of their first such read. Computed
 * on demand: only messages about missing inputs need it.
 */
export function liveInOf(program: Program): readonly LiveIn[] {
  const before = known.get(program);
  if (before !== undefined) return before;
  const entries = program.functions.flatMap(({ entry }) => (typeof entry === "number" ? [entry] : []));
  const own = entries.length === 0 ? program.code : program.code.slice(0, Math.min(...entries));
  const found = liveIn(own, program);
  known.set(program, found);
  return found;
}

/**
 * Registers that some path reads before it writes them, in the order of their first such read. Code in which everything
 * is live everywhere would take quadratic time: after `MOST_VISITS` to basic blocks the remaining registers are not
 * examined.
 */
function liveIn(code: readonly Instruction[], { banks, registers }: Program): readonly LiveIn[] {
  const first = firstNumbers(banks);
  const owners: Register[] = [];
  for (const register of registers)
    for (let at = 0; at < slotsOf(register); at++) owners[first[register.bank] + register.slot + at] = register;
  // Constants and special registers always have a value.
  const ignored = Uint8Array.from({ length: banks.p + banks.r + banks.q }, (_, number) => (owners[number] ? 0 : 1));
  const live = new LiveRegisters({ banks }, code, { accumulates: false, ignored });
  const found = new Map<Register, number>();
  let left = MOST_VISITS;
  for (const word of live.words) {
    const { live: atStarts, visits } = live.solve(word);
    left -= visits;
    if (left < 0) break;
    for (const { number, pc } of live.readsOf(word)) {
      const register = owners[number];
      if (register === undefined || ((atStarts[0] ?? 0) & bit(number)) === 0) continue;
      found.set(register, Math.min(found.get(register) ?? pc, pc));
    }
  }
  return [...found]
    .sort(([, a], [, b]) => a - b)
    .map(([register, pc]) => ({ register, span: code[pc]?.span ?? register.span }));
}

/** Enough for the largest kernels that compilers write; less than a second. */
const MOST_VISITS = 5_000_000;

const slotsOf = ({ elements, bits }: Register): number => elements * (bits === 128 ? 2 : 1);
