import { lowerCarry } from "../../../numeric/lower/lowered.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Step } from "../../state/warp.ts";
import { carryLoopOf } from "../find-loop.ts";

/** `d, a, b{, c}` with CC.CF in, out or both. The operation returns one bit more than its width: the new carry. */
export function carry(
  plan: Plan & { shape: "carry" },
  operands: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  const { carryIn, carryOut } = plan;
  const op = lowerCarry(plan.op);
  const [d, a, b, c] = operands.map((operand, at) => (at <= op.arity ? slot(operand).slot * lanes : 0));
  const to = d!;
  const [x, y] = [a!, b!];
  // An addition of two has no third term; its function ignores the parameter.
  const z = op.arity === 3 ? c! : x;
  const loop = carryLoopOf(plan.op);
  if (loop !== undefined && operands.slice(0, op.arity + 1).every((operand) => slot(operand).bits === op.width))
    return loop(lanes, to, x, y, z);
  if (op.width === 32) {
    const run = op.js as (a: number, b: number, c: number, carry: number) => number;
    return (warp) => {
      const { r, active, carry } = warp;
      let flags = 0;
      for (let lane = 0; lane < lanes; lane++) {
        if (!((active >>> lane) & 1)) continue;
        const sum = run(r[x + lane]!, r[y + lane]!, r[z + lane]!, carryIn ? (carry >>> lane) & 1 : 0);
        if (sum >= 0x1_0000_0000) flags |= 1 << lane;
        r[to + lane] = sum;
      }
      if (carryOut) warp.carry = ((carry & ~active) | flags) >>> 0;
    };
  }
  const run = op.js as (a: bigint, b: bigint, c: bigint, carry: bigint) => bigint;
  return (warp) => {
    const { q, active, carry } = warp;
    let flags = 0;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const sum = run(q[x + lane]!, q[y + lane]!, q[z + lane]!, BigInt(carryIn ? (carry >>> lane) & 1 : 0));
      if (sum >= 0x1_0000_0000_0000_0000n) flags |= 1 << lane;
      q[to + lane] = sum;
    }
    if (carryOut) warp.carry = ((carry & ~active) | flags) >>> 0;
  };
}
