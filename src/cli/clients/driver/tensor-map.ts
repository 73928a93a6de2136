import { encodeTensorMap } from "../../../host/index.ts";
import { renderDiagnostics } from "../../../present/diagnostic.ts";
import type { Reader } from "../protocol.ts";
import type { Answer } from "./answer.ts";
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

/** The 16 words of a tiled map of u32 dimensions, u32 type, interleave, swizzle, promotion, fill, and then what `calls` says. */
export function encodeTiled(words: Reader): Answer {
  const rank = words.u32();
  const name = (names: readonly string[]): string => names[words.u32()] ?? "?";
  const type = name(types);
  const [interleave, swizzle, l2, fill] = [name(interleaves), name(swizzles), name(promotions), name(fills)];
  const tensor = words.u64();
  const sizes = (count: number): number[] => Array.from({ length: count }, () => Number(words.u64()));
  const counts = (): number[] => Array.from({ length: rank }, () => words.u32());
  const [dims, strides, box, steps] = [sizes(rank), sizes(rank - 1), counts(), counts()];
  const { value, diagnostics } = encodeTensorMap({
    tensor,
    type,
    dims,
    strides,
    box,
    steps,
    interleave,
    swizzle,
    l2,
    fill,
  });
  if (value === undefined) return { status: Status.invalidValue, text: renderDiagnostics(diagnostics) };
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { status: Status.success, words: Array.from({ length: 16 }, (_, at) => view.getBigUint64(8 * at, true)) };
}
