import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import { Frame } from "../declaration/frame.ts";
import type { RegisterSymbol } from "../declaration/scope.ts";

/** The names of a program that statements from elsewhere may use: its registers, parameters and variables. */
export function namesAround(program: Program, variables: readonly ModuleVariable[]): Frame {
  const frame = new Frame(undefined, { anywhere: true });
  for (const { name, type, elements, span } of program.registers)
    frame.declare({ kind: "register", name, type: type as RegisterSymbol["type"], elements, span });
  const plain = { kind: "variable", functions: [] } as const;
  const nowhere = { start: 0, end: 0 };
  for (const { name, space, type, bytes, offset } of program.variables)
    frame.declare({ ...plain, name, space, type, bytes, align: 1, offset, span: nowhere });
  for (const { name, type, bytes, align, offset, span } of program.parameters)
    frame.declare({ ...plain, name, space: "param", type, bytes, align, offset, span });
  for (const { name, space, type, bytes, align, span } of variables)
    frame.declare({ ...plain, name, space, type, bytes, align, offset: undefined, span });
  return frame;
}
