import type * as ast from "../ast.ts";
import { combines } from "./codes.ts";
import { Broken, type Cursor } from "./cursor.ts";
import type { Tables } from "./tables.ts";

/** Bits 0 to 11 are the predicate's number, bits 13 and 14 how it is combined, bit 15 inverts; all 0 is no guard. */
export function readGuard(cursor: Cursor, tables: Tables): ast.Predicate | undefined {
  const start = cursor.at;
  const bits = cursor.u16("a predicate");
  const span = cursor.since(start);
  if (bits === 0) return undefined;
  const combine = combines[(bits >> 13) & 3];
  if ((bits & 0x1000) !== 0 || ((bits >> 13) & 3) > 2)
    throw new Broken("PTX8506", `reserved bits of a predicate are set, at byte ${start}`, span);
  const name = tables.predicate(bits & 0xfff, span);
  const inverted = bits >= 0x8000;
  return combine === undefined ? { name, inverted } : { name, inverted, combine };
}

/** The same bits for the predicate with a number. */
export const guardBits = (number: number, { inverted, combine }: Omit<ast.Predicate, "name">): number =>
  number | (combines.indexOf(combine) << 13) | (inverted ? 0x8000 : 0);
