import type { Operand } from "../contract/operand.ts";
import { isCollective, isHold } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { HoldShape } from "../contract/plan/shapes.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";
import type { FindBuiltin } from "../warp/builtin-call.ts";
import { bindControls, type Control } from "../warp/control.ts";
import { type Hold, holding } from "../warp/holding.ts";
import { together } from "../warp/together.ts";
import { waitBarrier } from "./async/barrier-test.ts";
import { registersOfWgmma, watchRegisters } from "./matrix/watch-registers.ts";
import { registersOfLoads, watchLoads } from "./tensor-memory/watch-loads.ts";

type HoldBinder<S extends HoldShape> = (
  plan: PlanOf<S>,
  operands: readonly (Operand | undefined)[],
  context: Context,
) => Hold;

const binders: { readonly [S in HoldShape]: HoldBinder<S> } = {
  "mbarrier wait": waitBarrier,
};

/** Binds an instruction that may make lanes wait; holding.ts parks them. */
function bindHold(
  plan: Plan & { shape: HoldShape },
  operands: readonly (Operand | undefined)[],
  context: Context,
): Hold {
  // TypeScript does not see that an entry accepts the plans of its key's shape.
  const binder = binders[plan.shape] as HoldBinder<HoldShape>;
  return binder(plan, operands, context);
}

/** A program's instructions, ready to run: sequences of steps, each ended by a control instruction. */
export interface LinkedCode {
  readonly steps: readonly Step[];
  /** By pc: the next control instruction, or the end of the program. */
  readonly ends: Int32Array;
  readonly controls: readonly (Control | undefined)[];
  /** By pc: 1 for a guarded instruction, which keeps its own record of the lanes that ran it. */
  readonly guarded: Uint8Array;
}

/** Binds all instructions of the context's program, steps and collectives with `bind`. */
export function linkCode(
  context: Context,
  builtinFor: FindBuiltin,
  bind: (instruction: Instruction, pc: number) => Step,
): LinkedCode {
  const { code } = context.program;
  const controls = [...bindControls(context, builtinFor)];
  const never: Step = () => {
    throw new Error("a control instruction ran as a step");
  };
  const steps = code.map((instruction, pc) => {
    if (controls[pc] !== undefined) return never;
    const { plan } = instruction;
    if (isHold(plan)) {
      controls[pc] = holding(instruction, pc, bindHold(plan, instruction.operands, context));
      return never;
    }
    const step = bind(instruction, pc);
    if (!isCollective(instruction.plan)) return step;
    controls[pc] = together(instruction, pc, context, step);
    return never;
  });
  watch(steps, controls, context);
  const ends = new Int32Array(code.length + 1);
  for (let pc = code.length, end = pc; pc >= 0; pc--) {
    if (controls[pc] !== undefined) end = pc;
    ends[pc] = end;
  }
  return { steps, ends, controls, guarded: Uint8Array.from(code, ({ guard }) => (guard === undefined ? 0 : 1)) };
}

/** In a program with wgmma or tcgen05.ld, makes instructions check their registers for those in flight. */
function watch(steps: Step[], controls: (Control | undefined)[], context: Context): void {
  const { program } = context;
  const looks: [pc: number, look: Step][] = [];
  for (const [registersOf, watcher] of [
    [registersOfWgmma, watchRegisters],
    [registersOfLoads, watchLoads],
  ] as const) {
    const watched = registersOf(program);
    if (watched === undefined) continue;
    for (const [pc, instruction] of program.code.entries()) {
      const look = watcher(instruction, watched, context);
      if (look !== undefined) looks.push([pc, look]);
    }
  }
  for (const [pc, look] of looks) {
    const [step, control] = [steps[pc]!, controls[pc]];
    if (control === undefined)
      steps[pc] = (warp) => {
        look(warp);
        step(warp);
      };
    else
      controls[pc] = (warp) => {
        look(warp);
        control(warp);
      };
  }
}
