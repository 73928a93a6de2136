import { unpack } from "../../numeric/exact/exact.ts";
import type { Environment } from "../../numeric/operation/evaluate.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Lane, LanesResult, Operation, Result } from "../../numeric/operation/operation.ts";
import { partsOf } from "../../numeric/operation/parts.ts";
import { reference } from "../../numeric/operation/reference.ts";
import { formatOf, isFloat, type TypeName, widthOf } from "../../numeric/operation/type.ts";
import { binary } from "./binary.ts";
import { bitsText, type Scene } from "./expression.ts";
import { valueRows } from "./number.ts";
import { resultSteps } from "./result.ts";
import { type Given, type Row, row, type Worked } from "./row.ts";
import { operationTypes } from "./type.ts";
import { valueRow } from "./value.ts";

/**
 * An operation worked through for the bits of its operands: what they mean, every step of the exact expression, and
 * what the result's type does with it. The bits are the reference's.
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

/** An operand: its bits and what they mean, and that `.ftz` takes it for a zero. */
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

/** A group of rows a lane, and what the lanes are put onto. */
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

/** The bits that lanes are put onto, where they are an operand's. */
function ontoRows({ takes }: Operation, onto: Expression, operands: readonly Given[]): Row[] {
  if (onto.node !== "argument" && onto.node !== "bits") return [];
  const at = takes.findIndex(({ name }) => name === onto.name);
  const [given, type] = [operands[at], takes[at]?.type];
  return given === undefined || type === undefined ? [] : [row(given.name, binary(given.bits, widthOf(type)))];
}
