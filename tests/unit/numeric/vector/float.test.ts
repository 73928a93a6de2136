import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import { scalarOf } from "../../../../src/numeric/lower/scalar.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { fusesMultiplyAdd } from "../../../../src/wasm/fused.ts";
import { draws, share } from "../../../share.ts";
import { operationsOf } from "../table-operations.ts";
import { hardOperands, specialCases } from "./hard-floats.ts";
import { vectorRun } from "./run-vector.ts";

/** How many cases the reference judges, and how many the function on one lane, which it has judged elsewhere. */
const EXACT = draws(3, 40);
const FAST = draws(30, 360);

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
  it.each(["floating-point", "comparison-selection"])("%s", (section) => {
    const without: string[] = [];
    for (const [, operation] of share([...operationsOf(section).values()], 6)) {
      if (!isFloatOnly(operation)) continue;
      for (const fused of /f64|[*] b [+]/.test(textOf(operation)) ? ways : [false]) {
        const wrong = differences(operation, fused);
        if (wrong === undefined) without.push(textOf(operation));
        else expect(wrong.slice(0, 5)).toEqual([]);
      }
    }
    expect(without.filter((text) => !/approx.rn.f64\(1.sqrt/.test(text))).toEqual([]);
  });
});

describe("functions of f32 on vectors", () => {
  // Found among all of f32: their results lie within a few units of f64's last place of a midpoint of f32.
  it.each([
    ["1/sqrt", [0x3f8a_5c86, 0x3fba_2a39, 0x3fd2_208f, 0x3fed_3230, 0x4009_f038, 0x403a_18e3, 0x407f_fffe]],
    ["2^", [0x3a07_857c, 0xbcf3_a937, 0xbe1f_29de, 0xc2fc_0001, 0xc300_0000, 0xc315_0000, 0xc316_0001, 0x42ff_ffff]],
    ["log2", [0x3ea0_7ab9, 0x4020_7ab9, 0x3fed_dffd, 0x0091_4a90, 0x7f11_4a90, 0x3f7f_ffff, 0x0000_0001, 0x7f7f_ffff]],
    ["tanh", [0x3eee_0566, 0x3cd4_1b91, 0x40ac_b4d0, 0x3d7c_3055, 0xc0c5_e8ca, 0xbc96_ae2e, 0x0000_0001, 0x8080_0000]],
    ["sin", [0x4371_ade3, 0x4619_9998, 0x55ca_fb2a, 0x5f20_8d82, 0x497f_ffff, 0x4980_0000, 0x7f7f_ffff, 0x7f80_0000]],
    ["cos", [0x3980_0000, 0x3c10_7fe6, 0x55e5_235d, 0x5922_aa80, 0x497f_ffff, 0x4980_0000, 0x7f7f_ffff, 0xff80_0000]],
  ])("%s is right where it is hardest", (name, hard) => {
    const operations = [...operationsOf("floating-point").values()].filter(([, operation]) =>
      textOf(operation).includes(`.f32(${name}`),
    );
    expect(operations.length).toBe(name === "tanh" ? 1 : 2);
    for (const [, operation] of operations)
      for (const fused of ways) {
        const exact = byReference(operation);
        const got = vectorRun(operation, [], undefined, new VectorMaker({ fused }))?.([hard]);
        expect(got).toEqual(hard.map((bits) => exact(bits)));
      }
  });
});
