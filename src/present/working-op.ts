import type { About, Bits, Op } from "../numeric/index.ts";
import { workOperation } from "./working/operation.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";
import { valueRow } from "./working/value.ts";
import { approximated, arithmetic } from "./working-arithmetic.ts";
import { bitwise, field, funnel, permute, shift } from "./working-bits.ts";
import { conversion } from "./working-conversion.ts";
import { dot, integer, product } from "./working-integer.ts";
import { extremum, floatRelation, integerRelation, property, sign } from "./working-order.ts";
import { randomly } from "./working-random.ts";
import { typesOf } from "./working-type.ts";
import { simdVideo, video, videoMad } from "./working-video.ts";

/** What an operation gives for these bits, by its own meaning. */
export function resultOf({ takes, js }: Op, given: readonly Given[]): bigint {
  const run = js as (...operands: Bits[]) => Bits;
  return BigInt(run(...takes.map((width, at) => bitsFor(width, given[at]?.bits ?? 0n))));
}

const bitsFor = (width: number, bits: bigint): Bits =>
  width <= 32 ? Number(BigInt.asUintN(width, bits)) : BigInt.asUintN(width, bits);

/**
 * One operation, step by step. The rows are made from exact numbers, not from what the operation computes; that both
 * come to the same bits is checked here, and a difference is a bug of ptxrun.
 */
export function workOp(op: Op, given: readonly Given[]): Worked {
  const operands = given
    .slice(0, op.takes.length)
    .map(({ name, bits }, at) => ({ name, bits: BigInt.asUintN(op.takes[at] ?? 64, bits) }));
  const result = resultOf(op, operands);
  const worked =
    op.operation !== undefined
      ? workOperation(op.operation, operands)
      : op.about === undefined
        ? plain(op, operands, result)
        : explained(op, op.about, operands);
  if (worked.bits !== result)
    throw new Error(
      `${op.name}: the working gives 0x${worked.bits.toString(16)}, the operation 0x${result.toString(16)}`,
    );
  return worked;
}

/** An operation that nothing is known about: what it takes. */
function plain(op: Op, given: readonly Given[], bits: bigint): Worked {
  const { takes } = typesOf(op);
  return { rows: given.map((each, at) => valueRow(each.name, takes[at] ?? "b64", each.bits)), bits };
}

function explained(op: Op, about: About, given: readonly Given[]): Worked {
  switch (about.kind) {
    case "arithmetic":
      return arithmetic(about, given);
    case "function":
      return approximated(about, given);
    case "extremum":
      return extremum(about, given);
    case "sign":
      return sign(about, given);
    case "property":
      return property(about, given);
    case "float relation":
      return floatRelation(about, given);
    case "integer relation":
      return integerRelation(about, given);
    case "set":
      return set(about, given);
    case "slct":
      return chosen(op, about, given);
    case "conversion":
      return conversion(about, given);
    case "integer":
      return integer(about, given);
    case "product":
      return product(about, given);
    case "bits":
      return bitwise(about, given, op.takes[0] ?? 32);
    case "shift":
      return shift(about, given);
    case "funnel":
      return funnel(about, given);
    case "permute":
      return permute(about, given);
    case "field":
      return field(about, given);
    case "dot":
      return dot(about, given);
    case "video":
      return video(about, given);
    case "video mad":
      return videoMad(about, given);
    case "simd video":
      return simdVideo(about, given);
    case "random":
      return randomly(about, given);
    case "lanes":
      return lanes(about, given);
  }
}

function lanes({ of, lanes: all }: About & { kind: "lanes" }, given: readonly Given[]): Worked {
  let bits = 0n;
  const { gives } = typesOf(of);
  const rows = all.map((lane, at): Row => {
    const operands = lane.takes.map(({ operand, low, bits: width }) => {
      const from = given[operand];
      return { name: from?.name ?? "", bits: BigInt.asUintN(width, (from?.bits ?? 0n) >> BigInt(low)) };
    });
    const worked = workOp(of, operands);
    bits |= worked.bits << BigInt(lane.low);
    const place = of.gives === 1 ? "" : `bits ${lane.low + lane.bits - 1} to ${lane.low}`;
    return { label: `lane ${at}`, text: place, inner: [...worked.rows, valueRow("gives", gives, worked.bits)] };
  });
  // One lane alone is the low or the high half, and needs no heading.
  const [only] = rows;
  return { rows: rows.length === 1 && only?.inner !== undefined ? only.inner.slice(0, -1) : rows, bits };
}

const joined = {
  and: (a: bigint, b: bigint) => a & b,
  or: (a: bigint, b: bigint) => a | b,
  xor: (a: bigint, b: bigint) => a ^ b,
};

function set({ of, yes, combine }: About & { kind: "set" }, given: readonly Given[]): Worked {
  const worked = workOp(of, given);
  const other = given[of.takes.length];
  const held =
    combine === undefined || other === undefined ? worked.bits : joined[combine](worked.bits, other.bits & 1n);
  const also =
    combine === undefined || other === undefined
      ? []
      : [row(`.${combine}`, `with ${other.name} = ${other.bits & 1n}: ${held}`)];
  const text = held === 1n ? `true is 0x${yes.toString(16)}` : "false is 0";
  return { rows: [...worked.rows, ...also, row("set", text)], bits: held === 1n ? BigInt(yes) : 0n };
}

function chosen(op: Op, { atLeastZero }: About & { kind: "slct" }, given: readonly Given[]): Worked {
  const { takes } = typesOf(op);
  const [a, b, c] = given;
  const asked = workOp(atLeastZero, [
    { name: c?.name ?? "c", bits: c?.bits ?? 0n },
    { name: "0", bits: 0n },
  ]);
  const picked = asked.bits === 1n ? a : b;
  const rows = given.slice(0, 2).map((each, at) => valueRow(each.name, takes[at] ?? "b32", each.bits));
  return { rows: [...rows, ...asked.rows, row("slct", `${picked?.name}`)], bits: picked?.bits ?? 0n };
}
