import { type Form, form, unspecified } from "../form/define.ts";
import { access, hint, policyClass, type Window, windows } from "../form/memory-access.ts";
import { least } from "../form/since.ts";
import {
  cell,
  evictL1,
  evictL2,
  type MemoryType,
  memoryConflict,
  ordering,
  scope,
  sinceMemory as since,
  memoryTypes as type,
  valueClass,
  vec,
} from "./load-store.ts";

const prefetch = ["L2::64B", "L2::128B", "L2::256B"] as const;
const ss: readonly Window[] = windows;

interface Loads {
  readonly ss?: Window | undefined;
  readonly vec?: "v2" | "v4" | "v8" | undefined;
  readonly type: MemoryType;
}

const load = (mods: Loads & Parameters<typeof ordering>[0]) => ({
  shape: "load" as const,
  space: access(mods.ss),
  cell: cell(mods.type),
  ...ordering(mods),
});
const readonly = (mods: Parameters<typeof load>[0]) => ({ ...load(mods), proxy: "readonly" as const });
const operands = (mods: Loads & { readonly hint?: string | undefined }) => ({
  d: valueClass("write", mods),
  a: { kind: "address" as const, space: access(mods.ss) },
  policy: policyClass(mods.hint),
});
const bare = (mods: Loads) => ({
  d: valueClass("write", mods),
  a: { kind: "address" as const, space: access(mods.ss) },
});
const words = { ss, evictL1, evictL2, hint, prefetch, vec, type };
const one = {
  snippet:
    ".shared .align 16 .b32 s[4]; .reg .b32 a, d, x, y; mov.b32 a, s; st.shared.b32 [a], 7; st.shared.b32 [a+4], 9; ld.shared.b32 d, [a]; ld.shared.v2.b32 {x, y}, [s];",
  gives: { d: 7, x: 7, y: 9 },
};
const narrow = {
  snippet:
    ".shared .b8 s[4]; .reg .b32 u; .reg .s32 d; st.shared.u8 [s], 0x80; ld.shared.u8 u, [s]; ld.shared.s8 d, [s];",
  gives: { u: 0x80, d: 0xffff_ff80 },
};

export const ld: readonly Form[] = [
  form("ld{.weak}{.ss}{.cop}{.evictL1}{.evictL2}{.hint}{.prefetch}{.vec}.type d, [a]{, policy}", {
    where: { cop: ["ca", "cg", "cs", "lu", "cv"], ...words },
    operands,
    since,
    conflict: memoryConflict,
    run: load,
    check: [one, narrow],
  }),
  form("ld.volatile{.ss}{.prefetch}{.vec}.type d, [a]", {
    where: { ss, prefetch, vec, type },
    operands: bare,
    since,
    conflict: memoryConflict,
    run: (mods) => load({ ...mods, volatile: true }),
    check: [
      {
        snippet: ".shared .b64 s; .reg .b64 d; st.shared.b64 [s], 11; ld.volatile.shared.b64 d, [s];",
        gives: { d: 11n },
      },
      {
        snippet: ".local .b32 l; .reg .b32 d; st.volatile.local.b32 [l], 11; ld.volatile.local.b32 d, [l];",
        gives: { d: 11 },
      },
    ],
  }),
  form("ld.sem.scope{.ss}{.evictL1}{.evictL2}{.hint}{.prefetch}{.vec}.type d, [a]{, policy}", {
    where: { sem: ["relaxed", "acquire"], scope, ...words },
    operands,
    since,
    conflict: memoryConflict,
    run: load,
    check: [
      {
        snippet: ".shared .b16 s; .reg .b16 d; st.shared.b16 [s], 5; ld.acquire.cta.shared.b16 d, [s];",
        gives: { d: 5 },
      },
    ],
  }),
  form("ld.mmio.sem.sys{.ss}.type d, [a]", {
    where: { sem: ["relaxed", "acquire"], ss: ["global"], type },
    operands: bare,
    since,
    run: (mods) => load({ ...mods, scope: "sys" }),
    check: [
      {
        snippet:
          ".shared .b32 s; .reg .b32 d; .reg .b64 a; st.shared.b32 [s], 5; mov.b64 a, s; cvta.shared.u64 a, a; ld.mmio.relaxed.sys.b32 d, [a];",
        gives: { d: 5 },
      },
      { with: ["acquire", "global", "b64"], a: 5n, d: 5n },
    ],
  }),
  form("ld{.ss}.type.proxy::readonly d, [a]", {
    where: { ss: ["global"], type },
    operands: bare,
    since,
    run: readonly,
    check: [{ with: ["global", "u32"], a: 0x8000_0001, d: 0x8000_0001 }],
    facts: [
      unspecified(
        "a run loads as ld.weak does: also where a kernel writes, or a generic address is not of .global or .const; the memory model allows old data, as of ld.global.nc",
      ),
    ],
  }),
  form("ld{.weak}.ss{.cop}.nc{.evictL1}{.evictL2}{.hint}{.prefetch}{.vec}.type d, [a]{, policy}", {
    where: { cop: ["ca", "cg", "cs"], ...words, ss: ["global"] },
    operands,
    since,
    conflict: memoryConflict,
    run: readonly,
    check: [{ a: 0x3f80_0000, d: 0x3f80_0000, with: ["f32"] }],
    facts: [
      unspecified(
        "the cache is non-coherent and read-only, and no fence is one of it: the memory model allows old data, whatever orders the load; a run gives what memory holds",
      ),
    ],
  }),
  form("ldu{.ss}{.vec}.type d, [a]", {
    where: { ss: ["global"], vec: ["v2", "v4"], type },
    operands: bare,
    since: (mods) => least(since(mods), { ptx: 20, sm: 20 }),
    conflict: ({ vec, type }) =>
      (vec === "v4" && type.endsWith("64")) || (vec !== undefined && type === "b128")
        ? [vec, `.${type}: a vector holds at most 128 bits`]
        : undefined,
    run: load,
    check: [{ with: ["global", "b16"], a: 0x1234, d: 0x1234 }],
  }),
];
