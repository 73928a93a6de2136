import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { type Fragment, holderOf, placeOf } from "../../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import { type Operand, scalars } from "../../../src/interp/contract/operand.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import type { MatrixOperation } from "../../../src/numeric/operation/matrix.ts";
import { number } from "../../../src/present/value.ts";
import { type Asked, chosenLeads, type Lead, type Made, type Reader } from "./lead.ts";
import { strangeIn } from "./meaning.ts";
import { valueText } from "./value-text.ts";

/** Pairs of a row and a column that are followed where nothing about them is strange, unless more is asked for. */
const USUAL_PAIRS = 2;
/** Products that a sum is written with at most. */
const MOST_PRODUCTS = 16;

/** The element of D that a lane has got: the elements of A, B and C that it is made of, a NaN or an infinity first. */
export function multipliedLeads(
  op: MatrixOperation,
  { operands }: Instruction,
  step: number,
  thread: ThreadId,
  position: number,
  { low, bits, type, value }: Asked,
  reader: Reader,
): Made | undefined {
  if (op.sparse || op.scale || op.contained) return undefined;
  const layout = fragmentsOf(op);
  const each = Math.max(1, (layout.d.bits === 64 ? 64 : 32) / layout.d.bits);
  const as = layout.d.bits === bits || each === 1 ? floatType(op.d) : type;
  const index = position * each + Math.floor(low / layout.d.bits);
  const { row, column, matrix } = placeOf(layout.d, thread.lane, index);
  const element = (fragment: Fragment, at: number, y: number, x: number, of: string): Lead | undefined => {
    const holder = holderOf(fragment, y, x, matrix);
    const own: Operand | undefined = operands[at];
    if (holder === undefined || own === undefined) return undefined;
    const per = (fragment.bits === 64 ? 64 : 32) / fragment.bits;
    const item = scalars(own)[Math.floor(holder.i / per)];
    if (item === undefined) return undefined;
    const lane = { ...thread, lane: holder.lane };
    const lead = reader.lead(step, lane, item, floatType(of), {
      low: (holder.i % per) * fragment.bits,
      bits: fragment.bits,
    });
    return { ...lead, value: { ...lead.value, name: `${fragment.name}[${y}][${x}]` } };
  };
  const c = element(layout.c, 3, row, column, op.c);
  const pairs = Array.from({ length: layout.a.columns }, (_, k) => [
    element(layout.a, 1, row, k, op.a),
    element(layout.b, 2, k, column, op.b),
  ]).map((pair) => pair.filter((lead) => lead !== undefined));
  const note = `row ${row} of A by column ${column} of B`;
  const all = [...(c === undefined ? [] : [c]), ...pairs.flat()];
  const strange = all.filter(({ value: own }) => strangeIn(own.type, own.bits) !== undefined);
  if (strangeIn(as, value) !== undefined && strange.length > 0) {
    // Of 0 times infinity both are told.
    const beside = strange.flatMap((lead) => pairs.find((pair) => pair.includes(lead)) ?? [lead]);
    const { leads } = chosenLeads(strange, as, value);
    const [first] = leads;
    const product = pairs.find((pair) => first !== undefined && pair.includes(first)) ?? beside;
    const sum =
      product.length === 2
        ? product.map((lead) => number(lead.value.bits ?? 0n, lead.value.type)).join(" * ")
        : undefined;
    const isNew =
      strangeIn(as, value) === "nan" && strange.every(({ value: own }) => strangeIn(own.type, own.bits) !== "nan");
    return {
      operands: product.map((lead) => lead.value),
      leads: isNew ? product : leads,
      type: as,
      note,
      ...(sum && { sum }),
    };
  }
  const telling = pairs.filter((pair) => pair.every((lead) => lead.value.bits !== 0n));
  const first = c === undefined || c.origin?.kind === "constant" ? [] : [c];
  const sum = op.bits === undefined ? sumText(c, telling) : undefined;
  return {
    operands: sum === undefined ? all.slice(0, 3).map((lead) => lead.value) : [c ?? [], telling].flat(2).map((lead) => lead.value), // biome-ignore format: one row
    leads: [...first, ...telling.flat()],
    usual: first.length + 2 * USUAL_PAIRS,
    type: as,
    note,
    ...(sum && { sum }),
  };
}

/** C and the products that are not 0: `3.0 + 1.0 * 2.0 + 0.5 * 4.0`. */
function sumText(c: Lead | undefined, pairs: readonly (readonly Lead[])[]): string {
  const products = pairs.map((pair) => pair.map((lead) => valueText(lead.value)).join(" * "));
  const told = products.slice(0, MOST_PRODUCTS);
  const left = products.length - told.length;
  return [...(c === undefined ? [] : [valueText(c.value)]), ...told, ...(left > 0 ? [`${left} products more`] : [])].join(" + "); // biome-ignore format: one row
}

/** The type of elements, by the name that the manual has for it. */
const floatType = (type: string): string => (type === "tf32" ? "f32" : type);
