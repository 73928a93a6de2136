import {
  type AddressName,
  type ArrayOptions,
  encodeTensorMap,
  type TensorMapOptions,
  type TextureOptions,
} from "../../host/index.ts";
import { movedTensorMap } from "../../host/memory/tensor-map.ts";
import type { AddressMode } from "../../interp/contract/image.ts";
import type { Mapped } from "../../interp/memory/supply.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Reader } from "../protocol.ts";
import type { Answer } from "./answer.ts";
import type { Driver } from "./driver.ts";
import type { ResourceAsked } from "./images.ts";
import type { Place } from "./memory.ts";
import { Status } from "./status.ts";

/** By number of CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill. */
const types =
  "UINT8 UINT16 UINT32 INT32 UINT64 INT64 FLOAT16 FLOAT32 FLOAT64 BFLOAT16 FLOAT32_FTZ TFLOAT32 TFLOAT32_FTZ 16U4_ALIGN8B 16U4_ALIGN16B 16U6_ALIGN16B".split(
    " ",
  );
const interleaves = ["none", "16B", "32B"];
const swizzles = ["none", "32B", "64B", "128B", "128B/32B", "128B/32B+8B", "128B/64B"];
const promotions = ["none", "64B", "128B", "256B"];
const fills = ["zero", "nan"];

/**
 * The 16 words of a map of u32 dimensions, u32 type, interleave, swizzle, promotion, fill, mode, and then the words
 * listed in `calls`.
 */
function encode(words: Reader): Answer {
  const rank = words.u32();
  const name = (names: readonly string[]): string => names[words.u32()] ?? "?";
  const type = name(types);
  const [interleave, swizzle, l2, fill] = [name(interleaves), name(swizzles), name(promotions), name(fills)];
  const mode = words.u32();
  const tensor = words.u64();
  const sizes = (count: number): number[] => Array.from({ length: count }, () => Number(words.u64()));
  const counts = (count: number): number[] => Array.from({ length: count }, () => words.u32());
  const [dims, strides] = [sizes(rank), sizes(rank - 1)];
  const corner = (): number[] => Array.from({ length: rank - 2 }, () => words.i32());
  const columns = (): NonNullable<TensorMapOptions["im2col"]> => {
    const [lower, upper] = [corner(), corner()];
    return { lower, upper, channels: words.u32(), pixels: words.u32(), wide: mode === WIDE };
  };
  const part = mode === TILED ? { box: counts(rank) } : { im2col: columns() };
  const steps = counts(rank);
  const map = encodeTensorMap({ tensor, type, dims, strides, ...part, steps, interleave, swizzle, l2, fill });
  return answeredMap(map.value, map.diagnostics);
}

const TILED = 0;
const WIDE = 2;

function answeredMap(bytes: Uint8Array | undefined, diagnostics: readonly Diagnostic[]): Answer {
  if (bytes === undefined) return { status: Status.invalidValue, text: renderDiagnostics(diagnostics) };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { status: Status.success, words: Array.from({ length: 16 }, (_, at) => view.getBigUint64(8 * at, true)) };
}

/** By number of CUarray_format. */
const formats: Readonly<Record<number, ArrayOptions["format"]>> = {
  1: "u8",
  2: "u16",
  3: "u32",
  8: "s8",
  9: "s16",
  10: "s32",
  16: "f16",
  32: "f32",
};
/** By number of CUaddress_mode, CUfilter_mode and CUresourcetype. */
const modes: readonly AddressName[] = ["wrap", "clamp", "mirror", "border"];
/** CUaddress_mode of the modes that PTX knows. */
const modeNumbers: Readonly<Record<AddressMode, number>> = {
  wrap: 0,
  clamp_to_edge: 1,
  clamp_ogl: 1,
  mirror: 2,
  clamp_to_border: 3,
};
const filters = ["point", "linear"] as const;
const kinds = ["array", "array", "linear", "pitch2d"] as const;

/** Bits of CUDA_ARRAY3D_DESCRIPTOR and CUDA_TEXTURE_DESC. */
const LAYERED = 1;
const CUBEMAP = 4;
const AS_INTEGER = 1;
const NORMALIZED = 2;
const SRGB = 0x10;
const SEAMLESS = 0x40;

/** The level of a caller that wants all of them. */
const ALL = 0xffff_ffff;

