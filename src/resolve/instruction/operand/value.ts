import type { Operand } from "../../../interp/contract/operand.ts";
import { functionAddress } from "../../../interp/contract/window.ts";
import type { RegisterClass } from "../../../isa/form/operands.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import { evaluate } from "../../constant/constant.ts";
import { floatAs } from "../../constant/literal.ts";
import { outOfRange } from "../../constant/range.ts";
import type { AddressConstant, ConstantValue } from "../../constant/value.ts";
import type { Symbol as Named, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { requireSince } from "../since.ts";
import { elementOffset } from "./array-element.ts";
import { registerOperand } from "./register.ts";
import { isSpecial, specialOperand } from "./special-register.ts";
import { aValue, undeclared } from "./undeclared.ts";

/** A scalar value: a register, a constant, a special register or a variable's address, as its class allows. */
export function valueOperand(operand: ast.Operand, wanted: RegisterClass, scope: Scope): Operand | undefined {
  switch (operand.kind) {
    case "name":
      return named(operand, wanted, scope);
    case "expr":
      return computed(operand.value, operand, wanted, scope);
    case "address":
      return reject(scope, "PTX1312", operand, "an address is used where a register is needed", {
        expected: "a register",
        help: [{ message: wanted.access === "read" ? "load it into a register with ld" : "store it with st" }],
      });
    case "element":
      if (wanted.symbol) {
        const offset = elementOffset(operand, scope);
        const { array: name } = operand;
        if (offset === undefined) return undefined;
        return symbolValue({ kind: "address", name, offset, generic: false }, operand, wanted, scope);
      }
      return reject(scope, "PTX1312", operand, "an array's element is used where a register is needed", {
        expected: "a register",
      });
    case "vector": {
      const [only] = operand.items;
      if (wanted.braced && only !== undefined && operand.items.length === 1) return valueOperand(only, wanted, scope);
      return reject(scope, "PTX1307", operand, "a vector is used where one value is needed", {
        expected: "a register",
      });
    }
    case "pair":
      return reject(scope, "PTX1311", operand, "a pair is used where one register is needed", {
        expected: "a register",
      });
    case "list":
      return reject(scope, "PTX1312", operand, "a list is used where a register is needed", { expected: "a register" });
  }
}

function named(operand: ast.OperandName, wanted: RegisterClass, scope: Scope): Operand | undefined {
  const { name } = operand;
  const symbol = scope.lookup(name.text);
  if (symbol?.kind === "register") return registerOperand(operand, symbol, wanted, scope);
  if (name.text === "_") return sink(operand, wanted, scope);
  if (symbol === undefined && isSpecial(name.text)) return specialOperand(operand, wanted, scope);
  if (symbol === undefined && name.text !== "WARP_SZ") return undeclared(name, scope, aValue(wanted));
  return computed({ ...operand, kind: "symbol" }, operand, wanted, scope);
}

/** `_`: this result is discarded. */
export function sink(
  at: Span,
  wanted: { readonly sink?: boolean; readonly access: string },
  scope: Scope,
): Operand | undefined {
  if (wanted.sink) return { kind: "sink" };
  const message = wanted.access === "write" ? "_ cannot take the whole result" : "nothing can be read from _";
  return reject(scope, "PTX1305", at, message, { expected: "a register" });
}

function computed(expr: ast.Expr, at: Span, wanted: RegisterClass, scope: Scope): Operand | undefined {
  const register = registerIn(expr, scope);
  if (register && wanted.offset && expr.kind === "binary") return offsetOperand(expr, at, wanted, scope);
  if (register) return arithmeticOn(expr, at, register, scope);
  const value = evaluate(expr, scope);
  if (value === undefined) return undefined;
  return value.kind === "address" ? symbolValue(value, at, wanted, scope) : constantValue(value, at, wanted, scope);
}

/** A number as the operand that a class makes of it; undefined after a diagnostic. */
export function constantValue(
  value: Exclude<ConstantValue, AddressConstant>,
  at: Span,
  wanted: RegisterClass,
  scope: Scope,
): Operand | undefined {
  const { immediate, bits } = wanted;
  if (wanted.access === "write")
    return reject(scope, "PTX1304", at, "a constant is used where the result goes", { expected: "a register" });
  const expected = value.kind === "integer" ? outOfRange(wanted, value.value) : undefined;
  if (expected !== undefined) return reject(scope, "PTX1303", at, "this constant is out of range", { expected });
  if (value.kind === "integer" && (immediate === "integer" || immediate === "bits"))
    return scope.constant(value.value, bits);
  // Bit types take a float's own bits: 0f where 32 bits are wanted, a double where 64 are (measured).
  if (value.kind === "float" && immediate === "bits" && value.width === bits) return scope.constant(value.bits, bits);
  if (value.kind === "float" && (immediate === "f32" || immediate === "f64") && (bits === 32 || bits === 64)) {
    const code = BigInt.asUintN(bits, floatAs(value, bits));
    // As integers, the bits of floats from +0 to 1.0 are in the order of their values.
    if (wanted.share && (code === 0n || code > 0x3f80_0000n))
      return reject(scope, "PTX1303", at, "this constant is out of range", { expected: "more than 0 and at most 1.0" });
    return scope.constant(code, bits);
  }
  const written = scope.source.text.slice(at.start, at.end);
  const meant = immediate === "f32" || immediate === "f64" ? asFloat(written, immediate) : undefined;
  const help = meant && [
    { message: `write ${meant}`, replace: { span: { start: at.start, end: at.end }, text: meant } },
  ];
  return reject(scope, "PTX1303", at, refusal(value, wanted), { ...refusalDetail(wanted), ...(help && { help }) });
}

/** `1` as `1.0`, and `0x3f800000` as `0f3f800000`, whose bits it probably has. */
function asFloat(written: string, type: "f32" | "f64"): string | undefined {
  if (/^-?\d{1,15}$/.test(written) && !/^-?0\d/.test(written)) return `${written}.0`;
  const digits = /^0x([0-9a-f]+)$/i.exec(written)?.[1];
  const wanted = type === "f32" ? 8 : 16;
  return digits === undefined || digits.length > wanted
    ? undefined
    : `${type === "f32" ? "0f" : "0d"}${digits.padStart(wanted, "0")}`;
}

function refusal({ kind }: ConstantValue, { immediate, types }: RegisterClass): string {
  if (immediate !== undefined)
    return `${kind === "integer" ? "an integer" : "a float"} is used where ${needed(immediate)} is needed`;
  const half = types.some((type) => type.startsWith("f16")) && !types.some((type) => /^[us]/.test(type));
  return half || types.join() === "b16" ? "half instructions take no immediates" : "this operand takes no constant";
}

const needed = (immediate: NonNullable<RegisterClass["immediate"]>): string =>
  immediate === "integer" || immediate === "bits" ? "an integer" : "a float";

const refusalDetail = ({ immediate }: RegisterClass) =>
  immediate === undefined
    ? { expected: "a register", help: [{ message: "move it into a register first" }] }
    : { expected: immediate === "integer" || immediate === "bits" ? "an integer constant" : "a float constant" };

function symbolValue(value: AddressConstant, at: Span, wanted: RegisterClass, scope: Scope): Operand | undefined {
  const { name, offset } = value;
  const symbol = scope.lookup(name.text);
  if (symbol === undefined) return undeclared(name, scope, aValue(wanted));
  if (symbol.kind === "function" && wanted.symbol) return functionValue(value, symbol.name, at, wanted, scope);
  if (symbol.kind !== "variable" || !wanted.symbol || value.mask !== undefined || wanted.bits < 32)
    return notAValue(symbol, at, wanted, scope);
  const bits = wanted.bits === 32 ? 32 : 64;
  if (wanted.space !== undefined && wanted.space !== symbol.space)
    return reject(scope, "PTX1314", at, `${name.text} is in .${symbol.space}`, {
      expected: `a variable in .${wanted.space}`,
      related: [{ span: symbol.span, message: "declared here" }],
    });
  // ptxas refuses gv for the same reason; it takes gv+4 and cuts off the high half, after which nothing finds it again.
  if (bits === 32 && symbol.space === "global" && scope.version >= 23)
    return reject(scope, "PTX1302", at, `the address of ${name.text} has 64 bits`, { expected: "mov.u64 or mov.b64" });
  if (symbol.space === "global" || symbol.space === "const") return scope.addressOf(symbol.name, offset, bits);
  if (value.generic)
    return reject(
      scope,
      "PTX1314",
      at,
      `${name.text} is in .${symbol.space}: its generic address is known only at run time`,
      {
        expected: "a variable in .global",
        help: [{ message: `mov takes the address in .${symbol.space}, cvta.${symbol.space} makes it generic` }],
      },
    );
  if (symbol.passes === "argument")
    return reject(scope, "PTX1325", at, `${name.text} passes an argument and has no address`, {
      expected: "a variable in .local",
      related: [{ span: symbol.span, message: "declared here" }],
    });
  if (symbol.framed) return scope.inFrame(fixedOffset(symbol) + Number(offset), bits);
  return scope.constant(BigInt.asUintN(bits, BigInt(fixedOffset(symbol)) + offset), bits);
}

/** `mov.u64 d, f`. */
function functionValue(
  { offset, mask, generic }: AddressConstant,
  name: string,
  at: Span,
  wanted: RegisterClass,
  scope: Scope,
): Operand | undefined {
  const entry = scope.callables.entry(name);
  if (!entry) throw new Error(`${name} is not a function`);
  if (offset !== 0n || mask !== undefined || generic || wanted.bits < 32 || wanted.space !== undefined)
    return reject(scope, "PTX1312", at, `${name} is a function`, { expected: "its name alone, in a mov of 64 bits" });
  if (!requireSince({ ptx: 21, sm: 10 }, at, "the address of a function", scope)) return undefined;
  return scope.constant(functionAddress(entry.index), wanted.bits === 32 ? 32 : 64);
}

/** The offset of a shared, local or parameter variable in its window, which is known before code is resolved. */
export function fixedOffset(symbol: Extract<Named, { kind: "variable" }>): number {
  if (symbol.offset === undefined) throw new Error(`${symbol.name} in .${symbol.space} has no offset`);
  return symbol.offset;
}

function notAValue(symbol: Named, at: Span, wanted: RegisterClass, scope: Scope): undefined {
  const what = symbol.kind === "variable" ? `a variable in .${symbol.space}` : `a ${symbol.kind}`;
  const help =
    symbol.kind === "variable" && wanted.access === "read" && !wanted.symbol
      ? [{ message: `ld.${symbol.space} reads it, mov takes its address` }]
      : [];
  return reject(scope, "PTX1312", at, `${symbol.name} is ${what}`, { expected: "a register", help });
}

/** `reg+constant` as an address; undefined after a diagnostic. */
function offsetOperand(expr: ast.Expr, at: Span, wanted: RegisterClass, scope: Scope): Operand | undefined {
  const sum = evaluate(expr, scope);
  if (sum === undefined) return undefined;
  const symbol = sum.kind === "address" ? scope.lookup(sum.name.text) : undefined;
  if (sum.kind !== "address" || symbol?.kind !== "register" || sum.mask !== undefined || sum.generic)
    return reject(scope, "PTX1313", at, "this arithmetic is not an operand", {
      expected: "a register, or a register + a constant",
    });
  const { name, offset } = sum;
  const base = registerOperand({ kind: "name", name, start: name.start, end: name.end }, symbol, wanted, scope);
  return base?.kind === "slot" ? { kind: "address", base, offset } : undefined;
}

/** The first register in an expression; constants contain none. */
function registerIn(expr: ast.Expr, scope: Scope): ast.Name | undefined {
  const open: ast.Expr[] = [expr];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    switch (node.kind) {
      case "symbol": {
        const symbol = scope.lookup(node.name.text);
        if (symbol?.kind === "register" || (symbol === undefined && isSpecial(node.name.text))) return node.name;
        break;
      }
      case "unary":
      case "cast":
        open.push(node.operand);
        break;
      case "binary":
        open.push(node.right, node.left);
        break;
      case "conditional":
        open.push(node.otherwise, node.then, node.test);
        break;
      case "apply":
        open.push(node.argument);
        break;
      default:
    }
  }
  return undefined;
}

function arithmeticOn(expr: ast.Expr, at: Span, register: ast.Name, scope: Scope): undefined {
  const { text } = register;
  if (expr.kind === "unary" && (expr.operator === "-" || expr.operator === "!")) {
    const way = expr.operator === "-" ? "negate it with neg first" : "negate it with not first";
    return reject(scope, "PTX1310", at, `${text} cannot be negated here`, {
      expected: `${text} as it is`,
      help: [{ message: way }],
    });
  }
  if (expr.kind === "symbol")
    return reject(scope, "PTX1308", at, `${text} has no component here`, { expected: "a register" });
  return reject(scope, "PTX1313", at, `arithmetic on ${text} is not an operand`, {
    expected: "a register or a constant",
    help: [{ message: "add it with add first" }],
  });
}
