import type * as ast from "../parser/ast.ts";
import { nearest } from "./nearest.ts";
import { reject } from "./report.ts";
import type { Scope } from "./scope.ts";

/**
 * Checks whom a `call` calls (PTX ISA 9.7.12.5): `call f`, `call (r), f, (a)`, or a register with a prototype or a list
 * behind it. Calls are a gap, so nothing else of them is looked at; a name that does not exist is PTX1421 all the same.
 */
export function checkCall({ mnemonic, operands }: ast.Instruction, scope: Scope): void {
  if (mnemonic.text !== "call") return;
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
