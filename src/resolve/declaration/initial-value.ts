import type { ModuleVariable, Relocation } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { evaluate } from "../constant/constant.ts";
import { floatAs } from "../constant/literal.ts";
import type { AddressConstant, ConstantValue } from "../constant/value.ts";
import { nearest } from "../nearest.ts";
import { type Report, reject } from "../report.ts";
import type { DeclaredElement, Dimensions } from "./declared-type.ts";
import { bitsOf, isOpaque } from "./fundamental-types.ts";

const filters = ["nearest", "linear"];
const modes = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];

/** The names of a field's values; undefined for numbers only. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ["filter_mode", filters],
  ["addr_mode_0", modes],
  ["addr_mode_1", modes],
  ["addr_mode_2", modes],
]);
const sizes = ["width", "height", "depth", "channel_data_type", "channel_order", "array_size"];
const sampling = ["filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"];

/** The members of each type (PTX ISA 5.3, Tables 10 and 11). */
const members: Readonly<Record<string, readonly string[]>> = {
  texref: [...sizes, "normalized_coords", ...sampling, "num_mipmap_levels", "num_samples"],
  samplerref: ["force_unnormalized_coords", ...sampling],
  surfref: [...sizes, "memory_layout"],
};

/**
 * The initial value of an opaque variable: a number for each member that it names; a mode is its place in the manual's
 * list. Problems are PTX1615.
 */
function readFields(initial: ast.Initial, type: string, report: Report): ReadonlyMap<string, number> {
  const fields = new Map<string, number>();
  const known = members[type] ?? [];
  if (initial.kind !== "fields") {
    reject(report, "PTX1615", initial, `a .${type} takes its members' values`, { expected: `{ ${known[0]} = 1 }` });
    return fields;
  }
  for (const { name, value } of initial.fields) {
    if (!known.includes(name.text)) {
      const near = nearest(name.text, known);
      reject(report, "PTX1615", name, `a .${type} has no member ${name.text}`, {
        expected: known.join(", "),
        ...(near === undefined ? {} : { help: [{ message: `did you mean ${near}?` }] }),
      });
      continue;
    }
    const number = numberOf(value, words.get(name.text), report);
    if (number !== undefined) fields.set(name.text, number);
  }
  return fields;
}

function numberOf(value: ast.Expr, called: readonly string[] | undefined, report: Report): number | undefined {
  if (value.kind === "symbol" && value.name.text !== "WARP_SZ") {
    const place = called?.indexOf(value.name.text) ?? -1;
    if (place >= 0) return place;
    return reject(report, "PTX1615", value, `${value.name.text} is not a value of this member`, {
      expected: called === undefined ? "a number" : called.join(", "),
    });
  }
  const number = evaluate(value, report);
  if (number === undefined) return undefined;
  if (number.kind === "integer") return Number(BigInt.asUintN(32, number.value));
  return reject(report, "PTX1615", value, "this is not a value of a member", { expected: "an integer or a mode" });
}

/** The initial contents of a variable, and the length of the list for its first dimension. */
export interface InitialData extends Pick<ModuleVariable, "initial" | "relocations" | "fields"> {
  readonly length: number;
  /** Functions whose addresses it contains. */
  readonly functions: readonly string[];
}

/** Resolves a name in an initial value: a variable whose address the loader knows, a function's address, or neither. */
export type FindInitialSymbol = (name: ast.Name) => "variable" | bigint | undefined;

/**
 * The contents that a declaration assigns to its variable (PTX ISA 5.4.4): scalars have a value, arrays a list,
 * vectors a list of all their elements; elements missing in a list are zero. Problems are PTX1610 to PTX1614.
 */
export function readInitial(
  initial: ast.Initial,
  element: DeclaredElement,
  dimensions: Dimensions,
  find: FindInitialSymbol,
  report: Report,
): InitialData {
  const into = new InitialBytes();
  const unit: Unit = { element, scalar: element.bytes / element.vector, find, report, into };
  const opaque = isOpaque(element.type);
  const fields = opaque ? readFields(initial, element.type, report) : undefined;
  if (!opaque) fill(initial, dimensions, 0, unit);
  const length = initial.kind === "list" ? initial.items.length : 1;
  if (length === 0 && dimensions[0] === undefined && dimensions.length > 0)
    reject(report, "PTX1612", initial, "an empty list gives no length", { expected: "at least one value" });
  const { relocations, functions } = into;
  return { initial: into.runs(), relocations, functions, length, ...(fields && { fields }) };
}

interface Unit {
  readonly element: DeclaredElement;
  /** Bytes of one component. */
  readonly scalar: number;
  readonly find: FindInitialSymbol;
  readonly report: Report;
  readonly into: InitialBytes;
}

/** Bytes by ascending offset, gathered into runs, so that a short list for a huge array stays short. */
class InitialBytes {
  readonly relocations: Relocation[] = [];
  readonly functions: string[] = [];
  readonly #runs: { offset: number; bytes: number[] }[] = [];

