import { describe, expect, it } from "vitest";
import { type Lowered, type LoweredCarry, lower, lowerCarry } from "../../../src/numeric/lower/lowered.ts";
import { a, abs, b, clamp, minus, negated, operation, plus, wrap } from "../../../src/numeric/operation/build.ts";
import type { Result } from "../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { agree } from "../../agree.ts";
import { carryOf, opOf } from "./entry.ts";
import { sequence } from "./patterns.ts";

type IntType = "u16" | "s16" | "u32" | "s32" | "u64" | "s64";

/** Every operation against plain integers of any size: the value, cut to the width. */
const types: readonly IntType[] = ["u16", "s16", "u32", "s32", "u64", "s64"];
const widthOf = (type: string) => Number(type.slice(1));

const meaning = (type: string, bits: bigint): bigint =>
  type.startsWith("s") ? BigInt.asIntN(widthOf(type), bits) : BigInt.asUintN(widthOf(type), bits);

/** Edges of each width, all against all. */
function edges(width: number): bigint[] {
  const top = 1n << BigInt(width - 1);
  const next = sequence(width);
  const random = Array.from({ length: 12 }, () => BigInt.asUintN(width, (BigInt(next()) << 32n) | BigInt(next())));
  const near = [
    0n,
    1n,
    2n,
    3n,
    7n,
    top - 1n,
    top,
    top + 1n,
    2n * top - 2n,
    2n * top - 1n,
    0x5555n,
    0xff_ffffn,
    0x80_0000n,
  ];
  return [...near, ...random].map((value) => BigInt.asUintN(width, value));
}

function run(op: Lowered | LoweredCarry, ...operands: bigint[]): bigint {
  const widths = "takes" in op ? op.takes : [op.width, op.width, op.width, op.width];
  const bits = operands.map((operand, at) => (widths[at] === 64 ? operand : Number(operand)));
  const result = (op.js as (...all: (number | bigint)[]) => number | bigint)(...bits);
  if ("gives" in op) agree(typeof result, op.gives === 64 ? "bigint" : "number");
  return BigInt(result);
}

/** Operations that no entry has for every type. */
const unary = (type: IntType, result: Result): Lowered => lower(operation({ a: type }, type, result));
const binary = (type: IntType, result: Result): Lowered => lower(operation({ a: type, b: type }, type, result));

function check2(make: (type: IntType) => Lowered, expected: (a: bigint, b: bigint, type: IntType) => bigint): void {
  for (const type of types) {
    const op = make(type);
    for (const a of edges(op.takes[0]!)) {
      for (const b of edges(op.takes[1]!)) {
        const want = BigInt.asUintN(op.gives, expected(meaning(type, a), meaning(type, b), type));
        agree(run(op, a, b), want);
      }
    }
  }
}

const limits = (type: string): readonly [bigint, bigint] => {
  const width = BigInt(widthOf(type));
  return type.startsWith("s") ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
};
const clamped = (type: string, value: bigint): bigint => {
  const [least, greatest] = limits(type);
  return clampLow(clampHigh(value, greatest), least);
};
const clampLow = (a: bigint, least: bigint) => {
  if (a < least) return least;
  return a;
};
const clampHigh = (a: bigint, greatest: bigint) => {
  if (a > greatest) return greatest;
  return a;
};
const magnitude = (x: bigint) => (x < 0n ? -x : x);

