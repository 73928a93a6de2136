import type { Shape } from "./plan.ts";

/** How many operands an instruction of a shape writes; they stand before those that it reads. */
export function writtenBy(shape: Shape): 0 | 1 | 2 {
  switch (shape) {
    case "store":
    case "branch":
    case "exit":
    case "return":
    case "trap":
    case "nothing":
    case "gap":
      return 0;
    case "compare":
      return 2;
    default:
      return 1;
  }
}
