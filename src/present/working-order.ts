import { add, type Exact, negate, unpack } from "../numeric/exact/exact.ts";
import type { About, Format } from "../numeric/index.ts";
import { hex } from "./value.ts";
import { decimalOf } from "./working/number.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";
import { operandRows } from "./working-arithmetic.ts";

const signBit = (f: Format): bigint => 1n << BigInt(f.width - 1);

/** Below, equal or above zero: a against b as numbers, no NaN among them. */
export function order(a: Exact, b: Exact): number {
  if (a.kind === "inf" && b.kind === "inf" && a.neg === b.neg) return 0;
  const difference = add(a, negate(b), "rn");
  if (difference.kind === "nan" || (difference.kind === "finite" && difference.sig === 0n)) return 0;
  return difference.neg ? -1 : 1;
}

const isNan = (f: Format, bits: bigint): boolean => unpack(f, bits).kind === "nan";

/** min and max, of two or of three one after the other. */
export function extremum(about: About & { kind: "extremum" }, given: readonly Given[]): Worked {
  const { format: f, mode, abs } = about;
  const read = given.map((each) => operandRows(each, f, mode.ftz === true));
  const rows: Row[] = read.flatMap((each) => [...each.rows]);
  const magnitudes = abs === true || mode.xorsignAbs === true;
  if (magnitudes) rows.push(row(".abs", "signs are left out of the comparison"));
  const values = read.map(({ bits }) => (magnitudes ? bits & (signBit(f) - 1n) : bits));
  let bits = values[0] ?? 0n;
  for (const [at, other] of values.slice(1).entries()) {
    const names = at === 0 ? `${given[0]?.name} and ${given[1]?.name}` : `that and ${given[at + 1]?.name}`;
    const { text, chosen } = choose(about, bits, other);
    rows.push(row(about.least ? "min" : "max", `of ${names}: ${text}`));
    bits = chosen;
  }
  if (mode.xorsignAbs && !isNan(f, bits)) {
    const sign = ((given[0]?.bits ?? 0n) ^ (given[1]?.bits ?? 0n)) & signBit(f);
    rows.push(row(".xorsign", `the signs of both ${sign === 0n ? "agree: +" : "differ: -"}`));
    bits |= sign;
  }
  return { rows, bits };
}

function choose({ format: f, mode, least }: About & { kind: "extremum" }, a: bigint, b: bigint) {
  const [aNan, bNan] = [isNan(f, a), isNan(f, b)];
  if (aNan && bNan) return { text: "two NaNs give the canonical one", chosen: f.nan };
  if (aNan || bNan) {
    if (mode.nan) return { text: ".NaN lets a NaN win", chosen: f.nan };
    return { text: "a NaN gives way to the number", chosen: aNan ? b : a };
  }
  const [x, y] = [unpack(f, a), unpack(f, b)];
  const found = order(x, y);
  const [first, text] =
    found !== 0
      ? [found < 0, `${decimalOf(x)} ${found < 0 ? "<" : ">"} ${decimalOf(y)}`]
      : a === b
        ? [true, "they are the same"]
        : [(a & signBit(f)) !== 0n, "-0 counts as less than +0"];
  return { text, chosen: first === least ? a : b };
}

/** neg, abs and copysign: the sign bit alone. */
export function sign({ operation, format: f, ftz }: About & { kind: "sign" }, given: readonly Given[]): Worked {
  const read = given.map((each) => operandRows(each, f, ftz));
  const rows = read.flatMap((each) => each.rows);
  const [a = 0n, b = 0n] = read.map((each) => each.bits);
  const top = signBit(f);
  if (operation === "copysign")
    return {
      rows: [...rows, row("sign", `that of ${given[0]?.name}, whatever the values`)],
      bits: (a & top) | (b & (top - 1n)),
    };
  if (f.width < 64 && isNan(f, a))
    return { rows: [...rows, row("NaN", `becomes the canonical one ${hex(f.nan, f.width)}`)], bits: f.nan };
  const text = operation === "neg" ? "the sign bit is turned over" : "the sign bit is cleared";
  return { rows: [...rows, row(operation, text)], bits: operation === "neg" ? a ^ top : a & (top - 1n) };
}

/** testp. */
export function property(
  { format: f, property: asked }: About & { kind: "property" },
  given: readonly Given[],
): Worked {
  const bits = given[0]?.bits ?? 0n;
  const { rows } = operandRows(given[0] ?? { name: "a", bits }, f, false);
  const x = unpack(f, bits);
  const subnormal = x.kind === "finite" && x.sig !== 0n && x.sig < 1n << BigInt(f.frac);
  const holds = {
    finite: x.kind === "finite",
    infinite: x.kind === "inf",
    number: x.kind !== "nan",
    notanumber: x.kind === "nan",
    normal: x.kind === "finite" && !subnormal,
    subnormal,
  }[asked];
  return { rows: [...rows, row(`.${asked}`, holds ? "yes" : "no")], bits: holds ? 1n : 0n };
}

const signs = { eq: "=", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;
type Relation = keyof typeof signs;

function holds(relation: Relation, found: number): boolean {
  switch (relation) {
    case "eq":
      return found === 0;
    case "ne":
      return found !== 0;
    case "lt":
      return found < 0;
    case "le":
      return found <= 0;
    case "gt":
      return found > 0;
    case "ge":
      return found >= 0;
  }
}

const answer = (rows: readonly Row[], label: string, text: string, yes: boolean): Worked => ({
  rows: [...rows, row(label, `${text}: ${yes ? "true" : "false"}`)],
  bits: yes ? 1n : 0n,
});

/** A relation of floats: a NaN answers before any value does. */
export function floatRelation(
  { format: f, relation, ftz }: About & { kind: "float relation" },
  given: readonly Given[],
): Worked {
  const read = given.map((each) => operandRows(each, f, ftz));
  const rows = read.flatMap((each) => each.rows);
  const [a, b] = read.map(({ bits }) => unpack(f, bits));
  const label = `.${relation}`;
  if (a === undefined || b === undefined) return { rows, bits: 0n };
  const unordered = a.kind === "nan" || b.kind === "nan";
  if (relation === "num" || relation === "nan")
    return answer(rows, label, unordered ? "there is a NaN" : "both are numbers", unordered === (relation === "nan"));
  const plain = relation.slice(0, 2) as Relation;
  if (unordered) return answer(rows, label, "there is a NaN", relation.length === 3);
  const found = order(a, b);
  const text = `${decimalOf(a)} ${found === 0 ? "=" : found < 0 ? "<" : ">"} ${decimalOf(b)}`;
  return answer(rows, label, text, holds(plain, found));
}

/** A relation of integers. */
export function integerRelation(
  { type, relation }: About & { kind: "integer relation" },
  given: readonly Given[],
): Worked {
  const width = Number(type.slice(1));
  const read = ({ bits }: Given): bigint =>
    type.startsWith("s") ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
  const rows = given.map((each) => row(each.name, `${type} ${hex(each.bits, width)} = ${read(each)}`));
  const [a = 0n, b = 0n] = given.map(read);
  const found = a === b ? 0 : a < b ? -1 : 1;
  return answer(rows, `.${relation}`, `${a} ${signs[relation]} ${b}`, holds(relation, found));
}