/** u64 width, height, depth, u32 format, channels, flags, levels (0: not mipmapped). Height and depth may be 0. */
function arrayAsked(words: Reader): ArrayOptions {
  const [width, height, depth] = [Number(words.u64()), Number(words.u64()), Number(words.u64())];
  const [format, channels] = [formatOf(words.u32()), channelsOf(words.u32())];
  const [flags, levels] = [words.u32(), words.u32()];
  const [layered, cubemap] = [(flags & LAYERED) !== 0, (flags & CUBEMAP) !== 0];
  return {
    width,
    format,
    channels,
    cubemap,
    ...(height > 0 && { height }),
    ...(layered ? { layers: cubemap ? depth / 6 : depth } : depth > 0 && !cubemap ? { depth } : {}),
    ...(levels > 0 && { levels }),
  };
}

/** u32 type, format, channels, level; u64 address, width, height, pitch. */
function resourceAsked(words: Reader): ResourceAsked {
  const kind = kinds[words.u32()] ?? "array";
  const [format, channels, level] = [formatOf(words.u32()), channelsOf(words.u32()), words.u32()];
  const address = words.u64();
  const [width, height, pitch] = [Number(words.u64()), Number(words.u64()), Number(words.u64())];
  return { kind, format, channels, level: level === ALL ? undefined : level, address, width, height, pitch };
}

/**
 * u32 type of the resource, then the fields of `CUDA_TEXTURE_DESC` up to its border colour, in its order; u32 whether
 * there is a view, its first and last level and layer.
 */
function textureAsked(words: Reader, { kind, format }: ResourceAsked): TextureOptions {
  const address = [modeOf(words.u32()), modeOf(words.u32()), modeOf(words.u32())];
  const filter = filters[words.u32()] ?? "point";
  const flags = words.u32();
  words.u32();
  const levelFilter = filters[words.u32()] ?? "point";
  const [levelBias, leastLevel, mostLevel] = [float(words), float(words), float(words)];
  const border = [float(words), float(words), float(words), float(words)];
  const view = words.u32() !== 0;
  const [levels, layers] = [
    [words.u32(), words.u32()],
    [words.u32(), words.u32()],
  ] as const;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return {
    address,
    border,
    levelBias,
    leastLevel,
    mostLevel,
    normalized: has(NORMALIZED),
    srgb: has(SRGB),
    seamless: has(SEAMLESS),
    // Linear memory is neither filtered nor mipmapped, whatever the call requests.
    ...(kind === "linear" ? {} : { filter }),
    ...(kind === "array" && { levelFilter }),
    // 32-bit integers are always read unchanged.
    read: has(AS_INTEGER) || format === "u32" || format === "s32" ? "element" : "normalized",
    ...(view && { view: { levels, layers } }),
  };
}

const formatOf = (number: number): ArrayOptions["format"] => formats[number] ?? "u8";
const channelsOf = (number: number): ArrayOptions["channels"] => (number === 2 || number === 4 ? number : 1);
const modeOf = (number: number): AddressName => modes[number] ?? "clamp";

function float(words: Reader): number {
  return new Float32Array(Uint32Array.of(words.u32()).buffer)[0] ?? 0;
}

