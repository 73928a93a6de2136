import { operationOf } from "../interp/contract/plan/effects.ts";
import type { Bits } from "../numeric/bits.ts";
import { scalarOf } from "../numeric/lower/scalar.ts";
import type { Operation } from "../numeric/operation/operation.ts";
import { widthOf } from "../numeric/operation/type.ts";
import { checkGiven } from "../source/given.ts";
import { match } from "./match/match.ts";

/** What an instruction computes, as a function of its operands' bits. */
export interface InstructionFunction {
  /**
   * The bits of the result for the bits of the operands, in order and with the widths of `operation`; higher bits are
   * ignored. Packed operands are one value. Throws a `TypeError` for another number of operands.
   */
  (...bits: (bigint | number)[]): bigint;
  /** Its meaning as data: types, and the exact expression that `reference` evaluates. */
  readonly operation: Operation;
}

/**
 * The function that a spelled instruction computes: `functionOf("fma.rn.f16")(0x3e94, 0x134c, 0x3e22)` is `0x3e23n`. Of
 * forms that share a spelling it is the first. An instruction with carry-out gives CC.CF as one bit more, and takes CC.CF
 * as its last operand if it reads it; `setp` gives 0 or 1 before another predicate is combined with it. Throws a
 * `RangeError` for what is no instruction, and for one that computes no value from values: loads, branches, matrices.
 */
export function functionOf(spelling: string): InstructionFunction {
  checkGiven("functionOf", "spelling", spelling, "text");
  const [mnemonic = "", ...words] = spelling.trim().split(".");
  const found = match(mnemonic, words);
  if (found.kind !== "forms") throw new RangeError(`${spelling} is no instruction that ptxrun knows`);
  const operation = operationOf(found.candidates[0].plan());
  if (operation === undefined) throw new RangeError(`${spelling} computes no value from values`);
  const { takes } = operation;
  const widths = takes.map(({ type }) => widthOf(type));
  const run = scalarOf(operation);
  const compute = (...bits: (bigint | number)[]): bigint => {
    if (bits.length !== widths.length)
      throw new TypeError(`${spelling} takes ${takes.map(({ name }) => name).join(", ")}: ${bits.length} were given`);
    return BigInt(
      run(
        ...bits.map((each, at): Bits => {
          const width = widths[at] ?? 32;
          const cut = BigInt.asUintN(width, BigInt(each));
          return width <= 32 ? Number(cut) : cut;
        }),
      ),
    );
  };
  return Object.assign(compute, { operation });
}