describe("integer operations are arithmetic modulo their width", () => {
  it("iadd, isub", () => {
    check2(
      (type) => opOf(`add.${type}`),
      (a, b) => a + b,
    );
    check2(
      (type) => opOf(`sub.${type}`),
      (a, b) => a - b,
    );
    check2(
      (type) => (type === "s32" ? opOf("add.sat.s32") : binary(type, clamp(type, plus(a, b)))),
      (a, b, type) => clamped(type, a + b),
    );
    check2(
      (type) => (type === "s32" ? opOf("sub.sat.s32") : binary(type, clamp(type, minus(a, b)))),
      (a, b, type) => clamped(type, a - b),
    );
  });

  it("imin, imax", () => {
    check2(
      (type) => opOf(`min.${type}`),
      (a, b) => clampHigh(a, b),
    );
    check2(
      (type) => opOf(`max.${type}`),
      (a, b) => clampLow(a, b),
    );
    expect(run(opOf("max.relu.s16x2"), 0x8000n, 0xffffn)).toBe(0n);
    expect(run(opOf("min.relu.s32"), 5n, 7n)).toBe(5n);
  });

  it("idiv and irem, toward zero, all ones by zero", () => {
    check2(
      (type) => opOf(`div.${type}`),
      (a, b) => (b === 0n ? -1n : a / b),
    );
    check2(
      (type) => opOf(`rem.${type}`),
      (a, b) => (b === 0n ? -1n : a % b),
    );
  });

  it("imul", () => {
    check2(
      (type) => opOf(`mul.lo.${type}`),
      (a, b) => a * b,
    );
    check2(
      (type) => opOf(`mul.hi.${type}`),
      (a, b, type) => (a * b) >> BigInt(widthOf(type)),
    );
    for (const type of ["u16", "s16", "u32", "s32"] as const) {
      const op = opOf(`mul.wide.${type}`);
      expect(op.gives).toBe(2 * widthOf(type));
      for (const a of edges(widthOf(type))) {
        for (const b of edges(widthOf(type))) {
          const want = BigInt.asUintN(op.gives, meaning(type, a) * meaning(type, b));
          if (run(op, a, b) !== want) expect([textOf(op.operation), a, b]).toEqual(want);
        }
      }
    }
  });

  it("imad, isad", () => {
    for (const type of types) {
      const width = widthOf(type);
      for (const part of width === 64 ? (["lo", "hi"] as const) : (["lo", "hi", "wide"] as const)) {
        const op = opOf(`mad.${part}.${type}`);
        for (const [a, b, c] of triples(width, op.gives)) {
          const product = (meaning(type, a) * meaning(type, b)) >> BigInt(part === "hi" ? width : 0);
          agree(run(op, a, b, c), BigInt.asUintN(op.gives, product + c), textOf(op.operation));
        }
      }
      for (const [a, b, c] of triples(width, width)) {
        const want = BigInt.asUintN(width, magnitude(meaning(type, a) - meaning(type, b)) + c);
        agree(run(opOf(`sad.${type}`), a, b, c), want);
      }
    }
    const sat = opOf("mad.hi.sat.s32");
    expect(run(sat, 0x7fff_ffffn, 0x7fff_ffffn, 0x7fff_ffffn)).toBe(0x7fff_ffffn);
    expect(run(sat, 0x7fff_ffffn, 0x8000_0000n, 0x8000_0000n)).toBe(0x8000_0000n);
  });

  it("imul24, imad24", () => {
    for (const type of ["u32", "s32"] as const) {
      const cut = (x: bigint) => (type === "s32" ? BigInt.asIntN(24, x) : BigInt.asUintN(24, x));
      for (const [a, b, c] of triples(32, 32)) {
        const product = cut(a) * cut(b);
        agree(run(opOf(`mul24.lo.${type}`), a, b), BigInt.asUintN(32, product));
        agree(run(opOf(`mul24.hi.${type}`), a, b), BigInt.asUintN(32, product >> 16n));
        agree(run(opOf(`mad24.lo.${type}`), a, b, c), BigInt.asUintN(32, product + c));
        const sum = (product >> 16n) + BigInt.asIntN(32, c);
        const want = BigInt.asUintN(32, clamped("s32", sum));
        if (type === "s32") agree(run(opOf("mad24.hi.sat.s32"), a, b, c), want);
      }
    }
  });

  it("iabs, ineg, and the bits", () => {
    for (const type of types) {
      const width = widthOf(type) as 16 | 32 | 64;
      const entry = type.startsWith("s");
      const magnitudes = entry ? opOf(`abs.${type}`) : unary(type, wrap(type, abs(a)));
      const negatives = entry ? opOf(`neg.${type}`) : unary(type, wrap(type, negated(a)));
      for (const a of edges(width)) {
        const value = meaning(type, a);
        agree(run(magnitudes, a), BigInt.asUintN(width, magnitude(value)));
        agree(run(negatives, a), BigInt.asUintN(width, -value));
        agree(run(opOf(`not.b${width}`), a), BigInt.asUintN(width, ~a));
        agree(run(opOf(`cnot.b${width}`), a), a === 0n ? 1n : 0n);
      }
    }
    check2(
      (type) => opOf(`and.b${widthOf(type)}`),
      (a, b) => a & b,
    );
    check2(
      (type) => opOf(`or.b${widthOf(type)}`),
      (a, b) => a | b,
    );
    check2(
      (type) => opOf(`xor.b${widthOf(type)}`),
      (a, b) => a ^ b,
    );
  });

  it("shl, shr clamp the amount", () => {
    for (const type of types) {
      const width = widthOf(type);
      const [left, right] = [opOf(`shl.b${width}`), opOf(`shr.${type}`)];
      for (const a of edges(width)) {
        for (const b of [0n, 1n, 5n, 15n, 16n, 17n, 31n, 32n, 33n, 63n, 64n, 65n, 0x100n, 0x8000_0000n, 0xffff_ffffn]) {
          const amount = b > 64n ? 64n : b;
          agree(run(left, a, b), BigInt.asUintN(width, a << amount));
          agree(run(right, a, b), BigInt.asUintN(width, meaning(type, a) >> amount));
        }
      }
    }
  });

  it("setp", () => {
    for (const type of types) {
      const [eq, ne, lt, le, gt, ge] = ["eq", "ne", "lt", "le", "gt", "ge"].map((word) => opOf(`setp.${word}.${type}`));
      const asked = { eq: eq!, ne: ne!, lt: lt!, le: le!, gt: gt!, ge: ge! };
      for (const [a, b] of triples(widthOf(type), 32)) {
        const [x, y] = [meaning(type, a), meaning(type, b)];
        const got = (["eq", "ne", "lt", "le", "gt", "ge"] as const).map((relation) => run(asked[relation], a, b));
        agree(
          got,
          [x === y, x !== y, x < y, x <= y, x > y, x >= y].map((holds) => (holds ? 1n : 0n)),
        );
      }
    }
  });
});

