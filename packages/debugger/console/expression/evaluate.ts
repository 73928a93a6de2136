import type { Parameter, Register } from "../../../../src/interp/contract/program.ts";
import type { HostSpace } from "../../../../src/interp/contract/space.ts";
import { readNumber } from "../../../../src/launch/value/number.ts";
import { type Exact, negate, round } from "../../../../src/numeric/exact/exact.ts";
import { type Format, f64 } from "../../../../src/numeric/format/format.ts";
import type { BinaryOperator } from "../../../../src/parser/ast.ts";
import { type Integer64, onFloats, onIntegers } from "../../../../src/resolve/constant/c-operators.ts";
import type { ReplExpression } from "./expression.ts";
import type { NameMeaning, ProgramNames } from "./names.ts";
import { type LinePart, type Refusal, refuse } from "./refusal.ts";
import { convert, type ExpressionValue, exactOf, floatOf, holds, integer, integerOf, truth, widthIn } from "./value.ts";

/** The result of an operator, or why there is none. */
type ArithmeticResult = ExpressionValue | { readonly wrong: string };

/** A C operator on two values: integers wrap at 64 bits; with a float among them it is rounded once, to nearest even. */
function binary(operator: BinaryOperator, a: ExpressionValue, b: ExpressionValue): ArithmeticResult {
  const format = shared(a, b);
  if (format === undefined) return whole(operator, a, b);
  const made = onFloats(operator, toFormat(a, format), toFormat(b, format));
  if (made === undefined) return { wrong: `${operator} takes integers` };
  if (typeof made === "boolean") return truth(made);
  return { bits: round(format, "rn", made), type: format.name };
}

/** `-x`, `+x`, `~x`, `!x`. */
function unary(operator: string, a: ExpressionValue): ArithmeticResult {
  const format = floatOf(a.type);
  if (operator === "!") return truth(!holds(a));
  if (operator === "+") return a;
  if (format !== undefined) {
    if (operator === "~") return { wrong: "~ takes an integer" };
    const bits = round(format, "rn", negate(exactOf(a)));
    return { bits, type: a.type, ...(a.literal !== undefined && { literal: opposite(a.literal) }) };
  }
  const value = integerOf(a);
  const made = integer(operator === "-" ? -value : ~value, isWide(a));
  return a.literal === undefined ? made : { ...made, literal: made.bits.toString() };
}

const opposite = (literal: string): string => (literal.startsWith("-") ? literal.slice(1) : `-${literal}`);

/** The format of an operation: the wider one of two registers; a literal takes the format of the other side. */
function shared(a: ExpressionValue, b: ExpressionValue): Format | undefined {
  const [left, right] = [floatOf(a.type), floatOf(b.type)];
  if (left === undefined && right === undefined) return undefined;
  if (a.literal && b.literal) return f64;
  if (a.literal) return right ?? left;
  if (b.literal) return left ?? right;
  if (left === undefined || right === undefined) return left ?? right;
  // Neither f16 nor bf16 contains the other.
  if (left !== right && left.width === right.width) return f64;
  return left.width >= right.width ? left : right;
}

const toFormat = (value: ExpressionValue, format: Format): Exact =>
  exactOf({ bits: convert(value, format.name), type: format.name });

/** An unsigned 64-bit operand makes an operation unsigned, as in C; anything narrower fits in 64 bits with a sign. */
const isWide = ({ type, literal }: ExpressionValue): boolean => (type === "u64" || type === "b64") && !literal;

const integer64 = (value: ExpressionValue): Integer64 => ({
  value: BigInt.asUintN(64, integerOf(value)),
  signed: !isWide(value),
});

function whole(operator: BinaryOperator, a: ExpressionValue, b: ExpressionValue): ArithmeticResult {
  const made = onIntegers(operator, integer64(a), integer64(b));
  if (made === undefined) return { wrong: "this divides by zero" };
  if (typeof made === "boolean") return truth(made);
  const result = integer(made.value, !made.signed);
  if (operator !== "+" && operator !== "-") return result;
  const { space = b.space, of = b.of } = a;
  return { ...result, ...(space && { space }), ...(of && { of }) };
}

