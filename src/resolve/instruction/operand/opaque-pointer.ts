import type { Operand } from "../../../interp/contract/operand.ts";
import type { Plan } from "../../../interp/contract/plan/plan.ts";
import type { Instruction } from "../../../interp/contract/program.ts";
import type * as ast from "../../../parser/ast.ts";
import { isOpaque } from "../../declaration/fundamental-types.ts";
import type { Scope } from "../../declaration/scope.ts";
import { fixedOffset } from "./value.ts";

/** `mov.u64 d, t` with an opaque parameter of the kernel: its handle, which lies in the parameter. */
export function pointing(
  { operands: [, source] }: ast.Instruction,
  plan: Plan,
  [d]: readonly (Operand | undefined)[],
  scope: Scope,
): Pick<Instruction, "plan" | "operands"> | undefined {
  const symbol = plan.shape === "move" && source?.kind === "name" ? scope.lookup(source.name.text) : undefined;
  if (symbol?.kind !== "variable" || symbol.space !== "param" || !isOpaque(symbol.type)) return undefined;
  const load: Plan = { shape: "load", space: "param", cell: { bits: 64, signed: false } };
  return { plan: load, operands: [d, { kind: "address", offset: BigInt(fixedOffset(symbol)) }] };
}
