import type { Bits } from "../../../../src/numeric/bits.ts";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import { scalarOf } from "../../../../src/numeric/lower/scalar.ts";
import { keyOf } from "../../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { linesOf } from "../../../../src/numeric/operation/text.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { fusesMultiplyAdd } from "../../../../src/wasm/fused.ts";
import { casesOf } from "./cases.ts";
import { vectorRun } from "./run-vector.ts";

/** What a vector gives that it should not, with and without fused instructions; undefined where no rule leads. */
export function differences(operation: Operation, options: Options = {}): string[] | undefined {
  const plain = judged(operation, options, false);
  return plain && fusesMultiplyAdd() && /"mul"/.test(keyOf(operation))
    ? [...plain, ...(judged(operation, options, true) ?? ["no rule with fused instructions"])]
    : plain;
}

interface Options {
  readonly count?: number;
  readonly seed?: number;
  /** So many of the cases are judged by the reference. */
  readonly exact?: number;
}

function judged(
  operation: Operation,
  { count = 400, seed = 1, exact = 40 }: Options,
  fused: boolean,
): string[] | undefined {
  const run = vectorRun(operation, [], undefined, new VectorMaker({ fused }));
  if (run === undefined) return undefined;
  const cases = casesOf(operation, count, seed);
  const got = run(operation.takes.map((_, at) => cases.map((each) => each[at]!)));
  // Functions on one lane have been judged by the reference elsewhere; here it sees some of the cases again.
  const [reference, scalar] = [byReference(operation), scalarOf(operation)];
  const step = Math.ceil(cases.length / exact);
  const wrong: string[] = [];
  for (const [at, bits] of cases.entries()) {
    const wanted = (at % step === 0 ? reference : scalar)(...bits);
    if (got[at] !== wanted)
      wrong.push(`${linesOf(operation)} of ${hex(bits)}: ${hex([got[at]!])}, not ${hex([wanted])}`);
  }
  return wrong;
}

const hex = (bits: readonly Bits[]): string => bits.map((each) => `0x${each.toString(16)}`).join(" ");
