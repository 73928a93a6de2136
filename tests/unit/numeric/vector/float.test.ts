import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import { scalarOf } from "../../../../src/numeric/lower/scalar.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { fusesMultiplyAdd } from "../../../../src/wasm/fused.ts";
import { operationsOf } from "../table-operations.ts";
import { hardOperands, specialCases } from "./hard-floats.ts";
import { vectorRun } from "./run-vector.ts";

/** How many cases the reference judges, and how many the function on one lane, which it has judged elsewhere. */
const EXACT = 40;
const FAST = 360;

const isFloatOnly = ({ takes, gives }: Operation): boolean =>
  [...takes.map(({ type }) => type), gives].every((type) => type === "f32" || type === "f64" || type === "pred") &&
  [gives, ...takes.map(({ type }) => type)].some((type) => type !== "pred");

// Node 20 has relaxed SIMD behind a flag; later ones have it, where the processor has.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--experimental-wasm-relaxed-simd");
const ways = fusesMultiplyAdd() ? [false, true] : [false];

function differences(operation: Operation, fused: boolean): string[] | undefined {
  const run = vectorRun(operation, [], undefined, new VectorMaker({ fused }));
  if (run === undefined) return undefined;
  const types = operation.takes.map(({ type }) => type);
  const draw = hardOperands(types, 5);
  const cases = [...Array.from({ length: EXACT + FAST }, draw), ...specialCases(types).filter((_, at) => at % 7 === 0)];
  const got = run(types.map((_, at) => cases.map((each) => each[at]!)));
  const [exact, fast] = [byReference(operation), scalarOf(operation)];
  const wrong: string[] = [];
  for (const [at, bits] of cases.entries()) {
    const wanted = (at < EXACT ? exact : fast)(...bits);
    if (got[at] !== wanted) wrong.push(`${textOf(operation)} ${hex(bits)}: ${hex([got[at]!])}, not ${hex([wanted])}`);
  }
  return wrong;
}

const hex = (bits: readonly Bits[]): string => bits.map((each) => `0x${each.toString(16)}`).join(" ");

describe("vectors of f32 and f64 are what the table says", () => {
  it.each(["9.7.3", "9.7.6"])("%s", (number) => {
    const without: string[] = [];
    for (const [, operation] of operationsOf(number).values()) {
      if (!isFloatOnly(operation)) continue;
      for (const fused of /f64|[*] b [+]/.test(textOf(operation)) ? ways : [false]) {
        const wrong = differences(operation, fused);
        if (wrong === undefined) without.push(textOf(operation));
        else expect(wrong.slice(0, 5)).toEqual([]);
      }
    }
    expect(without.filter((text) => !/approx/.test(text))).toEqual([]);
  });
});
