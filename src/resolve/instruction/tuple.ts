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
    const read = items.map((item, at) => valueOperand(item, of[at] ?? ignored(of, item), scope));
    const sound = read.filter((item) => item !== undefined);
    if (sound.length < read.length || !ofOneKind(items.slice(apart), scope, true)) return undefined;
    return { kind: "vector", items: sound.slice(0, of.length) };
  }
  const symbol = operand.kind === "name" && !operand.component ? scope.lookup(operand.name.text) : undefined;
  if (operand.kind === "name" && symbol?.kind === "register" && symbol.elements > 1) {
    if (!lengths.includes(symbol.elements)) return wrongLength(operand, symbol.elements, wanted, scope);
    const x = { ...operand.name, text: "x" };
    if (!valueOperand({ ...operand, component: x }, lastOf(of), scope)) return undefined;
    const register = scope.use(symbol);
    return { kind: "vector", items: of.map((_, at) => slotOf(register, at)) };
  }
  if (!bare) return wrongLength(operand, 1, wanted, scope);
  const only = valueOperand(operand, bare, scope);
  return only && { kind: "vector", items: [only] };
}

/** The class of the last element that is read, which a vector register has to be of. */
const lastOf = (of: TupleClass["of"]): RegisterClass => of.at(-1) ?? of[0];

/** What stands behind the elements that are read: anything as wide, and any constant. */
const ignored = (of: TupleClass["of"], item: ast.Operand): RegisterClass => ({
  ...lastOf(of),
  types: ["f32", "b32", "u32", "s32", "f16x2"],
  immediate: item.kind === "expr" && item.value.kind === "float" ? "f32" : "bits",
});

const wrongLength = (at: ast.Operand, length: number, { of, lengths }: TupleClass, scope: Scope): undefined =>
  reject(scope, "PTX1307", at, `${length === 1 ? "one element" : `${length} elements`} where ${of.length} are needed`, {
    expected: `${lengths[0] === 1 ? "one element" : `${lengths[0]} elements`} in braces`,
  });
