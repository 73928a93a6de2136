import type { Geometry } from "../../interp/contract/image.ts";
import { of, to } from "../form/classes.ts";
import type { Conflict } from "../form/define.ts";
import { unspecified } from "../form/define.ts";
import type { OperandClass, PredicateClass, RegisterClass, TupleClass, VectorClass } from "../form/operands.ts";

/** What tex and tld4 have in common: the operands of each geometry, as ptxas 13.0 takes them. */
export const geometries = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"] as const;
export const coordinateTypes = ["s32", "f32"] as const;
type CoordinateType = (typeof coordinateTypes)[number];

const words = ["f32", "b32", "u32", "s32"] as const;
/** A float coordinate may lie in any register of 32 bits; beside a layer's index, an integer one too. */
const floating: RegisterClass = of("f32", { types: words });
const integer: RegisterClass = of("s32");
const either = (type: CoordinateType): RegisterClass => of(type, { types: words });
const index: RegisterClass = of("u32", { types: ["u32", "b32", "s32"] });

/** Coordinates: longer ones than needed are taken, their rest is ignored. */
export function coordinates(geometry: Geometry, type: CoordinateType): TupleClass {
  const one = type === "f32" ? floating : integer;
  const more = either(type);
  const tuple = (parts: TupleClass["of"], lengths: readonly number[], rest: Partial<TupleClass> = {}): TupleClass => ({
    kind: "tuple",
    of: parts,
    lengths,
    ...rest,
  });
  switch (geometry) {
    case "1d":
      return tuple([one], [1, 2, 4], { bare: of(type) });
    case "2d":
      return tuple([one, one], [2, 4]);
    case "3d":
    case "cube":
    case "2dms":
      return tuple([one, one, one], [4]);
    case "a1d":
      return tuple([index, more], [2, 4], { apart: 1 });
    case "a2d":
      return tuple([index, more, more], [4], { apart: 1 });
    case "acube":
      return tuple([index, more, more, more], [4], { apart: 1 });
    case "a2dms":
      return tuple([more, index, more, more], [4], { apart: 2 });
  }
}

/** As many elements as a geometry has coordinates within a layer, and how long the vector may be; undefined for a cube. */
const shifts = (shift: RegisterClass): Readonly<Record<Geometry, TupleClass | undefined>> => {
  const line = { kind: "tuple", of: [shift], lengths: [1, 2, 4], bare: shift } as const;
  const plane = { kind: "tuple", of: [shift, shift], lengths: [2, 4] } as const;
  const volume = { kind: "tuple", of: [shift, shift, shift], lengths: [4] } as const;
  return {
    "1d": line,
    a1d: line,
    "2d": plane,
    a2d: plane,
    "2dms": plane,
    a2dms: plane,
    "3d": volume,
    cube: undefined,
    acube: undefined,
  };
};
export const isCube = (geometry: Geometry): boolean => geometry === "cube" || geometry === "acube";

const late = { ptx: 43, sm: 30 } as const;

/** `e`, offsets in texels. */
export function offsets(geometry: Geometry): OperandClass {
  const tuple = shifts(of("s32"))[geometry];
  if (tuple === undefined) return { kind: "absent", unless: "a geometry other than a cube" };
  return { ...tuple, loose: true, brings: late };
}

/** `f`, which each texel is compared with. */
export function comparison(geometry: Geometry, type: CoordinateType): OperandClass {
  if (geometry === "3d") return { kind: "absent", unless: "a geometry other than .3d" };
  if (type === "s32") return { kind: "absent", unless: "coordinates of .f32" };
  return { ...of("f32"), loose: true, brings: late };
}

/** `dPdx` and `dPdy`. */
export function derivative(geometry: Geometry): TupleClass {
  const slope = of("f32");
  if (geometry === "3d" || isCube(geometry)) return { kind: "tuple", of: [slope, slope, slope], lengths: [4] };
  return geometry === "1d" || geometry === "a1d"
    ? { kind: "tuple", of: [slope], lengths: [1] }
    : { kind: "tuple", of: [slope, slope], lengths: [2] };
}

/** `lod`, of the coordinates' type. */
export const lodOf = (type: CoordinateType): RegisterClass => of(type, { braced: true });

/** Which registers take a result of each type. */
const results = {
  u32: to("u32", { sink: true }),
  s32: to("s32", { sink: true }),
  f32: to("f32", { types: words, sink: true }),
  f16: to("f16", { types: ["b16", "f16", "u16", "s16"], sink: true }),
  f16x2: to("f16x2", { sink: true }),
} as const;
export type TexelType = keyof typeof results;

export const result = (type: TexelType): VectorClass => ({
  kind: "vector",
  count: type === "f16x2" ? 2 : 4,
  of: results[type],
});

/** `p`: whether the data is resident. */
export const residence: PredicateClass = { kind: "predicate", access: "write", brings: { ptx: 71, sm: 60 } };

export const texture = { kind: "handle", of: ["texref"] } as const;
/** In unified mode a texture may also be the sampler. */
export const sampler = { kind: "handle", of: ["samplerref", "texref"], sampling: true, loose: true } as const;
export const surface = { kind: "handle", of: ["surfref"] } as const;

/** Restrictions of geometries on the coordinates' type. */
export function geometryConflict(geometry: Geometry, type: CoordinateType): Conflict | undefined {
  if (isCube(geometry) && type === "s32") return [geometry, ".s32: a direction is of floats"];
  if (geometry.endsWith("ms") && type === "f32") return [geometry, ".f32: samples have integer coordinates"];
  return undefined;
}

/** A scalar that a query asks with. */
export const level: RegisterClass = of("s32", { braced: true });
export const queried: RegisterClass = to("b32");
export const pointer: RegisterClass = of("u64");

/** Behaviour that CUDA's guide leaves to the hardware. */
export const filtering = [
  unspecified("a weight is rounded to eight bits, to nearest even; the weighted sum is exact, and rounded once"),
  unspecified("channels that the format has not are 0, the fourth 1; a layer behind the last one is the last one"),
  unspecified(
    "integers of 8 and 16 bits that are filtered linearly and stay integers give the weighted sum, rounded to nearest even, as the kernels that NVIDIA wrote for FFmpeg's scale_cuda expect, and those of 32 bits the nearest texel, where the guide has the filter valid for floats only; all data is resident",
  ),
] as const;
