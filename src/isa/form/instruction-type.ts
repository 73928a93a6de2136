import type { BitsName, IntegerName } from "../../numeric/operation/type.ts";

/** A type that an instruction names (PTX ISA 9.2), with or without registers of that type. */
export type InstructionType =
  | BitsName
  | IntegerName
  | "f16" | "bf16" | "f32" | "tf32" | "f64"
  | "f16x2" | "bf16x2" | "u16x2" | "s16x2" | "u8x4" | "s8x4" | "f32x2"
  | "e5m2x2" | "e4m3x2" | "e3m2x2" | "e2m3x2" | "e2m1x2" | "ue8m0x2" | "ue5m3x2" | "ue8m0"
  | "e5m2x4" | "e4m3x4" | "e3m2x4" | "e2m3x4" | "e2m1x4" | "e2m1p4x4" | "ue8m0x4"; // biome-ignore format: by kind
