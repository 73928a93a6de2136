import type { Bits, Op } from "../../numeric/op.ts";
import { workOperation } from "./operation.ts";
import type { Given, Worked } from "./row.ts";
import { type OperationTypes, operationTypes } from "./type.ts";
import { valueRow } from "./value.ts";

/**
 * One operation, step by step. The rows are made from exact numbers, not from what the operation's function computes;
 * that both come to the same bits is checked here, and a difference is a bug of ptxrun.
 */
export function workOp(op: Op, given: readonly Given[]): Worked {
  const operands = given
    .slice(0, op.takes.length)
    .map(({ name, bits }, at) => ({ name, bits: BigInt.asUintN(op.takes[at] ?? 64, bits) }));
  const result = resultOf(op, operands);
  if (op.operation === undefined) return plain(op, operands, result);
  const worked = workOperation(op.operation, operands);
  if (worked.bits !== result)
    throw new Error(
      `${op.name}: the working gives 0x${worked.bits.toString(16)}, the operation 0x${result.toString(16)}`,
    );
  return worked;
}

/** What an operation's function gives for these bits. */
function resultOf({ takes, js }: Op, given: readonly Given[]): bigint {
  const run = js as (...operands: Bits[]) => Bits;
  return BigInt(run(...takes.map((width, at) => bitsFor(width, given[at]?.bits ?? 0n))));
}

const bitsFor = (width: number, bits: bigint): Bits =>
  width <= 32 ? Number(BigInt.asUintN(width, bits)) : BigInt.asUintN(width, bits);

/** A function that says nothing about itself: what it takes. */
function plain(op: Op, given: readonly Given[], bits: bigint): Worked {
  const { takes } = typesOf(op);
  return { rows: given.map((each, at) => valueRow(each.name, takes[at] ?? "b64", each.bits)), bits };
}

/** What the operands and the result of an operation are: `f16`, `s32`, `f16x2`, `pred`; `b32` where nothing is said. */
export function typesOf({ operation, takes, gives }: Op): OperationTypes {
  if (operation !== undefined) return operationTypes(operation);
  const plain = (width: number): string => (width === 1 ? "pred" : `b${width}`);
  return { takes: takes.map(plain), gives: plain(gives) };
}