describe("carry operations give one bit more than their width", () => {
  for (const width of [32, 64] as const) {
    it(`${width} bits`, () => {
      const ones = (1n << BigInt(width)) - 1n;
      const op = (spelling: string): LoweredCarry => lowerCarry(carryOf(spelling).op);
      const [sum, difference] = [op(`addc.cc.u${width}`), op(`subc.cc.u${width}`)];
      const [low, signedLow] = [op(`madc.lo.cc.u${width}`), op(`madc.lo.cc.s${width}`)];
      const [high, signedHigh] = [op(`madc.hi.cc.u${width}`), op(`madc.hi.cc.s${width}`)];
      for (const [a, b, c] of triples(width, width)) {
        for (const carry of [0n, 1n]) {
          agree(run(sum, a, b, 0n, carry), a + b + carry);
          agree(run(difference, a, b, 0n, carry), a + (ones - b) + carry);
          agree(run(low, a, b, c, carry), ((a * b) & ones) + c + carry);
          agree(run(signedLow, a, b, c, carry), ((a * b) & ones) + c + carry);
          agree(run(high, a, b, c, carry), ((a * b) >> BigInt(width)) + c + carry);
          const signed = (BigInt.asIntN(width, a) * BigInt.asIntN(width, b)) >> BigInt(width);
          agree(run(signedHigh, a, b, c, carry), (signed & ones) + c + carry);
        }
      }
    });
  }
});

function* triples(width: number, last: number): Generator<[bigint, bigint, bigint]> {
  const thirds = edges(last);
  let at = 0;
  for (const a of edges(width)) for (const b of edges(width)) yield [a, b, thirds[at++ % thirds.length]!];
}
