import type { Cell, Space } from "../interp/plan.ts";
import { bitsOf, of, registerOf, to } from "./classes.ts";
import type { Conflict, ModifierValues, Since } from "./define.ts";
import type { AbsentClass, RegisterClass, VectorClass } from "./operands.ts";

/** What ld and st have in common: types, windows, vectors, cache policies. */
export const memoryTypes = [
  "b8", "b16", "b32", "b64", "b128",
  "u8", "u16", "u32", "u64",
  "s8", "s16", "s32", "s64",
  "f32", "f64",
] as const; // biome-ignore format: by kind
export type MemoryType = (typeof memoryTypes)[number];

export const windows = [
  "global", "const", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry", "param::func",
] as const; // biome-ignore format: one thought
export type Window = (typeof windows)[number];

/** Which memory a window word means; none is a generic address. */
export const access = (ss: Window | undefined): Space =>
  ss === undefined ? "generic" : (ss.split("::")[0] as Exclude<Space, "generic">);

export const cell = (type: MemoryType): Cell => ({ bits: bitsOf(type), signed: type.startsWith("s") });

/** A register may be wider than what is loaded or stored (9.4.1), and of any type but float where the cell is bits. */
const value = (accessed: "read" | "write", type: MemoryType): RegisterClass =>
  accessed === "write"
    ? to(type, { wider: true })
    : of(type, type.startsWith("b") ? { wider: true, immediate: "bits" } : { wider: true });

export const hinted = {
  /** A register, or as many as `.vec` says. */
  value(
    accessed: "read" | "write",
    vec: "v2" | "v4" | "v8" | undefined,
    type: MemoryType,
  ): RegisterClass | VectorClass {
    if (vec === undefined) return value(accessed, type);
    const part = value(accessed, type);
    const count = Number(vec.slice(1)) as 2 | 4 | 8;
    return { kind: "vector", count, of: accessed === "write" ? { ...part, sink: true } : part };
  },
  policy: (hint: string | undefined): RegisterClass | AbsentClass =>
    hint === undefined ? { kind: "absent", unless: ".L2::cache_hint" } : registerOf("b64"),
};

const total = ({ vec, type }: ModifierValues): number =>
  Number(String(vec ?? "v1").slice(1)) * bitsOf(type as MemoryType);

/** 256 bits at once came late; everything else is at most 128. */
export const sinceVector = (mods: ModifierValues & { readonly ss?: unknown }): Since | undefined =>
  total(mods) > 128 ? { ptx: 88, sm: 100 } : mods.ss === undefined ? { ptx: 20, sm: 20 } : undefined;

/** Vectors hold 128 bits at most; 256 only from global memory, as `.v8` of 32 or `.v4` of 64 bits. */
export function vectorConflict(mods: ModifierValues): Conflict | undefined {
  const { vec, type, ss } = mods;
  const bits = total(mods);
  if (vec === undefined || bits <= 128) return undefined;
  if (bits > 256) return [String(vec), `.${type}: a vector holds at most 128 bits, or 256 in global memory`];
  if (ss !== undefined && ss !== "global") return [String(vec), `.${ss}: 256 bits come only from global memory`];
  return undefined;
}
