import { type Operand, scalars } from "../../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../../src/interp/contract/plan/effects.ts";
import type { Register } from "../../../../src/interp/contract/program.ts";
import { isValueType, widthOf } from "../../../../src/numeric/format/value-type.ts";
import type { Evaluation, Viewed } from "../expression/evaluation.ts";
import type { ExpressionValue } from "../expression/value.ts";

/**
 * The types in which a program uses the register that an expression is, those of the instructions that write it first;
 * none for another expression, and none of bits alone.
 */
export function typesOfUse(viewed: Viewed, asked: Evaluation | undefined): readonly string[] {
  const { written, read } = usesOf(viewed, asked);
  return [...new Set([...written.flat(), ...read.flat()])];
}

/**
 * A register of bits alone with the type that the instructions give it which write it, as `why` reads it: of integers
 * the signed one where some are; as it is where they differ otherwise, and where all are unsigned.
 */
export function asWritten(viewed: Viewed, asked: Evaluation | undefined, value: ExpressionValue): ExpressionValue {
  if (!/^b\d/.test(value.type)) return value;
  // The first type of several is the result's: cvt.s32.f32.
  const types = new Set(usesOf(viewed, asked).written.flatMap(([first]) => first ?? []));
  const signed = `s${value.type.slice(1)}`;
  if (types.has(signed)) types.delete(`u${value.type.slice(1)}`);
  const [type, ...others] = types;
  return type === undefined || others.length > 0 || type.startsWith("u") ? value : { ...value, type };
}

/** Of each instruction that writes or reads the register: the types that it names and that have the register's width. */
function usesOf({ debugger: { session }, names }: Viewed, asked: Evaluation | undefined) {
  const written: string[][] = [];
  const read: string[][] = [];
  const found = asked?.expression.kind === "name" ? names.find(asked.expression.text) : undefined;
  if (found?.kind !== "register") return { written, read };
  const { register } = found;
  for (const { plan, operands, opcode } of session.program.code) {
    const at = operands.findIndex((each) => scalars(each).some((leaf) => isIn(register, leaf)));
    if (at < 0) continue;
    const types = opcode.split(".").filter((word) => isValueType(word) && !/^b\d/.test(word));
    const fitting = types.filter((type) => widthOf(type) === register.bits);
    (at < writtenBy(plan) ? written : read).push(fitting);
  }
  return { written, read };
}

const isIn = ({ bank, slot, elements }: Register, leaf: Operand): boolean =>
  leaf.kind === "slot" && leaf.bank === bank && leaf.slot >= slot && leaf.slot < slot + elements;
