import type { Plan, PredicateOp } from "../interp/contract/plan.ts";
import { hex } from "./value.ts";
import { carried } from "./working-integer.ts";
import { workOp } from "./working-op.ts";
import { type Given, linesOf, type Row, row } from "./working-row.ts";
import { typesOf } from "./working-type.ts";
import { resultRows, valueRow } from "./working-value.ts";

/** An operand of an executed instruction: its name, its register's width, and its bits before; a target's bits do not count. */
export interface Held extends Given {
  readonly width: number;
}

/** In the order of a plan's operands: a vector is its elements, an optional one that is not written is undefined. */
export type Place = Held | readonly Held[] | undefined;

/**
 * An instruction worked through: every operand, the exact result, how it is rounded, wrapped, clamped or chosen, and the
 * bits that its target gets. Throws when that is not what the operation computes.
 */
export function workThrough(plan: Plan, places: readonly Place[], carry: 0 | 1 = 0): string[] {
  return linesOf(rowsOf(plan, places, carry));
}

const all = (place: Place): readonly Held[] =>
  place === undefined ? [] : Array.isArray(place) ? place : [place as Held];
const one = (place: Place): Held => all(place)[0] ?? { name: "_", bits: 0n, width: 32 };

function rowsOf(plan: Plan, places: readonly Place[], carry: 0 | 1): readonly Row[] {
  switch (plan.shape) {
    case "compute":
      return computed(plan, places);
    case "carry":
      return withCarry(plan, places, carry);
    case "test": {
      const [d, p, ...rest] = places;
      const given = rest.flatMap(all);
      const worked = workOp(plan.op, given);
      const other = given[plan.op.takes.length];
      const held = worked.bits === 0n ? 0n : 1n;
      return [
        ...worked.rows,
        ...resultRows(one(d).name, typesOf(plan.op).gives, worked.bits),
        combined(one(p).name, `${one(d).name} is ${held === 1n ? "not 0" : "0"}`, held, plan.combine, other),
      ];
    }
    case "compare":
      return compared(plan, places);
    case "select": {
      const [d, a, b, p] = places.map(one);
      const chosen = p?.bits === 1n ? a : b;
      return [
        ...[a, b, p].map(bare),
        row(
          d?.name ?? "d",
          `${hex(chosen?.bits ?? 0n, chosen?.width ?? 32)}: ${p?.name} is ${p?.bits}, so ${chosen?.name}`,
        ),
      ];
    }
    case "logic": {
      const [d, a, b] = places.map(one);
      const [x, y] = [a?.bits ?? 0n, b?.bits ?? 0n];
      const bits = plan.op === "not" ? x ^ 1n : merge[plan.op](x, y);
      const text = plan.op === "not" ? `not ${a?.name}` : `${a?.name} ${plan.op} ${b?.name}`;
      return [...(plan.op === "not" ? [a] : [a, b]).map(bare), row(d?.name ?? "d", `${bits}: ${text}`)];
    }
    case "move":
    case "pack":
    case "unpack":
      return moved(plan.shape, places);
    default:
      return [...places.flatMap(all).map(bare), row("does", `${does(plan)}`)];
  }
}

const bare = (held: Held | undefined): Row =>
  held === undefined
    ? row("", "")
    : held.width === 1
      ? valueRow(held.name, "pred", held.bits)
      : row(held.name, hex(held.bits, held.width));

function computed({ op, extend }: Plan & { shape: "compute" }, [d, ...from]: readonly Place[]): Row[] {
  const worked = workOp(op, from.flatMap(all));
  const { name, width } = one(d);
  const rows = [...worked.rows, ...resultRows(name, typesOf(op).gives, worked.bits)];
  if (op.gives === 1 || width <= op.gives) return rows;
  const signed = extend === "sign";
  const wide = BigInt.asUintN(width, signed ? BigInt.asIntN(op.gives, worked.bits) : worked.bits);
  return [
    ...rows,
    row("register", `${hex(wide, width)}: ${width} bits wide, ${signed ? "extended by the sign" : "zeros above"}`),
  ];
}

