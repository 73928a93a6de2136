import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import type { Barrier } from "../../model/event.ts";

/** The model's barrier for an instruction; undefined for all others. */
export function barrierOf(
  { plan, operands }: Instruction,
  value: (operand: Operand) => bigint,
): Pick<Barrier, "kind" | "of" | "id" | "does" | "count" | "relaxed"> | undefined {
  const kind = "barrier" as const;
  const numbers = operands.filter((each) => each !== undefined).map((each) => Number(value(each)));
  switch (plan.shape) {
    case "barrier": {
      const [id = 0, count] = numbers;
      const does = plan.act === "arrive" ? "arrive" : "sync";
      return { kind, of: "cta", id, does, ...(count === undefined ? {} : { count }) };
    }
    case "cluster barrier":
      return { kind, of: "cluster", id: 0, does: plan.act, ...(plan.relaxed ? { relaxed: true } : {}) };
    case "warp":
      return plan.op.among === "sync" ? { kind, of: "warp", id: numbers[0] ?? 0, does: "sync" } : undefined;
    default:
      return undefined;
  }
}
