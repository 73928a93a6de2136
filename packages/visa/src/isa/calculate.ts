import {
  abs,
  argument,
  clamp,
  max,
  min,
  negated,
  not,
  operation,
  rounded,
  type Term,
  via,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../../../../src/numeric/operation/operation.ts";
import type { TypeName } from "../../../../src/numeric/operation/type.ts";
import type { Modifier, Type } from "../ast.ts";
import { isInteger } from "../type.ts";
import type { ChannelOperation, Instance } from "./define.ts";
import { type FloatControl, type FloatType, floatControl } from "./float-control.ts";
import { plainType } from "./types.ts";

/** The meaning of an instruction as a function of its sources: integers exactly, floats as reals. */
export type Meaning = (src0: Expression, src1: Expression, src2: Expression, src3: Expression) => Term;

/** The names of types in operations: the manual's integers by PTX's names, its floats by their own. */
const typeNames: Readonly<Partial<Record<Type, TypeName>>> = {
  ub: "u8",
  b: "s8",
  uw: "u16",
  w: "s16",
  ud: "u32",
  d: "s32",
  uq: "u64",
  q: "s64",
  hf: "visa.hf",
  bf: "visa.bf",
  f: "visa.f",
  df: "visa.df",
};

/** The type of an element, or of a predicate where there is none. */
export function typeName(type: Type | undefined): TypeName {
  const name = type === undefined ? "pred" : typeNames[plainType(type)];
  if (name === undefined) throw new Error(`no channel has a value of type ${type}`);
  return name;
}

/** Types of the sources that are elements, the packed ones as their elements. */
export const sourcesOf = ({ types }: Instance, written: number): readonly Type[] =>
  types.slice(written).flatMap((type) => (type === undefined ? [] : [plainType(type)]));

/** The sources by the names of the syntax line, with their types. */
export const takesOf = (types: readonly (Type | undefined)[]): Readonly<Record<string, TypeName>> =>
  Object.fromEntries(types.map((type, at) => [`src${at}`, typeName(type)]));

/**
 * The exact result on the sources, cut, clamped or rounded into the destination: on integers at once, on floats as %cr0
 * says.
 */
export const calculation =
  (meaning: Meaning) =>
  (instance: Instance): ChannelOperation => {
    const [to] = instance.types;
    if (to === undefined) throw new Error("a calculation without a destination");
    if (isInteger(to)) return { results: [onIntegers(meaning, instance, 1, to)] };
    return {
      controlled: (cr0) => {
        const control = floatControl(cr0);
        const types = [plainType(to), ...sourcesOf(instance, 1)] as readonly FloatType[];
        const exact = meaning(...sources(instance, 1, control));
        const result = intoFloat(to as FloatType, executionType(types), control, instance.sat, exact);
        return [operation(takesOf(sourcesOf(instance, 1)), typeName(to), result)];
      },
    };
  };

/** The same where there are only integers; the destination may be one of several, or another type than the sources. */
export const onIntegers = (meaning: Meaning, instance: Instance, written: number, to: Type): Operation =>
  operation(
    takesOf(sourcesOf(instance, written)),
    typeName(to),
    (instance.sat ? clamp : wrap)(typeName(to), meaning(...sources(instance, written))),
  );

/** The sources with their modifiers; a denormal that `control` does not keep is a zero of its sign. */
export function sources(
  instance: Instance,
  written: number,
  control?: FloatControl,
): [src0: Expression, src1: Expression, src2: Expression, src3: Expression] {
  const all = sourcesOf(instance, written).map((type, at) => {
    const name = `src${at}`;
    const flushes = control !== undefined && !isInteger(type) && !control.keep[type as FloatType];
    return modified(instance.modifiers[written + at], flushes ? { node: "flush", name } : argument(name));
  });
  const none = argument("none");
  return [all[0] ?? none, all[1] ?? none, all[2] ?? none, all[3] ?? none];
}

/** A source modifier, exactly: it acts at the execution width, which holds its result. */
function modified(modifier: Modifier | undefined, x: Expression): Expression {
  switch (modifier) {
    case "neg":
      return negated(x);
    case "abs":
      return abs(x);
    case "neg-abs":
      return negated(abs(x));
    case "not":
      return not(x);
    default:
      return x;
  }
}

/** The execution type: 16 bits only when all operands have 16 bits; df only with df; everything else executes in f. */
export function executionType(types: readonly FloatType[]): FloatType {
  const [first = "f"] = types;
  return first !== "bf" && types.every((type) => type === first) ? first : "f";
}

/**
 * An exact result in a float type: rounded in the type that it executes in, then in the destination's (a mix of f and hf
 * executes in f, bf always does). With `sat` it lies in [+0, 1], and NaN is +0.
 */
export function intoFloat(
  type: FloatType,
  executes: FloatType,
  control: FloatControl,
  sat: boolean,
  exact: Term,
): Result {
  const x = sat ? min(max(exact, 0), 1) : exact;
  const inner = roundedIn(executes, control, control.rounding, x);
  // bf rounds to nearest whatever the mode (D/2_datatypes.md).
  return executes === type ? inner : roundedIn(type, control, type === "bf" ? "rn" : control.rounding, via(inner));
}

const roundedIn = (type: FloatType, { keep, alternative }: FloatControl, rnd: FloatControl["rounding"], x: Term) =>
  rounded(`visa.${type}`, { rnd, ftz: !keep[type], satfinite: alternative && type === "f" }, x);
