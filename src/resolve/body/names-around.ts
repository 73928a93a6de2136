import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import { BlockNames } from "../declaration/block-names.ts";
import type { RegisterSymbol } from "../declaration/scope.ts";

/** The names of a program that injected statements may use: its registers, parameters and variables. */
export function namesAround(program: Program, variables: readonly ModuleVariable[]): BlockNames {
  const blockNames = new BlockNames(undefined, { anywhere: true });
  for (const { name, type, elements, span } of program.registers)
    blockNames.declare({ kind: "register", name, type: type as RegisterSymbol["type"], elements, span });
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
