import type { Rounding } from "../../../src/numeric/exact/exact.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import { type Lowered, lower } from "../../../src/numeric/lower/lowered.ts";
import { byReference } from "../../../src/numeric/lower/rule.ts";
import {
  a,
  abs,
  b,
  c,
  call,
  divided,
  type FloatModifiers,
  flushed,
  integral,
  lanes,
  max,
  min,
  minus,
  operation,
  plus,
  root,
  round,
  rounded,
  times,
} from "../../../src/numeric/operation/build.ts";
import type { Expression, Property, Relation } from "../../../src/numeric/operation/expression.ts";
import type { FloatName, IntegerName } from "../../../src/numeric/operation/type.ts";
import { entryOf, opOf } from "./entry.ts";

/** What a test asks of an instruction on floats; `reference` takes the exact meaning in place of the lowered function. */
export interface Mode extends FloatModifiers {
  readonly oob?: boolean | undefined;
  readonly nan?: boolean | undefined;
  readonly xorsignAbs?: boolean | undefined;
  readonly abs?: boolean | undefined;
  /** Mixed precision: the format of a, and of b of an fma. */
  readonly from?: Format | undefined;
  readonly reference?: boolean | undefined;
}

const judged = (op: Lowered, { reference }: { readonly reference?: boolean | undefined }): Lowered =>
  reference ? { ...op, js: byReference(op.operation) } : op;

const spelled = (...words: readonly (string | false | undefined)[]): string => words.filter((word) => word).join(".");

/** An entry of the table, or where it has none (a rounding that no form of the format has) the same expression. */
const arithmetic =
  (mnemonic: string, names: readonly string[], of: Expression) =>
  (f: Format, mode: Mode = {}): Lowered => {
    const { rnd = "rn", ftz, sat, relu, oob, from } = mode;
    const spelling = spelled(
      mnemonic,
      rnd,
      oob && "oob",
      ftz && "ftz",
      sat && "sat",
      relu && "relu",
      f.name,
      from && from !== f && from.name,
    );
    const made = (): Lowered => {
      const type = f.name as FloatName;
      return lower(operation(Object.fromEntries(names.map((name) => [name, type])), type, round(type, mode, of)));
    };
    return judged(entryOf(spelling) ?? made(), mode);
  };

export const fadd = arithmetic("add", ["a", "b"], plus(a, b));
export const fsub = arithmetic("sub", ["a", "b"], minus(a, b));
export const fmul = arithmetic("mul", ["a", "b"], times(a, b));
export const ffma = arithmetic("fma", ["a", "b", "c"], plus(times(a, b), c));
export const fdiv = arithmetic("div", ["a", "b"], divided(a, b));
export const frcp = arithmetic("rcp", ["a"], divided(1, a));
export const fsqrt = arithmetic("sqrt", ["a"], root(a));

const extremum =
  (mnemonic: "min" | "max") =>
  (f: Format, mode: Mode = {}): Lowered => {
    const { ftz, nan, xorsignAbs } = mode;
    return judged(opOf(spelled(mnemonic, ftz && "ftz", nan && "NaN", xorsignAbs && "xorsign.abs", f.name)), mode);
  };
export const fmin = extremum("min");
export const fmax = extremum("max");

const extremum3 =
  (mnemonic: "min" | "max") =>
  (f: Format, { ftz, nan, abs: magnitudes }: Mode = {}): Lowered => {
    // Both forms of the mnemonic are spelled alike: the one of three operands is the second.
    const pick = mnemonic === "min" ? min : max;
    const [x, y, z] = magnitudes ? [abs(a), abs(b), abs(c)] : [a, b, c];
    const type = f.name as FloatName;
    const of = pick(pick(x as Expression, y as Expression, { nan }), z as Expression, { nan });
    return lower(operation({ a: type, b: type, c: type }, type, round(type, { ftz }, of)));
  };
export const fmin3 = extremum3("min");
export const fmax3 = extremum3("max");

const sign =
  (mnemonic: "neg" | "abs") =>
  (f: Format, mode: Mode = {}): Lowered =>
    judged(opOf(spelled(mnemonic, mode.ftz && "ftz", f.name)), mode);
export const fneg = sign("neg");
export const fabs = sign("abs");

/** The `.approx` functions; some have no form with or without .ftz, and are the same expression then. */
const approximate =
  (mnemonic: "sin" | "cos" | "ex2" | "lg2" | "tanh" | "rsqrt") =>
  (f: Format, mode: Pick<Mode, "ftz" | "reference"> = {}): Lowered => {
    const type = f.name as FloatName;
    const made = (): Lowered => lower(operation({ a: type }, type, round(type, mode, call(mnemonic, a))));
    return judged(entryOf(spelled(mnemonic, "approx", mode.ftz && "ftz", f.name)) ?? made(), mode);
  };
