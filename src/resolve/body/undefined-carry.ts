import { followers } from "../../interp/contract/control-flow.ts";
import { readsCarry, writesCarry, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Span } from "../../source/source.ts";

/**
 * The first instruction, in the order of the text, that may read CC.CF before anything has set it. What `.cc` sets
 * under a predicate is set for instructions under the same predicate, until that is written.
 */
export function carryRead(code: readonly Instruction[]): Span | undefined {
  if (!code.some(({ plan }) => readsCarry(plan))) return undefined;
  const known = new Int32Array(code.length).fill(UNSEEN);
  const open: number[] = [];
  const arrive = (pc: number, state: number): void => {
    const before = known[pc];
    // After the end of the code; or nothing new.
    if (before === undefined || before === state || before === NOWHERE) return;
    known[pc] = before === UNSEEN ? state : NOWHERE;
    open.push(pc);
  };
  arrive(0, NOWHERE);
  for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
    const instruction = code[pc];
    const after = instruction && setAfter(instruction, known[pc] ?? NOWHERE);
    if (instruction === undefined || after === undefined) continue;
    for (const next of followers(instruction, pc)) arrive(next, after);
  }
  return code.find(({ plan, guard }, pc) => {
    if (!readsCarry(plan) || known[pc] === UNSEEN) return false;
    return known[pc] === NOWHERE || known[pc] !== under(guard);
  })?.span;
}

// Where the flag is set at an instruction: in no thread for certain, or in those that pass a predicate.
const UNSEEN = -1;
const NOWHERE = 0;
const under = (guard: Instruction["guard"]): number =>
  guard === undefined ? NOWHERE : 1 + 2 * guard.slot + (guard.negated ? 1 : 0);

/** Where the flag is set after an instruction; undefined when it is set everywhere. */
function setAfter({ plan, operands, guard }: Instruction, state: number): number | undefined {
  if (writesCarry(plan)) return guard === undefined ? undefined : under(guard);
  const rewritten = operands
    .slice(0, writtenBy(plan))
    .some((operand) => operand?.kind === "predicate" && operand.slot === (state - 1) >> 1);
  return state !== NOWHERE && rewritten ? NOWHERE : state;
}

/**
 * The warning about a function of a module that reads an unset flag; in a snippet the flag is an input, like
 * registers.
 */
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
      expected: "an instruction with .cc before it, on every path to it",
    },
  ];
}
