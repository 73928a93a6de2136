import { describe, expect, it } from "vitest";
import { argument, operation } from "./operations.ts";
import { vectorRun } from "./run-vector.ts";

const sum = operation("u32", "u32", "u32");

describe("code for vectors", () => {
  it("computes one instruction on four lanes at a time", () => {
    const run = vectorRun(sum, [], ([a, b], make) => make.op("i32x4.add", argument(a), argument(b)))!;
    expect(
      run([
        [1, 2, 3, 4, 5],
        [10, 20, 30, 40, 0xffff_ffff],
      ]),
    ).toEqual([11, 22, 33, 44, 4]);
  });

  it("keeps what is used twice in a local, and computes it once", () => {
    const run = vectorRun(sum, [], ([a, b], make) => {
      const both = make.op("i32x4.mul", argument(a), argument(b));
      return make.op("i32x4.add", make.xor(both, make.all32(1)), both);
    })!;
    expect(
      run([
        [2, 3],
        [5, 7],
      ]),
    ).toEqual([21, 41]);
  });

  it("goes lane by lane where no instruction works on vectors", () => {
    const part = (at: number) => ({ code: "part", at }) as const;
    const run = vectorRun(sum, [], ([a, b], make) =>
      make.lanes("i32x4", { code: "op", name: "i32.rotl", parts: [part(0), part(1)] }, argument(a), argument(b)),
    )!;
    expect(
      run([
        [1, 0x8000_0000, 3, 4],
        [4, 1, 0, 31],
      ]),
    ).toEqual([16, 1, 3, 2]);
  });

  it("calls a function for all four lanes where any of them needs it", () => {
    let calls = 0;
    const run = vectorRun(sum, [7], ([a, b], make) => {
      calls++;
      const gives = make.op("i32x4.sub", make.input(0), make.input(1));
      const usual = make.op("i32x4.add", argument(a), argument(b));
      const when = make.op("i32x4.eq", argument(b), make.all32(3));
      return make.rarely(when, usual, { name: "difference", takes: 2, gives }, argument(a), argument(b));
    })!;
    expect(run([[], [1, 2, 4, 5, 1, 3, 2, 2]])).toEqual([8, 9, 11, 12, 6, 4, 5, 5]);
    expect(calls).toBe(1);
  });
});
