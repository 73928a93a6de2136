import { type Operand, scalars } from "../../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../../src/interp/contract/plan/effects.ts";
import type { Register } from "../../../../src/interp/contract/program.ts";
import { isValueType, widthOf } from "../../../../src/numeric/format/value-type.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import type { Shell } from "../shell.ts";

/**
 * The types in which a program uses the register that an expression is, those of the instructions that write it first;
 * none for another expression, and none of bits alone.
 */
export function typesOfUse({ debugger: { session }, names }: Shell, asked: Evaluation | undefined): readonly string[] {
  if (asked?.expression.kind !== "name") return [];
  const found = names.find(asked.expression.text);
  if (found?.kind !== "register") return [];
  const { register } = found;
  const written: string[] = [];
  const read: string[] = [];
  for (const { plan, operands, opcode } of session.program.code) {
    const at = operands.findIndex((each) => scalars(each).some((leaf) => isIn(register, leaf)));
    if (at < 0) continue;
    const types = opcode.split(".").filter((word) => isValueType(word) && !/^b\d/.test(word));
    const fitting = types.filter((type) => widthOf(type) === register.bits);
    (at < writtenBy(plan) ? written : read).push(...fitting);
  }
  return [...new Set([...written, ...read])];
}

const isIn = ({ bank, slot, elements }: Register, leaf: Operand): boolean =>
  leaf.kind === "slot" && leaf.bank === bank && leaf.slot >= slot && leaf.slot < slot + elements;
