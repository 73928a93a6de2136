import type { Operand } from "../../interp/contract/operand.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { OperandClass, VectorClass } from "../../isa/form/operands.ts";
import type { Candidate } from "../../isa/match/match.ts";
import {
  ABOVE,
  ADDRESS,
  NOT,
  PAIR,
  type PlainInstruction,
  VECTOR,
  WHAT,
  WORD,
} from "../../parser/plain/instruction.ts";
import { bytesAt } from "../instruction/beyond.ts";
import { DOUBLE, type Facts, INTEGER, isScalar, LABEL, PREDICATE, SINGLE, SINK } from "./facts.ts";
import type { Place, Recipe } from "./memo.ts";

/** A resolved instruction, and its entry of the table. */
export interface Resolved {
  readonly instruction: Instruction;
  readonly candidate?: Candidate | undefined;
}

/**
 * How operands of the same kinds are resolved in the same way as these; undefined where that does not follow from
 * the kinds. The caller compares the recipe's result with the instruction that it was made from.
 */
export function recipeFor(
  node: PlainInstruction,
  { instruction, candidate }: Resolved,
  facts: Facts,
): Recipe | undefined {
  if (candidate === undefined) return undefined;
  const { plan, opcode, operands } = instruction;
  const classes = classesOf(candidate);
  if ("beyond" in plan) return undefined;
  const written = new Written(node, facts, bytesAt(plan, operands));
  const places: Place[] = [];
  for (const [at, operand] of operands.entries()) {
    const place = operand === undefined ? fixed(undefined) : written.place(operand, classes[at]);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return written.done ? { plan, opcode, places } : undefined;
}

const fixed = (operand: Operand | undefined): Place => ({ how: "fixed", operand });

/** The classes of an entry's operands, in the order in which the program has them. */
function classesOf({ form, classes }: Candidate): readonly (OperandClass | undefined)[] {
  return form.slots.flatMap(({ name, second, inside }) =>
    [name, ...(second ? [second.name] : []), ...(inside ?? []).map((each) => each.name)].map((each) => classes[each]),
  );
}

/** The items of an instruction's operands, one after the other. */
class Written {
  readonly #node: PlainInstruction;
  readonly #facts: Facts;
  /** Bytes that the instruction touches at its address. */
  readonly #bytes: number;
  #at = 0;
  /** Items of operands that are still to come. */
  #left: number;

  constructor(node: PlainInstruction, facts: Facts, bytes: number) {
    this.#node = node;
    this.#facts = facts;
    this.#bytes = bytes;
    this.#left = node.body.stream[node.at + 2] ?? 0;
  }

  get done(): boolean {
    return this.#left === 0;
  }

  /** The source of the next operand, which was resolved to this one. */
  place(operand: Operand, wanted: OperandClass | undefined): Place | undefined {
    if (wanted === undefined || this.#left === 0) return undefined;
    const { stream } = this.#node.body;
    if (((stream[this.#node.at + 3 + this.#at] ?? 0) & WHAT) === PAIR) {
      this.#at++;
      this.#left++;
    }
    this.#left--;
    const at = this.#at++;
    const code = stream[this.#node.at + 3 + at] ?? 0;
    const kind = this.#facts.kind(code >> ABOVE);
    switch (code & WHAT) {
      case WORD:
        return learntPlace(operand, wanted, kind, at);
      case NOT:
        return kind === PREDICATE && operand.kind === "predicate" ? { how: "opposite", at } : undefined;
      case ADDRESS:
        this.#at++;
        if (operand.kind !== "address") return undefined;
        if (isScalar(kind)) return { how: "based", at };
        return wanted.kind === "address" && !wanted.coordinates
          ? { how: "placed", at, wanted, bytes: this.#bytes }
          : undefined;
      case VECTOR:
        return wanted.kind === "vector" ? this.#vector(operand, wanted, code >> ABOVE) : undefined;
      default:
        return undefined;
    }
  }

  #vector(operand: Operand, { of, each, mixed }: VectorClass, count: number): Place | undefined {
    if (operand.kind !== "vector" || operand.items.length !== count) return undefined;
    this.#left += count;
    const items: Place[] = [];
    for (const [index, made] of operand.items.entries()) {
      const place = this.place(made, each?.[index] ?? of);
      // The meaning of a number there depends on its neighbours.
      if (place === undefined || (mixed && place.how === "number")) return undefined;
      items.push(place);
    }
    return { how: "vector", items };
  }
}

function learntPlace(operand: Operand, wanted: OperandClass, kind: number, at: number): Place | undefined {
  if (isScalar(kind))
    return operand.kind === "slot" || operand.kind === "predicate" ? { how: "register", at } : undefined;
  switch (kind) {
    case INTEGER:
    case SINGLE:
    case DOUBLE:
      if (operand.kind === "predicate" && wanted.kind === "predicate" && kind === INTEGER)
        return { how: "truth", at, wanted };
      if (operand.kind !== "slot" || (wanted.kind === "register" && wanted.share)) return undefined;
      return wanted.kind === "register" || wanted.kind === "literal" ? { how: "number", at, wanted } : undefined;
    case LABEL:
      return operand.kind === "target" ? { how: "label", at } : undefined;
    case SINK:
      return operand.kind === "sink" ? fixed(operand) : undefined;
    default:
      return operand.kind === "slot" && wanted.kind === "register" ? { how: "value", at, wanted } : undefined;
  }
}
