import type { Expression } from "../operation/expression.ts";

/** One operation of IEEE 754 by its name, and what it is done to. A reciprocal is a quotient of 1. */
export interface ArithmeticShape {
  readonly does: "add" | "sub" | "mul" | "fma" | "div" | "rcp" | "sqrt";
  readonly operands: readonly Expression[];
}

/** The arithmetic that an expression is at its top, `a * b + c` counting as one; undefined where it is none. */
export function arithmeticShape(x: Expression): ArithmeticShape | undefined {
  switch (x.node) {
    case "add":
      if (x.a.node === "mul") return fused(x.a.a, x.a.b, x.b);
      if (x.b.node === "mul") return fused(x.b.a, x.b.b, x.a);
      return { does: "add", operands: [x.a, x.b] };
    case "sub":
      if (x.a.node === "mul") return fused(x.a.a, x.a.b, minus(x.b));
      if (x.b.node === "mul") return fused(minus(x.b.a), x.b.b, x.a);
      return { does: "sub", operands: [x.a, x.b] };
    case "mul":
      return { does: "mul", operands: [x.a, x.b] };
    case "div":
      if (x.a.node === "integer" && x.a.value === 1n) return { does: "rcp", operands: [x.b] };
      return { does: "div", operands: [x.a, x.b] };
    case "sqrt":
      return { does: "sqrt", operands: [x.a] };
    case "label":
      return arithmeticShape(x.a);
    default:
      return undefined;
  }
}

const fused = (...operands: readonly [Expression, Expression, Expression]): ArithmeticShape => ({
  does: "fma",
  operands,
});
const minus = (a: Expression): Expression => ({ node: "neg", a });
