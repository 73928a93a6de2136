import type { Operand } from "../../../interp/contract/operand.ts";
import type { Register } from "../../../interp/contract/program.ts";
import type { RegisterClass, RegisterType } from "../../../isa/form/operands.ts";
import { component, specialRegisters } from "../../../isa/special-registers.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import type { RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { nearest } from "../../nearest.ts";
import { reject } from "../../report.ts";

/** One element of a register as the interpreter addresses it. */
export const slotOf = ({ bank, slot, bits }: Register, element = 0): Operand =>
  bank === "p" || bits === 1
    ? { kind: "predicate", slot: slot + element, negated: false }
    : { kind: "slot", bank, slot: slot + element * (bits === 128 ? 2 : 1), bits };

/** `x` of `v.x` as an index; undefined after a diagnostic. */
export function elementOf(name: ast.OperandName, symbol: RegisterSymbol, scope: Scope): number | undefined {
  if (name.component === undefined) return 0;
  const index = "xyzw".indexOf(component(name.component.text) ?? "none");
  if (symbol.elements > 1 && index >= 0 && index < symbol.elements) return index;
  if (symbol.elements === 2 && index >= 0) {
    reject(scope, "PTX9017", name.component, `${symbol.name} has two components, and this is none of them`, {
      severity: "note",
      help: [
        {
          message: `ptxas takes .${name.component.text} for a register beside the vector, which no vector access sees`,
        },
      ],
    });
    return index;
  }
  const related = [{ span: symbol.span, message: `${symbol.name} is ${showType(symbol)}` }];
  const scalar = symbol.elements === 1 ? "is a scalar and " : "";
  return reject(scope, "PTX1308", name.component, `${symbol.name} ${scalar}has no component .${name.component.text}`, {
    related,
    ...(symbol.elements > 1 ? { expected: symbol.elements === 2 ? ".x or .y" : ".x, .y, .z or .w" } : {}),
  });
}

/** `.v2.b32`, `.pred`. */
export const showType = ({ type, elements }: RegisterSymbol): string =>
  elements === 1 ? `.${type}` : `.v${elements}.${type}`;

/** Checks a register's type against its place and gives the slot. */
export function registerOperand(
  name: ast.OperandName,
  symbol: RegisterSymbol,
  wanted: RegisterClass,
  scope: Scope,
): Operand | undefined {
  if (symbol.elements > 1 && name.component === undefined)
    return reject(scope, "PTX1307", name, `${symbol.name} is a vector and stands where one register is needed`, {
      expected: `a component such as ${symbol.name}.x`,
    });
  const element = elementOf(name, symbol, scope);
  if (element === undefined) return undefined;
  if (!fits(symbol.type, wanted)) return wrongType(name, symbol, wanted, scope);
  return slotOf(scope.use(symbol), element);
}

export const widthOf = (type: RegisterType): number => (type === "f16x2" ? 32 : Number(type.slice(1)));

export function fits(type: RegisterType | "pred", { type: wanted, types, bits, wider }: RegisterClass): boolean {
  if (type === "pred") return false;
  if (types.includes(type)) return true;
  if (!wider || widthOf(type) <= bits) return false;
  // 9.4.1: bits go into anything wider, integers into wider integers and bits, floats into wider bits. To ptxas .f16x2
  // is an integer here.
  const own = wanted[0];
  return type.startsWith("b") || own === "b" || ((own === "u" || own === "s") && /^([us]|f16x2$)/.test(type));
}

function wrongType(at: Span, symbol: RegisterSymbol, { types, wider }: RegisterClass, scope: Scope): undefined {
  const list = types.map((type) => `.${type}`);
  const last = list.pop();
  const expected = (list.length === 0 ? String(last) : `${list.join(", ")} or ${last}`) + (wider ? ", or wider" : "");
  return reject(scope, "PTX1302", at, `${symbol.name} is ${showType(symbol)}`, {
    expected,
    related: [{ span: symbol.span, message: "declared here" }],
  });
}

/** CUDA's names of what PTX has special registers for. */
const ofCuda: ReadonlyMap<string, string> = new Map([
  ["threadidx", "%tid"], ["blockidx", "%ctaid"], ["blockdim", "%ntid"], ["griddim", "%nctaid"], ["warpsize", "WARP_SZ"],
]); // biome-ignore format: pairs

/** The special register that a name without its `%` is, or that has this name in CUDA. */
function specialMeant(name: string): string | undefined {
  const bare = name.replace(/^%/, "");
  return ofCuda.get(bare.toLowerCase()) ?? (bare === name && specialRegisters.has(name) ? `%${name}` : undefined);
}

/** Reports a name that is not declared here. */
export function undeclared(
  name: ast.Name,
  scope: Scope,
  kind: "register" | "label" | "variable" = "register",
): undefined {
  const near = specialMeant(name.text) ?? nearest(name.text, scope.names(kind));
  const help =
    near !== undefined
      ? [{ message: `did you mean ${near}?`, replace: { span: name, text: near } }]
      : scope.filtered
        ? [
            {
              message: "Compiler Explorer hides declarations with its filter of directives: untick it, or add the line",
            },
          ]
        : [];
  return reject(scope, "PTX1320", name, `${name.text} is not declared`, {
    ...(near === undefined && { expected: kind === "label" ? "a label of this body" : `a declared ${kind}` }),
    ...(help.length > 0 && { help }),
  });
}
