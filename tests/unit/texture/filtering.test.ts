import { expect, test } from "vitest";
import { bytesFrom, type ElementType, fromValue } from "../../../src/host/memory/element.ts";
import { ImageArray } from "../../../src/host/memory/image-array.ts";
import { type TextureOptions, textureOf } from "../../../src/host/memory/texture.ts";
import { Memory } from "../../../src/interp/index.ts";
import { WarpLookup } from "../../../src/interp/javascript/texture/warp-lookup.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import { TextureReader } from "../../../src/interp/texture/fetch.ts";
import type { Lookup } from "../../../src/interp/texture/footprint.ts";
import { draws } from "../../share.ts";
import {
  along,
  exactly,
  face,
  type Mode,
  nearest,
  onFace,
  plus,
  type Rational,
  rational,
  times,
  toF16,
  toF32,
} from "./oracle.ts";

/** Numbers without a pattern, always the same. */
class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) >>> 0;
    return Math.floor((mixed / 2 ** 32) * limit);
  }
  among<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const formats = ["u8", "s8", "u16", "s16", "f16", "f32", "u32", "s32"] as const;
const geometries = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube"] as const;
const axesOf = { "1d": 1, "2d": 2, "3d": 3, a1d: 1, a2d: 2, cube: 2, acube: 2 } as const;
const modes: readonly Mode[] = ["wrap", "mirror", "clamp", "border"];
const fractions: Readonly<Record<string, number>> = { u8: 255, s8: 127, u16: 65535, s16: 32767 };

const word = new DataView(new ArrayBuffer(4));
const number = (bits: number): number => {
  word.setUint32(0, bits);
  return word.getFloat32(0);
};

/** Looks a lane up as one of a warp whose other lanes do not take part; gives the channels, undefined where it may not be read. */
function asLane(
  lane: number,
  reader: TextureReader,
  { whole, coordinates, offset, layer }: Lookup,
  precision: "word" | "half",
  memory: Memory,
): readonly number[] | undefined {
  const { sampler, image } = reader.object;
  const of = new WarpLookup(reader, sampler, whole, memory);
  const only = (value: number) => (_: Warp, at: number) => (at === lane ? value : Number.NaN);
  const words = { coordinates: coordinates.map(only), shifts: offset.map(only), layer: only(layer) };
  if (!of.locate({ active: (1 << lane) >>> 0 } as Warp, 32, words)) return undefined;
  return Array.from({ length: image.channels }, (_, channel) => of.channel(channel, lane, precision));
}

