import type { Operand } from "../../interp/contract/operand.ts";
import { nextOf } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Register, Result } from "../../interp/contract/program.ts";
import type { Cell } from "../../interp/contract/space.ts";
import type { Span } from "../../source/source.ts";
import { isRegisterType } from "../declaration/fundamental-types.ts";
import type { VariableSymbol } from "../declaration/scope.ts";
import { slotOf } from "../instruction/operand/register.ts";
import { type Report, reject } from "../report.ts";
import type { ArrayElements } from "./passed-types.ts";
import type { Slots } from "./slots.ts";

/** A result of a snippet: a variable in local memory at the offset of its symbol, and its elements. */
export interface InferredResult {
  readonly symbol: VariableSymbol;
  readonly elements: ArrayElements;
}

/** Elements of an array that is returned, each of which gets a register. */
const MAX_ARRAY_ELEMENTS = 4096;

/** PTX1407 for a result that has too many elements to show; `by` is the function, or what else returns it. */
export function checkCount(count: number, by: string, at: Span, report: Report): boolean {
  if (count <= MAX_ARRAY_ELEMENTS) return true;
  reject(report, "PTX1407", at, `${by} returns ${count} elements, which are too many to show`, {
    expected: `${MAX_ARRAY_ELEMENTS} at most, or a kernel that calls it`,
  });
  return false;
}

/** The registers that get a result: one of `elements` elements, or one for each element of an array in memory. */
export function resultRegisters(
  { name, span }: { readonly name: string; readonly span: Span },
  { type, count }: ArrayElements,
  elements: Register["elements"],
  slots: Slots,
): { readonly result: Result; readonly operands: readonly Operand[] } {
  const register = (name: string, elements: Register["elements"]): Register =>
    slots.register({ kind: "register", name, type: isRegisterType(type) ? type : "b64", elements, span });
  if (count !== 1) {
    const registers = Array.from({ length: count }, (_, index) => register(`${name}[${index}]`, 1));
    return {
      result: { name, registers },
      operands: [{ kind: "vector", items: registers.map((each) => slotOf(each)) }],
    };
  }
  const only = register(name, elements);
  const operands = Array.from({ length: elements }, (_, element) => slotOf(only, element));
  return { result: { name, registers: [only] }, operands };
}

/**
 * Ends the code of a snippet with results: every `ret` goes to loads of its results from local memory, and an exit.
 * Results are returned in registers.
 */
export function returnResults(
  code: Instruction[],
  inferred: readonly InferredResult[],
  at: Span,
  slots: Slots,
): readonly Result[] {
  for (const [pc, instruction] of code.entries())
    if (nextOf(instruction.plan) === "caller")
      code[pc] = { ...instruction, plan: { shape: "branch" }, operands: [{ kind: "target", pc: code.length }] };
  const results = inferred.map(({ symbol, elements }) => {
    const { result } = resultRegisters(symbol, elements, 1, slots);
    for (const [index, register] of result.registers.entries()) {
      const bits = register.bits as Cell["bits"];
      const offset = BigInt((symbol.offset ?? 0) + (index * bits) / 8);
      const plan = { shape: "load" as const, space: "local" as const, cell: { bits, signed: false } };
      const operands: readonly Operand[] = [slotOf(register), { kind: "address", offset }];
      code.push({ plan, operands, span: symbol.span, opcode: "ret" });
    }
    return result;
  });
  code.push({ plan: { shape: "exit" }, operands: [], span: at, opcode: "exit" });
  return results;
}
