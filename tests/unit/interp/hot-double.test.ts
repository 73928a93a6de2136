import { describe, expect, test } from "vitest";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { compute } from "../../../src/interp/javascript/bind-compute.ts";
import { newWarp } from "../../../src/interp/schedule/cta-slot.ts";
import type { WarpShape } from "../../../src/interp/state/warp.ts";
import { f64, ffma } from "../../../src/numeric/index.ts";
import { adversary, sequence } from "../numeric/patterns.ts";

const lanes = 32;
const shape: WarpShape = { lanes, p: 1, r: 1, q: 4, code: 1 };
const slot = (at: number): Operand & { kind: "slot" } => ({ kind: "slot", bank: "q", slot: at, bits: 64 });
const exact = ffma(f64, { reference: true }).js as (a: bigint, b: bigint, c: bigint) => bigint;
const step = compute({ shape: "compute", op: ffma(f64) }, [slot(0), slot(1), slot(2), slot(3)], lanes);

const random = sequence(11);
const signed = (float: number): number => (random() & 1 ? float : -float);
const bitsOf = (float: number): bigint => new BigUint64Array(new Float64Array([float]).buffer)[0]!;

/** 52 random bits as an integer. */
const fraction = (): number => (random() & 0xf_ffff) * 2 ** 32 + random();
/** Its last place is 2, half of which is 1. */
const normal = (): number => 2 * (2 ** 52 + fraction());
/** (1 + e)(1 - e) is 1 - e^2: beside half a last place of the addend by as little as 2^-104 of it. */
function almostHalf(addend: () => number, half = 1): number[] {
  const e = ((random() % 600) - 300) * 2 ** -52;
  const down = 2 ** -(random() & 7);
  return [signed(1 + e) * half * down, (1 - e) / down, signed(addend())];
}
/** Scales the product and the addend alike. */
const scaled = ([a, b, c]: number[], by: number): number[] => [a! * by, b!, c! * by];
const wide = (): number => signed((1 + fraction() * 2 ** -52) * 2 ** ((random() % 120) - 60));

describe("the hot fma of doubles equals the reference", () => {
  const code = adversary(f64, 5);
  const corners = [0, -0, 1, -1, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** -1022, Infinity, -Infinity, Number.NaN];
  const corner = (): number => corners[random() % corners.length]!;

  test.each<[string, () => readonly (number | bigint)[]]>([
    ["where the sum lies beside the middle of two doubles", () => almostHalf(normal)],
    ["where it lies in the middle", () => [signed(0.5), 2, signed(normal())]],
    ["around a power of two", () => almostHalf(() => 2 ** 53, [1, 0.5, 2, 1.5][random() & 3])],
    ["a quarter and three quarters below it", () => almostHalf(() => 2 ** 54, [0.5, 1.5][random() & 1])],
    [
      "at the greatest number",
      () =>
        scaled(
          almostHalf(() => 2 ** 54 - 2, 1),
          2 ** 970,
        ),
    ],
    ["far below 1", () => scaled(almostHalf(normal), 2 ** -900)],
    ["where a product of few bits meets an addend of few", () => [random() % 64, 2 ** -(random() % 60), random() % 64]],
    [
      "where the sum nearly vanishes",
      () => {
        const [a, b] = [wide(), wide()];
        return [a, b, -(a * b) * (1 + ((random() % 5) - 2) * 2 ** -52)];
      },
    ],
    ["of numbers of any size near 1", () => [wide(), wide(), wide()]],
    ["of what adversaries choose", () => [code(), code(), code()] as bigint[]],
    ["of the ends of the range", () => [corner(), corner(), random() & 1 ? corner() : wide()]],
  ])("%s", (_, draw) => {
    for (let round = 0; round < 300; round++) {
      const made = newWarp(0, 0, new ArrayBuffer(4096), shape);
      made.active = 0xffff_ffff;
      const expected = Array.from({ length: lanes }, (_, lane) => {
        const [a, b, c] = draw().map((x) => (typeof x === "bigint" ? x : bitsOf(x))) as [bigint, bigint, bigint];
        [made.q[lanes + lane], made.q[2 * lanes + lane], made.q[3 * lanes + lane]] = [a, b, c];
        return exact(a, b, c);
      });
      step(made);
      expect([...made.q.subarray(0, lanes)]).toEqual(expected);
    }
  });
});
