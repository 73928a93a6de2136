import { keysOf } from "./liveness.ts";
import { elements, type SlotOperand } from "./operand.ts";
import { endsRun, writtenBy } from "./plan/effects.ts";
import type { Instruction, Program } from "./program.ts";

/** A register of 32 bits (bank r) or 64 that holds so many bits of the launch's parameters, from a byte on. */
export interface ParameterRegister {
  readonly bank: "r" | "q";
  readonly slot: number;
  readonly offset: number;
}

const known = new WeakMap<readonly Instruction[], readonly ParameterRegister[]>();

/**
 * The registers whose only value, as far as a thread can tell, is a parameter: one load at the kernel's beginning alone writes
 * them, and nothing reads them before it. So they may as well hold it from the start.
 */
export function parameterRegisters(program: Program): readonly ParameterRegister[] {
  const found = known.get(program.code) ?? find(program);
  known.set(program.code, found);
  return found;
}

function find({ code, parameters, dispatchSlot }: Program): readonly ParameterRegister[] {
  // Threads of a SIMD program may begin without the lanes that load.
  if (dispatchSlot !== undefined) return [];
  const touched = new Set<string>();
  const found: ParameterRegister[] = [];
  for (const instruction of code) {
    const { plan, operands, guard } = instruction;
    if (endsRun(plan)) break;
    if (plan.shape === "load" && plan.space === "param" && plan.beyond === undefined && guard === undefined) {
      const [to, from] = operands;
      const bytes = plan.cell.bits / 8;
      const first = from?.kind === "address" && !from.base && !from.index ? Number(from.offset) : -1;
      for (const [at, part] of elements(to).entries()) {
        const offset = first + at * bytes;
        const isWhole = parameters.some((each) => each.offset <= offset && offset + bytes <= each.offset + each.bytes);
        if (isWhole && part.kind === "slot" && holds(part, plan.cell.bits) && !touched.has(keyOf(part)))
          found.push({ bank: part.bank, slot: part.slot, offset });
      }
    }
    for (const key of operands.flatMap(keysOf)) touched.add(key);
  }
  const writes = new Map<string, number>();
  for (const { plan, operands } of code)
    for (const operand of operands.slice(0, writtenBy(plan)))
      if (operand?.kind !== "address") for (const key of keysOf(operand)) writes.set(key, (writes.get(key) ?? 0) + 1);
  return found.filter((each) => writes.get(keyOf(each)) === 1);
}

const holds = ({ bank, bits }: SlotOperand, loaded: number): boolean =>
  bits === loaded && bits === (bank === "q" ? 64 : 32);

const keyOf = ({ bank, slot }: Pick<ParameterRegister, "bank" | "slot">): string => `${bank}${slot}`;