export const fsin = approximate("sin");
export const fcos = approximate("cos");
export const fex2 = approximate("ex2");
export const flg2 = approximate("lg2");
export const ftanh = approximate("tanh");
export const frsqrt = approximate("rsqrt");
/** Of the upper word of an f64. */
export const frcpGross = (mode: Mode = {}): Lowered => judged(opOf("rcp.approx.ftz.f64"), mode);
export const frsqrtGross = (mode: Mode = {}): Lowered => judged(opOf("rsqrt.approx.ftz.f64"), mode);

export const fdivApprox = (): Lowered => opOf("div.approx.f32");
export const fcopysign = (f: Format): Lowered => opOf(`copysign.${f.name}`);
export const fproperty = (f: Format, property: Property): Lowered => opOf(`testp.${property}.${f.name}`);
export const fcompare = (f: Format, relation: Relation, { ftz }: { readonly ftz?: boolean } = {}): Lowered =>
  opOf(spelled("setp", relation, ftz && "ftz", f.name));

/** The same on both halves of a register twice as wide. */
export function pair(op: Lowered): Lowered {
  if (op.operation === undefined) throw new Error("an operation without data");
  return lower(lanes(2, op.operation));
}

export type NumberType = IntegerName | "f16" | "bf16" | "f32" | "f64" | Narrow;
type Narrow = "tf32" | "e5m2" | "e4m3" | "e3m2" | "e2m3" | "e2m1" | "ue8m0" | "ue5m3";
export interface ConvertMode extends Omit<FloatModifiers, "rnd"> {
  readonly rnd?: Rounding | "rni" | "rzi" | "rmi" | "rpi" | undefined;
  readonly reference?: boolean | undefined;
}

const isInteger = (type: string): boolean => /^[us]\d/.test(type);
const isNarrow = (type: string): boolean => /^u?e/.test(type);

/** cvt from one type to another: the table's entry, one lane of it for formats that only pairs have. */
export function convert(from: NumberType, to: NumberType, mode: ConvertMode = {}): Lowered {
  const { sat, relu, satfinite } = mode;
  // .ftz is about f32.
  const ftz = mode.ftz && (from === "f32" || to === "f32");
  const rnd = mode.rnd ?? (isInteger(to) && !isInteger(from) ? "rzi" : undefined);
  const effects = [satfinite && "satfinite", relu && "relu", ftz && "ftz", sat && "sat"];
  if (!isNarrow(from) && !isNarrow(to)) {
    const flag = relu && "relu";
    const plain = to === "tf32" ? [satfinite && "satfinite", flag] : [flag, satfinite && "satfinite"];
    // A conversion that is exact is spelled without a rounding, one that is not with it.
    for (const direction of rnd?.endsWith("i") ? [rnd] : [rnd, undefined, "rn"]) {
      const found = entryOf(spelled("cvt", direction, ...plain, ftz && "ftz", sat && "sat", to, from));
      if (found && (rnd === undefined || direction !== "rn" || rnd === "rn")) return judged(found, mode);
    }
  }
  const lane = laneOf(spelled("cvt", rnd ?? "rn", ...effects, `${to}x2`, from), from);
  return judged(lane ?? made(from, to, { ...mode, ftz }), mode);
}

/** What one lane of a packed conversion does. */
function laneOf(spelling: string, from: string): Lowered | undefined {
  const found = entryOf(spelling) ?? entryOf(`${spelling}x2`);
  const result = found?.operation?.result;
  const lane = result?.into === "lanes" ? result.lanes[0]?.operation : undefined;
  return lane !== undefined && lane.takes[0]?.type === from ? lower(lane) : undefined;
}

/** A conversion that no form has, or that needs no rounding where none is written. */
function made(from: NumberType, to: NumberType, mode: ConvertMode): Lowered {
  const { rnd = "rn", ftz, ...effects } = mode;
  const direction = rnd.slice(0, rnd === "rna" ? 3 : 2) as Rounding;
  if (isInteger(to)) throw new Error(`no conversion from ${from} to ${to}`);
  const type = to as FloatName;
  const operand = flushed(ftz && from === "f32", a);
  const of = to.startsWith("ue") ? abs(operand) : rnd.endsWith("i") ? integral(direction, operand) : operand;
  return lower(
    operation({ a: from }, type, rounded(type, { ...effects, ftz: ftz && to === "f32", rnd: direction }, of)),
  );
}
