import { a, b, concat, plus, slice, wrap } from "../../numeric/operation/build.ts";
import { bitsOf, of, to } from "../form/classes.ts";
import { type Conflict, type Form, form, type Since, unspecified } from "../form/define.ts";
import { least } from "../form/since.ts";

const spaces = {
  const: "const",
  global: "global",
  local: "local",
  shared: "shared",
  "shared::cta": "shared",
  "shared::cluster": "shared",
  param: "param",
  "param::entry": "param",
} as const;
type Space = keyof typeof spaces;
const space = Object.keys(spaces) as unknown as readonly [
  "const", "global", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry",
]; // biome-ignore format: one thought
const size = ["u64", "u32"] as const;
const bits = { u32: 32, u64: 64 } as const;

const sinceSpace = (window: Space): Since =>
  least(
    window,
    { ptx: 20, sm: 20 },
    window === "const" && { ptx: 31, sm: 20 },
    spaces[window] === "param" && { ptx: 77, sm: 70 },
  );

/** PTX with `.address_size 64` has no addresses of 32 bits to convert; from 2.3 on every module has it here. */
const noShort = ({ size }: { readonly size: string }): Conflict | undefined =>
  size === "u32" ? ["", ".u32 where addresses have 64 bits"] : undefined;

const shared = { symbol: true, space: "shared" } as const;

/** isspacep, cvta, mapa, getctarank. */
export const address: readonly Form[] = [
  form("isspacep.space p, a", {
    where: { space },
    operands: {
      p: { kind: "predicate", access: "write" },
      a: of("u64", { types: ["u64", "b64", "s64", "u32", "b32", "s32"], immediate: "integer" }),
    },
    since: ({ space }) => sinceSpace(space),
    run: ({ space }) => ({ shape: "within", space: spaces[space] }),
    check: [
      {
        snippet:
          ".shared .b32 s; .reg .b64 a; .reg .pred p, q; .reg .b32 d, e; mov.b64 a, s; cvta.shared.u64 a, a; isspacep.shared p, a; isspacep.local q, a; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, q;",
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("cvta.space.size d, a", {
    where: { space, size },
    operands: ({ space, size }) => ({
      d: to(size),
      a: of(size, { symbol: true, space: spaces[space], offset: true }),
    }),
    since: ({ space }) => sinceSpace(space),
    conflict: noShort,
    run: ({ space, size }) => ({ shape: "address", space: spaces[space], to: "generic", bits: bits[size] }),
    check: [{ with: ["global", "u64"], a: 0x1000n, d: 0x1000n }], // generic addresses of global memory are the same numbers
  }),
  form("cvta.to.space.size d, a", {
    where: { space, size },
    operands: ({ size }) => ({ d: to(size), a: of(size, { offset: true }) }),
    since: ({ space }) => sinceSpace(space),
    conflict: noShort,
    run: ({ space, size }) => ({ shape: "address", space: spaces[space], to: "space", bits: bits[size] }),
    check: [
      {
        snippet:
          ".shared .align 8 .b64 s[2]; .reg .b64 a, g, back; mov.b64 a, s; add.u64 a, a, 8; cvta.shared.u64 g, a; cvta.to.shared.u64 back, g; sub.u64 back, back, a;",
        gives: { back: 0n },
      },
    ],
  }),
  form("mapa{.space}.type d, a, b", {
    where: { space: ["shared::cluster"], type: ["u32", "u64", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type, shared), b: of("u32") }),
    since: { ptx: 78, sm: 90 },
    does: ({ type }) => {
      const window = bitsOf(type) === 64 ? ([[slice(a, 32, 32), 32]] as const) : [];
      return wrap(type, concat(...window, [slice(plus(b, 1), 0, 8), 8], [slice(a, 0, 24), 24]));
    },
    facts: [
      unspecified("bits 31 to 24 of a shared address are the rank of its CTA and 1; with 0 there it is the own CTA's"),
    ],
    check: [
      { with: ["shared::cluster", "u32"], a: 0x0000_0010, b: 2, d: 0x0300_0010 },
      { with: ["u64"], a: 0x0000_4f01_0200_0010n, b: 0, d: 0x0000_4f01_0100_0010n },
    ],
  }),
  form("getctarank{.space}.type d, a", {
    where: { space: ["shared::cluster"], type: ["u32", "u64", "s32", "s64"] },
    operands: ({ type }) => ({ d: to("u32"), a: of(type, shared) }),
    since: { ptx: 78, sm: 90 },
    run: () => ({ shape: "rank" }),
    check: [
      { with: ["shared::cluster", "u32"], a: 0x0300_0010, d: 2 },
      { with: ["u64"], a: 0x0000_4f01_0000_0010n, d: 0 }, // the CTA's own, the only one of its cluster
    ],
  }),
];
