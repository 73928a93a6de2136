import { describe, expect, it } from "vitest";
import { bitsOf, bytesFrom, type ElementType, fromValue, toValue } from "../../../src/host/memory/element.ts";

describe("elements of a buffer", () => {
  it.each([
    ["f16", 1.5, 0x3e00n],
    ["f16", 65520, 0x7c00n],
    ["f16", 2 ** -24, 1n],
    ["bf16", -2, 0xc000n],
    ["f32", 0.1, 0x3dcccccdn],
    ["f64", 5e-324, 1n],
    ["f64", -0, 0x8000000000000000n],
    ["f32", 16777217n, 0x4b800000n],
    ["s8", -1, 0xffn],
    ["u64", 2n ** 64n - 1n, 2n ** 64n - 1n],
    ["b32", -1, 0xffffffffn],
  ] as const)("%s holds %s as bits", (type, value, bits) => {
    expect(fromValue(value, type)).toBe(bits);
  });

  it.each([
    ["u8", 256],
    ["u8", 1.5],
    ["s8", 128],
    ["u32", 2 ** 32],
    ["s64", 2n ** 63n],
    ["u16", Number.NaN],
  ] as const)("%s does not hold %s", (type, value) => {
    expect(fromValue(value, type)).toBeUndefined();
  });

  it("reads every f16 back as the number it is", () => {
    const wrong: bigint[] = [];
    for (let bits = 0n; bits < 0x10000n; bits++) {
      const value = toValue(bits, "f16") as number;
      // An independent decoding: (-1)^s * 2^(e-15) * 1.f, 2^-14 * 0.f for e = 0.
      const [sign, e, f] = [bits >> 15n === 1n ? -1 : 1, Number((bits >> 10n) & 31n), Number(bits & 1023n)];
      const same =
        e === 31
          ? f === 0
            ? value === sign * Number.POSITIVE_INFINITY
            : Number.isNaN(value)
          : Object.is(value, sign * (e === 0 ? 2 ** -14 * (f / 1024) : 2 ** (e - 15) * (1 + f / 1024)));
      if (!same || (e !== 31 && fromValue(value, "f16") !== bits)) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  it("go to bytes and back", () => {
    for (const type of ["u8", "s16", "f32", "b64", "f16x2"] satisfies ElementType[]) {
      expect(bitsOf(bytesFrom([1n, 0x7fn], type), type)).toEqual([1n, 0x7fn]);
    }
    expect(bytesFrom([0x0102n], "u16")).toEqual(Uint8Array.of(2, 1));
    expect(toValue(0xffffffffffffffffn, "s64")).toBe(-1n);
    expect(toValue(0xffn, "s8")).toBe(-1);
  });
});
