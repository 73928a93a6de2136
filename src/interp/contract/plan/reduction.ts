import type { Operation } from "../../../numeric/operation/operation.ts";
import type { Operand } from "../operand.ts";
import type { Instruction, Program } from "../program.ts";
import { writtenBy } from "./effects.ts";

/**
 * Updates of integers in memory that commute: the final value does not depend on their order. For `inc`, `dec`,
 * `exch` and `cas` it does, and for sums of floats.
 */
export const reductions = [
  ...(["and", "or", "xor", "add32", "add64"] as const),
  ...(["min.u32", "min.s32", "min.u64", "min.s64", "max.u32", "max.s32", "max.u64", "max.s64"] as const),
] as const;
export type Reduction = (typeof reductions)[number];

/**
 * The reduction that an instruction amounts to, if any: a `red`, or an `atom` with an unused result, of global
 * memory or a generic address. `observable`: registers may be inspected, so that a result is used
 * even if the program never reads it.
 */
export function reductionOf(
  { plan, operands }: Pick<Instruction, "plan" | "operands">,
  program: Program,
  observable: boolean,
): Reduction | undefined {
  if (plan.shape !== "atomic" || (plan.space !== "global" && plan.space !== "generic")) return undefined;
  if (plan.gives && isWanted(operands[0], program, observable)) return undefined;
  return plan.shared === undefined ? reductionName(plan.op) : undefined;
}

/** The name of an operation on the held value and one operand; undefined where order matters. */
function reductionName({ takes, gives, result }: Operation): Reduction | undefined {
  if (result.into !== "wrap" || takes.length !== 2 || result.type !== gives) return undefined;
  const { of } = result;
  if (!("a" in of) || !("b" in of) || of.a.node !== "argument" || of.b.node !== "argument") return undefined;
  if (of.a.name !== takes[0]!.name || of.b.name !== takes[1]!.name) return undefined;
  const names: readonly string[] = [of.node, `${of.node}${gives.slice(1)}`, `${of.node}.${gives}`];
  return takes.every(({ type }) => type === gives) ? reductions.find((name) => names.includes(name)) : undefined;
}

function isWanted(d: Operand | undefined, program: Program, observable: boolean): boolean {
  if (d?.kind === "sink") return false;
  // Functions access registers in other ways than by operands.
  if (d?.kind !== "slot" || observable || program.functions.length > 0) return true;
  const read = known.get(program) ?? readIn(program);
  known.set(program, read);
  return read.has(`${d.bank}${d.slot}`);
}

/** By program: its registers that some instruction reads. */
const known = new WeakMap<Program, ReadonlySet<string>>();

function readIn({ code }: Program): ReadonlySet<string> {
  const read = new Set<string>();
  const note = (operand: Operand | undefined, written: boolean): void => {
    if (operand?.kind === "vector") for (const item of operand.items) note(item, written);
    else if (operand?.kind === "address") for (const each of [operand.base, operand.index?.of]) note(each, false);
    else if (operand?.kind === "slot" && !written)
      for (const slot of operand.bits === 128 ? [operand.slot, operand.slot + 1] : [operand.slot])
        read.add(`${operand.bank}${slot}`);
  };
  for (const { plan, operands } of code)
    for (const [at, operand] of operands.entries()) note(operand, at < writtenBy(plan));
  return read;
}
