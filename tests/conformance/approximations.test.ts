import { describe, expect, test } from "vitest";
import { f32 } from "../../src/numeric/index.ts";
import { agree } from "../agree.ts";
import { draws } from "../share.ts";
import { fcos, fex2, flg2, frsqrt, fsin, ftanh } from "../unit/numeric/float-entry.ts";
import { type Fn, isNumber, type Miss, missOf } from "./series-oracle.ts";

const makers = { sin: fsin, cos: fcos, ex2: fex2, lg2: flg2, tanh: ftanh, rsqrt: frsqrt };
const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);
const singleOf = (code: number): number => {
  word[0] = code;
  return single[0] ?? 0;
};

const FEWER = draws(4, 1);

/** Some codes of every exponent in a range, with both signs where `signs`. */
function* codes(from: number, to: number, each: number, signs: boolean): Generator<number> {
  let state = 12345;
  for (let exponent = from; exponent <= to; exponent++)
    for (let n = 0; n < Math.ceil(each / FEWER); n++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      yield ((exponent << 23) | ((state >>> 8) % 0x80_0000) | (signs && state & 16 ? 0x8000_0000 : 0)) >>> 0;
    }
}

function worst(fn: Fn, inputs: Iterable<number>): Miss {
  const run = makers[fn](f32).js as (a: number) => number;
  const most = { ulp: 0, absolute: 0, relative: 0 };
  for (const code of inputs) {
    const got = singleOf(run(code));
    const x = singleOf(code);
    if (!isNumber(fn, x)) continue;
    agree(Number.isFinite(got), true, `${fn} of ${x}`);
    const miss = missOf(fn, x, got);
    for (const key of ["ulp", "absolute", "relative"] as const) most[key] = Math.max(most[key], miss[key]);
  }
  return most;
}

/** Half a unit, and the little by which a double of the judge may be off. */
const half = 0.5 + 2 ** -20;

describe("the .approx functions of f32 are within the manual's bounds, and correctly rounded", () => {
  test("sin: 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi", () => {
    expect(worst("sin", codes(0, 127 + 2, 8, true)).absolute).toBeLessThan(2 ** -20.5);
    expect(worst("sin", codes(127 + 2, 127 + 8, 100, true)).absolute).toBeLessThan(2 ** -14.7);
    expect(worst("sin", codes(0, 254, 8, true)).ulp).toBeLessThan(half);
  });
  test("cos: 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi", () => {
    expect(worst("cos", codes(0, 127 + 2, 8, true)).absolute).toBeLessThan(2 ** -20.5);
    expect(worst("cos", codes(127 + 2, 127 + 8, 100, true)).absolute).toBeLessThan(2 ** -14.7);
    expect(worst("cos", codes(0, 254, 8, true)).ulp).toBeLessThan(half);
  });
  test("ex2: relative 2^-22", () => {
    expect(worst("ex2", codes(90, 127 + 6, 50, true)).relative).toBeLessThan(2 ** -22);
    expect(worst("ex2", codes(0, 127 + 7, 20, true)).ulp).toBeLessThan(half);
  });
  test("lg2: absolute 2^-22 from 0.5 to 2, relative 2^-22 elsewhere", () => {
    expect(worst("lg2", codes(126, 127, 1000, false)).absolute).toBeLessThan(2 ** -22);
    expect(worst("lg2", codes(1, 125, 10, false)).relative).toBeLessThan(2 ** -22);
    expect(worst("lg2", codes(128, 254, 10, false)).relative).toBeLessThan(2 ** -22);
    expect(worst("lg2", codes(0, 254, 8, false)).ulp).toBeLessThan(half);
  });
  test("tanh: relative 2^-11", () => {
    expect(worst("tanh", codes(100, 135, 50, true)).relative).toBeLessThan(2 ** -11);
    expect(worst("tanh", codes(0, 254, 8, true)).ulp).toBeLessThan(half);
  });
  test("rsqrt: relative 2^-22.9", () => {
    expect(worst("rsqrt", codes(0, 254, 10, false)).relative).toBeLessThan(2 ** -22.9);
    expect(worst("rsqrt", codes(0, 254, 10, false)).ulp).toBeLessThan(half);
  });
});
