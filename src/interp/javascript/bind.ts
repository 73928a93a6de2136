import type { Instruction } from "../contract/program.ts";
import type { Context, Step } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import { address, rank, within } from "./bind-address.ts";
import { atomic } from "./bind-atomic.ts";
import { carry } from "./bind-carry.ts";
import { channels } from "./bind-channels.ts";
import { compare, logic, select, test } from "./bind-compare.ts";
import { compute } from "./bind-compute.ts";
import { discard, load, store } from "./bind-memory.ts";
import { move, pack, unpack } from "./bind-move.ts";
import { changing, gap, trap } from "./bind-other.ts";
import { stack } from "./bind-stack.ts";

/**
 * From a plan and its operands to a step. Everything that can be decided before the run is decided here. Branches and
 * exits are not steps: they end a straight run (control.ts).
 */
export function bind(instruction: Instruction, pc: number, context: Context): Step {
  const step = unguarded(instruction, context);
  const { guard } = instruction;
  return guard === undefined ? step : guarded(step, pc, guard.slot, guard.negated);
}

function unguarded(instruction: Instruction, context: Context): Step {
  const { plan, operands } = instruction;
  const { lanes } = context;
  switch (plan.shape) {
    case "compute":
      return compute(plan, operands, lanes);
    case "carry":
      return carry(plan, operands, lanes);
    case "compare":
      return compare(plan, operands, lanes);
    case "test":
      return test(plan, operands, lanes);
    case "select":
      return select(operands, lanes);
    case "move":
      return move(operands, lanes);
    case "pack":
      return pack(operands, lanes);
    case "unpack":
      return unpack(operands, lanes);
    case "logic":
      return logic(plan, operands);
    case "load":
      return load(plan, operands, context);
    case "store":
      return store(plan, operands, context);
    case "address":
      return address(plan, operands, lanes);
    case "special":
      return changing(plan.name, operands, lanes);
    case "trap":
      return trap;
    case "gap":
      return gap(plan.form, instruction.opcode);
    case "nothing":
      return () => {};
    case "atomic":
      return atomic(plan, operands, context);
    case "discard":
      return discard(plan, operands, context);
    case "rank":
      return rank(operands, context);
    case "within":
      return within(plan, operands, lanes);
    case "stack":
      return stack(plan, operands, context);
    case "channels":
      return channels(plan, context, ({ plan: inner, operands: slots }) =>
        unguarded({ ...instruction, plan: inner, operands: slots }, context),
      );
    case "switch":
    case "call":
    case "warp":
    case "barrier":
    case "cluster barrier":
    case "branch":
    case "exit":
    case "return":
      throw new Error(`${plan.shape} is control flow, not a step`);
  }
}

/** `@p` narrows the mask for one step; the step never sees it. */
const guarded =
  (step: Step, pc: number, slot: number, negated: boolean): Step =>
  (warp: Warp) => {
    const { active } = warp;
    const p = warp.p[slot]!;
    const taken = (active & (negated ? ~p : p)) >>> 0;
    if (taken === 0) return;
    warp.active = taken;
    step(warp);
    warp.active = active;
    warp.executed[pc]! |= taken;
  };
