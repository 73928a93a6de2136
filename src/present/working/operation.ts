import { compare, type Exact, type Rounding, round, roundByChance, unpack } from "../../numeric/exact/exact.ts";
import type { Format } from "../../numeric/format/format.ts";
import { type Environment, evaluate, integerOf, realOf, roundingIn } from "../../numeric/operation/evaluate.ts";
import type { Expression, RoundResult } from "../../numeric/operation/expression.ts";
import type { Lane, LanesResult, Operation, Result } from "../../numeric/operation/operation.ts";
import { partsOf } from "../../numeric/operation/parts.ts";
import { reference } from "../../numeric/operation/reference.ts";
import { formatRoundedInto, restricted, roundedBits } from "../../numeric/operation/rounding.ts";
import { formatOf, isFloat, isSignedType, rangeOf, type TypeName, widthOf } from "../../numeric/operation/type.ts";
import { hex } from "../value.ts";
import { binary } from "./binary.ts";
import { bitsText, innerRows, type Scene, stepRows, stepText } from "./expression.ts";
import { decimalOf, valueRows } from "./number.ts";
import { rounding } from "./rounding.ts";
import { type Given, type Row, row, type Worked } from "./row.ts";
import { operationTypes } from "./type.ts";
import { valueRow } from "./value.ts";

/** The steps of a result that is not made of lanes: the expression's, then how its value becomes bits. */
function resultSteps(result: Exclude<Result, { into: "lanes" }>, scene: Scene): Row[] {
  const { env } = scene;
  switch (result.into) {
    case "wrap":
      return [...wholeRows(result.of, scene), ...wrapped(result.type, integerOf(result.of, env), scene)];
    case "clamp":
      return [...wholeRows(result.of, scene), ...clamped(result.type, evaluate(result.of, env))];
    case "carry": {
      const width = widthOf(result.type);
      const sum = integerOf(result.of, env);
      const low = hex(BigInt.asUintN(width, sum), width);
      const text = result.out ? `${low} and a carry of ${BigInt.asUintN(1, sum >> BigInt(width))}` : low;
      return [...innerRows(result.of, scene), row(stepText(result.of, scene), text)];
    }
    case "round":
      return roundSteps(result, { ...scene, env: roundingIn(result, env) });
    case "predicate":
      return stepRows(result.of, scene);
    case "choose": {
      const chosen = integerOf(result.when, env) !== 0n ? result.yes : result.no;
      const rows = stepRows(result.when, scene);
      return chosen.into === "lanes" ? rows : [...rows, ...resultSteps(chosen, scene)];
    }
  }
}

/** An integer's steps; one that is nothing but an operand or a constant has a row all the same. */
function wholeRows(of: Expression, scene: Scene): Row[] {
  const rows = stepRows(of, scene);
  if (rows.length > 0 || of.node === "argument" || of.node === "bits") return rows;
  return of.node === "select" ? [] : [row("constant", stepText(of, scene))];
}

/** An integer modulo 2^width: no row where it fits. */
function wrapped(type: TypeName, exact: bigint, { bitsWide }: Scene): Row[] {
  const [least, greatest] = rangeOf(type);
  if (exact >= least && exact <= greatest) return [];
  const width = widthOf(type);
  const bits = BigInt.asUintN(width, exact);
  if (bitsWide > 0) return [row("cut", `the low ${width} bits: ${hex(bits, width)}`)];
  const kept = isSignedType(type) ? BigInt.asIntN(width, exact) : bits;
  const turns = (exact - kept) / (1n << BigInt(width));
  const off = `${turns < 0n ? -turns : turns} x 2^${width} ${turns < 0n ? "added" : "taken off"}`;
  return [row("wraps", `beyond ${least} to ${greatest} of ${type}: ${kept}, ${off}`)];
}

/** The nearest number of an integer type. */
function clamped(type: TypeName, value: bigint | Exact): Row[] {
  const [least, greatest] = rangeOf(type);
  const range = `${least} to ${greatest} of ${type}`;
  if (typeof value !== "bigint" && value.kind === "inf")
    return [row("clamps", `an infinity is beyond ${range}: ${value.neg ? least : greatest}`)];
  const exact = typeof value === "bigint" ? value : BigInt(integerText(value));
  if (exact >= least && exact <= greatest) return [row("clamps", `within ${range}: changes nothing`)];
  return [row("clamps", `beyond ${range}: ${exact < least ? least : greatest}`)];
}

