import { describe, expect, it } from "vitest";
import { finite, NAN } from "../../../src/numeric/exact/exact.ts";
import type { BinaryOperator } from "../../../src/parser/ast.ts";
import { type Integer64, onFloats, onIntegers } from "../../../src/resolve/constant/c-operators.ts";

const s = (value: bigint): Integer64 => ({ value: BigInt.asUintN(64, value), signed: true });
const u = (value: bigint): Integer64 => ({ value: BigInt.asUintN(64, value), signed: false });

describe("C's operators on integers", () => {
  // Each as C's rules for int64_t and uint64_t have it (C17 6.3.1.8, 6.5.5 to 6.5.14).
  it.each<[BinaryOperator, Integer64, Integer64, Integer64 | boolean | undefined]>([
    ["%", s(-7n), s(3n), s(-1n)],
    ["%", s(7n), s(-3n), s(1n)],
    ["%", u(-7n), s(3n), u((2n ** 64n - 7n) % 3n)],
    ["/", s(-7n), s(2n), s(-3n)],
    ["/", s(1n), s(0n), undefined],
    ["%", s(1n), u(0n), undefined],
    ["+", s(2n ** 63n - 1n), s(1n), s(-(2n ** 63n))],
    ["*", u(2n ** 63n), u(2n), u(0n)],
    ["<", s(-1n), s(1n), true],
    ["<", s(-1n), u(1n), false],
    [">>", s(-8n), u(1n), s(-4n)],
    [">>", u(-8n), s(1n), u(2n ** 63n - 4n)],
    [">>", s(-8n), s(64n), s(-1n)],
    ["<<", s(1n), s(64n), s(0n)],
    ["<<", s(1n), s(-1n), s(0n)],
    ["&&", s(2n), s(0n), false],
    ["||", s(2n), s(0n), true],
  ])("%s of %o and %o", (operator, left, right, wanted) => {
    expect(onIntegers(operator, left, right)).toEqual(wanted);
  });
});

describe("C's operators on floating-point numbers", () => {
  const of = (n: number) => finite(n < 0, BigInt(Math.abs(n)), 0);

  it("give the exact result", () => {
    expect(onFloats("%", of(-7), of(3))).toEqual(of(-1));
    expect(onFloats("*", of(-7), of(3))).toEqual(of(-21));
    expect(onFloats("%", of(1), of(0))).toEqual(NAN);
  });

  it("find NaN unordered", () => {
    const holding = (["<", "<=", ">", ">=", "==", "!="] as const).filter((each) => onFloats(each, NAN, of(1)));
    expect(holding).toEqual(["!="]);
  });

  it("are not those of bits and truth", () => {
    for (const each of ["<<", ">>", "&", "^", "|", "&&", "||"] as const)
      expect(onFloats(each, of(1), of(1))).toBeUndefined();
  });
});