function withCarry(
  { op, carryIn, carryOut }: Plan & { shape: "carry" },
  [d, ...from]: readonly Place[],
  carry: 0 | 1,
): Row[] {
  const given = from.flatMap(all).slice(0, op.arity);
  const flag = carryIn ? carry : (op.start ?? 0);
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => bits);
  const sum =
    op.width === 32
      ? BigInt((op.js as (a: number, b: number, c: number, f: number) => number)(Number(a), Number(b), Number(c), flag))
      : (op.js as (a: bigint, b: bigint, c: bigint, f: bigint) => bigint)(a, b, c, BigInt(flag));
  const rows = op.about === undefined ? given.map(bare) : [];
  if (op.about !== undefined) {
    const worked = carried(op.about, given, flag, carryIn);
    if (worked.bits !== sum) throw new Error(`${op.name}: the working gives ${worked.bits}, the operation ${sum}`);
    rows.push(...worked.rows);
  }
  const width = op.about?.width ?? op.width;
  const out = row("CC.CF", `${sum >> BigInt(op.width)}`);
  return [...rows, row(one(d).name, hex(BigInt.asUintN(width, sum), width)), ...(carryOut ? [out] : [])];
}

const merge: Readonly<Record<PredicateOp, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

function combined(name: string, text: string, held: bigint, by: PredicateOp, other: Held | undefined): Row {
  const bits = merge[by](held, other?.bits ?? 0n);
  return row(name, `${bits}: ${text}, ${by} ${other?.name} = ${other?.bits ?? 0n}`);
}

function compared({ op, second, combine }: Plan & { shape: "compare" }, [p, q, a, b, c]: readonly Place[]): Row[] {
  const given = [one(a), one(b)];
  const worked = workOp(op, given);
  const rows: Row[] = [...worked.rows];
  const also = second === undefined ? undefined : workOp(second, given);
  const results: [Place, bigint, string][] = [
    [p, worked.bits, worked.bits === 1n ? "it holds" : "it does not hold"],
    [q, also?.bits ?? 1n - worked.bits, also === undefined ? "the opposite" : "of the high halves"],
  ];
  if (also !== undefined) rows.push({ label: "high halves", text: "", inner: also.rows });
  for (const [place, held, text] of results) {
    if (place === undefined) continue;
    const { name } = one(place);
    rows.push(combine === undefined ? row(name, `${held}: ${text}`) : combined(name, text, held, combine, one(c)));
  }
  return rows;
}

/** mov: the bits of all sources as one row, spread over the targets, the low ones first. */
function moved(shape: "move" | "pack" | "unpack", [d, a]: readonly Place[]): Row[] {
  const [to, from] = [all(d), all(a)];
  const rows = from.map(bare);
  if (shape === "move")
    return [
      ...rows,
      ...to.map(({ name, width }, at) => row(name, hex(BigInt.asUintN(width, from[at]?.bits ?? 0n), width))),
    ];
  let [bits, low] = [0n, 0n];
  for (const held of from) {
    bits |= held.bits << low;
    low += BigInt(held.width);
  }
  let at = 0n;
  for (const { name, width } of to) {
    rows.push(
      row(
        name,
        `${hex(BigInt.asUintN(width, bits >> at), width)}${shape === "unpack" ? `: bits ${at + BigInt(width) - 1n} to ${at}` : ": the first source in the low bits"}`,
      ),
    );
    at += BigInt(width);
  }
  return rows;
}

/** What an instruction does whose result is not in its operands' bits. */
function does(plan: Plan): string {
  switch (plan.shape) {
    case "load":
      return `reads ${plan.cell.bits} bits of ${plan.space} memory${plan.cell.signed ? ", extended by their sign" : ""}`;
    case "store":
      return `writes ${plan.cell.bits} bits to ${plan.space} memory`;
    case "atomic":
      return `${plan.op.name} on ${plan.bits} bits of ${plan.space} memory${plan.gives ? ", and gives what was there before" : ""}`;
    case "warp":
      return `${plan.op.name} among the lanes of the warp`;
    case "special":
      return `reads %${plan.name}`;
    case "branch":
      return "goes on at its label";
    case "switch":
      return "goes on at the label that the index chooses";
    case "call":
      return "calls the function";
    case "return":
      return "goes back to the caller, or ends the thread";
    case "exit":
      return "ends the thread";
    case "trap":
      return "ends the run with a fault";
    case "barrier":
    case "cluster barrier":
      return `${plan.act} at the ${plan.shape}`;
    case "address":
      return `an address of ${plan.space} memory ${plan.to === "generic" ? "becomes generic" : "from a generic one"}`;
    case "within":
      return `asks whether the address lies in ${plan.space} memory`;
    case "gap":
      return "nothing: ptxrun does not implement it";
    case "nothing":
      return "nothing that a register shows";
    default:
      return plan.shape;
  }
}
