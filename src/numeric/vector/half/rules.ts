import type { Expression } from "../../operation/expression.ts";
import type { Operation } from "../../operation/operation.ts";
import { partsOf } from "../../operation/parts.ts";
import { type FloatName, formatOf, isFloat, type TypeName } from "../../operation/type.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type Value } from "../vector.ts";
import { halfArithmetic } from "./arithmetic.ts";
import { halfCodes, packedCodes } from "./codes.ts";
import { halfFunction } from "./function.ts";
import { flushedF32, normalAsF32, widened } from "./widen.ts";

/**
 * An operation on numbers of at most 16 bits that does not give an f16 or bf16: mixed precision, relations, properties. It
 * is the same operation on numbers of f32, which holds them all.
 */
const asF32: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  if (!takes.some(({ type }) => isNarrow(type)) || !("of" in result)) return undefined;
  if (result.into === "carry" || (result.into === "round" && isHalf(result.format))) return undefined;
  const given: Value[] = [];
  for (const [at, { name, type }] of takes.entries()) {
    const value = operands[at]!;
    if (!isNarrow(type) || isWide(value)) given.push(value);
    else {
      const uses = usesOf(result.of, name);
      if (uses.has("bits") || uses.size > 1) return undefined;
      const f = formatOf(type);
      const number = widened(f, value, make);
      given.push(uses.has("flush") ? flushedF32(number, normalAsF32(f), make) : number);
    }
  }
  const wider: Operation["takes"] = takes.map(({ name, type }) => ({ name, type: isNarrow(type) ? "f32" : type }));
  return lower({ takes: wider, gives, result }, given);
};

const isNarrow = (type: TypeName): type is FloatName => isFloat(type) && formatOf(type).width <= 16;
const isHalf = (type: TypeName): type is "f16" | "bf16" => type === "f16" || type === "bf16";

/** How an expression reads an operand; to detect numbers that are subnormal as halves it has to read their bits. */
function usesOf(x: Expression, name: string, into = new Set<string>()): ReadonlySet<string> {
  if (x.node === "is" && /normal/.test(x.property)) into.add("bits");
  if ((x.node === "argument" || x.node === "flush" || x.node === "bits") && x.name === name) into.add(x.node);
  for (const part of partsOf(x)) usesOf(part, name, into);
  return into;
}

/** What is done with f16 and bf16, alone and in pairs. */
export const halfRules: readonly VectorRule[] = [halfArithmetic, halfCodes, halfFunction, asF32];

/** Before packed operands are taken apart. */
export const packedRules: readonly VectorRule[] = [packedCodes];
