import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { FunctionCode } from "../../../../src/interp/contract/program.ts";
import { windows } from "../../../../src/interp/contract/window.ts";
import type * as ast from "../ast.ts";

const none: Operand = { kind: "vector", items: [] };

const addressAt = (index: number): bigint => (BigInt(windows.code) << 32n) + BigInt(index + 1);

/** The subroutines that a kernel calls: their parameters and results are variables of the kernel. */
export class Subroutines {
  /** By the order of their first calls. */
  readonly called: ast.Name[] = [];

  /** The operands of a call. */
  call(name: ast.Name): readonly Operand[] {
    return [none, { kind: "target", pc: this.#indexOf(name) }, none];
  }

  /** The same through an address, of one of these. */
  callThrough(address: Operand, names: readonly ast.Name[]): readonly Operand[] {
    const items = names.map((name): Operand => ({ kind: "target", pc: this.#indexOf(name) }));
    return [none, address, none, { kind: "vector", items }];
  }

  addressOf = (name: ast.Name): bigint => addressAt(this.#indexOf(name));

  #indexOf(name: ast.Name): number {
    const index = this.called.findIndex(({ text }) => text === name.text);
    return index < 0 ? this.called.push(name) - 1 : index;
  }

  functions(entryOf: (name: string) => number): readonly FunctionCode[] {
    return this.called.map(({ text: name }, at) => ({
      name,
      address: addressAt(at),
      entry: entryOf(name),
      registers: [],
      parameters: [],
      results: [],
    }));
  }
}
