import { type Finite, finite, largest, round, unpack } from "../numeric/exact/exact.ts";
import { type About, type Format, f32 } from "../numeric/index.ts";
import { hex } from "./value.ts";
import { laidOut } from "./working/rounding.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";
import { valueRow } from "./working/value.ts";
import { effects } from "./working-arithmetic.ts";

type Random = About & { kind: "random" };

/** cvt.rs: random bits are added below the last bit that is kept, and what is then below it goes. */
export function randomly(about: Random, given: readonly Given[]): Worked {
  const { format, mode, chanceBits, lanes } = about;
  const random = given[about.lanes.length];
  const target: Format = mode.satfinite ? { ...format, finite: true } : format;
  let bits = 0n;
  const inner = lanes.map(({ operand, low, bits: width, chance }, at): Row => {
    const a = given[operand] ?? { name: "", bits: 0n };
    const x = unpack(f32, a.bits);
    const drawn = BigInt(chance(Number(random?.bits ?? 0n)));
    const worked =
      x.kind === "finite" && x.sig !== 0n
        ? drop(target, x, drawn, chanceBits)
        : { rows: [], bits: round(target, "rn", x) };
    const after = effects(format, mode, worked.bits);
    bits |= after.bits << BigInt(low);
    const rows = [
      valueRow(a.name, "f32", a.bits),
      ...worked.rows,
      ...after.rows,
      valueRow("gives", format.name, after.bits),
    ];
    return { label: `lane ${at}`, text: `bits ${low + width - 1} to ${low}`, inner: rows };
  });
  return { rows: [row(random?.name ?? "random", hex(random?.bits ?? 0n, 32)), ...inner], bits };
}

function drop(f: Format, x: Finite, drawn: bigint, chanceBits: number): Worked {
  const { rows, place } = laidOut(f, x);
  const { unit, steps, rest, shift, exact } = place;
  const width = BigInt(chanceBits);
  // Both parts of a step over one denominator.
  const up = (rest << width) + (drawn << BigInt(shift)) >= 1n << (width + BigInt(shift));
  const sum = finite(x.neg, up ? steps + 1n : steps, unit);
  const bits = round(f, "rn", sum);
  const chance = `${drawn} of ${1n << width} parts of a step`;
  if (exact) return { rows: [...rows, row("rounding", `none: ${f.name} holds it exactly`)], bits };
  const most = unpack(f, largest(f));
  if (most.kind === "finite" && unit === most.exp && sum.sig > most.sig) {
    const instead = unpack(f, bits).kind === "inf" ? "infinity" : "the largest number";
    return { rows: [...rows, row("random", chance), row(".rs", `overflow: ${instead} ${hex(bits, f.width)}`)], bits };
  }
  const text = up ? "with what is behind the bar a whole step: away from zero" : "not enough for a step: toward zero";
  return { rows: [...rows, row("random", chance), row(".rs", `${text}, ${hex(bits, f.width)}`)], bits };
}
