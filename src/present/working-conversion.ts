import { formatNamed } from "../numeric/convert-mode.ts";
import { type Exact, finite, integral, magnitude, type Rounding, unpack } from "../numeric/exact/exact.ts";
import { bf16, f32, f64, ue8m0 } from "../numeric/format/format.ts";
import { nanAsF64, nanAsInteger } from "../numeric/format/nan.ts";
import type { About, Format, NumberType } from "../numeric/index.ts";
import { type IntType, intWidth, isSigned, rangeOf } from "../numeric/integer.ts";
import { hex } from "./value.ts";
import { decimalOf } from "./working/number.ts";
import { rounding } from "./working/rounding.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";
import { effects, operandRows } from "./working-arithmetic.ts";
import { intoType } from "./working-integer.ts";

type Conversion = About & { kind: "conversion" };

/** cvt: what the operand is, what becomes of it, and why. */
export function conversion(about: Conversion, given: readonly Given[]): Worked {
  const [a = { name: "a", bits: 0n }] = given;
  const { from, to, mode } = about;
  if (to === "tf32" && mode.rnd === "rna") return halfAdded(a, mode.satfinite === true);
  const source = formatNamed(from);
  const target = formatNamed(to);
  if (!source) return fromInteger(a, from as IntType, to, target, about);
  return target ? betweenFloats(a, source, target, about) : toInteger(a, source, to as IntType, about);
}

const direction = (rnd: Conversion["mode"]["rnd"] = "rn"): Rounding =>
  (rnd.endsWith("i") ? rnd.slice(0, 2) : rnd) as Rounding;

function fromInteger(
  a: Given,
  from: IntType,
  to: NumberType,
  target: Format | undefined,
  { mode }: Conversion,
): Worked {
  const width = intWidth(from);
  const value = isSigned(from) ? BigInt.asIntN(width, a.bits) : BigInt.asUintN(width, a.bits);
  const read = row(a.name, `${from} ${hex(BigInt.asUintN(width, a.bits), width)} = ${value}`);
  if (!target) {
    const worked = intoType(to as IntType, value, mode.sat === true);
    return { rows: [read, ...worked.rows], bits: worked.bits };
  }
  const format: Format = mode.satfinite ? { ...target, finite: true } : target;
  const rounded = rounding(format, direction(mode.rnd), finite(value < 0n, magnitude(value), 0));
  const after = effects(target, mode, rounded.bits);
  return { rows: [read, ...rounded.rows, ...after.rows], bits: after.bits };
}

function toInteger(a: Given, source: Format, to: IntType, { mode }: Conversion): Worked {
  const read = operandRows(a, source, mode.ftz === true && source === f32);
  const x = unpack(source, read.bits);
  const width = intWidth(to);
  const [least, greatest] = rangeOf(to);
  const clamped = (value: bigint): bigint => BigInt.asUintN(width, value);
  if (x.kind === "nan") {
    const bits = clamped(nanAsInteger(source, to));
    return { rows: [...read.rows, row("NaN", `becomes ${hex(bits, width)}`)], bits };
  }
  if (x.kind === "inf") {
    const value = x.neg ? least : greatest;
    return { rows: [...read.rows, row("range", `an infinity is clamped to ${value}`)], bits: clamped(value) };
  }
  const whole = wholeRows(x, direction(mode.rnd ?? "rzi"), mode.rnd ?? "rzi");
  const value =
    whole.value.kind === "finite" ? (whole.value.neg ? -1n : 1n) * (whole.value.sig << BigInt(whole.value.exp)) : 0n;
  const rows = [...read.rows, ...whole.rows];
  if (value < least || value > greatest) {
    const kept = value < least ? least : greatest;
    return { rows: [...rows, row("range", `${to} ends at ${kept}: clamped to it`)], bits: clamped(kept) };
  }
  return { rows, bits: clamped(value) };
}

/** A number between its neighbouring integers. */
function wholeRows(x: Exact, rnd: Rounding, word: string): { readonly rows: readonly Row[]; readonly value: Exact } {
  const value = integral(x, rnd);
  const [down, up] = [integral(x, "rm"), integral(x, "rp")];
  if (decimalOf(down) === decimalOf(up)) return { rows: [row(`.${word}`, "an integer already")], value };
  const twice = x.kind === "finite" ? { ...x, exp: x.exp + 1 } : x;
  const half = decimalOf(integral(twice, "rz")) === decimalOf(twice) ? ", a tie" : "";
  const why = {
    rn: half === "" ? "to the nearest" : "to the even one",
    rz: "toward zero",
    rm: "down",
    rp: "up",
    rna: "to the nearest",
  }[rnd];
  return {
    rows: [row(`.${word}`, `between ${decimalOf(down)} and ${decimalOf(up)}${half}: ${why}, ${decimalOf(value)}`)],
    value,
  };
}

function betweenFloats(a: Given, source: Format, target: Format, { mode }: Conversion): Worked {
  const { rnd, ftz, sat, relu, satfinite } = mode;
  const bare = !ftz && !sat && !relu;
  const read = operandRows(a, source, ftz === true && source === f32);
  const rows: Row[] = [...read.rows];
  if (source === target && bare && rnd === undefined)
    return { rows: [...rows, row("move", "the same bits")], bits: a.bits };
  if (source === bf16 && target === f32 && bare)
    return { rows: [...rows, row("shift", "bf16 is the upper half of f32: 16 zeros below it")], bits: a.bits << 16n };
  let x = unpack(source, read.bits);
  if (target === ue8m0 && x.kind !== "nan" && x.neg) {
    rows.push(row("sign", "ue8m0 has none: it is dropped"));
    x = { ...x, neg: false };
  }
  if (x.kind === "nan" && target === f64) {
    const bits = nanAsF64(source)(source.width === 64 ? a.bits : Number(a.bits));
    const after = effects(f64, mode, bits);
    return {
      rows: [...rows, row("NaN", `keeps its payload where it has one, and is quiet: ${hex(bits, 64)}`), ...after.rows],
      bits: after.bits,
    };
  }
  if (rnd?.endsWith("i") && x.kind === "finite") {
    const whole = wholeRows(x, direction(rnd), rnd);
    rows.push(...whole.rows);
    x = whole.value;
  }
  const format: Format = satfinite ? { ...target, finite: true } : target;
  const rounded = rounding(format, direction(rnd), x, { ftz: ftz === true && target === f32 });
  const after = effects(target, mode, rounded.bits);
  return { rows: [...rows, ...rounded.rows, ...after.rows], bits: after.bits };
}

/** cvt.rna.tf32.f32, which adds half a unit and cuts. */
function halfAdded(a: Given, satfinite: boolean): Worked {
  const { rows } = operandRows(a, f32, false);
  const special = (a.bits & 0x7fff_ffffn) >= 0x7f80_0000n;
  const sum = special ? a.bits : a.bits + 0x1000n;
  const code = sum & 0xffff_e000n;
  const steps = [
    row(
      "half",
      special ? "is not added to what is no finite number" : `0x1000 is half a unit of tf32: ${hex(sum, 32)}`,
    ),
    row("cut", `the low 13 bits go: ${hex(code, 32)}`),
  ];
  if (!satfinite || (code & 0x7fff_ffffn) < 0x7f80_0000n) return { rows: [...rows, ...steps], bits: code };
  const bits = code - 0x2000n;
  return {
    rows: [...rows, ...steps, row(".satfinite", `no finite number has a unit taken off: ${hex(bits, 32)}`)],
    bits,
  };
}
