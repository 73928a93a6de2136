import { expect, it } from "vitest";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import {
  argument,
  carry,
  concat,
  label,
  operation,
  plus,
  signedSlice,
  slice,
  times,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { carryOf } from "../../../../src/numeric/vector/lower.ts";
import { Random, randomBits } from "../random-operation.ts";
import { vectorRun } from "./run-vector.ts";

/** A sum of products of parts of two words: mostly what dp4a and dp2a are, or that with one thing changed. */
function randomDot(seed: number): Operation {
  const random = new Random(seed);
  const seldom = (): boolean => random.below(12) === 0;
  const [bits, other] = random.one([
    [8, 8],
    [16, 8],
    [16, 16],
  ] as const);
  const signs = [random.below(2) === 0, random.below(2) === 0];
  const first = random.one([0, 0, 16]);
  const element = (name: string, at: number, width: number, signed: boolean): Expression => {
    const cut = (seldom() ? !signed : signed) ? signedSlice : slice;
    const low = seldom() ? random.one([argument("c"), { node: "integer", value: 3n } as const]) : at;
    const of = cut(argument(seldom() ? "d" : name), typeof low === "number" ? low : slice(low, 0, 4), width);
    return seldom() ? label("x", of) : of;
  };
  const count = seldom() ? 3 : 32 / bits;
  const terms = Array.from({ length: count }, (_, at) =>
    times(
      element("a", at * bits, bits, signs[0]!),
      element("b", at * other + (other === 8 && bits === 16 ? first : 0), other, signs[1]!),
    ),
  );
  if (!seldom()) terms.splice(random.below(terms.length + 1), 0, argument("c"));
  const [start, ...rest] = terms;
  return operation({ a: "b32", b: "b32", c: "s32", d: "b32" }, "s32", wrap("s32", plus(start!, ...rest)));
}

/** Parts of registers side by side: mostly bytes, from mostly where a byte begins. */
function randomConcat(seed: number): Operation {
  const random = new Random(seed);
  const seldom = (): boolean => random.below(10) === 0;
  const takes = { a: "b32", b: "b64", c: "u16", d: "s32" } as const;
  const part = (): readonly [Expression, number] => {
    const width = seldom() ? 1 + random.below(24) : random.one([8, 16, 32, 8]);
    const of = argument(random.one(["a", "b", "c"]));
    const low = seldom() ? random.below(40) : random.one([0, 8, 16, 24, 32, 40]);
    const cut = slice(of, seldom() ? slice(argument("d"), 0, 5) : low, width);
    return [seldom() ? slice(cut, random.one([0, 8, 3]), random.one([8, 16, 4])) : cut, seldom() ? 32 : width];
  };
  const all = concat(...Array.from({ length: 1 + random.below(6) }, part));
  const type = random.one(["u32", "u64"] as const);
  return operation(takes, type, wrap(type, random.below(4) === 0 ? slice(all, 8 * random.below(5), 32) : all));
}

it.each([
  ["sums of products of bytes and halves", randomDot],
  ["parts side by side", randomConcat],
])("%s are right, those of no instruction, too", (_, random) => {
  const wrong: string[] = [];
  for (let seed = 1; seed <= 500; seed += 2) {
    const made = random(seed);
    const run = vectorRun(made);
    if (run === undefined) {
      if (random === randomDot) wrong.push(`no rule for ${textOf(made)}`);
      continue;
    }
    const draw = new Random(seed);
    const isWide = made.takes.map(({ type }) => type.endsWith("64"));
    const cases = Array.from({ length: 8 }, () =>
      randomBits(made, draw).map((bits, at) => (isWide[at] ? bits : Number(bits))),
    );
    const got = run(made.takes.map((_, at) => cases.map((each) => each[at]!)));
    const exact = byReference(made);
    for (const [at, given] of cases.entries())
      if (got[at] !== exact(...given)) wrong.push(`${textOf(made)} of ${given}: ${got[at]}, not ${exact(...given)}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

it("a sum of any numbers and flags has the bit above it as its carry", () => {
  for (const [type, width] of [
    ["u32", 32],
    ["u64", 64],
  ] as const)
    for (const names of ["a", "aF", "ab", "abF", "aFG", "abc", "abcF", "abFG", "F", "FG"].map((each) => [...each])) {
      const isFlag = (name: string): boolean => name === "F" || name === "G";
      const takes = Object.fromEntries(names.map((name) => [name, isFlag(name) ? "pred" : type] as const));
      const [first, ...rest] = names.map(argument);
      const sum = operation(takes, type, carry(type, plus(first!, ...rest)));
      const random = new Random(names.length);
      const top = (1n << BigInt(width)) - 1n;
      const cases = Array.from({ length: 40 }, () =>
        names.map((name) => {
          if (isFlag(name)) return BigInt(random.below(2));
          return random.below(3) === 0
            ? top - BigInt(random.below(2))
            : BigInt.asUintN(width, randomBits(sum, random)[0]!);
        }),
      );
      const columns = names.map((_, at) => cases.map((each) => (width === 64 ? each[at]! : Number(each[at]!))));
      const totals = cases.map((each) => each.reduce((total, x) => total + x, 0n));
      const value = vectorRun(sum, [], (operands, make) => carryOf(sum, operands, make)?.value);
      const flag: Operation = { ...sum, gives: "pred" };
      const out = vectorRun(flag, [], (operands, make) => carryOf(sum, operands, make)?.out);
      expect([names, value?.(columns).map(BigInt)]).toEqual([names, totals.map((total) => total & top)]);
      expect([names, out?.(columns).map(BigInt)]).toEqual([
        names,
        totals.map((total) => (total >> BigInt(width)) & 1n),
      ]);
    }
});
