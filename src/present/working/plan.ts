import { isComputed, operationOf, sayingOf, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Plan, PredicateOp } from "../../interp/contract/plan/plan.ts";
import type { PlanOf } from "../../interp/contract/plan/shapes/shape-facts.ts";
import type { ComputedShape } from "../../interp/contract/plan/shapes.ts";
import type { Bits } from "../../numeric/bits.ts";
import { type Scalar, scalarOf } from "../../numeric/lower/scalar.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { textOf } from "../../numeric/operation/text.ts";
import { widthOf } from "../../numeric/operation/type.ts";
import { hex } from "../value.ts";
import { workOperation } from "./operation.ts";
import { type Given, linesOf, type Row, row, type Worked } from "./row.ts";
import { operationTypes } from "./type.ts";
import { resultRows, valueRow } from "./value.ts";

/**
 * One operation, step by step. The rows and bits are the reference's, not the result of `run`, with which the
 * machine executes it; the two are compared here, and a difference is a bug of ptxrun.
 */
export function workAgreed(operation: Operation, given: readonly Given[], run: Scalar = scalarOf(operation)): Worked {
  const operands = operation.takes.map(({ name, type }, at) => ({
    name: given[at]?.name ?? name,
    bits: BigInt.asUintN(widthOf(type), given[at]?.bits ?? 0n),
  }));
  const worked = workOperation(operation, operands);
  const executed = BigInt(
    run(...operands.map(({ bits }, at) => asBits(bits, widthOf(operation.takes[at]?.type ?? "b64")))),
  );
  if (worked.bits !== executed)
    throw new Error(
      `${textOf(operation)}: the working gives 0x${worked.bits.toString(16)}, the machine 0x${executed.toString(16)}`,
    );
  return worked;
}

const asBits = (bits: bigint, width: number): Bits => (width <= 32 ? Number(bits) : bits);

/**
 * An operand of an executed instruction: its name, its register's width, and its bits before; the bits of a target are
 * ignored.
 */
export interface Held extends Given {
  readonly width: number;
  /** What the instruction says that the bits are: `f16x2`; nothing where it does not say. */
  readonly type?: string | undefined;
}

/** In the order of a plan's operands: a vector is its elements, an optional one that is not written is undefined. */
export type Place = Held | readonly Held[] | undefined;

/**
 * The derivation of an instruction: every operand, the exact result, how it is rounded, wrapped, clamped or selected,
 * and the final bits of its target. Throws when these differ from the operation's result.
 */
export function workThrough(plan: Plan, places: readonly Place[], carry: 0 | 1 = 0): string[] {
  return linesOf(workingOf(plan, places, carry));
}

const all = (place: Place): readonly Held[] =>
  place === undefined ? [] : Array.isArray(place) ? place : [place as Held];
const one = (place: Place): Held => all(place)[0] ?? { name: "_", bits: 0n, width: 32 };

/** The operation of the instruction, on one line, with the names of its operands. */
function meaning(plan: Plan, places: readonly Place[]): readonly Row[] {
  const operation = operationOf(plan);
  if (operation === undefined) return [];
  const [d] = places;
  const names = places
    .slice(writtenBy(plan))
    .flatMap(all)
    .map(({ name }) => name);
  const named = new Map(operation.takes.map(({ name }, at) => [name, names[at] ?? name]));
  return [
    row(
      "does",
      textOf(operation, one(d).name, (name) => named.get(name) ?? name, "short"),
    ),
  ];
}

/** The same as rows, with the bits that they are about. */
export function workingOf(plan: Plan, places: readonly Place[], carry: 0 | 1 = 0): readonly Row[] {
  if (!isComputed(plan)) return [...places.flatMap(all).map(bare), row("does", sayingOf(plan))];
  // TypeScript does not see that an entry takes plans of the shape that it stands under.
  const work = workings[plan.shape] as Working<ComputedShape>;
  return [...meaning(plan, places), ...work(plan, places, carry)];
}

type Working<S extends ComputedShape> = (plan: PlanOf<S>, places: readonly Place[], carry: 0 | 1) => readonly Row[];

const workings: { readonly [S in ComputedShape]: Working<S> } = {
  compute: computed,
  carry: withCarry,
  test: tested,
  compare: compared,
  select: (_, places) => selected(places),
  logic: logical,
  move: moved,
  pack: moved,
  unpack: moved,
};

function tested({ op, combine }: PlanOf<"test">, [d, p, ...rest]: readonly Place[]): Row[] {
  const given = rest.flatMap(all);
  const worked = workAgreed(op, given);
  const other = given[op.takes.length];
  const held = worked.bits === 0n ? 0n : 1n;
  return [
    ...worked.rows,
    ...resultRows(one(d).name, operationTypes(op).gives, worked.bits),
    combined(one(p).name, `${one(d).name} is ${held === 1n ? "not 0" : "0"}`, held, combine, other),
  ];
}

