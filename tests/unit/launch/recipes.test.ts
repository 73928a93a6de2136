import { describe, expect, it } from "vitest";
import { isElementType } from "../../../src/host/index.ts";
import { bitsOf, toValue } from "../../../src/host/memory/element.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";

const floats = ["f16", "bf16", "f32", "f64"] as const;
const integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "b8", "b32"] as const;

function numbers(text: string, type: string, count: number): number[] {
  const recipe = readRecipe(text);
  if (!isElementType(type) || recipe === undefined) throw new Error(`${text} of ${type}`);
  return bitsOf(drawn(recipe, type, count, () => {})!, type).map((bits) => Number(toValue(bits, type)));
}
const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

describe("recipes of a buffer's values", () => {
  it.each(floats)("of %s", (type) => {
    const random = numbers("random", type, 1000);
    expect(random.every((each) => each >= -1 && each <= 1)).toBe(true);
    expect(new Set(random).size).toBeGreaterThan(100);
    expect(Math.abs(mean(random))).toBeLessThan(0.1);
    const normal = numbers("normal:3", type, 1000);
    expect(Math.abs(mean(normal))).toBeLessThan(0.2);
    expect(mean(normal.map((each) => each * each))).toBeCloseTo(1, 0);
    expect(numbers("uniform:2..3:9", type, 500).every((each) => each >= 2 && each <= 3)).toBe(true);
    const special = numbers("special", type, 64);
    for (const each of [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])
      expect(special.some((found) => Object.is(found, each))).toBe(true);
  });

  it.each(integers)("of %s", (type) => {
    expect(numbers("random", type, 500).every((each) => Math.abs(each) <= 100)).toBe(true);
    expect(new Set(numbers("uniform:3..7:1", type, 500))).toEqual(new Set([3, 4, 5, 6, 7]));
    const special = numbers("special", type, 300);
    const width = Number(type.slice(1));
    const signed = type.startsWith("s");
    expect(Math.max(...special)).toBe(2 ** (signed ? width - 1 : width) - (width === 64 ? 0 : 1));
    expect(special).toContain(signed ? -(2 ** (width - 1)) : 0);
    expect(new Set(numbers("bits", type, 500)).size).toBeGreaterThan(width === 8 ? 200 : 490);
  });

  it("give the same on every machine, and others for other seeds", () => {
    const hex = (text: string) => Buffer.from(drawn(readRecipe(text)!, "f16x2", 2, () => {})!).toString("hex");
    expect(["random", "random:1", "normal", "bits", "special:5"].map(hex)).toMatchInlineSnapshot(`
      [
        "252e6c3a722ef538",
        "5a38c5b7c138c7b9",
        "4d3b6e3748c0b6b5",
        "9c791289e4ee7524",
        "01b8ffe7ffe70064",
      ]
    `);
    expect(hex("random:0")).toBe(hex("random"));
  });

  it("are nothing else", () => {
    const wrong = [
      "uniform",
      "uniform:1",
      "uniform:2..1",
      "uniform:1..inf",
      "random:x",
      "random:1:2",
      "random:4294967296",
      "iota",
      "",
    ];
    for (const text of wrong) expect(readRecipe(text)).toBeUndefined();
    expect(drawn(readRecipe("uniform:0..300")!, "u8", 100, () => {})).toBeUndefined();
  });
});
