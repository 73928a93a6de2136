import { elements, type Operand } from "../../../interp/contract/operand.ts";
import { factsOf } from "../../../interp/contract/space.ts";
import { addressIn } from "../../../interp/contract/window.ts";
import type { AddressClass, VectorClass } from "../../../isa/form/operands.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import { evaluate } from "../../constant/constant.ts";
import type { Symbol as Named, RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { elementIndex, elementOffset, isIndexed } from "./array-element.ts";
import { elementOf, slotOf } from "./register.ts";
import { showType } from "./register-type.ts";
import { isSpecial } from "./special-register.ts";
import { anAddress, suitableNames, undeclared } from "./undeclared.ts";
import { fixedOffset, valueOperand } from "./value.ts";
import { vectorOperand } from "./vector.ts";

/** `[reg+imm]`, `[var+imm]` or `[imm]`. */
export function addressOperand(operand: ast.Operand, wanted: AddressClass, scope: Scope): Operand | undefined {
  if (operand.kind === "element" && isIndexed(operand, scope)) {
    const index = elementIndex(operand, scope);
    const { array: name, start, end } = operand;
    const array = addressAt({ kind: "name", name, start, end }, 0n, wanted, scope);
    return index && array?.kind === "address" ? { ...array, index } : undefined;
  }
  if (operand.kind === "element") {
    const offset = elementOffset(operand, scope);
    const { array: name, start, end } = operand;
    return offset === undefined ? undefined : addressAt({ kind: "name", name, start, end }, offset, wanted, scope);
  }
  if (operand.kind !== "address") {
    const inner = operand.kind === "list" ? scope.source.text.slice(operand.start + 1, operand.end - 1) : undefined;
    const plain = operand.kind === "name" && !operand.component ? operand.name.text : inner;
    const name = plain === undefined ? undefined : `[${plain}]`;
    const span = { start: operand.start, end: operand.end };
    return reject(scope, "PTX1315", operand, "an address in brackets is needed", {
      expected: name ?? "[reg], [reg+constant], [variable+constant] or [constant]",
      ...(name && { help: [{ message: `write ${name}`, replace: { span, text: name } }] }),
    });
  }
  const { base, more } = operand;
  if (wanted.coordinates !== undefined) return withCoordinates(operand, wanted, wanted.coordinates, scope);
  if (more.length > 0)
    return reject(scope, "PTX1315", more[0] ?? operand, "this instruction takes one address and nothing after it", {});
  if (base.kind === "name") return addressAt(base, 0n, wanted, scope);
  if (base.kind !== "expr")
    return reject(scope, "PTX1315", base, "this is not an address", { expected: "[reg+constant]" });
  const value = evaluate(base.value, scope);
  if (value === undefined) return undefined;
  if (value.kind === "integer") {
    // 6.4.1 has [immAddr] anywhere; ptxas takes it where an offset means the same in every launch.
    if (wanted.space !== "local")
      return reject(scope, "PTX1315", base, "a constant address is for .local only", {
        expected: "a register or a variable",
      });
    return { kind: "address", offset: value.value };
  }
  if (value.kind === "float" || value.mask !== undefined)
    return reject(scope, "PTX1315", base, "this is not an address", { expected: "[reg+constant]" });
  return addressAt({ kind: "name", name: value.name, start: base.start, end: base.end }, value.offset, wanted, scope);
}

/** `[map, {x, y}]`, `[map, address, {x, y}]`: ptxas takes a name there, and no sum. */
function withCoordinates(
  { base, more, start, end }: ast.Operand & { kind: "address" },
  { coordinates: _, overrides = [], ...wanted }: AddressClass,
  coordinates: VectorClass,
  scope: Scope,
): Operand | undefined {
  const [vector, surplus] = more.slice(overrides.length);
  const braced = (count: number, letters: string): string => `{${letters.slice(0, count).split("").join(", ")}}`;
  const before = overrides.map((each) => (each.kind === "vector" ? braced(each.count, "stuvw") : "r"));
  const shape = `[${["name", ...before, braced(coordinates.count, "abcde")].join(", ")}]`;
  if (vector === undefined || surplus !== undefined)
    return reject(scope, "PTX1307", surplus ?? { start, end }, "coordinates come after the address", {
      expected: shape,
    });
  if (base.kind !== "name")
    return reject(scope, "PTX1315", base, "only a name comes before coordinates", { expected: shape });
  const address = addressAt(base, 0n, wanted, scope);
  const items = [...overrides, coordinates].map((each, at) => {
    const written = more[at]!;
    return each.kind === "vector" ? vectorOperand(written, each, scope) : valueOperand(written, each, scope);
  });
  if (address === undefined || items.some((each) => each === undefined)) return undefined;
  return { kind: "vector", items: [address, ...items.flatMap(elements)] };
}

/** `[name+offset]`; undefined after a diagnostic. */
export function addressAt(
  base: ast.OperandName,
  offset: bigint,
  wanted: AddressClass,
  scope: Scope,
): Operand | undefined {
  const { text } = base.name;
  const symbol = scope.lookup(text);
  if (symbol === undefined) {
    if (text === "WARP_SZ") return { kind: "address", offset: 32n + offset };
    if (isSpecial(text))
      return reject(scope, "PTX1306", base, `${text} can only be read by mov`, { expected: "a register" });
    return undeclared(base.name, scope, anAddress(wanted, text));
  }
  switch (symbol.kind) {
    case "register":
      return based(base, symbol, offset, wanted, scope);
    case "variable":
      return placed(base, symbol, offset, wanted, scope);
    default:
      return reject(scope, "PTX1315", base, `${text} is a ${symbol.kind}`, { expected: "a register or a variable" });
  }
}

function based(
  base: ast.OperandName,
  symbol: RegisterSymbol,
  offset: bigint,
  { space, narrow }: AddressClass,
  scope: Scope,
): Operand | undefined {
  if (!/^[bus](16|32|64)$/.test(symbol.type) || (symbol.elements > 1 && base.component === undefined))
    return reject(scope, "PTX1315", base, `${symbol.name} is ${showType(symbol)}, which cannot hold an address`, {
      expected: "an integer register of 64 or 32 bits",
      related: [{ span: symbol.span, message: "declared here" }],
    });
  // All other memory lies within 4 GiB. Only PTX before 2.3 had no .address_size and 32-bit pointers; ptxas 13.0 takes
  // them up to 6.2 and then makes 32-bit code of the whole program, and of no program since 6.3.
  if (symbol.type.endsWith("32") && (space === "global" || space === "generic") && scope.version >= 23 && !narrow)
    return reject(scope, "PTX1315", base, `${symbol.name} is ${showType(symbol)}, and addresses have 64 bits`, {
      expected: "a register of 64 bits",
      related: [{ span: symbol.span, message: "declared here" }],
      help: [{ message: wider(space, scope) }],
    });
  const element = elementOf(base, symbol, scope);
  if (element === undefined) return undefined;
  const slot = slotOf(scope.use(symbol), element);
  if (slot.kind !== "slot") throw new Error(`${symbol.name} is in no bank for addresses`);
  return { kind: "address", base: slot, offset };
}

/** The registers that hold addresses, if there are any. */
function wider(space: AddressClass["space"], scope: Scope): string {
  const names = suitableNames(scope, anAddress({ kind: "address", space }, "%"));
  return names === ""
    ? "load the pointer into a .b64 register"
    : `registers of 64 bits are ${names}; cvt.u64.u32 widens an offset`;
}

function placed(
  at: Span,
  symbol: Extract<Named, { kind: "variable" }>,
  offset: bigint,
  { space }: AddressClass,
  scope: Scope,
): Operand | undefined {
  const generic = space === "generic" && factsOf(symbol.space).generic;
  if (symbol.space !== space && !generic)
    return reject(scope, "PTX1314", at, `${symbol.name} is in .${symbol.space}`, {
      expected: space === "generic" ? "a generic address" : `a variable in .${space}`,
      related: [{ span: symbol.span, message: "declared here" }],
      help: [{ message: `name the state space in the instruction: .${symbol.space}` }],
    });
  if (symbol.space === "global" || symbol.space === "const")
    return { kind: "address", base: scope.addressOf(symbol.name, offset, 64), offset: 0n };
  if (symbol.framed) {
    const base = scope.inFrame(0, 64);
    const inFrame = BigInt(fixedOffset(symbol)) + offset;
    return { kind: "address", base, offset: generic ? addressIn("local", 0) + inFrame : inFrame };
  }
  const inWindow = BigInt(fixedOffset(symbol)) + offset;
  return { kind: "address", offset: generic ? addressIn(symbol.space, 0) + inWindow : inWindow };
}
