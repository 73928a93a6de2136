import type { InstructionType } from "./instruction-type.ts";
import type { RegisterClass, RegisterType } from "./operands.ts";

export type { InstructionType };

/**
 * What an operand of an instruction type accepts (PTX ISA 9.2 and 9.4): a `.bN` instruction accepts every register of
 * its width; integers mix with each other and with `.bN`; floats mix only with `.bN` of their width.
 */
const types = {
  b8: { bits: 8, types: ["b8", "u8", "s8"], immediate: "integer" },
  u8: { bits: 8, types: ["u8", "b8", "s8"], immediate: "integer" },
  s8: { bits: 8, types: ["s8", "b8", "u8"], immediate: "integer" },
  b16: { bits: 16, types: ["b16", "u16", "s16", "f16"], immediate: "integer" },
  u16: { bits: 16, types: ["u16", "b16", "s16"], immediate: "integer" },
  s16: { bits: 16, types: ["s16", "b16", "u16"], immediate: "integer" },
  f16: { bits: 16, types: ["b16", "f16"] },
  bf16: { bits: 16, types: ["b16"] },
  b32: { bits: 32, types: ["b32", "u32", "s32", "f32", "f16x2"], immediate: "bits" },
  u32: { bits: 32, types: ["u32", "b32", "s32", "f16x2"], immediate: "integer" },
  s32: { bits: 32, types: ["s32", "b32", "u32", "f16x2"], immediate: "integer" },
  f32: { bits: 32, types: ["f32", "b32"], immediate: "f32" },
  tf32: { bits: 32, types: ["b32"] },
  f16x2: { bits: 32, types: ["b32", "f16x2"] },
  bf16x2: { bits: 32, types: ["b32"] },
  u16x2: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  s16x2: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  b64: { bits: 64, types: ["b64", "u64", "s64", "f64"], immediate: "bits" },
  u64: { bits: 64, types: ["u64", "b64", "s64"], immediate: "integer" },
  s64: { bits: 64, types: ["s64", "b64", "u64"], immediate: "integer" },
  f64: { bits: 64, types: ["f64", "b64"], immediate: "f64" },
  f32x2: { bits: 64, types: ["b64"] },
  b128: { bits: 128, types: ["b128"] },
} as const satisfies Readonly<
  Record<
    InstructionType,
    { bits: RegisterClass["bits"]; types: readonly RegisterType[]; immediate?: RegisterClass["immediate"] }
  >
>;

type More = Partial<Omit<RegisterClass, "kind" | "access" | "bits" | "type">>;

/** A register that is read as `type`, or a constant where the type has one. */
export const of = (type: InstructionType, more: More = {}): RegisterClass => ({
  kind: "register",
  access: "read",
  type,
  ...types[type],
  ...more,
});

/** A register that is read as `type`; no constant. */
export const registerOf = (type: InstructionType, more: More = {}): RegisterClass => {
  const { bits, types: registers } = types[type];
  return { kind: "register", access: "read", type, bits, types: registers, ...more };
};

/** A register that is written as `type`. */
export const to = (type: InstructionType, more: More = {}): RegisterClass => {
  const { bits, types: registers } = types[type];
  return { kind: "register", access: "write", type, bits, types: registers, ...more };
};

/** Bits of a value of `type`. */
export const bitsOf = (type: InstructionType): RegisterClass["bits"] => types[type].bits;

/**
 * For a number of bits or lanes (shift amounts, positions, the result of popc), ptxas takes 32-bit integers and no
 * packed pair, whatever the instruction's type.
 */
const whole = { types: ["u32", "b32", "s32"] } as const satisfies More;

/** A 32-bit number that is read. */
export const count = (more: More = {}): RegisterClass => of("u32", { ...whole, ...more });

/** A 32-bit number that is written. */
export const countTo = (): RegisterClass => to("u32", whole);