/** The state that an expression reads: a thread's registers and the memory that it sees. */
export interface Surroundings {
  readonly names: ProgramNames;
  /** The value bits of a register, one per element. */
  register(register: Register): readonly bigint[];
  carry(): 0 | 1;
  /** A special register; undefined where the name is none. */
  special(name: string): bigint | undefined;
  parameter(parameter: Parameter): Uint8Array;
  /** Address of a variable, if the thread has a private copy: a variable of vISA, which is a register. */
  variable(name: string): bigint | undefined;
  /** Bytes of a register of vISA; undefined for another program. */
  readonly registerBytes: number | undefined;
  /** The names of variables of vISA are addresses, as those of other variables always are, not values. */
  readonly addresses?: boolean;
  /** Throws a RangeError when the bytes do not lie in the space. */
  read(space: HostSpace, address: bigint, bytes: number): Uint8Array;
  /** The type of what lies at an address, where a buffer or a variable says so. */
  typeAt(space: HostSpace, address: bigint): string | undefined;
  /** `$step`, `$_`, `$1`: by its name with the dollar sign. */
  convenience(name: string): ExpressionValue | undefined;
}

/** The value of an expression; throws a `Refusal` (PTX2403, PTX2404, PTX2406) when it has none. */
export function evaluate(expression: ReplExpression, part: LinePart, around: Surroundings): ExpressionValue {
  const inner = (each: ReplExpression): ExpressionValue => one(evaluate(each, part, around), span(each, part), around);
  const wrong = (message: string): Refusal =>
    refuse("PTX2403", message, part, { span: { start: expression.at, end: expression.end } });
  const settled = (outcome: ArithmeticResult): ExpressionValue => {
    if ("wrong" in outcome) throw wrong(outcome.wrong);
    return outcome;
  };
  switch (expression.kind) {
    case "number": {
      if (/^(?!0[fd])[\dbx_a-f]+$/i.test(expression.text) && BigInt(expression.text.replaceAll("_", "")) >> 64n !== 0n)
        throw wrong(`${expression.text} has more than 64 bits`);
      return literal(expression.text);
    }
    case "name":
      return named(expression, part, around);
    case "unary":
      return settled(unary(expression.operator, inner(expression.operand)));
    case "binary": {
      const { operator, left, right } = expression;
      if (operator === "&&" || operator === "||") {
        const first = holds(inner(left));
        const both = operator === "&&" ? first && holds(inner(right)) : first || holds(inner(right));
        return { bits: both ? 1n : 0n, type: "pred" };
      }
      return settled(binary(operator, inner(left), inner(right)));
    }
    case "choice":
      return holds(inner(expression.condition)) ? inner(expression.yes) : inner(expression.no);
    case "reading": {
      const { bits, type } = inner(expression.operand);
      const width = widthIn(expression.type);
      if (widthIn(type) < width) throw wrong(`${widthIn(type)} bits are too few for .${expression.type}`);
      return { bits: BigInt.asUintN(width, bits), type: expression.type };
    }
    case "memory": {
      const { space, address, type } = place(expression, part, around);
      const bytes = reading(around, space, address, Math.max(1, widthIn(type) / 8), () => span(expression, part));
      return { bits: littleEndian(bytes), type };
    }
  }
}

/** The address of a memory expression, and the type of the value there. */
export function place(expression: ReplExpression & { kind: "memory" }, part: LinePart, around: Surroundings) {
  const base = evaluate(expression.address, part, { ...around, addresses: true });
  const space = (expression.space as HostSpace | undefined) ?? base.space ?? "generic";
  const address = convert(base, "u64");
  const of = base.of ?? around.typeAt(space, address);
  const type = expression.type ?? (of !== undefined && widthIn(of) >= 8 ? of : "b32");
  if (expression.index === undefined) return { space, address, type };
  const counted = (each: ReplExpression): bigint =>
    convert(one(evaluate(each, part, { ...around, addresses: false }), span(each, part), around), "s64");
  const index = counted(expression.index);
  const size = BigInt(Math.max(1, widthIn(type) / (space === "tensor" ? 32 : 8)));
  if (expression.row === undefined) return { space, address: BigInt.asUintN(64, address + index * size), type };
  const vector = vectorOf(expression.address, around);
  if (vector === undefined)
    throw refuse("PTX2403", "rows and columns are of vISA's variables", span(expression, part), {
      expected: "V(0,3) where V is one",
    });
  const offset = counted(expression.row) * BigInt(around.registerBytes ?? 0) + index * size;
  if (offset < 0n || offset + size > BigInt(vector.bytes))
    throw refuse("PTX2406", `${vector.name} has ${vector.bytes} bytes`, span(expression, part), {
      expected: `${vector.name}(0,0) to ${lastOf(vector, around)}`,
    });
  return { space, address: address + offset, type };
}

type Vector = NameMeaning & { readonly kind: "variable" };

/** The variable of the thread that an expression is the name of. */
function vectorOf(expression: ReplExpression, { names, variable }: Surroundings): Vector | undefined {
  const found = expression.kind === "name" ? names.find(expression.text) : undefined;
  return found?.kind === "variable" && variable(found.name) !== undefined ? found : undefined;
}

