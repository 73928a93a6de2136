import type { Plan } from "../../interp/contract/plan/plan.ts";
import { lanes, type PackedName, packedTypes } from "../../numeric/operation/build.ts";
import type { Argument, Operation, Result } from "../../numeric/operation/operation.ts";
import { readsOperand } from "../../numeric/operation/parts.ts";
import { type IntegerName, isSignedType, type TypeName, widthOf } from "../../numeric/operation/type.ts";
import type { InstructionType } from "./instruction-type.ts";
import type { OperandClass } from "./operands.ts";

type Classes = Readonly<Record<string, OperandClass>>;

/**
 * The plan of a form that says what it computes: its operands, read by their types, and how the result becomes bits.
 * Where the target is a packed type the result is that of one lane, and the same on each.
 */
export function planOf(classes: Classes, result: Result): Plan {
  const written = Object.values(classes).find(isWritten);
  if (written === undefined) throw new Error("a form that computes has no target");
  const read = Object.entries(classes).flatMap(([name, takes]) => argumentsOf(name, takes));
  const target = written.kind === "predicate" ? "pred" : written.type;
  if (result.into === "carry") return carryPlan(read.map(withoutSign), result.type, result, result.out);
  if (readsCarry(result)) return carryPlan(read, laneType(target), result, false);
  const count = laneCount(target);
  const each: Operation = {
    takes: read.map(({ name, type }) => ({ name, type: laneType(type) })),
    gives: laneType(target),
    result,
  };
  const op = count === 1 ? each : lanes(count, each);
  if (written.kind === "predicate" || !written.wider) return { shape: "compute", op };
  // A signed result is extended by its sign into a wider register.
  return { shape: "compute", op, extend: isSignedType(each.gives) ? "sign" : "zero" };
}

/** CC.CF comes in where the expression mentions it. */
function carryPlan(read: readonly Operand[], target: TypeName, result: Result, carryOut: boolean): Plan {
  const carryIn = readsCarry(result);
  const takes = read.map(({ name, type }): Argument => ({ name, type: laneType(type) }));
  const all: Operation = {
    takes: carryIn ? [...takes, { name: "CF", type: "pred" }] : takes,
    gives: target,
    result,
  };
  return { shape: "carry", op: all, carryIn, carryOut };
}

const readsCarry = (result: Result): boolean => "of" in result && readsOperand(result.of, "CF");

/** Operands of `carry` count as unsigned, so that the carry is that of their bits. */
const withoutSign = ({ name, type }: Operand): Operand => ({
  name,
  type: `u${widthOf(laneType(type))}` as IntegerName,
});

interface Operand {
  readonly name: string;
  readonly type: InstructionType | "pred";
}

type Target = Extract<OperandClass, { kind: "register" | "predicate" }>;

const isWritten = (takes: OperandClass): takes is Target =>
  (takes.kind === "register" || takes.kind === "predicate") && takes.access === "write";

/** An operand that is read, with its type; a vector is its elements, `a.x` first. */
function argumentsOf(name: string, takes: OperandClass): readonly Operand[] {
  switch (takes.kind) {
    case "register":
      return takes.access === "read" ? [{ name, type: takes.type }] : [];
    case "predicate":
      return takes.access === "read" ? [{ name, type: "pred" }] : [];
    case "literal":
      return [{ name, type: "u32" }];
    case "vector":
      return [..."xyzw"].slice(0, takes.count).map((part) => ({ name: `${name}.${part}`, type: takes.of.type }));
    case "absent":
      return [];
    default:
      throw new Error(`a ${takes.kind} takes no part in a computation`);
  }
}

const isPacked = (type: string): type is PackedName => type in packedTypes;
const laneCount = (type: InstructionType | "pred"): number => (isPacked(type) ? packedTypes[type][1] : 1);
const laneType = (type: InstructionType | "pred"): TypeName => (isPacked(type) ? packedTypes[type][0] : type);
