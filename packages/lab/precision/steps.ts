import type { Operand } from "../../../src/interp/contract/operand.ts";
import { addressOperand, writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import { updating } from "./atomics.ts";
import type { Bench, Step } from "./bench.ts";
import { comparing, computing } from "./computing.ts";
import { wanted } from "./integers.ts";
import { lining, multiplying } from "./matrices.ts";
import { each, exchanging, forget, loading, moving, packing, selecting, slotsOf, storing } from "./moves.ts";
import { highOf, lowOf, type Slot, shadowOf } from "./registers.ts";

/** What an instruction does to shadows: those of results are lost where nothing is known of it. */
export function stepOf(pc: number, instruction: Instruction, bench: Bench): Step {
  const step = ownStep(pc, instruction, bench);
  const address = addressOperand(instruction.plan);
  const operand = address === undefined ? undefined : instruction.operands[address];
  return operand?.kind === "address" && operand.base !== undefined ? addressing(step, pc, operand.base, bench) : step;
}

function ownStep(pc: number, { plan, operands }: Instruction, bench: Bench): Step {
  const written = operands.slice(0, writtenBy(plan)).flatMap((operand: Operand | undefined) => slotsOf(operand));
  const lost: Step = written.length === 0 ? {} : { after: (place, taken) => forget(place, taken, written) };
  switch (plan.shape) {
    case "compute":
      return computing(pc, plan.op, operands[0], operands.slice(1), bench) ?? lost;
    case "compare":
      return comparing(pc, plan.op, operands.slice(2), bench) ?? lost;
    case "move":
      return moving(slotsOf(operands[0]), slotsOf(operands[1]), bench) ?? lost;
    case "select":
      return selecting(operands, bench) ?? lost;
    case "pack":
    case "unpack":
      return packing(plan.shape, operands) ?? lost;
    case "load":
      return loading(plan, operands, bench);
    case "store":
      return storing(pc, plan, operands, bench);
    case "atomic":
      return updating(pc, plan, operands, bench, lost);
    case "multiply":
      return multiplying(pc, plan, operands, lost);
    case "load lines":
    case "store lines":
      return lining(plan, operands, bench, lost);
    case "warp":
      return exchanging(plan, operands, lost);
    default:
      return lost;
  }
}

/** A step that also asks whether its address had wrapped. */
function addressing(step: Step, pc: number, base: Slot, { misuse }: Bench): Step {
  return {
    ...step,
    before: (place, taken) => {
      const { shadows, warp } = place;
      step.before?.(place, taken);
      each(taken, (lane) => {
        const shadow = shadowOf(shadows, warp, base, lane, 0, base.bits);
        if (shadow?.kind !== "integer") return;
        const value = (BigInt(highOf(warp, base, lane)) << 32n) | BigInt(lowOf(warp, base, lane));
        if (wanted(shadow, true, value) !== undefined)
          misuse(shadow, "as an address", value, shadow.unsigned, pc, { block: warp.block, warp: warp.index, lane });
      });
    },
  };
}
