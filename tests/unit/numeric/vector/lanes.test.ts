import { describe, expect, it } from "vitest";
import {
  a,
  argument,
  b,
  bits,
  choose,
  lane,
  lanes,
  operation,
  predicate,
  select,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { vectorRun } from "./run-vector.ts";

const half: Operation = operation({ a: "u16" }, "u16", wrap("u16", a));
const word: Operation = operation({ a: "u32" }, "u32", wrap("u32", a));

describe("packed operands as vectors", () => {
  it("takes each lane from its place and puts its result at its place", () => {
    const swapped: Operation = {
      takes: [{ name: "a", type: "b32" }],
      gives: "b32",
      result: { into: "lanes", lanes: [lane(half, 0, 16, 16), lane(half, 1, 0, 16)] },
    };
    expect(vectorRun(swapped)!([[0x1234_5678, 0xffff_0001, 0x8000_0000]])).toEqual([0x5678_1234, 0x0001_ffff, 0x8000]);
  });

  it("keeps the words of 64 bits apart", () => {
    expect(vectorRun(lanes(2, word))!([[0x1234_5678_9abc_def0n, 0xffff_ffff_0000_0001n, 5n]])).toEqual([
      0x1234_5678_9abc_def0n,
      0xffff_ffff_0000_0001n,
      5n,
    ]);
    const swapped: Operation = {
      takes: [{ name: "a", type: "b64" }],
      gives: "b64",
      result: { into: "lanes", lanes: [lane(word, 0, 32, 32), lane(word, 1, 0, 32)] },
    };
    expect(vectorRun(swapped)!([[0x1234_5678_9abc_def0n, 1n, 2n << 32n]])).toEqual([
      0x9abc_def0_1234_5678n,
      1n << 32n,
      2n,
    ]);
  });

  it("leaves the bits that no lane writes as they are told", () => {
    const onto: Operation = {
      takes: [
        { name: "a", type: "b32" },
        { name: "b", type: "b32" },
      ],
      gives: "b32",
      result: { into: "lanes", lanes: [lane(half, 1, 8, 8)], onto: bits(b) },
    };
    expect(vectorRun(onto)!([[0xabcd_1111], [0x1234_5678]])).toEqual([0x1234_cd78]);
  });
});

describe("choices as vectors", () => {
  const when = argument("c");
  it("takes one of two results in each lane", () => {
    const either = operation({ a: "u32", b: "u32", c: "pred" }, "u32", choose(when, wrap("u32", a), wrap("u32", b)));
    expect(
      vectorRun(either)!([
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10],
        [1, 0, 0, 1, 1],
      ]),
    ).toEqual([1, 7, 8, 4, 5]);
  });

  it("takes both words of 64 bits from one side", () => {
    const either = operation({ a: "b64", c: "pred" }, "b64", wrap("b64", select(when, bits(a), 7)));
    expect(
      vectorRun(either)!([
        [1n << 63n, 1n, 5n << 32n],
        [1, 0, 1],
      ]),
    ).toEqual([1n << 63n, 7n, 5n << 32n]);
  });

  it("knows constants and predicates that it is given", () => {
    expect(vectorRun(operation({ c: "pred" }, "pred", predicate(when)))!([[1, 0, 1]])).toEqual([1, 0, 1]);
    expect(vectorRun(operation({ a: "u32" }, "pred", predicate(1)))!([[5, 6]])).toEqual([1, 1]);
  });
});