  put(offset: number, bytes: number, value: bigint): void {
    let run = this.#runs.at(-1);
    if (run === undefined || run.offset + run.bytes.length !== offset) {
      run = { offset, bytes: [] };
      this.#runs.push(run);
    }
    for (let at = 0; at < bytes; at++) run.bytes.push(Number((value >> BigInt(8 * at)) & 0xffn));
  }

  runs(): ModuleVariable["initial"] {
    return this.#runs.map(({ offset, bytes }) => ({ offset, bytes: Uint8Array.from(bytes) }));
  }
}

function fill(initial: ast.Initial, dimensions: Dimensions, offset: number, unit: Unit): void {
  const { element, report } = unit;
  const [length, ...inner] = dimensions;
  const vector = dimensions.length === 0 && element.vector > 1;
  if (dimensions.length === 0 && !vector) {
    if (initial.kind === "value") put(initial.value, offset, unit);
    else reject(report, "PTX1612", initial, "a scalar takes one value", { expected: "a value without braces" });
    return;
  }
  if (initial.kind !== "list") {
    reject(report, "PTX1612", initial, vector ? "a vector takes a list" : "an array takes a list", {
      expected: "{ ... }",
    });
    return;
  }
  const { items } = initial;
  if (vector) {
    if (items.length !== element.vector)
      reject(report, "PTX1612", initial, `${items.length} values for a vector of ${element.vector}`);
    for (const [index, item] of items.entries())
      fill(item, [], offset + index * unit.scalar, { ...unit, element: { ...element, vector: 1 } });
    return;
  }
  const surplus = length === undefined ? undefined : items[length];
  if (surplus)
    reject(report, "PTX1611", surplus, `${items.length} values for ${length}`, {
      expected: `${length} at most, or a length of ${items.length}`,
      manual: "initializers",
    });
  const stride = inner.reduce<number>((all, count) => all * (count ?? 1), element.bytes);
  for (const [index, item] of items.slice(0, length).entries()) fill(item, inner, offset + index * stride, unit);
}

function put(expr: ast.Expr, offset: number, unit: Unit): void {
  const value = evaluate(expr, unit.report);
  if (value === undefined) return;
  const { type } = unit.element;
  if (type === "f16" || type === "f16x2") {
    reject(unit.report, "PTX1613", expr, `.${type} takes no initial value`, {
      help: [{ message: `declare it .b${bitsOf(type)}` }],
    });
    return;
  }
  if (value.kind === "address") {
    relocate(value, expr, offset, unit);
    return;
  }
  const bits = bitsFor(type, value);
  if (bits === undefined) mismatch(value, expr, unit);
  else unit.into.put(offset, unit.scalar, bits);
}

/** Integers are cut to the type; floats go into float types and bit types as wide. */
function bitsFor(type: string, value: Exclude<ConstantValue, AddressConstant>): bigint | undefined {
  if (value.kind === "integer")
    return type.startsWith("f") ? undefined : BigInt.asUintN(bitsOf(type) ?? 64, value.value);
  if (type === "f32" || type === "b32") return floatAs(value, 32);
  if (type === "f64" || type === "b64") return floatAs(value, 64);
  return undefined;
}

function mismatch(value: ConstantValue, at: Span, { element, report }: Unit): void {
  const what = value.kind === "integer" ? "an integer" : value.kind === "float" ? "a float" : "an address";
  const wants = element.type.startsWith("f")
    ? "a float constant, such as 1.0"
    : value.kind === "address"
      ? ".u32 or .u64"
      : "an integer";
  reject(report, "PTX1610", at, `${what} does not initialise .${element.type}`, {
    expected: wants,
    manual: "initializers",
  });
}

/** `0xFF00(f)`: the bits that the mask selects, shifted down. */
function masked(value: bigint, mask: bigint | undefined): bigint {
  if (mask === undefined || mask === 0n) return value;
  return (value & mask) / (mask & -mask);
}

function relocate(address: AddressConstant, at: Span, offset: number, unit: Unit): void {
  const { type } = unit.element;
  const { report, into, scalar } = unit;
  const what = unit.find(address.name);
  if (what === undefined) return;
  if (!(type === "u64" || type === "u32" || (type === "u8" && address.mask !== undefined))) {
    mismatch(address, at, unit);
    return;
  }
  if (what !== "variable") {
    if (address.offset !== 0n || address.generic)
      reject(report, "PTX1608", at, "a function's address takes no offset and no generic()", {
        expected: "its name alone",
      });
    into.functions.push(address.name.text);
    into.put(offset, scalar, masked(what, address.mask));
    return;
  }
  into.relocations.push({
    offset,
    width: scalar as Relocation["width"],
    variable: address.name.text,
    addend: address.offset,
    ...(address.mask === undefined ? {} : { mask: address.mask }),
    generic: address.generic,
  });
}
