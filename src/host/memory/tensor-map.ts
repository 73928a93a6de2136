import { checkMap } from "../../interp/tensor-map/check-map.ts";
import { bytesOfElements, tensorElement, tensorElements } from "../../interp/tensor-map/element.ts";
import {
  atomicities,
  decodeMap,
  encodeMap,
  fills,
  interleaves,
  promotions,
  swizzles,
  type TensorMap,
} from "../../interp/tensor-map/tensor-map.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { checkOptions, type Kind } from "../../source/given.ts";
import { problem } from "../problem.ts";
import type { Buffer } from "./buffer.ts";

/** The parameters of `cuTensorMapEncodeTiled`, `cuTensorMapEncodeIm2col` and `cuTensorMapEncodeIm2colWide`. */
export interface TensorMapOptions {
  /** The start of the tensor: a buffer, or an address. */
  readonly tensor: Buffer | bigint;
  /** Bytes from there to the tensor's first element; 0 by default. */
  readonly offset?: number;
  /** The type of its elements: `f32`, `bf16`, `tf32.ftz`, `b4x16_p64`, or CUDA's name, `FLOAT32`. */
  readonly type: string;
  /** Elements in each dimension, the one with adjacent elements first. */
  readonly dims: readonly number[];
  /** Bytes from one element to the next in dimensions 1 and above; without gaps by default. */
  readonly strides?: readonly number[];
  /** Tiled mode: elements of the box in each dimension; the complete tensor by default. */
  readonly box?: readonly number[];
  /** Element (traversal) strides; 1 each by default. */
  readonly steps?: readonly number[];
  readonly interleave?: string;
  /** `none`, `32B`, `64B`, `96B`, `128B`, or with an atomicity: `128B/32B`, `128B/32B+8B`, `128B/64B`. */
  readonly swizzle?: string;
  /** L2 promotion; it changes no value. */
  readonly l2?: string;
  /** The value of elements outside of the tensor: `zero` or `nan`. */
  readonly fill?: string;
  /** im2col mode: corners of the bounding box in the order W, H, D; `wide` for `.im2col::w` and `.im2col::w::128`. */
  readonly im2col?: {
    readonly lower: readonly number[];
    readonly upper: readonly number[];
    readonly channels: number;
    readonly pixels: number;
    readonly wide?: boolean;
  };
}

const tensorMapOptions: Readonly<Record<keyof TensorMapOptions, Kind>> = {
  tensor: "anything",
  offset: "number",
  type: "text",
  dims: "list",
  strides: "list",
  box: "list",
  steps: "list",
  interleave: "text",
  swizzle: "text",
  l2: "text",
  fill: "text",
  im2col: "object",
};

/**
 * The 128 bytes of a tensor map, as the driver's encoding functions return them; problems are PTX2220. They fit a
 * kernel parameter of 128 bytes, and global or constant memory aligned to 64.
 */
export function encodeTensorMap(options: TensorMapOptions): Staged<Uint8Array | undefined> {
  checkOptions("tensorMap", options, tensorMapOptions, ["tensor", "type", "dims"]);
  const diagnostics: Diagnostic[] = [];
  const wrong = (message: string, expected: string): void => {
    diagnostics.push(problem("PTX2220", message, { expected }));
  };
  const word = <T extends string>(what: string, given: string, words: readonly T[]): T => {
    const found = words.find((each) => each === given);
    if (found === undefined) wrong(`${given} is not a ${what}`, words.join(", "));
    return found ?? (words[0] as T);
  };
  const element = tensorElement(options.type);
  if (element === undefined) {
    wrong(`${options.type} is not a type of a tensor`, tensorElements.map(({ name }) => name).join(", "));
    return { value: undefined, diagnostics };
  }
  const { tensor, dims, im2col } = options;
  const start = typeof tensor === "bigint" ? tensor : tensor.address;
  const [swizzle = "none", atomicity = "16B"] = (options.swizzle ?? "none").split("/");
  const map: TensorMap = {
    element,
    address: start + BigInt(options.offset ?? 0),
    dims,
    strides: options.strides ?? packed(dims, bytesOfElements(element, 1)),
    steps: options.steps ?? dims.map(() => 1),
    interleave: word("interleave", options.interleave ?? "none", interleaves),
    swizzle: word("swizzle", swizzle, swizzles),
    atomicity: word("atomicity of a swizzle", atomicity, atomicities),
    l2: word("L2 promotion", options.l2 ?? "none", promotions),
    fill: word("fill", options.fill ?? "zero", fills),
    part:
      im2col === undefined
        ? { mode: "tiled", box: options.box ?? dims }
        : { ...im2col, mode: im2col.wide === true ? "wide" : "im2col" },
  };
  return diagnostics.length > 0 ? { value: undefined, diagnostics } : checked(map);
}

/** A tensor map with another address, as `cuTensorMapReplaceAddress` makes it. */
export function movedTensorMap(bytes: Uint8Array, address: bigint): Staged<Uint8Array | undefined> {
  const map = decodeMap(bytes);
  if (map !== undefined) return checked({ ...map, address });
  return { value: undefined, diagnostics: [problem("PTX2220", "bytes that are not a tensor map")] };
}

function checked(map: TensorMap): Staged<Uint8Array | undefined> {
  const diagnostics = checkMap(map).map(({ message, expected }) => problem("PTX2220", message, { expected }));
  return { value: diagnostics.length > 0 ? undefined : encodeMap(map), diagnostics };
}

/** Strides of a tensor without gaps. */
function packed(dims: readonly number[], bytes: number): readonly number[] {
  let stride = bytes;
  return dims.slice(0, -1).map((size) => {
    stride *= size;
    return stride;
  });
}
