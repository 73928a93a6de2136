import type { Since } from "../isa/define.ts";
import type * as ast from "../parser/ast.ts";
import { nearest } from "./nearest.ts";
import { reject } from "./report.ts";
import type { Scope } from "./scope.ts";
import { requireSince } from "./since.ts";

/**
 * Checks what can be checked of an instruction that the table does not have: that the module is new enough to have it
 * in any form, that it is not too new for the form without `.sync`, and whom a call calls.
 */
export function checkUntabled(instruction: ast.Instruction, scope: Scope): void {
  const { mnemonic, modifiers } = instruction;
  const since = oldest.get(mnemonic.text);
  if (since) requireSince(since, mnemonic, mnemonic.text, scope);
  const unsynchronised = (mnemonic.text === "shfl" || mnemonic.text === "vote") && modifiers[0]?.text !== "sync";
  if (unsynchronised && scope.target.sm >= 70 && scope.version >= 64)
    reject(scope, "PTX1511", mnemonic, `${scope.target.name} has ${mnemonic.text}.sync only`, {
      expected: `${mnemonic.text}.sync and a mask of lanes`,
    });
  if (mnemonic.text === "call") checkCall(instruction, scope);
}

/** The least `.version` and target that any form of an instruction needs, where that is more than PTX 2.0. */
const oldest: ReadonlyMap<string, Since> = new Map([
  ["activemask", { ptx: 62, sm: 30 }],
  ["alloca", { ptx: 73, sm: 52 }],
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
  ["stackrestore", { ptx: 73, sm: 52 }],
  ["stacksave", { ptx: 73, sm: 52 }],
  ["szext", { ptx: 76, sm: 70 }],
]);

/**
 * Whom a `call` calls (PTX ISA 9.7.12.5): `call f`, `call (r), f, (a)`, or a register with a prototype or a list behind
 * it. A function that does not exist is PTX1421.
 */
function checkCall({ operands }: ast.Instruction, scope: Scope): void {
  // Results stand first, in parentheses, and only where more follows.
  const [first, second] = operands;
  const callee = first?.kind === "name" ? first : second;
  if (callee?.kind !== "name") return;
  const found = scope.lookup(callee.name.text);
  if (found?.kind === "function" || found?.kind === "register") return;
  const near = nearest(callee.name.text, scope.names("function"));
  reject(scope, "PTX1421", callee, `no function ${callee.name.text} is declared before`, {
    expected: "a .func, or a register that holds its address",
    ...(near && {
      help: [
        { message: `did you mean ${near}?`, replace: { span: { start: callee.start, end: callee.end }, text: near } },
      ],
    }),
    manual: "control-flow-instructions-call",
  });
}