/** A texture of chance texels and a lookup of chance coordinates, and what the guide's formulas make of them. */
function trial(chance: Chance): { said: string; got: readonly number[]; wanted: readonly number[] } {
  const geometry = chance.among(geometries);
  const format = chance.among(formats);
  const axes = axesOf[geometry];
  const channels = chance.among([1, 2, 4] as const);
  const isCube = geometry.endsWith("cube");
  const side = 1 + chance.below(6);
  const size = Array.from({ length: axes }, () => (isCube ? side : 1 + chance.below(9)));
  const layers = geometry.startsWith("a") ? 1 + chance.below(3) : undefined;
  const memory = new Memory({ limit: 1 << 20 });
  const array = new ImageArray(memory, {
    width: size[0]!,
    format,
    channels,
    cubemap: isCube,
    ...(axes > 1 && { height: size[1]! }),
    ...(axes > 2 && { depth: size[2]! }),
    ...(layers !== undefined && { layers }),
  });
  const float = format.startsWith("f");
  const count = (array.bytes() / bytesFrom([0n], format).length) | 0;
  const draw = (): number =>
    format === "f32"
      ? Math.fround((chance.below(2 ** 24) - 2 ** 23) * 2 ** (chance.below(60) - 40))
      : format === "f16"
        ? (chance.below(2 ** 11) - 2 ** 10) * 2 ** (chance.below(20) - 16)
        : chance.below(2 ** 31) - (format.startsWith("s") ? 2 ** 30 : 0);
  const limit = 2 ** Number(format.slice(1));
  const values = Array.from({ length: count }, () => {
    const value = draw();
    if (float) return value;
    const cut = ((value % limit) + limit) % limit;
    return format.startsWith("s") && cut >= limit / 2 ? cut - limit : cut;
  });
  array.write(
    bytesFrom(
      values.map((value) => fromValue(value, format as ElementType)!),
      format,
    ),
  );

  const fraction = fractions[format] !== undefined && chance.below(2) === 0;
  // A driver takes a linear filter of integers, too; of those of 32 bits it takes the nearest texel.
  const asked = chance.below(3) > 0;
  const linear = asked && (float || fraction || !format.endsWith("32"));
  const normalized = isCube || chance.below(2) === 0;
  const mode = isCube ? "clamp" : chance.among(modes);
  const options: TextureOptions = {
    filter: asked ? "linear" : "point",
    address: mode,
    normalized,
    read: fraction ? "normalized" : "element",
  };
  const object = textureOf(array, options);
  const reader = new TextureReader(object, memory.data);
  const whole: boolean = !isCube && chance.below(5) === 0;
  const offset = isCube || chance.below(2) === 0 ? [] : size.map(() => chance.below(16) - 8);
  const coordinates = isCube
    ? [0, 1, 2].map(() => Math.fround((chance.below(2001) - 1000) / (1 + chance.below(300))))
    : size.map((n) =>
        whole
          ? chance.below(n + 8) - 4
          : // Often on a texel's edge or middle, or where a weight is midway between two.
            Math.fround(
              ((chance.below(8 * n + 64) - 32) / 8 +
                chance.among([0, chance.below(2 ** 20) / 2 ** 23, chance.below(32) / 512])) /
                (normalized ? n : 1),
            ),
      );
  if (isCube && !coordinates.some((each) => each !== 0)) coordinates.fill(1);
  const layer = layers === undefined ? 0 : chance.below(layers + 2);
  const lookup: Lookup = { geometry, whole, coordinates, layer, sample: 0, offset };
  const precision = chance.below(4) === 0 && (float || fraction) ? "half" : "word";
  const { taps, whole: all } = reader.footprint(lookup);
  const got = Array.from({ length: channels }, (_, channel) =>
    reader.channel(channel, taps, all, object.sampler, precision),
  );
  if (!isCube) expect(asLane(chance.below(32), reader, lookup, precision, memory)).toEqual(got);

  const point = isCube ? face(coordinates[0]!, coordinates[1]!, coordinates[2]!) : undefined;
  const sides =
    point !== undefined
      ? [onFace(point.s, point.m, side, linear), onFace(point.t, point.m, side, linear)]
      : coordinates.map((x, axis) =>
          along(x, size[axis]!, {
            normalized: normalized && !whole,
            mode: whole && (mode === "wrap" || mode === "mirror") ? "clamp" : mode,
            linear: linear && !whole,
            offset: offset[axis] ?? 0,
          }),
        );
  const at = Math.min(layer, (layers ?? 1) - 1) * (isCube ? 6 : 1) + (point?.face ?? 0);
  const texel = (i: number, j: number, k: number, channel: number): number =>
    values[(((at * (size[2] ?? 1) + k) * (size[1] ?? 1) + j) * size[0]! + i) * channels + channel]!;
  const one: Side = [[0, 256n]];
  const [xs, ys = one, zs = one] = sides as readonly Side[];
  const wanted = got.map((_, channel) => {
    let sum: Rational = rational(0n);
    for (const [k, wz] of zs)
      for (const [j, wy] of ys)
        for (const [i, wx] of xs!) {
          if (i === undefined || j === undefined || k === undefined) continue;
          const value = fraction
            ? rational(Math.max(texel(i, j, k, channel), 1 - (fractions[format]! + 1)), fractions[format]!)
            : exactly(texel(i, j, k, channel));
          sum = plus(sum, times(value, rational(wx * wy * wz)));
        }
    const mean = times(sum, rational(1n, 256n ** 3n));
    if (!float && !fraction) return Number(BigInt.asUintN(32, nearest(mean)));
    return precision === "half" ? toF16(mean) : toF32(mean);
  });
  const numbers = float || fraction ? got.map((bits) => (precision === "half" ? half(bits) : number(bits))) : got;
  const said = JSON.stringify({
    geometry,
    format,
    size,
    layers,
    ...options,
    whole,
    offset,
    coordinates,
    layer,
    precision,
  });
  return { said, got: numbers.map((value) => value + 0), wanted: wanted.map((value) => value + 0) };
}

type Side = readonly (readonly [index: number | undefined, weight: bigint])[];

const half = (bits: number): number => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return bits & 0x8000 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
};

test("1,500 lookups of every geometry, format and mode are what the guide's formulas give in rationals", () => {
  const chance = new Chance(7);
  const wrong: string[] = [];
  for (let at = 0; at < draws(150, 1500); at++) {
    const { said, got, wanted } = trial(chance);
    if (got.some((value, index) => !Object.is(value, wanted[index]))) wrong.push(`${said}: ${got} and not ${wanted}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test("a warp leaves to its lanes what one of them may not read, unless its weight is 0", () => {
  const memory = new Memory({ limit: 1 << 20 });
  const array = new ImageArray(memory, { width: 4, format: "f32", channels: 1 });
  array.write(new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
  const { start } = array.image.levels[0]!;
  memory.forget(start + 8, 4);
  const reader = new TextureReader(textureOf(array, { filter: "linear" }), memory.data);
  const at = (x: number) =>
    asLane(
      5,
      reader,
      { geometry: "1d", whole: false, coordinates: [x], layer: 0, sample: 0, offset: [] },
      "word",
      memory,
    );
  expect([at(1.5), at(1.75), at(2.25), at(3.5)].map((bits) => bits && number(bits[0]!))).toEqual([
    2,
    undefined,
    undefined,
    4,
  ]);
});
