import type { MemoryOrder, MemoryScope } from "../../interp/contract/memory-consistency.ts";
import type { Cell } from "../../interp/contract/space.ts";
import { bitsOf, of, to } from "../form/classes.ts";
import type { Conflict, ModifierValues, Since } from "../form/define.ts";
import type { Window } from "../form/memory-access.ts";
import type { RegisterClass, VectorClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

/** What ld and st have in common: types, vectors, advice to the caches. */
export const memoryTypes = [
  "b8", "b16", "b32", "b64", "b128",
  "u8", "u16", "u32", "u64",
  "s8", "s16", "s32", "s64",
  "f32", "f64",
] as const; // biome-ignore format: by kind
export type MemoryType = (typeof memoryTypes)[number];

export const vec = ["v2", "v4", "v8"] as const;
export const scope = ["cta", "cluster", "gpu", "sys"] as const;

/** Advice to the caches: it changes no value, so plans ignore it. */
export const evictL1 = [
  "L1::evict_normal",
  "L1::evict_unchanged",
  "L1::evict_first",
  "L1::evict_last",
  "L1::no_allocate",
] as const;
export const evictL2 = ["L2::evict_normal", "L2::evict_first", "L2::evict_last"] as const;
/** The guarantees of a plain, a `.volatile` and an ordered access towards other threads. */
export const ordering = ({
  volatile,
  sem,
  scope,
}: {
  readonly volatile?: boolean;
  readonly sem?: MemoryOrder;
  readonly scope?: MemoryScope;
}): { readonly sem?: MemoryOrder; readonly scope?: MemoryScope } => {
  if (sem !== undefined) return scope === undefined ? { sem } : { sem, scope };
  return volatile ? { sem: "volatile" } : {};
};

export const cell = (type: MemoryType): Cell => ({ bits: bitsOf(type), signed: type.startsWith("s") });

/** A register may be wider than what is loaded or stored (9.4.1), and of any type but float where the cell is bits. */
const value = (accessed: "read" | "write", type: MemoryType): RegisterClass =>
  accessed === "write"
    ? to(type, { wider: true })
    : of(type, type.startsWith("b") ? { wider: true, immediate: "bits" } : { wider: true });

/** A register, or as many as `.vec` has; `_` accepts an unused element. */
export function valueClass(
  accessed: "read" | "write",
  { vec, type }: { readonly vec?: "v2" | "v4" | "v8" | undefined; readonly type: MemoryType },
): RegisterClass | VectorClass {
  const part = value(accessed, type);
  if (vec === undefined) return { ...part, braced: true };
  const count = Number(vec.slice(1)) as 2 | 4 | 8;
  return { kind: "vector", count, of: accessed === "write" ? { ...part, sink: true } : part };
}

const total = ({ vec, type }: ModifierValues): number =>
  Number(String(vec ?? "v1").slice(1)) * bitsOf(type as MemoryType);

/** Each word has a minimum version; 256 bits at once came late, generic addresses with sm_20. */
export const sinceMemory = (mods: ModifierValues & { readonly ss?: Window | undefined }): Since =>
  least(
    ...Object.entries(mods).map(([name, value]) => (value === true ? name : value)),
    total(mods) > 128 && { ptx: 88, sm: 100 },
    mods["type"] === "b128" && (mods["scope"] === "sys" || mods["mmio"] === true) && { ptx: 84, sm: 70 },
    mods["volatile"] === true && mods.ss === "local" && { ptx: 91, sm: 10 },
    mods["mmio"] === true && mods["sem"] !== "relaxed" && { ptx: 93, sm: 75 },
    mods["proxy::readonly"] === true && { ptx: 94, sm: 90 },
    mods.ss === undefined && { ptx: 20, sm: 20 },
  );

/** What memory words exclude: most advice and all ordering is for global (or generic) memory, 256 bits are too. */
export function memoryConflict(mods: ModifierValues): Conflict | undefined {
  const { ss, sem, volatile, cop, evictL1, evictL2, hint, prefetch } = mods;
  const global = ss === undefined || ss === "global";
  const advice = evictL1 ?? evictL2 ?? hint ?? prefetch;
  if (!global && advice !== undefined) return [String(advice), `.${ss}: it is for global memory`];
  if (sem !== undefined && !global && !String(ss).startsWith("shared"))
    return [String(sem), `.${ss}: it is for memory that threads share`];
  if (volatile === true && !global && ss !== "local" && !String(ss).startsWith("shared"))
    return ["volatile", `.${ss}: it is for .global, .shared and .local`];
  if (cop !== undefined && evictL1 !== undefined) return [String(evictL1), `.${cop}: both are advice to one cache`];
  const conflict = vectorConflict(mods);
  if (conflict) return conflict;
  if (evictL2 !== undefined && total(mods) !== 256)
    return [String(evictL2), "less than 256 bits: it goes with .v8 of 32 or .v4 of 64 bits"];
  return undefined;
}

/** Vectors hold 128 bits at most; 256 only from global memory, as `.v8` of 32 or `.v4` of 64 bits. */
function vectorConflict(mods: ModifierValues): Conflict | undefined {
  const { vec, type, ss } = mods;
  const bits = total(mods);
  if (vec === undefined || bits <= 128) return undefined;
  if (bits > 256 || type === "b128")
    return [String(vec), `.${type}: a vector holds at most 128 bits, or 256 in global memory`];
  if (ss !== undefined && ss !== "global") return [String(vec), `.${ss}: 256 bits come only from global memory`];
  return undefined;
}
