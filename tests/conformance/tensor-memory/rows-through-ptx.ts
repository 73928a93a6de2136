import type { TensorRow } from "../tensor-rows.ts";
import { type ElementName, elements } from "./elements.ts";
import { COLUMNS, Lanes, runOne } from "./one-multiply.ts";
import { place } from "./shared-layout.ts";

/** How many rows one tcgen05.mma takes: they lie on the diagonal of D. */
export const AT_ONCE = 64;

/** Rows that one multiplication can have together have the same; undefined for what no kind without scales multiplies. */
export function multiplicationOf({ arch, unit, A, B, C, D, scale }: TensorRow): string | undefined {
  if (unit !== "tcgen05" || C !== D || scale !== undefined) return undefined;
  return `${arch} ${A} ${B} ${D}`;
}

const kindOf = (type: string): string => (type === "tf32" ? "tf32" : type.endsWith("f16") ? "f16" : "f8f6f4");

/** What D is on the diagonal, for up to 64 rows of one multiplication, through parser, resolver and machine. */
export function throughTensorMemory(rows: readonly TensorRow[]): string[] {
  const [one] = rows;
  if (one === undefined) return [];
  const [a, b] = [one.A as ElementName, one.B as ElementName];
  const kind = kindOf(a);
  const k = { f16: 16, tf32: 8 }[kind] ?? 32;
  const shared = new Uint8Array(32768);
  const put = (start: number, count: number, name: ElementName, operand: "a" | "b"): bigint => {
    const { bits } = elements[name];
    const digits = Math.ceil(bits / 4);
    const per = bits <= 8 ? 16 : 128 / bits;
    const code = (row: number, at: number): number =>
      Number.parseInt(rows[row]?.[operand].slice(at * digits, (at + 1) * digits) || "0", 16);
    return place(shared, start, { major: "K", swizzle: "none" }, { rows: count, k, bits, per }, code);
  };
  const before = new Lanes();
  for (const [at, { c }] of rows.entries()) before.put(at, 32 * at, 32, Number.parseInt(c, 16));
  // What no row stands for is multiplied too.
  for (let lane = 0; lane < 128; lane++)
    for (let column = 0; column < AT_ONCE; column++)
      if (lane !== column || lane >= rows.length) before.put(lane, 32 * column, 32, 0);
  const types = (elements[a].id << 7) | (elements[b].id << 10) | (one.D === "f16" ? 0 : 1 << 4);
  const idesc = types | ((AT_ONCE >> 3) << 17) | ((128 >> 4) << 24);
  const descriptorB = put(0, AT_ONCE, b, "b");
  const descriptorA = put(16384, 128, a, "a");
  const line = `tcgen05.mma.cta_group::1.kind::${kind} [%t], %da, %db, %i, 1;`;
  const target = `sm_${one.arch}a`;
  const left = runOne({ line, idesc, a: descriptorA, b: descriptorB, shared, before: before.lanes, target });
  return rows.map((_, at) => left[at * COLUMNS + at]!.toString(16));
}

/** The rows, by multiplication, of which an answer differs from D as it is expected. */
export function wrongThroughTensorMemory(rows: readonly TensorRow[]): string[] {
  const found = throughTensorMemory(rows);
  return rows.flatMap((row, at) =>
    Number.parseInt(row.d, 16).toString(16) === found[at] ? [] : [`0x${found[at]} through PTX: ${JSON.stringify(row)}`],
  );
}
