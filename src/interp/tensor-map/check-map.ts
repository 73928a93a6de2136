import { bytesOfElements, isPadded } from "./element.ts";
import { spanOf } from "./swizzle.ts";
import type { Columns, TensorMap } from "./tensor-map.ts";

/** What is wrong with a tensor map, and what would be right. */
export interface MapProblem {
  readonly message: string;
  readonly expected: string;
}

/**
 * Everything that CUDA's `cuTensorMapEncodeTiled`, `...Im2col` and `...Im2colWide` refuse (driver API, tensor map
 * object management), and what PTX ISA (Restriction on Tensor Copy instructions) asks of the types smaller than a byte
 * and of swizzles.
 */
export function checkMap(map: TensorMap): readonly MapProblem[] {
  const problems: MapProblem[] = [];
  const wrong = (message: string, expected: string): void => {
    problems.push({ message, expected });
  };
  const { element, address, dims, strides, steps, interleave, swizzle, atomicity, fill, part } = map;
  const rank = dims.length;
  const least = part.mode === "tiled" ? (interleave === "none" ? 1 : 3) : 3;
  if (rank < least || rank > 5)
    wrong(`a tensor of ${rank} dimensions${least === 3 ? " in this mode" : ""}`, `${least} to 5 dimensions`);
  if (strides.length !== Math.max(0, rank - 1))
    wrong(
      `${strides.length} strides for ${rank} dimensions`,
      `${rank - 1} strides, in bytes: those of dimensions 1 and above`,
    );
  if (steps.length !== rank) wrong(`${steps.length} element strides for ${rank} dimensions`, `${rank} of them`);
  const align = interleave === "32B" || isPadded(element) ? 32 : 16;
  if (address === 0n) wrong("the tensor's address is 0", "the address of global memory");
  if (address % BigInt(align) !== 0n) wrong(`the tensor's address 0x${address.toString(16)}`, `a multiple of ${align}`);
  dims.forEach((size, index) => {
    if (!Number.isInteger(size) || size < 1 || size > 2 ** 32)
      wrong(`dimension ${index} has ${size} elements`, "1 to 2^32 elements");
  });
  const multiple = isPadded(element) ? 128 : element.per;
  if ((dims[0] ?? 0) % multiple !== 0)
    wrong(`dimension 0 has ${dims[0]} elements of ${element.name}`, `a multiple of ${multiple}`);
  strides.forEach((stride, index) => {
    if (!Number.isInteger(stride) || stride < 0 || stride % align !== 0 || stride >= 2 ** 40)
      wrong(`the stride of dimension ${index + 1} is ${stride} bytes`, `a multiple of ${align} below 2^40`);
  });
  steps.forEach((step, index) => {
    if (index === 0 && interleave === "none") return;
    if (!Number.isInteger(step) || step < 1 || step > 8)
      wrong(`the element stride of dimension ${index} is ${step}`, "1 to 8");
  });
  if (interleave !== "none" && element.name === "b6x16_p32")
    wrong("an interleaved layout of b6x16_p32", "interleave none");
  if (interleave === "32B" && swizzle !== "32B")
    wrong(`a swizzle of ${swizzle} with an interleave of 32B`, "swizzle 32B");
  if (swizzle === "96B" && interleave !== "none")
    wrong("an interleaved layout with a swizzle of 96B", "interleave none");
  if (swizzle !== "128B" && atomicity !== "16B")
    wrong(`an atomicity of ${atomicity} with a swizzle of ${swizzle}`, "16B, or swizzle 128B");
  if (isPadded(element) && swizzle !== "none" && (swizzle !== "128B" || atomicity === "32B+8B"))
    wrong(`a swizzle of ${swizzle} for ${element.name}`, "none, 128B, 128B:32B or 128B:64B");
  if (fill === "nan" && !element.float) wrong(`NaN fill for ${element.name}`, "a floating-point type, or fill zero");
  if (part.mode === "tiled") checkBox(map, part.box, wrong);
  else checkColumns(map, part, wrong);
  return problems;
}

