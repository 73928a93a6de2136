import {
  and,
  argument,
  b,
  lanes,
  max,
  min,
  minus,
  operation,
  or,
  plus,
  relation,
  round,
  select,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Operation, Result } from "../../numeric/operation/operation.ts";
import type { TypeName } from "../../numeric/operation/type.ts";

/** What atom, red, and the asynchronous reductions make of what memory holds. */
export type UpdateName = "and" | "or" | "xor" | "exch" | "add" | "inc" | "dec" | "min" | "max";
type ScalarType = "b32" | "b64" | "b128" | "u32" | "u64" | "s32" | "s64" | "f32" | "f64";
type HalfType = "f16" | "f16x2" | "bf16" | "bf16x2";

/** What memory holds before. */
const held = argument("held");

/** What memory holds afterwards, of integers and bits (PTX ISA, atom). */
const after = {
  and: and(held, b),
  or: or(held, b),
  xor: xor(held, b),
  exch: b,
  add: plus(held, b),
  inc: select(relation("ge", held, b), 0, plus(held, 1)),
  dec: select(or(relation("eq", held, 0), relation("gt", held, b)), b, minus(held, 1)),
  min: min(held, b),
  max: max(held, b),
} as const satisfies Readonly<Record<UpdateName, Expression>>;

const with1 = (type: TypeName, result: Result): Operation => operation({ held: type, b: type }, type, result);

/** add.f32 flushes subnormals in global memory and keeps them in shared memory, as the manual says of current GPUs. */
export const addFloat = [
  with1("f32", round("f32", { ftz: true }, plus(held, b))),
  with1("f32", round("f32", {}, plus(held, b))),
] as const;

/** The operations of scalar types: in global memory, and in shared memory where that differs. */
export function scalarOps(op: UpdateName, type: ScalarType): readonly [Operation, Operation?] {
  if (type === "f32") return addFloat;
  return [with1(type, type === "f64" ? round("f64", {}, plus(held, b)) : wrap(type, after[op]))];
}

const halves = { f16x2: "f16", bf16x2: "bf16" } as const;

/** The operations of halves, each on its own; subnormals are kept (.noftz). */
export function halfOp(op: "add" | "min" | "max", type: HalfType): Operation {
  const format = type === "f16x2" || type === "bf16x2" ? halves[type] : type;
  const each = operation({ held: format, b: format }, format, round(format, {}, after[op]));
  return format === type ? each : lanes(2, each);
}
