import type { Operand } from "../../../interp/contract/operand.ts";
import type {
  HandleClass,
  OperandClass,
  RegisterClass,
  TargetClass,
  TensorAddressClass,
  TupleClass,
} from "../../../isa/form/operands.ts";
import type * as ast from "../../../parser/ast.ts";
import { evaluate, evaluateInteger } from "../../constant/constant.ts";
import { isOpaque } from "../../declaration/fundamental-types.ts";
import type { RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { requireSince } from "../since.ts";
import { addressOperand } from "./address.ts";
import { literalOperand, literalProblem } from "./literal.ts";
import { ofOneKind } from "./one-kind.ts";
import { predicateOperand } from "./predicate.ts";
import { elementOf, registerOperand, slotOf } from "./register.ts";
import { fits, showType } from "./register-type.ts";
import { isSpecial } from "./special-register.ts";
import { aLabel, aRegister, aVariable, undeclared } from "./undeclared.ts";
import { fixedOffset, valueOperand } from "./value.ts";
import { vectorOperand } from "./vector.ts";

/**
 * `{a, b}` whose elements have separate classes: the elements that are read, without those that the instruction
 * ignores.
 */
function tupleOperand(operand: ast.Operand, wanted: TupleClass, scope: Scope): Operand | undefined {
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

/** The class of the elements after those that are read: anything as wide, and any constant. */
const ignored = (of: TupleClass["of"], item: ast.Operand): RegisterClass => ({
  ...lastOf(of),
  types: ["f32", "b32", "u32", "s32", "f16x2"],
  immediate: item.kind === "expr" && item.value.kind === "float" ? "f32" : "bits",
});

const wrongLength = (at: ast.Operand, length: number, { of, lengths }: TupleClass, scope: Scope): undefined =>
  reject(scope, "PTX1307", at, `${length === 1 ? "one element" : `${length} elements`} where ${of.length} are needed`, {
    expected: `${lengths[0] === 1 ? "one element" : `${lengths[0]} elements`} in braces`,
  });

/**
 * `[reg+imm]` in tensor memory: lane in the upper and column in the lower half of 32 bits (PTX ISA, Tensor Memory
 * Addressing). No variable lies there. Where a descriptor may stand in its place, what has no brackets is one.
 */
function tensorAddress(operand: ast.Operand, wanted: TensorAddressClass, scope: Scope): Operand | undefined {
  if (operand.kind !== "address") {
    if (wanted.or !== undefined) return valueOperand(operand, wanted.or, scope);
    const name = operand.kind === "name" && !operand.component ? `[${operand.name.text}]` : undefined;
    const span = { start: operand.start, end: operand.end };
    return reject(scope, "PTX1315", operand, "an address of tensor memory in brackets is needed", {
      expected: name ?? "[reg] or [reg+constant]",
      ...(name && { help: [{ message: `write ${name}`, replace: { span, text: name } }] }),
    });
  }
  const { base, more } = operand;
  if (more.length > 0)
    return reject(scope, "PTX1315", more[0] ?? operand, "this instruction takes one address and nothing after it", {});
  if (base.kind === "name") return based(base, 0n, wanted, scope);
  if (base.kind !== "expr") return noPlace(base, "this is not an address", scope);
  const value = evaluate(base.value, scope);
  if (value === undefined) return undefined;
  if (value.kind === "address" && value.mask === undefined)
    return based({ kind: "name", name: value.name, start: base.start, end: base.end }, value.offset, wanted, scope);
  if (value.kind === "integer" && wanted.immediate) return { kind: "address", offset: value.value };
  return noPlace(
    base,
    value.kind === "integer" ? "a constant address is not allowed here" : "this is not an address",
    scope,
  );
}

function based(
  base: ast.OperandName,
  offset: bigint,
  { types }: TensorAddressClass,
  scope: Scope,
): Operand | undefined {
  const { text } = base.name;
  const symbol = scope.lookup(text);
  if (symbol === undefined)
    return isSpecial(text)
      ? noPlace(base, `${text} can only be read by mov`, scope)
      : undeclared(base.name, scope, aRegister);
  if (symbol.kind !== "register") return noPlace(base, `${text} is a ${symbol.kind}`, scope);
  if (!types.some((type) => type === symbol.type) || (symbol.elements > 1 && base.component === undefined))
    return reject(scope, "PTX1315", base, `${symbol.name} is ${showType(symbol)}`, {
      expected: `an address of tensor memory, in a register of ${types.map((type) => `.${type}`).join(", ")}`,
      related: [{ span: symbol.span, message: "declared here" }],
    });
  const element = elementOf(base, symbol, scope);
  if (element === undefined) return undefined;
  const slot = slotOf(scope.use(symbol), element);
  if (slot.kind !== "slot") throw new Error(`${symbol.name} is in no bank for addresses`);
  return { kind: "address", base: slot, offset };
}

const noPlace = (at: ast.OperandName | ast.Operand, message: string, scope: Scope): undefined =>
  reject(scope, "PTX1315", at, message, { expected: "a register that holds an address of tensor memory" });

/**
 * `c+1` where a value is read. The manual has no such operand; ptxas 13.0 takes it of a register that holds an integer
 * or bits, and adds in the register's width before the instruction. Undefined where it is no such sum, which then is an
 * operand as any other.
 */
function sumOperand(
  operand: ast.Operand,
  wanted: RegisterClass,
  scope: Scope,
): { readonly sum: Operand | undefined } | undefined {
  if (operand.kind !== "expr" || wanted.access !== "read" || wanted.offset) return undefined;
  const name = firstOf(operand.value);
  const register = name && scope.lookup(name.text);
  if (name === undefined || register?.kind !== "register" || !isWhole(register) || !fits(register.type, wanted))
    return undefined;
  // ptxas does not accept it in parentheses.
  if (!scope.source.text.startsWith(name.text, operand.start)) return undefined;
  const value = evaluate(operand.value, scope);
  if (value === undefined) return { sum: undefined };
  if (value.kind !== "address" || value.mask !== undefined || value.generic) return undefined;
  const base = registerOperand({ kind: "name", name, start: name.start, end: name.end }, register, wanted, scope);
  if (base?.kind !== "slot") return undefined;
  reject(scope, "PTX9018", operand, `${name.text} and a constant are added before the instruction`, {
    severity: "note",
    help: [{ message: "ptxas does so, although the manual has no such operand; add says it" }],
  });
  return { sum: scope.sum(base, value.offset, operand) };
}

const isWhole = ({ type, elements }: RegisterSymbol): boolean => elements === 1 && /^[bus](8|16|32|64)$/.test(type);

/** `c` of `c+1`, `c+1-2`: the first term, before a plus sign. */
function firstOf(expr: ast.Expr): ast.Name | undefined {
  let node = expr;
  let sign: string | undefined;
  while (node.kind === "binary" && (node.operator === "+" || node.operator === "-")) {
    sign = node.operator;
    node = node.left;
  }
  return sign === "+" && node.kind === "symbol" ? node.name : undefined;
}

const types = ["u64", "b64", "s64"] as const;

/**
 * The name of an opaque variable, whose address is its handle; of a kernel's opaque parameter, which holds one; or a
 * register that holds one. Undefined after a diagnostic.
 */
function handleOperand(written: ast.Operand, wanted: HandleClass, scope: Scope): Operand | undefined {
  const operand = wanted.bracketed ? unbracketed(written) : written;
  if (operand === undefined)
    return reject(scope, "PTX1315", written, "brackets are needed here", { expected: "[handle]" });
  const of = wanted.sampling ? wanted.of.filter((type) => (type === "samplerref") === scope.independent) : wanted.of;
  const expected = `a ${of.map((type) => `.${type}`).join(" or ")}, or a .u64 register with a handle`;
  if (operand.kind !== "name")
    return reject(scope, "PTX1326", operand, "this is not a texture, sampler or surface", { expected });
  const { name } = operand;
  const symbol = scope.lookup(name.text);
  if (symbol === undefined) return undeclared(name, scope, aVariable);
  if (
    symbol.kind === "register" &&
    !requireSince({ ptx: 31, sm: 20 }, operand, "a texture or surface by its handle", scope)
  )
    return undefined;
  if (symbol.kind === "register")
    return registerOperand(operand, symbol, { kind: "register", access: "read", type: "u64", types, bits: 64 }, scope);
  if (
    symbol.kind !== "variable" ||
    operand.component ||
    !isOpaque(symbol.type) ||
    !of.some((type) => type === symbol.type)
  )
    return reject(
      scope,
      "PTX1326",
      operand,
      `${name.text} is ${symbol.kind === "variable" ? `a .${symbol.type}` : `a ${symbol.kind}`}`,
      {
        expected,
        related: [{ span: symbol.span, message: "declared here" }],
      },
    );
  if (symbol.bytes !== 8)
    return reject(scope, "PTX1326", operand, `${name.text} is an array`, {
      expected,
      help: [{ message: `mov.u64 takes its address; an element's is that + 8 times its index` }],
    });
  if (symbol.space === "global") return scope.addressOf(symbol.name, 0n, 64);
  return { kind: "address", offset: BigInt(fixedOffset(symbol)) };
}

const unbracketed = (operand: ast.Operand): ast.Operand | undefined =>
  operand.kind === "address" && operand.more.length === 0 ? operand.base : undefined;

/** Checks one operand against its class and returns it as the interpreter expects it; undefined after a diagnostic. */
export function resolveOperand(operand: ast.Operand, wanted: OperandClass, scope: Scope): Operand | undefined {
  switch (wanted.kind) {
    case "register": {
      const added = sumOperand(operand, wanted, scope);
      return added === undefined ? valueOperand(operand, wanted, scope) : added.sum;
    }
    case "predicate":
      return predicateOperand(operand, wanted, scope);
    case "address":
      return addressOperand(operand, wanted, scope);
    case "tensor address":
      return tensorAddress(operand, wanted, scope);
    case "vector":
      return vectorOperand(operand, wanted, scope);
    case "tuple":
      return tupleOperand(operand, wanted, scope);
    case "handle":
      return handleOperand(operand, wanted, scope);
    case "target":
      return targetOperand(operand, wanted, scope);
    case "literal": {
      if (operand.kind !== "expr")
        return reject(scope, "PTX1303", operand, "only a constant is allowed here", {
          expected: "an integer constant",
        });
      const value = evaluateInteger(operand.value, scope);
      if (value === undefined) return undefined;
      const problem = literalProblem(value, wanted);
      if (problem !== undefined)
        return reject(scope, "PTX1303", operand, problem.message, { expected: problem.expected });
      return literalOperand(value, wanted, scope);
    }
    case "results":
    case "callee":
    case "arguments":
    case "callees":
      throw new Error("the operands of a call are read together");
    case "absent":
      if (wanted.sink && operand.kind === "name" && operand.name.text === "_") return { kind: "sink" };
      return reject(scope, "PTX1318", operand, `this operand belongs to ${wanted.unless}`, {
        expected: `${wanted.unless}, or one operand less`,
      });
  }
}

function targetOperand(operand: ast.Operand, { what }: TargetClass, scope: Scope): Operand | undefined {
  if (operand.kind !== "name" || operand.component)
    return reject(scope, "PTX1316", operand, `this is not a ${what}`, { expected: `a ${what}` });
  const symbol = scope.lookup(operand.name.text);
  if (symbol === undefined) return undeclared(operand.name, scope, aLabel);
  if (what === "list" && symbol.kind === "list") return branchTargets(operand.name, scope);
  if (symbol.kind !== what)
    return reject(scope, "PTX1316", operand, `${operand.name.text} is a ${symbol.kind}`, { expected: `a ${what}` });
  return scope.label(operand.name);
}

/** The labels of a `.branchtargets` list, which stands before its use. */
function branchTargets(name: ast.Name, scope: Scope): Operand | undefined {
  const node = scope.listAt(name);
  if (node?.kind !== "branchtargets")
    return reject(scope, "PTX1316", name, `${name.text} is not a list of labels before this place`, {
      expected: "a label before .branchtargets",
    });
  const known = node.names.filter(({ text }) => scope.lookup(text)?.kind === "label");
  return { kind: "vector", items: known.map((each) => scope.label(each)) };
}
