import type { Plan } from "./plan.ts";

/** How many operands an instruction writes; they stand before those that it reads, holes included. */
export function writtenBy(plan: Plan): number {
  switch (plan.shape) {
    case "store":
    case "discard":
    case "branch":
    case "switch":
    case "cluster barrier":
    case "exit":
    case "return":
    case "trap":
    case "nothing":
    case "gap":
    case "channels":
      return 0;
    case "stack":
      return plan.act === "restore" ? 0 : 1;
    case "atomic":
      return plan.gives ? 1 : 0;
    case "compare":
    case "test":
      return 2;
    case "warp":
      return plan.op.gives.length;
    default:
      return 1;
  }
}
