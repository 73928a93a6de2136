import { bytesTouched, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { RegistersOfThreads } from "./thread-values.ts";

/**
 * A warning for each load from the kernel's parameters, by a register or a number, of bytes that no parameter has
 * (PTX9107). Where the address names the parameter, PTX4051 says it.
 */
export function undeclaredBytes(program: Program): readonly Diagnostic[] {
  const loads = program.code.flatMap(({ plan, operands: [, address] }, pc) =>
    plan.shape === "load" && plan.space === "param" && !plan.beyond && address?.kind === "address" && address.base
      ? [pc]
      : [],
  );
  if (loads.length === 0) return [];
  const registers = new RegistersOfThreads(program);
  return loads.flatMap((pc) => judged(pc, program, registers) ?? []);
}

function judged(
  pc: number,
  { code, parameters, source }: Program,
  registers: RegistersOfThreads,
): Diagnostic | undefined {
  const { plan, operands, opcode, span } = code[pc]!;
  const [touch] = touchesOf(plan);
  const values = registers.of(operands[1], pc);
  if (touch === undefined || values === undefined) return undefined;
  const [place] = values.cells;
  if (place === undefined || !values.cells.every((each) => each === place)) return undefined;
  const from = Number(BigInt(place) & 0xffff_ffffn);
  const bytes = bytesTouched(touch, operands);
  const isDeclared = (at: number) => parameters.some(({ offset, bytes }) => at >= offset && at < offset + bytes);
  const missing = Array.from({ length: bytes }, (_, at) => from + at).filter((at) => !isDeclared(at)).length;
  if (missing === 0) return undefined;
  return {
    code: "PTX9107",
    severity: "warning",
    source,
    span,
    message: `${opcode} reads ${missing === bytes ? "" : `${missing} of its `}${bytes} bytes, at ${from}, where there is no parameter`,
    expected: "an address within a parameter",
    help: [{ message: "name the parameter, as in [name+4], or declare it as long as what is read" }],
  };
}
