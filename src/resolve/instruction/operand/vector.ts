import type { Operand } from "../../../interp/contract/operand.ts";
import type { RegisterClass, VectorClass } from "../../../isa/form/operands.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Help } from "../../../source/diagnostic.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { ofOneKind } from "./one-kind.ts";
import { slotOf } from "./register.ts";
import { isSpecial, specialVector } from "./special-register.ts";
import { aRegister, undeclared } from "./undeclared.ts";
import { sink, valueOperand } from "./value.ts";

/** `{a, b}`, a vector register of as many elements, or a special register that is a vector. */
export function vectorOperand(operand: ast.Operand, wanted: VectorClass, scope: Scope): Operand | undefined {
  if (operand.kind === "vector") {
    if (operand.items.length !== wanted.count) return wrongCount(operand, operand.items.length, wanted, scope);
    const of = elementOf(operand.items, wanted, scope);
    const items = operand.items.map((item, at) => valueOperand(item, wanted.each?.[at] ?? of, scope));
    if (items.every((item) => item?.kind === "sink"))
      return reject(scope, "PTX1305", operand, "all elements are discarded", { expected: "a register among them" });
    // A constant is as wide as the instruction's type, whatever its neighbours are.
    const registers = items.filter((_, at) => operand.items[at]?.kind !== "expr");
    const widths = new Set(registers.flatMap((item) => (item?.kind === "slot" ? [item.bits] : [])));
    if (widths.size > 1)
      return reject(scope, "PTX1307", operand, "the elements of a vector have one width", {
        expected: `${wanted.of.bits} bits each`,
      });
    const sound = items.every((item) => item !== undefined) && ofOneKind(operand.items, scope);
    return sound ? { kind: "vector", items } : undefined;
  }
  if (operand.kind === "name" && !operand.component) {
    const symbol = scope.lookup(operand.name.text);
    if (symbol === undefined && isSpecial(operand.name.text)) return specialVector(operand, wanted, scope);
    if (symbol === undefined && operand.name.text === "_") return sink(operand, { access: wanted.of.access }, scope);
    if (symbol === undefined) return undeclared(operand.name, scope, aRegister);
    if (symbol.kind === "register" && symbol.elements > 1) {
      if (symbol.elements !== wanted.count) return wrongCount(operand, symbol.elements, wanted, scope);
      const first = valueOperand({ ...operand, component: { ...operand.name, text: "x" } }, wanted.of, scope);
      if (first === undefined) return undefined;
      const register = scope.use(symbol);
      return { kind: "vector", items: Array.from({ length: wanted.count }, (_, at) => slotOf(register, at)) };
    }
  }
  return wrongCount(operand, 1, wanted, scope);
}

/** `(a, b)` as `{a, b}`. */
function inBraces({ kind, start, end }: ast.Operand, scope: Scope): readonly Help[] {
  if (kind !== "list") return [];
  const text = `{${scope.source.text.slice(start + 1, end - 1)}}`;
  return [{ message: `a vector is written in braces: write ${text}`, replace: { span: { start, end }, text } }];
}

/** What an element in braces may be, which for some instructions depends on its neighbours. */
function elementOf(items: readonly ast.Operand[], { of, mixed }: VectorClass, scope: Scope): RegisterClass {
  const bits = `b${of.bits}`;
  const isBits = (item: ast.Operand): boolean => {
    const symbol = item.kind === "name" ? scope.lookup(item.name.text) : undefined;
    return symbol?.kind === "register" && symbol.type === bits;
  };
  if (!mixed || !items.some(isBits)) return of;
  const types: RegisterClass["types"] =
    of.bits === 64 ? ["b64", "u64", "s64", "f64"] : ["b32", "u32", "s32", "f32", "f16x2"];
  return { ...of, types, ...(of.access === "read" && { immediate: "bits" }) };
}

const wrongCount = (at: ast.Operand, count: number, wanted: VectorClass, scope: Scope): undefined =>
  reject(
    scope,
    "PTX1307",
    at,
    `${count === 1 ? "one element" : `${count} elements`} where ${wanted.count} are needed`,
    {
      expected:
        wanted.count > 8 ? `${wanted.count} in braces` : `{${"abcdefgh".slice(0, wanted.count).split("").join(", ")}}`,
      help: inBraces(at, scope),
    },
  );