/** The last element of a variable, as lines of vISA have it. */
function lastOf({ name, type, bytes }: Vector, { registerBytes = bytes }: Surroundings): string {
  const start = bytes - Math.max(1, widthIn(type) / 8);
  return `${name}(${Math.floor(start / registerBytes)},${(start % registerBytes) / Math.max(1, widthIn(type) / 8)})`;
}

/** A value that is one number; refuses the elements of a vector (PTX2403). */
export function one(value: ExpressionValue, at: LinePart, around: Surroundings): ExpressionValue {
  if (value.elements === undefined) return value;
  const found = around.names.find(at.text);
  throw refuse("PTX2403", `${at.text} has ${value.elements} elements`, at, {
    expected:
      found?.kind === "variable" ? `one of them: ${at.text}(0,0) to ${lastOf(found, around)}` : "one of them, as $1 is",
  });
}

/** Reads memory; an invalid address is refused (PTX2406). */
export function reading(
  { read }: Pick<Surroundings, "read">,
  space: HostSpace,
  address: bigint,
  bytes: number,
  at: () => LinePart,
): Uint8Array {
  try {
    return read(space, address, bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse("PTX2406", error.message, at());
  }
}

/** The piece of the line that an expression takes. */
export const span = ({ at, end }: ReplExpression, { source }: LinePart): LinePart => ({
  source,
  text: source.text.slice(at, end),
  start: at,
});

/** Bytes as one number, the first byte lowest. */
export function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return value;
}

/** `7`, `0x1f`, `1.5`, `0f3f800000`. */
export function literal(text: string): ExpressionValue {
  const type = /^0f/i.test(text) ? "f32" : /^0d/i.test(text) ? "f64" : /^0[xb]|^[\d_]+$/i.test(text) ? "u64" : "f64";
  if (type !== "u64") {
    const reading = readNumber(text, type);
    // A decimal beyond the range of f64 is an infinity.
    const bits = "bits" in reading ? reading.bits : 0x7ff0_0000_0000_0000n;
    return /^0[fd]/i.test(text) ? { bits, type } : { bits, type, literal: text };
  }
  const value = BigInt(text.replaceAll("_", ""));
  return { ...integer(value, value >> 63n !== 0n), literal: text };
}

function named(
  expression: ReplExpression & { readonly text: string },
  part: LinePart,
  around: Surroundings,
): ExpressionValue {
  const { text } = expression;
  const own = text.startsWith("$") ? around.convenience(text) : undefined;
  if (own !== undefined) return own;
  if (text === "$_")
    throw refuse("PTX2404", "$_ is the last value that was printed, and there is none", span(expression, part));
  const found = around.names.find(text);
  if (found !== undefined) return meaning(found, span(expression, part), around);
  const special = /^(inf|nan)$/i.exec(text)?.[1]?.toLowerCase();
  if (special !== undefined)
    return { bits: special === "inf" ? 0x7ff0_0000_0000_0000n : 0xfff8_0000_0000_0000n, type: "f64", literal: special };
  if (text === "true" || text === "false") return { bits: text === "true" ? 1n : 0n, type: "pred" };
  throw around.names.unknown(text, span(expression, part));
}

function meaning(found: NameMeaning, at: LinePart, around: Surroundings): ExpressionValue {
  switch (found.kind) {
    case "register": {
      const { register, element } = found;
      const bits = around.register(register);
      if (register.elements > 1 && element === undefined)
        throw refuse("PTX2403", `${register.name} has ${register.elements} elements`, at, {
          expected: `${register.name}.x or another of them`,
        });
      return { bits: bits[element ?? 0] ?? 0n, type: register.type };
    }
    case "carry":
      return { bits: BigInt(around.carry()), type: "pred" };
    case "special": {
      const bits = around.special(found.name);
      if (bits === undefined) throw refuse("PTX2404", `%${found.name} has no value here`, at);
      return { bits, type: found.type };
    }
    case "variable": {
      const own = around.variable(found.name);
      const place = { bits: own ?? found.address, type: "u64", space: found.space, of: found.type };
      if (own === undefined || around.addresses) return place;
      const bits = littleEndian(reading(around, found.space, own, found.bytes, () => at));
      const elements = Math.floor((8 * found.bytes) / widthIn(found.type));
      return { bits, type: found.type, ...(elements === 1 ? {} : { elements }) };
    }
    case "parameter": {
      const { parameter } = found;
      const bytes = around.parameter(parameter);
      if (parameter.aggregate || widthIn(parameter.type) !== parameter.bytes * 8)
        return { bits: BigInt(parameter.offset), type: "u64", space: "param", of: "b8" };
      return { bits: littleEndian(bytes), type: parameter.type };
    }
    case "label":
      return integer(BigInt(found.pc));
  }
}
