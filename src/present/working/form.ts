import type { OperandClass } from "../../isa/form/operands.ts";
import type { Candidate } from "../../isa/match/match.ts";
import type { Held, Place } from "./plan.ts";
import { operationTypes } from "./type.ts";

/** An operand of a form, in the order that its plan has them. */
export interface Formal {
  readonly name: string;
  readonly takes: OperandClass;
  readonly optional: boolean;
  readonly written: boolean;
}

/** The operands of a spelled form; `placesOf` leaves out those that its modifiers do not have. */
export function formalsOf({ form, classes }: Candidate): Formal[] {
  const slots = form.slots.flatMap(({ second, inside = [], ...slot }) => [
    slot,
    ...(second ? [second] : []),
    ...inside,
  ]);
  return slots.flatMap(({ name, optional }) => {
    const takes = classes[name];
    return takes === undefined ? [] : [formal(name, optional, takes)];
  });
}

function formal(name: string, optional: boolean, takes: OperandClass): Formal {
  const register = takes.kind === "vector" ? takes.of : takes;
  return { name, takes, optional, written: "access" in register && register.access === "write" };
}

/** True for an operand that has bits before the instruction is executed. */
export const isInput = ({ takes, written }: Formal): boolean =>
  !written && ["register", "predicate", "vector", "literal", "address"].includes(takes.kind);

/** The operands with their bits in `values`; 0 for missing ones, nothing for optional ones. */
export const placesOf = (formals: readonly Formal[], values: ReadonlyMap<string, readonly bigint[]>): Place[] =>
  formals.map((formal): Place => {
    const { name, takes, optional, written } = formal;
    const [bits = 0n] = values.get(name) ?? [];
    if (takes.kind === "absent" || (optional && !written && !values.has(name))) return undefined;
    switch (takes.kind) {
      case "register":
      case "literal":
        return { name, bits, width: takes.bits };
      case "predicate":
        return { name, bits, width: 1 };
      case "address":
        return { name: `[${name}]`, bits, width: 64 };
      case "vector":
        return Array.from({ length: takes.count }, (_, at): Held => {
          return { name: `${name}[${at}]`, bits: values.get(name)?.[at] ?? 0n, width: takes.of.bits };
        });
      default:
        return undefined;
    }
  });

/** The type for reading the value of each input: that of the operation, else the declared type of its register. */
export function inputTypes(candidate: Candidate, formals: readonly Formal[]): ReadonlyMap<string, string> {
  const plan = candidate.plan();
  const taken = "op" in plan && typeof plan.op === "object" && "takes" in plan.op ? operationTypes(plan.op).takes : [];
  const types = new Map<string, string>();
  let at = 0;
  for (const each of formals.filter(isInput)) {
    // The operation takes what lies at an address, and the operand is the address.
    types.set(each.name, each.takes.kind === "address" ? "b64" : (taken[at] ?? declared(each.takes)));
    at += each.takes.kind === "vector" ? each.takes.count : 1;
  }
  return types;
}

function declared(takes: OperandClass): string {
  switch (takes.kind) {
    case "register":
      return takes.types[0] ?? `b${takes.bits}`;
    case "vector":
      return declared(takes.of);
    case "predicate":
      return "pred";
    case "literal":
      return "b32";
    default:
      return "b64";
  }
}
