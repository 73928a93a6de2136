import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import type { InstructionType } from "../../isa/form/instruction-type.ts";
import type { BitsName } from "../../numeric/operation/type.ts";
import { BlockNames } from "../declaration/block-names.ts";
import { isRegisterType } from "../declaration/fundamental-types.ts";

/** The names of a program that injected statements may use: its registers, parameters and variables. */
export function namesAround(program: Program, variables: readonly ModuleVariable[]): BlockNames {
  const blockNames = new BlockNames(undefined, { anywhere: true });
  for (const { name, type, bits, elements, span } of program.registers)
    blockNames.declare({
      kind: "register",
      name,
      ...(isRegisterType(type) ? { type } : { type: `b${bits}` as BitsName, meaning: type as InstructionType }),
      elements,
      span,
    });
  const plain = { kind: "variable", functions: [] } as const;
  const nowhere = { start: 0, end: 0 };
  for (const { name, space, type, bytes, offset } of program.variables)
    blockNames.declare({ ...plain, name, space, type, bytes, align: 1, offset, span: nowhere });
  for (const { name, type, bytes, align, offset, span } of program.parameters)
    blockNames.declare({ ...plain, name, space: "param", type, bytes, align, offset, span });
  for (const { name, space, type, bytes, align, span } of variables)
    blockNames.declare({ ...plain, name, space, type, bytes, align, offset: undefined, span });
  return blockNames;
}
