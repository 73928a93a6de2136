import { of, registerOf, to } from "../../form/classes.ts";
import { type Conflict, type Form, form, manual, unspecified } from "../../form/define.ts";
import type { VectorClass } from "../../form/operands.ts";

const num = ["x1", "x2", "x4", "x8", "x16", "x32", "x64"] as const;
const elemsize = ["b8", "b16"] as const;
const idxsize = ["b2", "b4"] as const;
const factors = [
  "sp::1:2", "sp::1:4", "sp::1:8", "sp::1:16", "sp::2:4", "sp::2:8", "sp::2:16", "sp::4:8", "sp::4:16",
] as const; // biome-ignore format: one thought
const since = { ptx: 94, sm: 107, only: "a", families: [107] } as const;

const bitsOf = (word: string): number => Number(word.slice(1));
const written = (count: number): VectorClass => ({ kind: "vector", count, of: to("b32") });
const read = (count: number): VectorClass => ({ kind: "vector", count, of: registerOf("b32") });

interface Sizes {
  readonly elemsize: (typeof elemsize)[number];
  readonly idxsize: (typeof idxsize)[number];
  readonly spfactor: (typeof factors)[number];
  readonly num: (typeof num)[number];
}

/** The sizes in numbers, and the registers of each operand (tables 37 and 39). */
function sizesOf({ elemsize, idxsize, spfactor, num }: Sizes) {
  const [stored = 0, all = 0] = spfactor.slice(4).split(":").map(Number);
  const [elementBits, indexBits, times] = [bitsOf(elemsize) as 8 | 16, bitsOf(idxsize) as 2 | 4, bitsOf(num)];
  const words = (bits: number): number => Math.ceil((bits * times) / 32);
  return {
    ...{ stored, all, elementBits, indexBits, times },
    mdata: words(stored * indexBits),
    cdata: words(stored * elementBits),
    data: words(all * elementBits),
  };
}

/** The conditions of spdecompress. */
function wrongSizes(mods: Sizes): Conflict | undefined {
  const { stored, all, elementBits, indexBits, times, mdata, cdata, data } = sizesOf(mods);
  if (stored * elementBits > 32) return [mods.spfactor, mods.elemsize];
  if (all > 2 ** indexBits) return [mods.idxsize, mods.spfactor];
  if (all * elementBits * times < 32) return [mods.num, `.${mods.spfactor}: less than a register`];
  if (data > 128 || mdata + cdata + data > 253) return [mods.num, `.${mods.spfactor}: too many registers`];
  return undefined;
}

const order = unspecified(
  "the first element, and its index, lie in the lowest bits; the kept two of four stay in their order",
);

/** Structured sparse vectors in registers. */
export const compression: readonly Form[] = [
  form("spcompress.elemsize.idxsize.spfactor.num mdata, cdata, data, spdesc", {
    where: { elemsize, idxsize, spfactor: ["sp::2:4"], num },
    operands: (mods) => {
      const times = bitsOf(mods.num);
      const indices = Math.ceil((times * bitsOf(mods.idxsize)) / bitsOf(mods.elemsize));
      return { mdata: written(indices), cdata: written(times), data: read(2 * times), spdesc: of("b32") };
    },
    since,
    run: (mods) => {
      const { elementBits, indexBits } = sizesOf(mods);
      return { shape: "compress", elementBits, indexBits };
    },
    facts: [
      manual("-0 is less than +0, and a NaN is always kept"),
      unspecified("of equal elements, and of three or four NaN, the first are kept"),
      unspecified("elements of 6 bits are the low ones of their bytes, whose others are kept and not compared"),
      order,
    ],
    check: [
      {
        // MAXABS of .s8: of 1, -128, 127, 3 the second and third, of 5, 5, 5, 4 the first two.
        target: "sm_107a",
        snippet: `mov.b32 a, 0x037f8001; mov.b32 b, 0x04050505; mov.b32 s, 0x5; spcompress.b8.b2.sp::2:4.x1 {m}, {c}, {a, b}, s;`,
        gives: { m: 0x49, c: 0x0505_7f80 },
      },
      {
        // MIN of .f16: -0 and -1 of 0, -0, 2, -1, in their order.
        target: "sm_107a",
        snippet: `mov.b32 a, 0x80000000; mov.b32 b, 0xbc004000; mov.b32 s, 0x2; spcompress.b16.b4.sp::2:4.x1 {m}, {c}, {a, b}, s;`,
        gives: { m: 0x31, c: 0xbc00_8000 },
      },
    ],
  }),
  form("spdecompress.elemsize.idxsize.spfactor.num data, mdata, cdata", {
    where: { elemsize, idxsize, spfactor: factors, num },
    operands: (mods) => {
      const { data, mdata, cdata } = sizesOf(mods);
      return { data: written(data), mdata: read(mdata), cdata: read(cdata) };
    },
    since,
    conflict: wrongSizes,
    run: (mods) => {
      const { elementBits, indexBits, stored, all, times } = sizesOf(mods);
      return { shape: "decompress", elementBits, indexBits, stored, of: all, num: times };
    },
    facts: [unspecified("an element whose index is too large is dropped"), order],
    check: [
      {
        target: "sm_107a",
        snippet: `mov.b32 m, 0x49; mov.b32 c, 0x05067f80; spdecompress.b8.b2.sp::2:4.x2 {a, b}, {m}, {c};`,
        gives: { a: 0x007f_8000, b: 0x0000_0506 },
      },
      {
        // Element 1 of two goes to place 11 of 16.
        target: "sm_107a",
        snippet: `mov.b32 m, 0xb0; mov.b32 c, 0xffff2211; spdecompress.b8.b4.sp::2:16.x1 {a, b, e, g}, {m}, {c};`,
        gives: { a: 0x11, b: 0, e: 0x2200_0000, g: 0 },
      },
    ],
  }),
];
