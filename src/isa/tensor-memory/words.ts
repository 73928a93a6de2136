import type { TensorAddressClass } from "../form/operands.ts";

/** `.cta_group` of nearly all tcgen05 instructions, and what it stands for. */
export const group = ["cta_group::1", "cta_group::2"] as const;
export const groupOf = (word: (typeof group)[number]): 1 | 2 => (word === "cta_group::1" ? 1 : 2);

/** Targets with tensor memory; sm_120 has none. */
export const since = { ptx: 86, sm: 100, only: "f", families: [100, 101, 103, 107, 110] } as const;
/** sm_107f and those after it in its family: what PTX 9.4 brought for it. */
export const rubin = { ptx: 94, sm: 107, only: "f", families: [107] } as const;
export const archSpecific = { ...since, only: "a" } as const;

/** tcgen05.ld and .st take a word of 32 bits of any kind; cp and shift any width; mma and its kin .b32 alone (ptxas 13.0). */
export const wordAddress: TensorAddressClass = {
  kind: "tensor address",
  types: ["b32", "u32", "s32", "f32", "f16x2"],
};
export const wideAddress: TensorAddressClass = {
  kind: "tensor address",
  types: ["b32", "u32", "s32", "f16x2", "b16", "u16", "s16", "b64", "u64", "s64"],
  immediate: true,
};
export const plainAddress: TensorAddressClass = { kind: "tensor address", types: ["b32"] };
