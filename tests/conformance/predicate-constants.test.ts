import { describe, expect, it } from "vitest";
import { runSnippet } from "./example.ts";

const left = (text: string, name: string) => runSnippet(text).registers.get(name)?.[0];

/** ptxas takes an integer constant wherever a predicate is read: true when it is not 0. Guards are names alone. */
describe("constants as predicates", () => {
  it.each([
    ["mov.pred p, 1;", 1n],
    ["mov.pred p, 0;", 0n],
    ["mov.pred p, -1;", 1n],
    ["mov.pred p, 2;", 1n],
    ["mov.pred p, 0x100000000;", 1n],
    ["mov.pred p, !1;", 0n],
    ["mov.pred p, !2;", 0n],
    ["mov.pred p, 1 == 1;", 1n],
    ["not.pred p, 0;", 1n],
    ["and.pred p, 1, 1;", 1n],
    ["and.pred p, 1, 0;", 0n],
    ["or.pred p, 0, 4;", 1n],
    ["xor.pred p, 1, 3;", 0n],
    ["setp.eq.and.s32 p, 5, 5, 1;", 1n],
    ["setp.eq.and.s32 p, 5, 5, 0;", 0n],
    ["setp.lt.or.f32 p, 0f00000000, 0f00000000, 1;", 1n],
    ["setp.eq.xor.s32 p, 5, 5, 1;", 0n],
    ["mov.pred p, 1; and.pred p, p, !0;", 1n],
  ])("%s", (text, expected) => expect(left(text, "p")).toBe(expected));

  it("choose in selp", () => {
    expect(left("selp.b32 d, 7, 9, 1;", "d")).toBe(7n);
    expect(left("selp.b32 d, 7, 9, 0;", "d")).toBe(9n);
    expect(left("selp.f64 d, 0d3ff0000000000000, 0d0000000000000000, 2;", "d")).toBe(0x3ff0_0000_0000_0000n);
  });

  it("are integers", () => {
    expect(() => runSnippet("mov.pred p, 1.0;")).toThrow("this is not a predicate");
    expect(() => runSnippet("selp.b32 d, 7, 9, 0f3f800000;")).toThrow("this is not a predicate");
  });
});
