import type { Operand } from "../../../interp/contract/operand.ts";
import type { RegisterClass, VectorClass } from "../../../isa/form/operands.ts";
import { component, type SpecialRegister, specialRegisters } from "../../../isa/special-registers.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { requireSince } from "../since.ts";

/** `%tid`, unless the program declares a register of that name. */
export const specialOf = (name: string): SpecialRegister | undefined =>
  name.startsWith("%") ? specialRegisters.get(name.slice(1)) : undefined;
export const isSpecial = (name: string): boolean => specialOf(name) !== undefined;

/**
 * A special register as one value: a slot that is filled when the thread begins. The caller handles those that change.
 */
export function specialOperand(operand: ast.OperandName, wanted: RegisterClass, scope: Scope): Operand | undefined {
  const name = operand.name.text;
  const special = specialOf(name);
  if (special === undefined) throw new Error(`${name} is not a special register`);
  if (wanted.access === "write")
    return reject(scope, "PTX1306", operand, `${name} can only be read`, { expected: "a register" });
  if (!wanted.special)
    return reject(scope, "PTX1306", operand, `${name} can only be read by mov`, {
      expected: "a register",
      help: [{ message: "move it into a register first" }],
    });
  const full = fullName(operand, special, scope);
  if (full === undefined) return undefined;
  const bits = Number(special.type.slice(1)) as 32 | 64;
  // Old programs read %tid into 16 bits, newer ones %gridid into 64.
  const narrow = (wanted.bits === 16 && special.vector) || (wanted.bits === 64 && special.long === true);
  if (special.type === "pred" || (wanted.bits !== bits && !narrow) || wanted.types[0]?.startsWith("f"))
    return reject(scope, "PTX1302", operand, `${name} is .${special.type}`, { expected: `a mov.${special.type}` });
  if (!requireSince(special.since, operand, name, scope)) return undefined;
  if (!special.fixed) return onlyMoved(operand, scope);
  if (full.startsWith("perctamemory") && !scope.hasBlockMemory)
    return reject(scope, "PTX1306", operand, `${name} is only there in a kernel with .minperctamemory`, {
      expected: ".minperctamemory between the kernel's head and its body",
    });
  return fixed(full, narrow ? (wanted.bits as 16 | 64) : bits, scope);
}

/** PTX1306 for `%clock` elsewhere than in a mov of one value, where nothing would read it at the right time. */
export const onlyMoved = (operand: ast.OperandName, scope: Scope): undefined =>
  reject(scope, "PTX1306", operand, `${operand.name.text} changes, and can only be read by a mov of it alone`, {
    expected: "a register",
    help: [{ message: "move it into a register first" }],
  });

/** `%tid` as a vector of four values. */
export function specialVector(operand: ast.OperandName, wanted: VectorClass, scope: Scope): Operand | undefined {
  const special = specialOf(operand.name.text);
  if (!special?.vector || !wanted.of.special || wanted.of.types[0]?.startsWith("f") || operand.component)
    return reject(scope, "PTX1306", operand, `${operand.name.text} is not a vector that can be read here`, {});
  if (wanted.count !== 4)
    return reject(scope, "PTX1307", operand, `four elements where ${wanted.count} are needed`, {
      expected: `{${operand.name.text}.x, ${operand.name.text}.y}`,
    });
  if (!requireSince(special.since, operand, operand.name.text, scope)) return undefined;
  const bits = wanted.of.bits === 16 ? 16 : 32;
  return { kind: "vector", items: ["x", "y", "z", "w"].map((part) => fixed(`${special.name}.${part}`, bits, scope)) };
}

/** `tid.x`, or `laneid`; undefined after a diagnostic. */
function fullName(operand: ast.OperandName, special: SpecialRegister, scope: Scope): string | undefined {
  const written = operand.component;
  if (!special.vector) {
    if (written === undefined) return special.name;
    return reject(scope, "PTX1308", written, `%${special.name} has no component .${written.text}`, {
      expected: `%${special.name} alone`,
    });
  }
  if (written === undefined)
    return reject(scope, "PTX1307", operand, `%${special.name} has four components`, {
      expected: `%${special.name}.x, .y or .z`,
    });
  const part = component(written.text);
  if (part !== undefined) return `${special.name}.${part}`;
  return reject(scope, "PTX1308", written, `%${special.name} has no component .${written.text}`, {
    expected: ".x, .y, .z or .w",
  });
}

// The fourth component is reserved and reads 0 (PTX ISA 10.1).
const fixed = (name: string, bits: 16 | 32 | 64, scope: Scope): Operand =>
  name.endsWith(".w") ? scope.constant(0n, bits) : scope.special(name, bits);
