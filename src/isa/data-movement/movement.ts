import type { Plan } from "../../interp/contract/plan/plan.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Section, type Since, section } from "../form/define.ts";
import type { RegisterClass, VectorClass } from "../form/operands.ts";
import { least } from "../form/since.ts";
import { address } from "./address.ts";
import { cache } from "./cache.ts";
import { compression } from "./convert/compress.ts";
import { cvt } from "./convert/cvt.ts";
import { permute } from "./convert/permute.ts";
import { ld } from "./ld.ts";
import { policy } from "./policy.ts";
import { shuffles } from "./shuffle.ts";
import { st } from "./st.ts";

const move: Plan = { shape: "move" };
const base: Since = { ptx: 10, sm: 10 };
const vector = (count: 2 | 4 | 8, part: RegisterClass): VectorClass => ({ kind: "vector", count, of: part });
/** Parts of a packed value: any type of their width, a constant when read, `_` for an unused part. */
const parts = { b8: "b8", b16: "b16", b32: "b32", b64: "b64" } as const;

/** `mov.b32 d, {a}` packs one element. */
const untyped = { immediate: "bits", braced: true } as const;

/** A vector of floats takes integer registers too, which mov of one float does not (measured with ptxas 13.0). */
const inVector = (type: string): Partial<RegisterClass> =>
  type === "f32"
    ? { types: ["f32", "b32", "u32", "s32"] }
    : type === "f64"
      ? { types: ["f64", "b64", "u64", "s64"] }
      : {};

const mov: readonly Form[] = [
  form("mov.type d, a", {
    where: { type: ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({
      d: to(type, type.startsWith("b") ? { braced: true } : {}),
      a: of(type, { special: true, symbol: true, ...(type.startsWith("b") ? untyped : { immediate: "integer" }) }),
    }),
    since: base,
    run: () => move,
    check: [
      { with: ["u32"], a: 0xdead_beef, d: 0xdead_beef },
      { with: ["b64"], a: 0x7ff0_0000_0000_0001n, d: 0x7ff0_0000_0000_0001n },
    ],
  }),
  form("mov.type d, a", {
    where: { type: ["f32", "f64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type, { special: true }) }),
    since: base,
    run: () => move,
    check: [{ with: ["f32"], a: 0x7f80_0001, d: 0x7f80_0001 }], // a signalling NaN stays one
  }),
  form("mov.b128 d, a", {
    operands: { d: to("b128"), a: of("b128") },
    since: least("b128"),
    run: () => move,
    check: [
      {
        snippet:
          ".reg .b64 l, h, x, y; .reg .b128 w, v; mov.b64 l, 1; mov.b64 h, 2; mov.b128 w, {l, h}; mov.b128 v, w; mov.b128 {x, y}, v;",
        gives: { x: 1n, y: 2n },
      },
    ],
  }),
  form("mov.pred d, a", {
    operands: {
      d: { kind: "predicate", access: "write" },
      a: { kind: "predicate", access: "read", negatable: true, immediate: true, special: true },
    },
    since: base,
    run: () => move,
    check: [{ a: 1, d: 1 }],
  }),
  // Element by element, up to 128 bits. The manual shows it as the way to take a vector apart (6.4.3).
  form("mov.vec.type d, a", {
    where: {
      vec: ["v2", "v4"],
      type: ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"],
    },
    conflict: ({ vec, type }) => (vec === "v4" && type.endsWith("64") ? ["v4", type] : undefined),
    operands: ({ vec, type }) => {
      const count = vec === "v2" ? 2 : 4;
      return {
        d: vector(count, to(type, { sink: true, ...inVector(type) })),
        a: vector(count, of(type, { special: true, ...(type === "b32" && { sink: true }), ...inVector(type) })),
      };
    },
    since: base,
    run: () => move,
    check: [
      { with: ["v4", "u32"], a: [1, 2, 3, 4], d: [1, 2, 3, 4] },
      { with: ["v2", "f64"], a: [0x7ff0_0000_0000_0001n, 2n], d: [0x7ff0_0000_0000_0001n, 2n] },
      {
        snippet:
          ".reg .v4 .f32 V; .reg .f32 a, b, c, d; mov.v4.f32 V, {1.0, 2.0, 3.0, 4.0}; mov.v4.f32 {a, b, c, d}, V;",
        gives: { a: 0x3f80_0000, b: 0x4000_0000, c: 0x4040_0000, d: 0x4080_0000 },
      },
    ],
  }),
  ...packs("b16", 2, "b8", 0x0201n, base),
  ...packs("b32", 2, "b16", 0x0002_0001n, base),
  ...packs("b32", 4, "b8", 0x0403_0201n, base),
  ...packs("b64", 2, "b32", 0x0000_0002_0000_0001n, base),
  ...packs("b64", 4, "b16", 0x0004_0003_0002_0001n, base),
  ...packs("b128", 2, "b64", undefined, least("b128")),
  ...packs("b128", 4, "b32", undefined, least("b128")),
];

/** Into and out of one register; `packed` is what 1, 2, ... make, where a check can write it. */
function packs(
  type: "b16" | "b32" | "b64" | "b128",
  count: 2 | 4,
  part: keyof typeof parts,
  packed: bigint | undefined,
  since: Since,
): readonly Form[] {
  const items = [1, 2, 3, 4].slice(0, count).map((each) => (part === "b64" ? BigInt(each) : each));
  const whole = packed !== undefined && type !== "b64" ? Number(packed) : packed;
  const list = items.map((_, at) => `x${at}`).join(", ");
  const there = {
    snippet: [
      `.reg .${part} ${list}; .reg .b128 w; mov.b128 w, {${items.map(Number).join(", ")}}; mov.b128 {${list}}, w;`,
    ].join(""),
    gives: Object.fromEntries(items.map((each, at) => [`x${at}`, each])),
  };
  return [
    form(`mov.${type} d, a`, {
      operands: { d: to(type), a: vector(count, of(part, type === "b32" ? { sink: true } : {})) },
      since,
      run: () => ({ shape: "pack" }),
      check: [whole === undefined ? there : { a: items, d: whole }],
    }),
    form(`mov.${type} d, a`, {
      operands: { d: vector(count, to(part, { sink: true })), a: of(type) },
      since,
      run: () => ({ shape: "unpack" }),
      check: [whole === undefined ? there : { a: whole, d: items }],
    }),
  ];
}

export const movement: Section = section(
  "data-movement",
  [...mov, ...permute, ...shuffles, ...ld, ...st, ...cache, ...policy, ...address, ...cvt, ...compression],
  {
    "": "shfl.sync ld.ss.nc=ld.global.nc prefetch=prefetch.prefetchu prefetchu=prefetch.prefetchu applypriority.async.bulk cvt.pack",
  },
);
