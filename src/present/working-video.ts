import type { About } from "../numeric/index.ts";
import { placeOf, type VideoOperation, type VideoPart, type VideoType } from "../numeric/video.ts";
import { hex } from "./value.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";

const cut = (type: VideoType, width: number, bits: bigint): bigint =>
  type === "s32" ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);

/** An operand, or the byte or half of it that its selector names, as a number. */
function partOf({ name, bits }: Given, type: VideoType, part: VideoPart | undefined): { row: Row; value: bigint } {
  const { from, width } = part === undefined ? { from: 0, width: 32 } : placeOf(part);
  const value = cut(type, width, bits >> BigInt(from));
  const chosen = part === undefined ? "" : `, of which .${part} counts`;
  return { row: row(name, `${type} ${hex(bits, 32)}${chosen}: ${value}`), value };
}

const truth = (holds: boolean): bigint => (holds ? 1n : 0n);

/** The exact result of an operation, before it is cut or clamped. */
function exactly(operation: VideoOperation, a: bigint, b: bigint): bigint {
  switch (operation) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "absdiff":
      return a < b ? b - a : a - b;
    case "min":
      return a < b ? a : b;
    case "max":
      return a > b ? a : b;
    case "avrg":
      // A shift of a bigint goes toward -infinity.
      return (a + b + truth(a + b >= 0n)) >> 1n;
    case "eq":
      return truth(a === b);
    case "ne":
      return truth(a !== b);
    case "lt":
      return truth(a < b);
    case "le":
      return truth(a <= b);
    case "gt":
      return truth(a > b);
    case "ge":
      return truth(a >= b);
  }
}

/** Into the range of a type of `width` bits. */
function clamped(type: VideoType, width: number, x: bigint): bigint {
  const least = type === "s32" ? -(1n << BigInt(width - 1)) : 0n;
  const most = least + (1n << BigInt(width)) - 1n;
  return x < least ? least : x > most ? most : x;
}

const clampedRow = (type: VideoType, width: number, from: bigint, to: bigint): Row =>
  row(".sat", from === to ? "changes nothing" : `beyond the ${width} bits of ${type}: ${to}`);

/** Scalar video instructions: the primary operation, then `.sat`, then the second operation or the merge with c. */
export function video({ operation, mode, amount }: About & { kind: "video" }, given: readonly Given[]): Worked {
  const { dtype, atype, btype, sat, op2, asel, bsel, dsel } = mode;
  const [a, b, c] = given;
  if (a === undefined || b === undefined) return { rows: [], bits: 0n };
  const [x, y] = [partOf(a, atype, asel), partOf(b, btype, bsel)];
  const rows = [x.row, y.row];
  let result: bigint;
  if (operation === "shl" || operation === "shr") {
    const steps = amount === "clamp" ? (y.value > 32n ? 32n : y.value) : y.value & 31n;
    result = operation === "shl" ? x.value << steps : x.value >> steps;
    rows.push(row(`v${operation}`, `${result}, by ${steps}${steps === y.value ? "" : ` with .${amount}`}`));
  } else {
    result = exactly(operation, x.value, y.value);
    rows.push(row(`v${operation}`, `${result}`));
  }
  // The intermediate result has 34 bits, and 33 from there on where nothing saturates it.
  const kept = BigInt.asIntN(34, result);
  const width = dsel === undefined ? 32 : placeOf(dsel).width;
  const final = sat ? clamped(dtype, width, kept) : BigInt.asIntN(33, kept);
  if (sat) rows.push(clampedRow(dtype, width, kept, final));
  else if (final !== result) rows.push(row("cut", `to 33 bits: ${final}`));
  if (c === undefined || (op2 === undefined && dsel === undefined)) return { rows, bits: BigInt.asUintN(32, final) };
  if (op2 !== undefined) {
    const third = partOf(c, dtype, undefined);
    const all = exactly(op2, final, third.value);
    return { rows: [...rows, third.row, row(`.${op2}`, `with ${c.name}: ${all}`)], bits: BigInt.asUintN(32, all) };
  }
  const { from } = dsel === undefined ? { from: 0 } : placeOf(dsel);
  const mask = ((1n << BigInt(width)) - 1n) << BigInt(from);
  const bits = (BigInt.asUintN(32, final << BigInt(from)) & mask) | (c.bits & ~mask);
  return { rows: [...rows, row(c.name, `${hex(c.bits, 32)}, of which .${dsel} is replaced`)], bits };
}

