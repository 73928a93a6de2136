import type { ImageObject, Sampler, TextureObject } from "../../contract/image.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { SurfaceGeometry } from "../../contract/plan/plan-texture.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { roundEven } from "../../texture/axis.ts";
import { TextureReader } from "../../texture/fetch.ts";
import type { Lookup } from "../../texture/footprint.ts";
import { sizeAt } from "../../texture/layout.ts";
import { type Place, placeOf } from "../../texture/place.ts";
import { encoded, encodedFraction } from "../../texture/store.ts";
import { bytesOfChannel, ofF32, putChannel } from "../../texture/texel.ts";
import { tell } from "./bind-surface.ts";
import { touch } from "./bind-texture.ts";
import { found, geometryOf, handleReader, show, writable } from "./handle.ts";

type TypedStep = Plan & { shape: "typed" };
type WithImage = Exclude<ImageObject, { kind: "samplerref" }>;

/** One lane after the other, as the image of each has it. */
export function typed(plan: TypedStep, operands: readonly (Operand | undefined)[], context: Context): Step {
  const act =
    plan.how === "store"
      ? storing(operands, context)
      : plan.how === "size"
        ? sizes(operands, context)
        : reading(plan, operands, context);
  return (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < context.lanes; lane++) if ((active >>> lane) & 1) act(warp, lane);
  };
}

type Act = (warp: Warp, lane: number) => void;

/** The texture or surface that a handle refers to. */
function imageAt(handle: bigint, lane: number, { memory }: Context): WithImage {
  const known = memory.images.find(handle);
  if (known?.object === undefined || known.object.kind === "samplerref")
    throw new Fault(
      "PTX3040",
      lane,
      known === undefined ? `nothing has the handle ${show(handle)}` : `${known.name} is no image`,
    );
  return known.object;
}

/** An index of a layer among coordinates that are floats is rounded. */
const indexOf = (value: number): number => Math.max(0, roundEven(value)) || 0;

function reading(
  { how, alpha }: TypedStep,
  [d, a, b, c, lod]: readonly (Operand | undefined)[],
  context: Context,
): Act {
  const { lanes } = context;
  const handleOf = handleReader(a, context);
  const samplerOf = b === undefined ? undefined : handleReader(b, context);
  const to = elements(d).map((part) => slot(part).slot * lanes);
  const from = elements(c).map((part) => slot(part).slot * lanes);
  const level = lod === undefined ? undefined : slot(lod).slot * lanes;
  const whole = how === "fetch";
  const number = ({ r }: Warp, base: number, lane: number): number =>
    whole ? r[base + lane]! : ofF32(r[base + lane]!);
  const beyond: Sampler = { ...texels, border: [0, 0, 0, alpha ?? 0] };
  const readers = new Map<bigint, TextureReader>();
  const readerOf = (handle: bigint, lane: number): TextureReader => {
    const object = imageAt(handle, lane, context);
    const known = readers.get(handle);
    if (known !== undefined && known.object.image === object.image) return known;
    const made = new TextureReader(asTexture(object), context.memory.data);
    readers.set(handle, made);
    return made;
  };
  return (warp, lane) => {
    const reader = readerOf(handleOf(warp, lane), lane);
    const { image } = reader.object;
    const geometry = geometryOf(image);
    const count = image.cube ? 3 : image.dimensions;
    const values = from.map((base) => number(warp, base, lane));
    const lookup: Lookup = {
      geometry,
      whole,
      coordinates: values.slice(0, count),
      layer: image.layers === undefined ? 0 : indexOf(values[count] ?? 0),
      sample: 0,
      offset: [],
      ...(level === undefined ? {} : { lod: number(warp, level, lane) }),
    };
    const sampler = samplerOf === undefined ? beyond : samplerAt(samplerOf(warp, lane), lane, context);
    const { taps, whole: weights } = reader.footprint(lookup, sampler);
    touch(warp, lane, reader, taps, context);
    for (let channel = 0; channel < to.length; channel++)
      warp.r[to[channel]! + lane] = reader.channel(channel, taps, weights, sampler, "word");
  };
}

const texels: Sampler = {
  address: ["clamp_to_border", "clamp_to_border", "clamp_to_border"],
  filter: "nearest",
  normalized: false,
  levels: { filter: "nearest", bias: 0, least: 0, most: Number.POSITIVE_INFINITY },
  border: [0, 0, 0, 0],
  seamless: false,
};

const asTexture = (object: WithImage): TextureObject =>
  object.kind === "texref"
    ? object
    : { ...object, kind: "texref", sampler: texels, fraction: object.fraction ?? false, srgb: false };

function samplerAt(handle: bigint, lane: number, context: Context): Sampler {
  const object = found(handle, "samplerref", lane, context);
  if (object.kind === "surfref") throw new Error("a sampler is not a surface");
  return object.sampler;
}

/** Channels beyond those of the format are dropped, and so is what lies outside of the surface. */
function storing([a, c, d]: readonly (Operand | undefined)[], context: Context): Act {
  const { lanes, memory } = context;
  const handleOf = handleReader(a, context);
  const axes = elements(c).map((part) => slot(part).slot * lanes);
  const words = elements(d).map((part) => slot(part).slot * lanes);
  const place: Place = { at: 0, byte: 0, inside: false };
  return (warp, lane) => {
    const object = found(handleOf(warp, lane), "surfref", lane, context);
    if (object.kind !== "surfref") throw new Error("a surface is a surface");
    const { image, fraction } = object;
    const coordinates = axes.map((axis) => warp.s[axis + lane]!);
    const layered = image.layers !== undefined || image.cube;
    const geometry = (layered ? (image.dimensions === 1 ? "a1d" : "a2d") : geometryOf(image)) as SurfaceGeometry;
    const layer = layered ? [coordinates[image.dimensions] ?? 0] : [];
    const [x = 0, y = 0, z = 0] = [...layer, ...coordinates.slice(0, image.dimensions)];
    placeOf(image, geometry, x, y, z, image.bytes, image.bytes, "zero", place);
    if (!place.inside) return;
    const { at } = place;
    const what = (): string => `${image.bytes} bytes at (${coordinates.join(", ")}) of ${image.name}`;
    writable(lane, at, image.bytes, what, context);
    const bytes = bytesOfChannel(image.type);
    const encode = fraction === true ? encodedFraction : encoded;
    for (let channel = 0; channel < image.channels; channel++) {
      const value = encode(image.type, warp.r[words[channel]! + lane]!);
      putChannel(memory.data, at + channel * bytes, bytes, value);
    }
    tell("store", warp, lane, at, image.bytes, context);
  };
}

/** Width, height, depth or layers, and levels: what an image lacks is 0 (manual, INFO). */
function sizes([d, a, lod]: readonly (Operand | undefined)[], context: Context): Act {
  const { lanes } = context;
  const handleOf = handleReader(a, context);
  const to = elements(d).map((part) => slot(part).slot * lanes);
  const level = slot(lod).slot * lanes;
  return (warp, lane) => {
    const { image } = imageAt(handleOf(warp, lane), lane, context);
    const { levels, dimensions, layers } = image;
    const [{ width, height, depth }] = levels as [(typeof levels)[number]];
    const shift = Math.min(warp.r[level + lane]!, 31);
    const axes = [width, height, depth].slice(0, dimensions).map((each) => sizeAt(each, shift));
    if (layers !== undefined) axes.push(layers);
    const all = [axes[0], axes[1], axes[2], levels.length];
    for (let channel = 0; channel < to.length; channel++) warp.r[to[channel]! + lane] = all[channel] ?? 0;
  };
}
