import type { Since } from "../isa/define.ts";
import type * as ast from "../parser/ast.ts";
import type { Scope } from "./scope.ts";
import { requireSince } from "./since.ts";

/** Checks what can be checked of an instruction that the table does not have: that the module is new enough to have it. */
export function checkUntabled(instruction: ast.Instruction, scope: Scope): void {
  const { mnemonic } = instruction;
  const since = oldest.get(mnemonic.text);
  if (since) requireSince(since, mnemonic, mnemonic.text, scope);
}

/** The least `.version` and target that any form of an instruction needs, where that is more than PTX 2.0. */
const oldest: ReadonlyMap<string, Since> = new Map([
  ["activemask", { ptx: 62, sm: 30 }],
  ["applypriority", { ptx: 74, sm: 80 }],
  ["barrier", { ptx: 51, sm: 30 }],
  ["bmsk", { ptx: 76, sm: 70 }],
  ["createpolicy", { ptx: 74, sm: 80 }],
  ["discard", { ptx: 74, sm: 80 }],
  ["dp2a", { ptx: 50, sm: 61 }],
  ["dp4a", { ptx: 50, sm: 61 }],
  ["elect", { ptx: 80, sm: 90 }],
  ["fence", { ptx: 51, sm: 70 }],
  ["getctarank", { ptx: 78, sm: 90 }],
  ["griddepcontrol", { ptx: 78, sm: 90 }],
  ["lop3", { ptx: 43, sm: 50 }],
  ["mapa", { ptx: 78, sm: 90 }],
  ["match", { ptx: 51, sm: 70 }],
  ["nanosleep", { ptx: 62, sm: 70 }],
  ["redux", { ptx: 70, sm: 80 }],
  ["setmaxnreg", { ptx: 80, sm: 90, only: "f" }],
  ["szext", { ptx: 76, sm: 70 }],
]);
