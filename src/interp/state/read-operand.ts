import type { Operand } from "../contract/operand.ts";
import type { Warp } from "./warp.ts";

/**
 * An operand's value in one lane, for tools: its bits, one element for each component of a vector. An address yields
 * base + offset, modulo 2^32 where its base has 32 bits, 2^64 otherwise; a target and a sink yield nothing.
 */
export function readOperand(operand: Operand, warp: Warp, lane: number): readonly bigint[] {
  const { p, r, q, lanes } = warp;
  switch (operand.kind) {
    case "slot": {
      const at = operand.slot * lanes + lane;
      if (operand.bank === "r") return [BigInt(r[at]!)];
      return [operand.bits === 128 ? (q[at + lanes]! << 64n) | q[at]! : q[at]!];
    }
    case "predicate":
      return [BigInt(((operand.negated ? ~p[operand.slot]! : p[operand.slot]!) >>> lane) & 1)];
    case "vector":
      return operand.items.flatMap((item) => readOperand(item, warp, lane));
    case "address":
      return [sumOf(operand, warp, lane)];
    case "target":
    case "sink":
      return [];
  }
}

function sumOf({ base, offset, index }: Operand & { kind: "address" }, warp: Warp, lane: number): bigint {
  const value = (operand: Operand): bigint => readOperand(operand, warp, lane)[0]!;
  const start = base === undefined ? offset : value(base) + offset;
  const array = BigInt.asUintN(base?.bank === "r" ? 32 : 64, start);
  if (index === undefined) return array;
  // The distance from the array's start is computed in 32 bits.
  const distance = BigInt.asUintN(32, (value(index.of) + BigInt(index.plus)) * BigInt(index.scale));
  return BigInt.asUintN(64, array + distance);
}