/** A finite whole real in decimal digits. */
function integerText(x: Exact): string {
  if (x.kind !== "finite") throw new Error(`${decimalOf(x)} is not an integer`);
  const size = x.exp >= 0 ? x.sig << BigInt(x.exp) : x.sig >> BigInt(-x.exp);
  return `${x.neg ? "-" : ""}${size}`;
}

/** A real on its way into a format: the exact result, its neighbours, the rounding, then `.sat`, `.relu` or `.pzo`. */
function roundSteps(result: RoundResult, scene: Scene): Row[] {
  const { env } = scene;
  const x = realOf(result.of, env);
  const format = formatRoundedInto(result);
  if (result.of.node !== "argument" && choosesOperand(result.of) && isExact(format, x))
    return [...stepRows(result.of, scene), ...canonical(format, x), ...effects(result, env, x)];
  const rows = innerRows(result.of, scene);
  if (result.rnd === "rs") return [...rows, ...byChance(result, format, x, env), ...effects(result, env, x)];
  const label = result.approximate ? stepText(result.of, scene) : "exactly";
  rows.push(...rounding(format, result.rnd as Rounding, x, { ftz: result.ftz === true, label }).rows);
  if (result.approximate)
    rows.push(row(".approx", "ptxrun rounds the true value; a GPU may be off by the manual's bound"));
  return [...rows, ...effects(result, env, x)];
}

const isExact = (format: Format, x: Exact): boolean =>
  x.kind !== "finite" || compare(unpack(format, round(format, "rz", x)), x) === 0;

/** A NaN comes out as the canonical one; every other number as it is. */
const canonical = (format: Format, x: Exact): readonly Row[] =>
  x.kind === "nan" ? rounding(format, "rn", x).rows : [];

/** Whether the number is one of the operands, but for its sign: then nothing is rounded. */
function choosesOperand(x: Expression): boolean {
  switch (x.node) {
    case "argument":
    case "flush":
      return true;
    case "min":
    case "max":
      return choosesOperand(x.a) && choosesOperand(x.b);
    case "neg":
    case "abs":
    case "signed":
      return choosesOperand(x.a);
    default:
      return false;
  }
}

/** Random bits are added below the last kept place, and the part below it is then dropped. */
function byChance(result: RoundResult, format: Format, x: Exact, env: Environment): Row[] {
  const { of, bits } = result.chance ?? { of: { node: "integer", value: 0n } as const, bits: 1 };
  const chance = integerOf(of, env);
  const [cut] = [roundByChance(format, x, 0n, bits)];
  const taken = roundByChance(format, x, chance, bits);
  const shown = (code: bigint): string => `${hex(code, format.width)} = ${decimalOf(unpack(format, code))}`;
  return [
    row("exactly", decimalOf(x)),
    row("cut", shown(cut)),
    row(
      ".rs",
      `${chance} / 2^${bits} of a step added${taken === cut ? " reaches no further" : ` reaches ${shown(taken)}`}`,
    ),
  ];
}

/** `.sat`, `.relu` and `.pzo` on the rounded bits. */
function effects(result: RoundResult, env: Environment, x: Exact): Row[] {
  const { sat, relu, pzo, format } = result;
  if (!sat && !relu && !pzo) return [];
  const { sat: _, relu: __, pzo: ___, ...plain } = result;
  const before = roundedBits(plain, x, result.chance === undefined ? 0n : integerOf(result.chance.of, env));
  const after = restricted(result, before);
  const label = sat ? ".sat" : relu ? ".relu" : ".pzo";
  if (after === before) return [row(label, "changes nothing")];
  const f = formatOf(format);
  const was = unpack(f, before);
  const why =
    was.kind === "nan"
      ? sat
        ? "NaN becomes +0"
        : "the canonical NaN"
      : was.neg
        ? `${relu || sat ? "what is negative, -0 too," : "-0"} becomes +0`
        : "more than 1 becomes 1";
  return [row(label, `${why}: ${hex(after, f.width)}`)];
}

/**
 * The derivation of an operation for the bits of its operands: their values, every step of the exact expression,
 * and the conversion to the result's type. The bits are the reference's.
 */
