import { targetsOf } from "../contract/control-flow.ts";
import { keysOf } from "../contract/liveness.ts";
import { goesOn, nextOf, reachOf, writtenBy } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { Instruction, Program } from "../contract/program.ts";

const known = new WeakMap<Program, boolean>();

/**
 * Whether a thread of the program may spin until a thread of another block has done something: then that block must
 * begin some time, though this one has not ended. Not so where no exit of a loop, and no branch within one,
 * depends on what the loop reads from memory.
 */
export function mayWait(program: Program): boolean {
  const found = known.get(program) ?? look(program);
  known.set(program, found);
  return found;
}

function look({ code }: Program): boolean {
  if (code.some(({ plan }) => reachOf(plan) === "beyond" || nextOf(plan) === "callee")) return true;
  const inLoop = loopsOf(code);
  if (!inLoop.includes(1)) return false;
  if (isEndless(code)) return true;
  const read = new Set<string>();
  /** Whether an instruction's result depends on what a loop reads. */
  const depends = ({ plan, operands, guard }: Instruction, pc: number): boolean =>
    (guard !== undefined && read.has(`p${guard.slot}`)) ||
    (plan.shape === "carry" && read.has("carry")) ||
    (inLoop[pc] === 1 && reachOf(plan) !== "registers" && !isFixed(plan)) ||
    operands.slice(writtenBy(plan)).some((operand) => keysOf(operand).some((name) => read.has(name)));
  for (let before = -1; before !== read.size; ) {
    before = read.size;
    for (const [pc, instruction] of code.entries()) {
      const { plan, operands } = instruction;
      const written = writtenBy(plan);
      if (written === 0 || !depends(instruction, pc)) continue;
      for (const operand of operands.slice(0, written)) for (const name of keysOf(operand)) read.add(name);
      if (plan.shape === "carry") read.add("carry");
    }
  }
  return code.some((instruction, pc) => {
    const { plan, operands, guard } = instruction;
    if (inLoop[pc] === 0 || (nextOf(plan) === "on" && goesOn(instruction))) return false;
    if (plan.shape === "switch" && keysOf(operands[0]).some((name) => read.has(name))) return true;
    return guard !== undefined && read.has(`p${guard.slot}`);
  });
}

/** A load of what no thread changes while the launch runs. */
const isFixed = (plan: Plan): boolean => plan.shape === "load" && (plan.space === "param" || plan.space === "const");

/** Whether there is a loop without an exit, which looks like a wait for something that never happens. */
const isEndless = (code: readonly Instruction[]): boolean =>
  code.some((instruction, pc) => {
    const { plan, guard } = instruction;
    if (plan.shape !== "branch" || guard !== undefined) return false;
    const [target = pc + 1] = targetsOf(instruction);
    return target <= pc && !code.slice(target, pc).some((each) => nextOf(each.plan) !== "on");
  });

/** By pc: 1 between a branch back and its target, where every loop lies. */
function loopsOf(code: readonly Instruction[]): Uint8Array {
  const inLoop = new Uint8Array(code.length);
  for (const [pc, instruction] of code.entries())
    for (const target of targetsOf(instruction)) if (target <= pc) inLoop.fill(1, target, pc + 1);
  return inLoop;
}