/** The calls of the driver library, by number; `native/cuda/calls.h` is the other side. */
export const calls: Readonly<Record<number, (driver: Driver, words: Reader) => Answer>> = {
  /** bytes of the image: `[module]` */
  1: (driver, words) => driver.load(words.rest(), "<module>"),
  /** u64 module */
  2: (driver, words) => driver.unload(number(words)),
  /** u64 module, text of the name: `[function, ...]`, see `describe` */
  3: (driver, words) => driver.functionOf(number(words), words.text()),
  /** u64 module, text of the name: `[address, bytes]` */
  4: (driver, words) => driver.variable(number(words), words.text()),
  /** u64 module: `[kernels]`, and their names with a line end behind each */
  5: ({ modules }, words) => {
    const entries = modules.module(number(words))?.module.entries;
    if (entries === undefined) return { status: Status.invalidHandle };
    const text = entries.map((name) => `${name}\n`).join("");
    return { status: Status.success, words: [BigInt(entries.length)], text };
  },
  /** u64 bytes: `[address]` */
  6: (driver, words) => driver.allocate(number(words)),
  /** u64 address */
  7: (driver, words) => driver.free(words.u64()),
  /** `[bytes that are free, bytes that there are]` */
  8: (driver) => ({ status: Status.success, words: driver.room.map(BigInt) }),
  /** u64 address: `[address, bytes]` of the allocation around it */
  9: ({ memory }, words) => {
    const found = memory.find(words.u64());
    return found === undefined
      ? { status: Status.invalidValue }
      : { status: Status.success, words: [found.address, BigInt(found.bytes)] };
  },
  /** u32 kind of the destination, u32 of the source, u64 address, pitch, slice of each, u64 bytes, rows, slices */
  10: (driver, words) => {
    const kinds = [words.u32(), words.u32()] as const;
    const [to, from] = [copyPlace(kinds[0], words), copyPlace(kinds[1], words)];
    return driver.copy(to, from, number(words), number(words), number(words));
  },
  /** u64 address, u32 value, u32 bytes of it, u64 how many in a row, u64 rows, u64 bytes from row to row */
  11: (driver, words) => {
    const address = words.u64();
    const [value, width] = [words.u32(), words.u32()];
    if (width !== 1 && width !== 2 && width !== 4) return { status: Status.invalidValue };
    return driver.set(address, value, width, number(words), number(words), number(words));
  },
  /** u64 function, u32 grid, block, cluster in x, y, z, u32 dynamic shared bytes, u32 cooperative, u64 stack, u64 heap, parameters */
  12: (driver, words) => {
    const kernel = number(words);
    const extent = (): [number, number, number] => [words.u32(), words.u32(), words.u32()];
    const [grid, block, cluster] = [extent(), extent(), extent()];
    const [dynamicShared, cooperative] = [words.u32(), words.u32() !== 0];
    const [stack, heap] = [number(words), number(words)];
    const parameters = words.rest();
    return driver.launch({ kernel, grid, block, cluster, dynamicShared, cooperative, stack, heap, parameters });
  },
  /**
   * u32 dimensions, type, interleave, swizzle, promotion, fill, mode (0 tiled, 1 im2col, 2 wide), u64 address, u64 elements in each
   * dimension, u64 strides of all but the first; u32 box, or i32 lower and upper corner of all but two, u32 channels, pixels;
   * u32 element strides: 16 words
   */
  13: (_, words) => encode(words),
  /** An array, see `arrayAsked`: `[address, where, row, slice of each level ...]` */
  14: ({ images }, words) => images.array(arrayAsked(words)),
  /** u64 address of an array */
  15: ({ images }, words) => images.freeArray(words.u64()),
  /** A resource and how it is looked up, see `resourceAsked` and `textureAsked`: `[handle]` */
  16: ({ images }, words) => {
    const resource = resourceAsked(words);
    return images.texture(resource, textureAsked(words, resource));
  },
  /** A resource: `[handle]` */
  17: ({ images }, words) => images.surface(resourceAsked(words)),
  /** u64 handle of a texture or surface */
  18: ({ images }, words) => images.destroy(words.u64()),
  /** Of each input the u32 bytes of its name, the name, the u64 bytes of what it is, and these: the text of one module */
  19: (driver, words) => {
    const inputs: { name: string; bytes: Uint8Array }[] = [];
    while (words.more) {
      const name = new TextDecoder().decode(words.bytes(words.u32()));
      inputs.push({ name, bytes: words.bytes(number(words)) });
    }
    return driver.link(inputs);
  },
  /** u64 module, text of a name: `[kind, mode of each coordinate, filter, normalized]` of a texture (1) or surface (2) variable */
  20: ({ modules }, words) => {
    const module = modules.module(number(words))?.module;
    const name = words.text();
    const found = module?.opaque.find((each) => each.name === name);
    const kind = ["", "texref", "surfref"].indexOf(found?.type ?? "?");
    if (module === undefined) return { status: Status.invalidHandle };
    if (found === undefined || kind < 0) return { status: Status.notFound };
    const { address, filter, normalized } = found.sampler;
    const told = [kind, ...address.map((mode) => modeNumbers[mode]), filter === "linear" ? 1 : 0, normalized ? 1 : 0];
    return { status: Status.success, words: told.map(BigInt) };
  },
  /** u64 module, u64 handle of a texture or surface, text of the variable's name */
  21: ({ images, modules }, words) => {
    const [module, handle] = [modules.module(number(words))?.module, words.u64()];
    return images.bind(module, words.text(), handle);
  },
  /** 16 words of a tensor map, u64 address: the words with that address */
  22: (_, words) => {
    const { value, diagnostics } = movedTensorMap(new Uint8Array(words.bytes(128)), words.u64());
    return answeredMap(value, diagnostics);
  },
  /** Of each part of announced memory its u64 address, bytes, address of the same bytes, whether it may only be read; all of them */
  23: (driver, words) => {
    const mapped: Mapped[] = [];
    while (words.more) {
      const [address, bytes, same] = [words.u64(), number(words), words.u64()];
      mapped.push({ address, bytes, same, readOnly: words.u64() !== 0n });
    }
    return driver.map(mapped);
  },
};

const KINDS = ["host", "device", "any"] as const;

function copyPlace(kind: number, words: Reader): Place {
  const [address, pitch, slice] = [words.u64(), number(words), number(words)];
  return { kind: KINDS[kind] ?? "any", address, pitch, slice };
}

/** A 64-bit count: one too large to be possible stays larger than any real size. */
const number = (words: Reader): number => Number(words.u64());
