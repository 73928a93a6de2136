import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import { type WarpOperation, warpKey, warpOperands } from "../../../../src/numeric/operation/warp.ts";
import type { Barrier } from "../../model/event.ts";

/** The model's barrier for an instruction; undefined for all others. */
export function barrierOf(
  { plan, operands }: Instruction,
  value: (operand: Operand) => bigint,
): Pick<Barrier, "kind" | "of" | "id" | "does" | "count" | "relaxed" | "operation"> | undefined {
  const kind = "barrier" as const;
  const number = (operand: Operand | undefined) => (operand === undefined ? undefined : Number(value(operand)));
  switch (plan.shape) {
    case "barrier": {
      const reduces = plan.act !== "sync" && plan.act !== "arrive";
      const [id = 0, count] = (reduces ? operands.slice(1, -1) : operands).map(number);
      const does = plan.act === "arrive" ? "arrive" : "sync";
      return { kind, of: "cta", id, does, ...(count === undefined ? {} : { count }) };
    }
    case "cluster barrier":
      return { kind, of: "cluster", id: 0, does: plan.act, ...(plan.relaxed ? { relaxed: true } : {}) };
    case "warp":
      return {
        kind,
        of: "warp",
        id: number(membermask(plan.op, operands)) ?? 0,
        does: "sync",
        // but for bar.warp.sync, the manual promises no order of memory
        ...(plan.op.among !== "sync" && { relaxed: true, operation: warpKey(plan.op) }),
      };
    default:
      return undefined;
  }
}

/** The operand that stands behind what an exchange gives and takes. */
function membermask(op: WarpOperation, operands: Instruction["operands"]): Operand | undefined {
  const { takes, gives } = warpOperands(op);
  return operands[gives.length + takes.length];
}

/** Whether threads meet at an instruction. */
export const isTogether = ({ shape }: Plan): boolean =>
  shape === "barrier" || shape === "cluster barrier" || shape === "warp";