type Wrong = (message: string, expected: string) => void;

function checkBox({ element, dims, interleave, swizzle }: TensorMap, box: readonly number[], wrong: Wrong): void {
  if (box.length !== dims.length)
    wrong(`a box of ${box.length} sizes for ${dims.length} dimensions`, `${dims.length} sizes`);
  box.forEach((size, index) => {
    if (!Number.isInteger(size) || size < 1 || size > 256)
      wrong(`the box has ${size} elements in dimension ${index}`, "1 to 256 elements");
  });
  const [inner = 0] = box;
  if (isPadded(element) && inner !== 128)
    wrong(`the box has ${inner} elements of ${element.name} in dimension 0`, "128 elements");
  checkInner(element.name, bytesOfElements(element, inner), interleave, swizzle, isPadded(element), wrong);
}

function checkColumns(map: TensorMap, part: Columns, wrong: Wrong): void {
  const { element, dims, interleave, swizzle, atomicity } = map;
  const inner = Math.max(0, dims.length - 2);
  const wide = part.mode === "wide";
  const corners = wide ? 1 : inner;
  const limit = wide || inner === 1 ? 32768 : inner === 2 ? 128 : 16;
  for (const [name, corner] of [
    ["lower", part.lower],
    ["upper", part.upper],
  ] as const) {
    if (corner.length < corners)
      wrong(`${corner.length} offsets of the ${name} corner`, `${corners}, in the order W, H, D`);
    for (const value of corner.slice(0, corners))
      if (!Number.isInteger(value) || value < -limit || value >= limit)
        wrong(`${value} as an offset of the ${name} corner of a ${dims.length}D tensor`, `${-limit} to ${limit - 1}`);
  }
  for (let index = 0; index < corners; index++)
    if ((part.lower[index] ?? 0) >= (dims[index + 1] ?? 0) + (part.upper[index] ?? 0))
      wrong(`the bounding box is empty in dimension ${index + 1}`, "a lower corner below the upper one");
  if (!(part.channels >= 1 && part.channels <= 256)) wrong(`${part.channels} channels a pixel`, "1 to 256");
  if (!(part.pixels >= 1 && part.pixels <= 1024)) wrong(`${part.pixels} pixels a column`, "1 to 1024");
  if (isPadded(element) && part.channels !== 128)
    wrong(`${part.channels} channels a pixel of ${element.name}`, "128 channels");
  if (wide && interleave !== "none") wrong("an interleaved layout in im2col::w", "interleave none");
  if (
    wide &&
    !(swizzle === "64B" || swizzle === "96B" || (swizzle === "128B" && (atomicity === "16B" || atomicity === "32B")))
  )
    wrong(
      `a swizzle of ${swizzle}${atomicity === "16B" ? "" : `:${atomicity}`} in im2col::w`,
      "64B, 96B, 128B or 128B:32B",
    );
  checkInner(element.name, bytesOfElements(element, part.channels), interleave, swizzle, isPadded(element), wrong);
}

function checkInner(
  name: string,
  bytes: number,
  interleave: TensorMap["interleave"],
  swizzle: TensorMap["swizzle"],
  padded: boolean,
  wrong: Wrong,
): void {
  if (interleave !== "none") {
    const slice = Number(interleave.slice(0, -1));
    if (bytes > slice)
      wrong(`${bytes} bytes of ${name} in dimension 0 of an interleaved box`, `one slice: ${slice} bytes at most`);
    return;
  }
  if (bytes % 16 !== 0) wrong(`the box has ${bytes} bytes of ${name} in dimension 0`, "a multiple of 16 bytes");
  const span = spanOf(swizzle);
  if (!padded && bytes > span)
    wrong(`the box has ${bytes} bytes in dimension 0 with a swizzle of ${swizzle}`, `${span} bytes at most`);
}
