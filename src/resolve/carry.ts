import type { Instruction, Program } from "../interp/program.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Span } from "../source/source.ts";
import { followers } from "./flow.ts";

/**
 * The first instruction, in the order of the text, that may read CC.CF before anything has set it. A guarded `.cc` does
 * not count, since it may not happen.
 */
export function carryRead(code: readonly Instruction[]): Span | undefined {
  if (!code.some(({ plan }) => plan.shape === "carry" && plan.carryIn)) return undefined;
  const seen = new Uint8Array(code.length);
  const open = [0];
  let first: number | undefined;
  for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
    const instruction = code[pc];
    if (instruction === undefined || seen[pc] === 1) continue;
    seen[pc] = 1;
    const { plan, guard } = instruction;
    if (plan.shape === "carry") {
      if (plan.carryIn) first = Math.min(first ?? pc, pc);
      if (plan.carryOut && guard === undefined) continue;
    }
    open.push(...followers(instruction, pc));
  }
  return first === undefined ? undefined : code[first]?.span;
}

/** The warning about a function of a module whose flag is nobody's: a snippet's is an input, like its registers. */
export function undefinedCarry({ carryIn, source }: Program): Diagnostic[] {
  if (carryIn === undefined) return [];
  const { start, end } = carryIn;
  return [
    {
      code: "PTX9004",
      severity: "warning",
      message: "the carry flag is read here, and nothing has set it; it is 0",
      source,
      span: { start, end },
      expected: "an instruction with .cc before it, on every way here",
    },
  ];
}
