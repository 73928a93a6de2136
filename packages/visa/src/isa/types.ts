import type { Type } from "../ast.ts";
import { isFloat, isInteger } from "../type.ts";

/** Returns the error in the types of an instruction's operands, destination first. */
export type Combination = (types: readonly Type[]) => string | undefined;

/** An immediate of packed integers has the type of its words, one of packed floats f. */
export const plainType = (type: Type): Type => (type === "v" ? "w" : type === "uv" ? "uw" : type === "vf" ? "f" : type);

const mixes = (types: readonly Type[], ...allowed: readonly Type[]): boolean =>
  types.every((type) => allowed.includes(type));

/** Integers with integers, df with df, f with hf or with bf: measured, the same in three generations of the verifier. */
export const arithmetic: Combination = (types) => {
  const plain = types.map(plainType);
  if (plain.every(isInteger)) return undefined;
  if (types.includes("vf") && types[0] !== "f") return "an immediate of type vf needs a destination of type f";
  if (mixes(plain, "df") || mixes(plain, "f", "hf") || mixes(plain, "f", "bf")) return undefined;
  return `${types.join(", ")} do not go together`;
};

/** Integers of any width and sign. */
export const integers: Combination = (types) =>
  types.map(plainType).every(isInteger) ? undefined : `${types.join(", ")} are not all integers`;

/** Every type converts into every other. */
export const anything: Combination = (types) =>
  types.map(plainType).every((type) => isInteger(type) || isFloat(type)) ? undefined : `${types.join(", ")} cannot be`;

/** Two sources as in arithmetic; a destination of elements, if there is one, has an integer type. */
export const comparison: Combination = (types) => {
  const [first] = types;
  if (types.length > 2 && first !== undefined && !isInteger(first) && types.slice(1).every(isInteger))
    return `a comparison of integers gives no ${first}`;
  return arithmetic(types.slice(-2));
};

/** Dwords; an immediate may pack small ones. */
export const unsignedDwords: Combination = (types) =>
  mixes(types, "ud", "uv") ? undefined : `${types.join(", ")} are not all ud`;

export const dwords: Combination = (types) =>
  mixes(types, "ud", "d") ? undefined : `${types.join(", ")} are not all d or ud`;

/** f and hf, or df where there is a form for it. */
export const floats =
  (...also: readonly Type[]): Combination =>
  (types) =>
    mixes(types.map(plainType), "f", "hf") || (also.length > 0 && mixes(types, ...also))
      ? undefined
      : `${types.join(", ")} do not go together`;