function selected(places: readonly Place[]): Row[] {
  const [d, a, b, p] = places.map(one);
  const chosen = p?.bits === 1n ? a : b;
  return [
    ...[a, b, p].map(bare),
    raw(d?.name ?? "d", chosen?.bits ?? 0n, chosen?.width ?? 32, `: ${p?.name} is ${p?.bits}, so ${chosen?.name}`),
  ];
}

function logical({ op }: PlanOf<"logic">, places: readonly Place[]): Row[] {
  const [d, a, b] = places.map(one);
  const [x, y] = [a?.bits ?? 0n, b?.bits ?? 0n];
  const bits = op === "not" ? x ^ 1n : merge[op](x, y);
  const text = op === "not" ? `not ${a?.name}` : `${a?.name} ${op} ${b?.name}`;
  return [...(op === "not" ? [a] : [a, b]).map(bare), row(d?.name ?? "d", `${bits}: ${text}`, { type: "pred", bits })];
}

const bare = (held: Held | undefined): Row =>
  held === undefined
    ? row("", "")
    : held.width === 1
      ? valueRow(held.name, "pred", held.bits)
      : held.type === undefined
        ? raw(held.name, held.bits, held.width)
        : valueRow(held.name, held.type, held.bits);

/** Untyped bits, and the remark on them. */
const raw = (label: string, bits: bigint, width: number, more = ""): Row =>
  row(label, `${hex(bits, width)}${more}`, { type: `b${width}`, bits });

function computed({ op, extend }: PlanOf<"compute">, [d, ...from]: readonly Place[]): Row[] {
  const worked = workAgreed(op, from.flatMap(all));
  const { name, width } = one(d);
  const rows = [...worked.rows, ...resultRows(name, operationTypes(op).gives, worked.bits)];
  const gives = widthOf(op.gives);
  if (gives === 1 || width <= gives) return rows;
  const signed = extend === "sign";
  const wide = BigInt.asUintN(width, signed ? BigInt.asIntN(gives, worked.bits) : worked.bits);
  return [
    ...rows,
    raw("register", wide, width, `: ${width} bits wide, ${signed ? "extended by the sign" : "zeros above"}`),
  ];
}

function withCarry({ op, carryIn, carryOut }: PlanOf<"carry">, [d, ...from]: readonly Place[], carry: 0 | 1): Row[] {
  const width = widthOf(op.gives);
  const given = from.flatMap(all).slice(0, op.takes.length - (carryIn ? 1 : 0));
  const flag = { name: "CF", bits: BigInt(carry), width: 1 };
  const { rows, bits } = workAgreed(op, carryIn ? [...given, flag] : given);
  const flagged = bits >> BigInt(width);
  const out = row("CC.CF", `${flagged}`, { type: "pred", bits: flagged });
  return [...rows, raw(one(d).name, BigInt.asUintN(width, bits), width), ...(carryOut ? [out] : [])];
}

const merge: Readonly<Record<PredicateOp, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

function combined(name: string, text: string, held: bigint, by: PredicateOp, other: Held | undefined): Row {
  const bits = merge[by](held, other?.bits ?? 0n);
  return row(name, `${bits}: ${text}, ${by} ${other?.name} = ${other?.bits ?? 0n}`, { type: "pred", bits });
}

function compared({ op, second, combine }: PlanOf<"compare">, [p, q, a, b, c]: readonly Place[]): Row[] {
  const given = [one(a), one(b)];
  const worked = workAgreed(op, given);
  const rows: Row[] = [...worked.rows];
  const also = second === undefined ? undefined : workAgreed(second, given);
  const results: [Place, bigint, string][] = [
    [p, worked.bits, worked.bits === 1n ? "it holds" : "it does not hold"],
    [q, also?.bits ?? 1n - worked.bits, also === undefined ? "the opposite" : "of the high halves"],
  ];
  if (also !== undefined) rows.push({ label: "high halves", text: "", inner: also.rows });
  for (const [place, held, text] of results) {
    if (place === undefined) continue;
    const { name } = one(place);
    const alone = row(name, `${held}: ${text}`, { type: "pred", bits: held });
    rows.push(combine === undefined ? alone : combined(name, text, held, combine, one(c)));
  }
  return rows;
}

/** mov: the bits of all sources as one row, spread over the targets, the low ones first. */
function moved({ shape }: PlanOf<"move" | "pack" | "unpack">, [d, a]: readonly Place[]): Row[] {
  const [to, from] = [all(d), all(a)];
  const rows = from.map(bare);
  if (shape === "move")
    return [...rows, ...to.map(({ name, width }, at) => raw(name, BigInt.asUintN(width, from[at]?.bits ?? 0n), width))];
  let [bits, low] = [0n, 0n];
  for (const held of from) {
    bits |= held.bits << low;
    low += BigInt(held.width);
  }
  let at = 0n;
  for (const { name, width } of to) {
    const which = shape === "unpack" ? `bits ${at + BigInt(width) - 1n} to ${at}` : "the first source in the low bits";
    rows.push(raw(name, BigInt.asUintN(width, bits >> at), width, `: ${which}`));
    at += BigInt(width);
  }
  return rows;
}
