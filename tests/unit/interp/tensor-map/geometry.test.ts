import { describe, expect, it } from "vitest";
import { checkMap } from "../../../../src/interp/tensor-map/check-map.ts";
import { tensorElement } from "../../../../src/interp/tensor-map/element.ts";
import { footprintOf, type Walk } from "../../../../src/interp/tensor-map/geometry.ts";
import { shuffleOf } from "../../../../src/interp/tensor-map/swizzle.ts";
import { decodeMap, encodeMap, type TensorMap } from "../../../../src/interp/tensor-map/tensor-map.ts";
import { agree } from "../../../agree.ts";
import { draws } from "../../../share.ts";
import { type Moved, movedBy, swizzled } from "./oracle.ts";
import { randomMap } from "./random-map.ts";

/** The footprint, unit by unit. */
function listed(map: TensorMap, walk: Walk, base: number): readonly Moved[] {
  const { rows, units, pitch, step, shuffle } = footprintOf(map, walk);
  return rows.flatMap(({ global, from, to }, row) =>
    Array.from({ length: units }, (_, unit) => ({
      shared: shuffle(base + row * pitch + unit * map.element.shared),
      global: unit >= from && unit < to ? global + unit * step : undefined,
    })),
  );
}

describe("the elements that a tensor map reaches", () => {
  const drawn = Array.from({ length: draws(500, 1500) }, (_, seed) => randomMap(seed)).filter(
    ({ map }) => checkMap(map).length === 0,
  );

  it("are those of the manual's text, element by element", () => {
    expect(drawn.length).toBeGreaterThan(draws(150, 500));
    const modes = new Map<string, number>();
    for (const { map, walk } of drawn) {
      const base = 128 * (map.dims.length % 3);
      const moved = listed(map, walk, base).map(({ shared, global }) => [shared, global]);
      const wanted = movedBy(map, walk, base).map(({ shared, global }) => [shared, global]);
      agree(moved, wanted, JSON.stringify({ ...map, address: "", walk }));
      modes.set(walk.mode, (modes.get(walk.mode) ?? 0) + 1);
    }
    for (const mode of ["tile", "rows", "im2col", "im2col::w", "im2col::w::128"])
      expect(modes.get(mode) ?? 0).toBeGreaterThan(draws(10, 30));
  });

  it("survive the object of 128 bytes", () => {
    for (const { map } of drawn) expect(decodeMap(encodeMap(map))).toEqual(map);
    expect(decodeMap(new Uint8Array(128))).toBeUndefined();
  });

  it("count as bytes what is moved, without the gaps of padded types", () => {
    const map = (name: string, box: readonly number[]): TensorMap => ({
      element: tensorElement(name) ?? expect.fail(name),
      address: 0x1000n, dims: [256, 8], strides: [1024], steps: [1, 1], interleave: "none", swizzle: "none", atomicity: "16B",
      l2: "none", fill: "zero", part: { mode: "tiled", box },
    }); // biome-ignore format: one thought
    const walk = { mode: "tile", coordinates: [0, 6] } as const;
    expect(footprintOf(map("f32", [16, 4]), walk)).toMatchObject({ bytes: 256, span: 256 });
    expect(footprintOf(map("b4x16", [64, 4]), walk)).toMatchObject({ bytes: 128, span: 128 });
    expect(footprintOf(map("b4x16_p64", [128, 4]), walk)).toMatchObject({ bytes: 256, span: 512 });
    expect(footprintOf(map("b6x16_p32", [128, 4]), walk)).toMatchObject({ bytes: 384, span: 512 });
  });
});

describe("a swizzle", () => {
  it("is the manual's table for each address", () => {
    const all = Array.from({ length: 4096 }, (_, at) => at);
    for (const swizzle of ["none", "32B", "64B", "96B"] as const)
      expect(all.map(shuffleOf(swizzle, "16B"))).toEqual(all.map((at) => swizzled(at, { swizzle, atomicity: "16B" })));
    for (const atomicity of ["16B", "32B", "32B+8B", "64B"] as const)
      expect(all.map(shuffleOf("128B", atomicity))).toEqual(
        all.map((at) => swizzled(at, { swizzle: "128B", atomicity })),
      );
  });
});
