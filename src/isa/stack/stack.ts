import { of, registerOf, to } from "../form/classes.ts";
import { form, type Section, section } from "../form/define.ts";

const type = ["u32", "u64"] as const;
const since = { ptx: 73, sm: 52 };

/** Addresses are local, not generic; the stack grows down. */
export const stack: Section = section("stack", [
  form("stacksave.type d", {
    where: { type },
    operands: ({ type }) => ({ d: to(type) }),
    since,
    run: () => ({ shape: "stack", act: "save" }),
    check: [
      {
        snippet:
          ".reg .u64 s, t, p, d; stacksave.u64 s; alloca.u64 p, 24; stackrestore.u64 s; stacksave.u64 t; sub.u64 d, s, t;",
        gives: { d: 0n },
      },
    ],
  }),
  form("stackrestore.type a", {
    where: { type },
    operands: ({ type }) => ({ a: registerOf(type) }),
    since,
    run: () => ({ shape: "stack", act: "restore" }),
    check: [
      {
        snippet:
          ".reg .u32 s, p, d; stacksave.u32 s; alloca.u32 p, 24; stackrestore.u32 s; alloca.u32 d, 24; sub.u32 d, d, p;",
        gives: { d: 0 },
      },
    ],
  }),
  form("alloca.type d, a", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    run: () => ({ shape: "stack", act: "alloca" }),
    check: [
      {
        snippet: ".reg .u32 p; .reg .b32 d; alloca.u32 p, 4; st.local.b32 [p], 9; ld.local.b32 d, [p];",
        gives: { d: 9 },
      },
    ],
  }),
  form("alloca.type d, a, align", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), align: { kind: "literal", bits: 32, power: 1 << 23 } }),
    since,
    run: () => ({ shape: "stack", act: "alloca" }),
    check: [
      {
        snippet: ".reg .u32 s, p, d, e; stacksave.u32 s; alloca.u32 p, 5, 64; and.b32 d, p, 63; sub.u32 e, s, p;",
        gives: { d: 0, e: 64 },
      },
    ],
  }),
]);
