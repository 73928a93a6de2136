/** How memory holds the elements of a tensor (PTX ISA 5.5.1), in units that a copy moves whole. */
export interface TensorElement {
  /** The manual's name: `u8`, `f32.ftz`, `b4x16_p64`. */
  readonly name: ElementName;
  /** The name in CUDA's `CUtensorMapDataType`, without `CU_TENSOR_MAP_DATA_TYPE_`. */
  readonly cuda: string;
  /** Elements of a unit: 1, but 2 or 16 where elements are smaller than a byte. */
  readonly per: 1 | 2 | 16;
  /** Bytes of a unit in global memory, and what it takes in shared memory: padded types leave a gap there. */
  readonly global: number;
  readonly shared: number;
  readonly float: boolean;
}

const one = (bytes: number, float = false) => ({ per: 1, global: bytes, shared: bytes, float }) as const;

/** In the order of the values that `tensormap.replace` takes for `.elemtype` (table 33), which is not that of CUDA. */
const list = [
  { name: "u8", cuda: "UINT8", ...one(1) },
  { name: "u16", cuda: "UINT16", ...one(2) },
  { name: "u32", cuda: "UINT32", ...one(4) },
  { name: "s32", cuda: "INT32", ...one(4) },
  { name: "u64", cuda: "UINT64", ...one(8) },
  { name: "s64", cuda: "INT64", ...one(8) },
  { name: "f16", cuda: "FLOAT16", ...one(2, true) },
  { name: "f32", cuda: "FLOAT32", ...one(4, true) },
  { name: "f32.ftz", cuda: "FLOAT32_FTZ", ...one(4, true) },
  { name: "f64", cuda: "FLOAT64", ...one(8, true) },
  { name: "bf16", cuda: "BFLOAT16", ...one(2, true) },
  { name: "tf32", cuda: "TFLOAT32", ...one(4, true) },
  { name: "tf32.ftz", cuda: "TFLOAT32_FTZ", ...one(4, true) },
  { name: "b4x16", cuda: "16U4_ALIGN8B", per: 2, global: 1, shared: 1, float: false },
  { name: "b4x16_p64", cuda: "16U4_ALIGN16B", per: 16, global: 8, shared: 16, float: false },
  { name: "b6x16_p32", cuda: "16U6_ALIGN16B", per: 16, global: 12, shared: 16, float: false },
] as const;

export type ElementName = (typeof list)[number]["name"];

/** All element types; the index is the value that `tensormap.replace` takes. */
export const tensorElements: readonly TensorElement[] = list;

/** An element type by the manual's name or CUDA's; `b6p2x16` is `b6x16_p32` seen from a store. */
export const tensorElement = (name: string): TensorElement | undefined => {
  const short = name.replace(/^CU_TENSOR_MAP_DATA_TYPE_/, "");
  return list.find(
    (each) =>
      each.name === short || each.cuda === short || (short === "b6p2x16" && each.per === 16 && each.global === 12),
  );
};

/** Types whose elements fill fewer bytes in global memory than in shared memory. */
export const isPadded = ({ global, shared }: TensorElement): boolean => global !== shared;

/** Bytes of `count` elements in global memory. */
export const bytesOfElements = ({ per, global }: TensorElement, count: number): number => (count / per) * global;
