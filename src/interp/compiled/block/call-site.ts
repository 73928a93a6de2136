import type { Operand, SlotOperand } from "../../contract/operand.ts";
import { elements } from "../../contract/operand.ts";
import type { Instruction, ParameterLocation, Program } from "../../contract/program.ts";

/** What a call moves: between registers of one bank, or within local memory, as offsets in a lane's. */
export type Pass =
  | { readonly bank: "p"; readonly from: number; readonly to: number }
  | { readonly bank: "r" | "q"; readonly from: number; readonly to: number; readonly bits: number }
  | { readonly bank: "local"; readonly from: number; readonly to: number; readonly bytes: number };

/** A call of one function that has a body and is not recursive. */
export interface CallSite {
  readonly pc: number;
  /** The function's address, as a register of an indirect call holds it. */
  readonly address: bigint;
  /** Index into `Program.functions`, and the function's first instruction. */
  readonly callee: number;
  readonly entry: number;
  readonly takes: readonly Pass[];
  readonly gives: readonly Pass[];
}

/** A call instruction: the function by name, or the candidates that compiled code knows for a register. */
export interface Calling {
  readonly sites: readonly CallSite[];
  readonly through: SlotOperand | undefined;
}

/** The most bytes that compiled code copies. */
const MOST_BYTES = 128;
/** The most functions of one call, since there is code for each. */
const MOST_FUNCTIONS = 16;

/** What a call instruction does; undefined if only JavaScript can execute it. */
export function callingOf(instruction: Instruction, pc: number, program: Program): Calling | undefined {
  const [, target, , candidates] = instruction.operands;
  const through = target?.kind === "slot" ? target : undefined;
  const callees = through === undefined ? [target] : elements(candidates);
  if (callees.length > MOST_FUNCTIONS) return undefined;
  const sites = callees.flatMap((callee) => callSite(callee, instruction, pc, program) ?? []);
  return sites.length === 0 ? undefined : { sites, through };
}

function callSite(
  target: Operand | undefined,
  { operands }: Instruction,
  pc: number,
  program: Program,
): CallSite | undefined {
  const [results, , parameters] = operands;
  if (target?.kind !== "target") return undefined;
  const code = program.functions[target.pc];
  if (code === undefined || typeof code.entry !== "number" || code.recursive !== undefined) return undefined;
  const [given, wanted] = [elements(parameters), elements(results)];
  const takes = code.parameters.map((place, at) => passOf(given[at], operandOf(place), bytesOf(place)));
  const gives = code.results.flatMap((place, at) => {
    const to = wanted[at];
    return to === undefined || to.kind === "sink" ? [] : [passOf(operandOf(place), to, bytesOf(place))];
  });
  if (![...takes, ...gives].every((pass) => pass !== undefined)) return undefined;
  return {
    pc,
    address: code.address,
    callee: target.pc,
    entry: code.entry,
    takes: takes as readonly Pass[],
    gives: gives as readonly Pass[],
  };
}

const operandOf = (place: ParameterLocation): Operand => (place.kind === "slot" ? place.slot : place.at);
const bytesOf = (place: ParameterLocation): number => (place.kind === "memory" ? place.bytes : 0);

function passOf(from: Operand | undefined, to: Operand, bytes: number): Pass | undefined {
  if (from?.kind === "predicate" && to.kind === "predicate")
    // No argument and no result of a call is negated.
    return { bank: "p", from: from.slot, to: to.slot };
  if (from?.kind === "slot" && to.kind === "slot") {
    if (from.bank !== to.bank || from.bits === 128 || to.bits === 128) return undefined;
    return { bank: to.bank, from: from.slot, to: to.slot, bits: to.bits };
  }
  const [source, goal] = [placeOf(from), placeOf(to)];
  if (source === undefined || goal === undefined || bytes > MOST_BYTES) return undefined;
  return { bank: "local", from: source, to: goal, bytes };
}

/** A variable of the function's body, where it lies for every lane alike. */
function placeOf(operand: Operand | undefined): number | undefined {
  if (operand?.kind !== "address" || operand.of === "kernel") return undefined;
  if (operand.base !== undefined || operand.index !== undefined || operand.offset < 0n) return undefined;
  return Number(operand.offset);
}
