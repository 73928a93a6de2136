import { describe, expect, it } from "vitest";
import { f32, f64, formats } from "../../../src/numeric/index.ts";
import { share } from "../../share.ts";
import { type ConvertMode, convert, type NumberType } from "./float-entry.ts";
import { adversary, corners, sequence } from "./patterns.ts";

type Bits = number | bigint;
const integers: readonly NumberType[] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
const floats: readonly NumberType[] = ["f16", "bf16", "f32", "f64"];
const narrow: readonly NumberType[] = ["tf32", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "ue8m0", "ue5m3"];
const isInteger = (type: NumberType): boolean => integers.includes(type);
const random = sequence(11);

/** Inputs of a type: corners, neighbours of powers of two, what adversaries choose, and any. */
function inputs(type: NumberType): Bits[] {
  const width = isInteger(type) ? Number(type.slice(1)) : formats.find(({ name }) => name === type)!.width;
  const list: bigint[] = [];
  for (let at = 0n; at < width; at++)
    for (const by of [-2n, -1n, 0n, 1n, 2n]) list.push((1n << at) + by, -(1n << at) + by, (3n << at) + by);
  for (let i = 0; i < 100; i++) list.push(((BigInt(random()) << 32n) | BigInt(random())) >> BigInt(random() % 64));
  const format = [f32, f64].find(({ name }) => name === type);
  if (format) {
    const next = adversary(format, 5);
    const all = corners(format);
    for (let i = 0; i < 200; i++) list.push(next(), all[random() % all.length]!);
    // Halves of a last place of the narrower formats, and what lies beside them.
    const { frac, bias } = format;
    for (let i = 0; i < 400; i++) {
      const exponent = BigInt(
        bias + [0, -126, -133, -149, -150, 127, 128, 15, 16, -14, -24][random() % 11]! + (random() % 3),
      );
      const bits = (BigInt(random() & random()) << 32n) | BigInt(random());
      const place = BigInt(random() % (frac + 1));
      const fraction = (((bits >> place) << place) + BigInt((random() % 3) - 1)) & ((1n << BigInt(frac)) - 1n);
      list.push((exponent << BigInt(frac)) | fraction | (BigInt(random() & 1) << BigInt(width - 1)));
    }
  }
  const cut = [...new Set(list.map((x) => BigInt.asUintN(width, x)))];
  return width === 64 ? cut : cut.map(Number);
}

const roundings = (from: NumberType, to: NumberType): readonly ConvertMode["rnd"][] => {
  if (isInteger(from)) return isInteger(to) ? [undefined] : ["rn", "rz", "rm", "rp"];
  if (isInteger(to)) return ["rni", "rzi", "rmi", "rpi"];
  return narrow.includes(to) ? ["rn", "rz", "rp"] : ["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"];
};
/** Every number of `from` is one of `to`, so that there is nothing to saturate, and PTX has no .sat. */
const holds = (to: NumberType, from: NumberType): boolean => {
  const [wide, narrow] = [to, from].map((type) => Number(type.slice(1))) as [number, number];
  return to[0] === from[0] ? wide >= narrow : to[0] === "s" && wide > narrow;
};
/** Those of PTX: a format of a byte is always saturated, one without a sign has no .relu, a wide one neither of the two. */
const effects = (from: NumberType, to: NumberType): readonly Omit<ConvertMode, "rnd">[] => {
  if (isInteger(to))
    return [{}, { ftz: true }, ...(from === "bf16" || (isInteger(from) && holds(to, from)) ? [] : [{ sat: true }])];
  const plain = [{}, { ftz: true }];
  if (to === "f32" || to === "f64") return [...plain, { sat: true }, { ftz: true, sat: true }];
  if (to.startsWith("ue")) return [...plain, { satfinite: true }];
  const finite = [...plain, { satfinite: true }, { satfinite: true, relu: true }];
  return /^e/.test(to) ? finite : [...finite, { relu: true }, ...(to === "tf32" ? [] : [{ sat: true }])];
};

describe("the fast path equals the reference", () => {
  const pairs = [...integers, ...floats].flatMap((from) =>
    [...integers, ...floats, ...(isInteger(from) ? [] : narrow)].map((to) => [from, to] as const),
  );
  it.each(share(pairs, 20).map((pair) => [...pair, pair] as const))("%s to %s", (from, to, pair) => {
    const given = inputs(from);
    const wrong: string[] = [];
    let paths = 0;
    for (const [at, rnd] of roundings(from, to).entries())
      for (const [which, effect] of effects(from, to).entries()) {
        // Each effect by every second rounding, and by the others in the next pair of types.
        if (at % 2 !== (which + pairs.indexOf(pair)) % 2 && which > 0) continue;
        const mode: ConvertMode = { ...effect, rnd };
        const fast = convert(from, to, mode).js as (bits: Bits) => Bits;
        paths += 1;
        const exact = convert(from, to, { ...mode, reference: true }).js as (bits: Bits) => Bits;
        for (const bits of given) {
          const [got, wanted] = [fast(bits), exact(bits)];
          if (got !== wanted)
            wrong.push(
              `${JSON.stringify(mode)} 0x${bits.toString(16)}: 0x${got.toString(16)}, not 0x${wanted.toString(16)}`,
            );
        }
      }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(paths).toBeGreaterThan(0);
  });

  it("leaves 64-bit integers in a direction to the reference", () => {
    expect((convert("u64", "f64", { rnd: "rz" }).js as (a: bigint) => bigint)((1n << 64n) - 1n)).toBe(
      0x43ef_ffff_ffff_ffffn,
    );
    expect(
      (convert("s64", "f64", { rnd: "rp" }).js as (a: bigint) => bigint)((-(2n ** 53n) - 1n) & ((1n << 64n) - 1n)),
    ).toBe(0xc340_0000_0000_0000n);
  });
});
