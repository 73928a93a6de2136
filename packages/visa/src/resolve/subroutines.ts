import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { FunctionCode } from "../../../../src/interp/contract/program.ts";
import { windows } from "../../../../src/interp/contract/window.ts";
import type * as ast from "../ast.ts";

const none: Operand = { kind: "vector", items: [] };

/** The subroutines that a kernel calls: their parameters and results are variables of the kernel. */
export class Subroutines {
  /** By the order of their first calls. */
  readonly called: ast.Name[] = [];

  /** The operands of a call. */
  call(name: ast.Name): readonly Operand[] {
    let index = this.called.findIndex(({ text }) => text === name.text);
    if (index < 0) index = this.called.push(name) - 1;
    return [none, { kind: "target", pc: index }, none];
  }

  functions(entryOf: (name: string) => number): readonly FunctionCode[] {
    return this.called.map(({ text: name }, at) => ({
      name,
      address: (BigInt(windows.code) << 32n) + BigInt(at + 1),
      entry: entryOf(name),
      registers: [],
      parameters: [],
      results: [],
    }));
  }
}