/** vmad. */
export function videoMad({ mode }: About & { kind: "video mad" }, given: readonly Given[]): Worked {
  const { atype, btype, sat, scale, po, asel, bsel, negated } = mode;
  const [a, b, c] = given;
  if (a === undefined || b === undefined || c === undefined) return { rows: [], bits: 0n };
  const signed = atype === "s32" || btype === "s32" || negated !== undefined;
  const type = signed ? "s32" : "u32";
  const [x, y] = [partOf(a, atype, asel), partOf(b, btype, bsel)];
  const product = x.value * y.value;
  const third = cut(type, 32, c.bits);
  // -c is its complement at 32 bits and one more.
  const sum =
    negated === "product"
      ? third - product
      : negated === "c"
        ? product + BigInt.asIntN(32, ~c.bits) + 1n
        : product + third + truth(po === true);
  const shifted = sum >> BigInt(scale?.slice(3) ?? 0);
  const result = signed ? BigInt.asIntN(64, shifted) : BigInt.asUintN(64, shifted);
  const kept = sat ? clamped(type, 32, result) : result;
  const rows = [
    x.row,
    y.row,
    row(`${a.name} * ${b.name}`, `${product}`),
    row(c.name, `${type} ${hex(c.bits, 32)} = ${third}`),
  ];
  const how =
    negated === undefined ? (po ? ", with .po one more" : "") : `, ${negated === "c" ? c.name : "the product"} negated`;
  rows.push(row("sum", `${sum}${how}`));
  if (scale !== undefined) rows.push(row(`.${scale}`, `${shifted}`));
  if (sat) rows.push(clampedRow(type, 32, result, kept));
  return { rows, bits: BigInt.asUintN(32, kept) };
}

/** SIMD video instructions: an element of d at a time, merged with c or added to it. */
export function simdVideo({ operation, lanes, mode }: About & { kind: "simd video" }, given: readonly Given[]): Worked {
  const { dtype, atype, btype, sat, add, mask } = mode;
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => bits);
  const width = 32 / lanes;
  const pair = (b << 32n) | a;
  const [asel, bsel] = [mode.asel ?? (lanes === 2 ? "h10" : "b3210"), mode.bsel ?? (lanes === 2 ? "h32" : "b7654")];
  const element = (selector: string, type: VideoType, lane: number): bigint => {
    const at = Number(selector.at(-1 - lane));
    return cut(type, width, pair >> BigInt(at * width));
  };
  const rows = given.map(({ name, bits }) => row(name, hex(bits, 32)));
  let bits = c;
  for (let lane = 0; lane < lanes; lane++) {
    if (mask !== undefined && !mask.includes(String(lane))) continue;
    const [x, y] = [element(asel, atype, lane), element(bsel, btype, lane)];
    const exact = exactly(operation, x, y);
    const result = sat ? clamped(dtype, width, exact) : exact;
    const low = BigInt(lane * width);
    const ones = ((1n << BigInt(width)) - 1n) << low;
    bits = add ? bits + result : (bits & ~ones) | (BigInt.asUintN(32, result << low) & ones);
    rows.push(
      row(`lane ${lane}`, `${operation} of ${x} and ${y}: ${exact}${result === exact ? "" : `, with .sat ${result}`}`),
    );
  }
  rows.push(
    row("then", add ? `the results are added to ${given[2]?.name}` : `what has no result is that of ${given[2]?.name}`),
  );
  return { rows, bits: BigInt.asUintN(32, bits) };
}
