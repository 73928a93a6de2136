/** A type that an instruction names (PTX ISA 9.2), with or without registers of that type. */
export type InstructionType =
  | "b8" | "u8" | "s8"
  | "b16" | "u16" | "s16" | "f16" | "bf16"
  | "b32" | "u32" | "s32" | "f32" | "tf32" | "f16x2" | "bf16x2" | "u16x2" | "s16x2"
  | "b64" | "u64" | "s64" | "f64" | "f32x2"
  | "b128"; // biome-ignore format: by width
