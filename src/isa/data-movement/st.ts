import { type Form, form } from "../form/define.ts";
import { access, hint, policyClass, type Window } from "../form/memory-access.ts";
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

/** Constants and kernel parameters cannot be written. */
const ss = ["global", "local", "shared", "shared::cta", "shared::cluster", "param", "param::func"] as const;

interface Stores {
  readonly ss?: Window | undefined;
  readonly vec?: "v2" | "v4" | "v8" | undefined;
  readonly type: MemoryType;
}

const store = (mods: Stores & Parameters<typeof ordering>[0]) => ({
  shape: "store" as const,
  space: access(mods.ss),
  cell: cell(mods.type),
  ...ordering(mods),
});
const operands = (mods: Stores & { readonly hint?: string | undefined }) => ({
  a: { kind: "address" as const, space: access(mods.ss) },
  b: valueClass("read", mods),
  policy: policyClass(mods.hint),
});
const bare = (mods: Stores) => ({
  a: { kind: "address" as const, space: access(mods.ss) },
  b: valueClass("read", mods),
});
const words = { ss, evictL1, evictL2, hint, vec, type };

export const st: readonly Form[] = [
  form("st{.weak}{.ss}{.cop}{.evictL1}{.evictL2}{.hint}{.vec}.type [a], b{, policy}", {
    where: { cop: ["wb", "cg", "cs", "wt"], ...words },
    operands,
    since,
    conflict: memoryConflict,
    run: store,
    check: [
      { with: ["global", "b32"], a: 0xcafe_f00d, b: 0xcafe_f00d },
      {
        snippet:
          ".shared .align 4 .b8 s[4]; .reg .b32 d; st.shared.b32 [s], -1; st.shared.b8 [s+1], 0; ld.shared.b32 d, [s];",
        gives: { d: 0xffff_00ff },
      },
    ],
  }),
  form("st.volatile{.ss}{.vec}.type [a], b", {
    where: { ss, vec, type },
    operands: bare,
    since,
    conflict: memoryConflict,
    run: (mods) => store({ ...mods, volatile: true }),
    check: [
      { with: ["global", "b64"], a: 5n, b: 5n },
      {
        snippet: ".local .b64 l; .reg .b64 d; st.volatile.local.b64 [l], 5; ld.local.b64 d, [l];",
        gives: { d: 5n },
      },
    ],
  }),
  form("st.sem.scope{.ss}{.evictL1}{.evictL2}{.hint}{.vec}.type [a], b{, policy}", {
    where: { sem: ["relaxed", "release"], scope, ...words },
    operands,
    since,
    conflict: memoryConflict,
    run: store,
    check: [{ with: ["release", "gpu", "global", "b16"], a: 5, b: 5 }],
  }),
  form("st.mmio.sem.sys{.ss}.type [a], b", {
    where: { sem: ["relaxed", "release"], ss: ["global"], type },
    operands: bare,
    since,
    run: (mods) => store({ ...mods, scope: "sys" }),
    check: [
      { with: ["relaxed", "global", "b32"], a: 5, b: 5 },
      { with: ["release", "global", "b32"], a: 5, b: 5 },
    ],
  }),
];
