import { type BitsName, type IntegerName, integersOf, integerWidths } from "../../numeric/operation/type.ts";
import type { InstructionType } from "./instruction-type.ts";
import type { RegisterClass, RegisterType } from "./operands.ts";

export type { InstructionType };

/** What an operand of an instruction type accepts (PTX ISA 9.2 and 9.4). */
interface Accepted {
  readonly bits: RegisterClass["bits"];
  readonly types: readonly RegisterType[];
  readonly immediate?: NonNullable<RegisterClass["immediate"]>;
}

/** Floats mix with nothing but `.bN` of their width. */
const floats = {
  f16: { bits: 16, types: ["b16", "f16"] },
  bf16: { bits: 16, types: ["b16"] },
  f32: { bits: 32, types: ["f32", "b32"], immediate: "f32" },
  tf32: { bits: 32, types: ["b32"] },
  f16x2: { bits: 32, types: ["b32", "f16x2"] },
  bf16x2: { bits: 32, types: ["b32"] },
  u16x2: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  s16x2: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  u8x4: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  s8x4: { bits: 32, types: ["b32", "u32", "s32", "f16x2"] },
  f64: { bits: 64, types: ["f64", "b64"], immediate: "f64" },
  f32x2: { bits: 64, types: ["b64"] },
  e5m2x4: { bits: 32, types: ["b32"] },
  e4m3x4: { bits: 32, types: ["b32"] },
  e3m2x4: { bits: 32, types: ["b32"] },
  e2m3x4: { bits: 32, types: ["b32"] },
  e2m1x4: { bits: 16, types: ["b16"] },
  e2m1p4x4: { bits: 32, types: ["b32"] },
  ue8m0x4: { bits: 32, types: ["b32"] },
} as const satisfies Readonly<Partial<Record<InstructionType, Accepted>>>;

/** Integers mix with each other, with `.bN` and with the packed register of their width; `.bN` accepts all of its width. */
const integers = integerWidths.flatMap((bits): (readonly [type: string, accepted: Accepted])[] => {
  const [b, u, s] = integersOf(bits);
  const packed = bits === 32 ? (["f16x2"] as const) : [];
  const alone = (["f16", "f32", "f64"] as const).filter((type) => floats[type].bits === bits);
  return [
    [b, { bits, types: [b, u, s, ...alone, ...packed], immediate: bits < 32 ? "integer" : "bits" }],
    [u, { bits, types: [u, b, s, ...packed], immediate: "integer" }],
    [s, { bits, types: [s, b, u, ...packed], immediate: "integer" }],
  ];
});

const whole128: Accepted = { bits: 128, types: ["b128"] };
const whole = Object.fromEntries(integers) as Record<IntegerName | BitsName, Accepted>;
const types: Readonly<Record<InstructionType, Accepted>> = {
  ...floats,
  ...whole,
  b128: whole128,
  e5m2x2: whole.b16,
  e4m3x2: whole.b16,
  e3m2x2: whole.b16,
  e2m3x2: whole.b16,
  ue8m0x2: whole.b16,
  ue5m3x2: whole.b16,
  e2m1x2: whole.b8,
  ue8m0: whole.b8,
};

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
const anyWord = { types: ["u32", "b32", "s32"] } as const satisfies More;

/** A 32-bit number that is read. */
export const count = (more: More = {}): RegisterClass => of("u32", { ...anyWord, ...more });

/** A 32-bit number that is written. */
export const countTo = (): RegisterClass => to("u32", anyWord);
