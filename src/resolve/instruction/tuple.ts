import type { Operand } from "../../interp/contract/operand.ts";
import type { RegisterClass, TupleClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { ofOneKind } from "./one-kind.ts";
import { slotOf } from "./register.ts";
import { valueOperand } from "./value.ts";

/** `{a, b}` whose elements have classes of their own: what is read of it, without what the instruction ignores. */
export function tupleOperand(operand: ast.Operand, wanted: TupleClass, scope: Scope): Operand | undefined {
  const { of, lengths, bare, apart = 0 } = wanted;
  if (operand.kind === "vector") {
    const { items } = operand;
    if (!lengths.includes(items.length)) return wrongLength(operand, items.length, wanted, scope);
    const read = items.map((item, at) => valueOperand(item, of[at] ?? ignored(of), scope));
    const sound = read.every((item) => item !== undefined) && ofOneKind(items.slice(apart), scope);
    return sound ? { kind: "vector", items: read.slice(0, of.length).map((item) => item!) } : undefined;
  }
  const symbol = operand.kind === "name" && !operand.component ? scope.lookup(operand.name.text) : undefined;
  if (operand.kind === "name" && symbol?.kind === "register" && symbol.elements > 1) {
    if (!lengths.includes(symbol.elements)) return wrongLength(operand, symbol.elements, wanted, scope);
    const last = of.at(-1)!;
    if (!valueOperand({ ...operand, component: { ...operand.name, text: "x" } }, last, scope)) return undefined;
    const register = scope.use(symbol);
    return { kind: "vector", items: of.map((_, at) => slotOf(register, at)) };
  }
  if (!bare) return wrongLength(operand, 1, wanted, scope);
  const only = valueOperand(operand, of[0]!, scope);
  return only && { kind: "vector", items: [only] };
}

/** What stands behind the elements that are read: anything as wide. */
const ignored = (of: readonly RegisterClass[]): RegisterClass => ({
  ...of.at(-1)!,
  types: ["f32", "b32", "u32", "s32", "f16x2"],
  immediate: "bits",
});

const wrongLength = (at: ast.Operand, length: number, { of, lengths }: TupleClass, scope: Scope): undefined =>
  reject(scope, "PTX1307", at, `${length === 1 ? "one element" : `${length} elements`} where ${of.length} are needed`, {
    expected: `${lengths[0] === 1 ? "one element" : `${lengths[0]} elements`} in braces`,
  });
