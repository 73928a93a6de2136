import type { Bits } from "../../numeric/bits.ts";
import { type Scalar, scalarOf } from "../../numeric/lower/scalar.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { textOf } from "../../numeric/operation/text.ts";
import { widthOf } from "../../numeric/operation/type.ts";
import { workOperation } from "./operation.ts";
import type { Given, Worked } from "./row.ts";

/**
 * One operation, step by step. The rows and bits are the reference's, not what `run` computes, by which the machine
 * executes it; that both come to the same bits is checked here, and a difference is a bug of ptxrun.
 */
export function workAgreed(operation: Operation, given: readonly Given[], run: Scalar = scalarOf(operation)): Worked {
  const operands = operation.takes.map(({ name, type }, at) => ({
    name: given[at]?.name ?? name,
    bits: BigInt.asUintN(widthOf(type), given[at]?.bits ?? 0n),
  }));
  const worked = workOperation(operation, operands);
  const executed = BigInt(
    run(...operands.map(({ bits }, at) => asBits(bits, widthOf(operation.takes[at]?.type ?? "b64")))),
  );
  if (worked.bits !== executed)
    throw new Error(
      `${textOf(operation)}: the working gives 0x${worked.bits.toString(16)}, the machine 0x${executed.toString(16)}`,
    );
  return worked;
}

const asBits = (bits: bigint, width: number): Bits => (width <= 32 ? Number(bits) : bits);