export function workOperation(operation: Operation, given: readonly Given[]): Worked {
  const operands = operation.takes.map(({ name, type }, at) => ({
    name: given[at]?.name ?? name,
    bits: BigInt.asUintN(widthOf(type), given[at]?.bits ?? 0n),
  }));
  const bits = reference(
    operation,
    operands.map((each) => each.bits),
  );
  const { result } = operation;
  return { rows: result.into === "lanes" ? laneRows(operation, result, operands) : rowsOf(operation, operands), bits };
}

function rowsOf(operation: Operation, operands: readonly Given[]): Row[] {
  const { takes, gives, result } = operation;
  const env: Environment = { takes, bits: operands.map(({ bits }) => bits), rnd: "rn" };
  const names = new Map(takes.map(({ name }, at) => [name, operands[at]?.name ?? name]));
  const scene: Scene = {
    env,
    name: (name) => names.get(name) ?? name,
    bitsWide: gives.startsWith("b") && !isFloat(gives) ? widthOf(gives) : 0,
    shown: new Set(),
  };
  const flushes = flushedIn(result);
  const rows = takes.flatMap(({ name, type }, at) =>
    operandRows(operands[at] as Given, type, scene.bitsWide > 0, flushes.has(name)),
  );
  return result.into === "lanes" ? rows : [...rows, ...resultSteps(result, scene)];
}

/** An operand: its bits and their value, and that `.ftz` treats it as a zero. */
function operandRows(given: Given, type: TypeName, asBits: boolean, flushed: boolean): Row[] {
  if (!isFloat(type)) {
    if (given.name === "CF") return [row("CF", `${given.bits}, CC.CF before`)];
    const plain = type.startsWith("b") && asBits;
    return [plain ? row(given.name, bitsText(given.bits, widthOf(type))) : valueRow(given.name, type, given.bits)];
  }
  const f = formatOf(type);
  const rows = valueRows(given.name, f, given.bits);
  const x = unpack(f, given.bits);
  const subnormal = x.kind === "finite" && x.sig !== 0n && x.sig < 1n << BigInt(f.frac);
  return flushed && subnormal ? [...rows, row(".ftz", `subnormal: counts as ${x.neg ? "-" : "+"}0`)] : rows;
}

/** The operands that an operation flushes. */
function flushedIn(result: Result): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (x: Expression): void => {
    if (x.node === "flush") found.add(x.name);
    for (const part of partsOf(x)) look(part);
  };
  const walk = (each: Result): void => {
    if (each.into === "choose") {
      look(each.when);
      walk(each.yes);
      walk(each.no);
    } else if (each.into !== "lanes") look(each.of);
  };
  walk(result);
  return found;
}

/** A group of rows a lane, and the bits into which the lanes are inserted. */
function laneRows(operation: Operation, { lanes, onto }: LanesResult, operands: readonly Given[]): Row[] {
  const rows = lanes.map((lane, at): Row => {
    const slices = lane.takes.map(({ of, low, bits }) => {
      const from = operands[operation.takes.findIndex(({ name }) => name === of)];
      return { name: from?.name ?? of, bits: BigInt.asUintN(bits, (from?.bits ?? 0n) >> BigInt(low)) };
    });
    const worked = workOperation(lane.operation, slices);
    const { gives } = operationTypes(lane.operation);
    return {
      label: `lane ${at}`,
      text: placeText(lane),
      inner: [...worked.rows, valueRow("gives", gives, worked.bits)],
    };
  });
  const [only] = rows;
  // One lane alone is the low or the high half, and needs no heading.
  if (rows.length === 1 && only?.inner !== undefined && onto === undefined) return only.inner.slice(0, -1);
  return onto === undefined ? rows : [...ontoRows(operation, onto, operands), ...rows];
}

const placeText = ({ operation, low, bits }: Lane): string =>
  operation.gives === "pred" ? "" : `bits ${low + bits - 1} to ${low}`;

/** The bits into which lanes are inserted, where they are an operand's. */
function ontoRows({ takes }: Operation, onto: Expression, operands: readonly Given[]): Row[] {
  if (onto.node !== "argument" && onto.node !== "bits") return [];
  const at = takes.findIndex(({ name }) => name === onto.name);
  const [given, type] = [operands[at], takes[at]?.type];
  return given === undefined || type === undefined ? [] : [row(given.name, binary(given.bits, widthOf(type)))];
}
