import type { SurfaceGeometry } from "../../interp/contract/plan/plan-texture.ts";
import { and, argument, b, max, min, operation, or, plus, wrap } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { bringing } from "../form/bringing.ts";
import { of, to } from "../form/classes.ts";
import { type Conflict, type Form, form, ptxas, unspecified } from "../form/define.ts";
import type { RegisterClass, TupleClass, VectorClass } from "../form/operands.ts";
import { surface } from "./lookup.ts";

const geometry = ["1d", "2d", "3d", "a1d", "a2d", "4d"] as const;
type Spelling = (typeof geometry)[number];
const outside = ["trap", "clamp", "zero"] as const;
const cells = ["b8", "b16", "b32", "b64"] as const;
const vec = ["v2", "v4"] as const;
const bitsOf = { b8: 8, b16: 16, b32: 32, b64: 64 } as const;
const axis: RegisterClass = of("s32", { types: ["s32", "b32", "u32"] });

const tuples: Readonly<Record<Spelling, TupleClass>> = {
  "1d": { kind: "tuple", of: [axis], lengths: [1, 2, 4], bare: axis },
  "2d": { kind: "tuple", of: [axis, axis], lengths: [2, 4] },
  "3d": { kind: "tuple", of: [axis, axis, axis], lengths: [4] },
  a1d: { kind: "tuple", of: [axis, axis], lengths: [2, 4] },
  a2d: { kind: "tuple", of: [axis, axis, axis], lengths: [4] },
  "4d": { kind: "tuple", of: [axis], lengths: [1, 2, 4], bare: axis },
};

/** The manual has no .4d; ptxas takes it for its own .1d_buffer, with one coordinate. */
const shapeOf = (word: Spelling): SurfaceGeometry => (word === "4d" ? "1d" : word);
const facts = [
  ptxas(".4d, which the manual has not, takes one coordinate as .1d does"),
  unspecified("a cell that is not a multiple of its size away from the row's start is a fault"),
];

const valuesOf = (type: (typeof cells)[number], many: (typeof vec)[number] | undefined, access: "read" | "write") => {
  const one = access === "read" ? of(type, { wider: true }) : to(type, { wider: true });
  if (many === undefined) return { ...one, braced: true };
  const each = access === "write" ? { ...one, sink: true } : one;
  return { kind: "vector", count: Number(many.slice(1)), of: each } satisfies VectorClass;
};

const tooWide = ({
  vec: many,
  type,
}: {
  readonly vec: string | undefined;
  readonly type: string;
}): Conflict | undefined =>
  many === "v4" && type === "b64" ? ["v4", ".b64: a vector holds at most 128 bits"] : undefined;

const later = { ptx: 20, sm: 20 } as const;
const words = {
  "3d": { ptx: 30, sm: 20 },
  a1d: { ptx: 30, sm: 20 },
  a2d: { ptx: 30, sm: 20 },
  "4d": { ptx: 43, sm: 30 },
  clamp: { ptx: 20, sm: 10 },
  zero: { ptx: 20, sm: 10 },
  ca: later,
  cg: later,
  cs: later,
  cv: later,
  wb: later,
  wt: later,
} as const;

/** sust.p of layers. */
const layered = { ptx: 41, sm: 30 } as const;

const row = { as: "surfref", type: "u32", size: [4], values: [1, 2, 3, 5] } as const;

const loads: readonly Form[] = [
  form("suld.b.geom{.cop}{.vec}.type.clamp d, [a, c]", {
    where: { geom: geometry, cop: ["ca", "cg", "cs", "cv"], vec, type: cells, clamp: outside },
    operands: ({ geom, vec: many, type }) => ({ d: valuesOf(type, many, "write"), a: surface, c: tuples[geom] }),
    since: bringing({ ptx: 15, sm: 10 }, words),
    conflict: tooWide,
    run: ({ geom, type, clamp }) => ({
      shape: "surface",
      how: "load",
      geometry: shapeOf(geom),
      by: "byte",
      cell: { bits: bitsOf[type], signed: false },
      outside: clamp,
    }),
    facts,
    check: [
      {
        snippet:
          "suld.b.1d.v2.b32.trap {x, y}, [h, {8}]; suld.b.1d.b32.zero z, [h, {16}]; suld.b.1d.b32.clamp w, [h, {16}];",
        textures: { h: row },
        gives: { x: 3, y: 5, z: 0, w: 5 },
      },
    ],
  }),
];

const stores: readonly Form[] = [
  form("sust.b.geom{.cop}{.vec}.type.clamp [a, c], b", {
    where: { geom: geometry, cop: ["wb", "cg", "cs", "wt"], vec, type: cells, clamp: outside },
    operands: ({ geom, vec: many, type }) => ({ a: surface, c: tuples[geom], b: valuesOf(type, many, "read") }),
    since: bringing({ ptx: 15, sm: 10 }, words),
    conflict: tooWide,
    run: ({ geom, type, clamp }) => ({
      shape: "surface",
      how: "store",
      geometry: shapeOf(geom),
      by: "byte",
      cell: { bits: bitsOf[type], signed: false },
      outside: clamp,
    }),
    facts,
    check: [
      {
        snippet:
          "sust.b.1d.b32.trap [h, {4}], 7; sust.b.1d.b32.zero [h, {16}], 8; suld.b.1d.v4.b32.trap {x, y, z, w}, [h, {0}];",
        textures: { h: row },
        gives: { x: 1, y: 7, z: 3, w: 5 },
      },
    ],
  }),
  form("sust.p.geom{.cop}{.vec}.b32.clamp [a, c], b", {
    where: { geom: geometry, cop: ["wb", "cg", "cs", "wt"], vec, clamp: outside },
    operands: ({ geom, vec: many }) => ({ a: surface, c: tuples[geom], b: valuesOf("b32", many, "read") }),
    since: bringing({ ptx: 20, sm: 20 }, { ...words, a1d: layered, a2d: layered }),
    run: ({ geom, clamp }) => ({
      shape: "surface",
      how: "store",
      geometry: shapeOf(geom),
      by: "texel",
      cell: { bits: 32, signed: false },
      outside: clamp,
    }),
    facts: [
      unspecified("floats are rounded to nearest even, integers go to the nearest that the format has"),
      unspecified("channels that the vector has not are forgotten: reading one is a finding"),
    ],
    check: [
      {
        // 1.0 as a half beside 2.0.
        snippet: "sust.p.1d.v2.b32.trap [h, {1}], {0x3f800000, 0x40000000}; suld.b.1d.b32.trap x, [h, {4}];",
        textures: { h: { as: "surfref", type: "f16", channels: 2, size: [2], values: [0, 0, 0, 0] } },
        gives: { x: 0x4000_3c00 },
      },
    ],
  }),
];

const held = argument("held");
const after = { add: plus(held, b), min: min(held, b), max: max(held, b), and: and(held, b), or: or(held, b) } as const;
const reductions = ["add", "min", "max", "and", "or"] as const;
type Reduction = (typeof reductions)[number];
type Whole = "u32" | "s32" | "u64" | "s64" | "b32";
const reduce = (op: Reduction, type: Whole): Operation =>
  operation({ held: type, b: type }, type, wrap(type, after[op]));

/** Which types each operation has (PTX ISA, sured). */
const typesOf: Readonly<Record<Reduction, readonly string[]>> = {
  add: ["u32", "s32", "u64"],
  min: ["u32", "s32", "u64", "s64"],
  max: ["u32", "s32", "u64", "s64"],
  and: ["b32"],
  or: ["b32"],
};
const wide = { u64: { ptx: 81, sm: 50 }, s64: { ptx: 81, sm: 50 }, b64: { ptx: 81, sm: 50 } } as const;

const reducing: readonly Form[] = [
  form("sured.b.op.geom.ctype.clamp [a, c], b", {
    where: {
      op: reductions,
      geom: ["1d", "2d", "3d", "4d"],
      ctype: ["u32", "s32", "b32", "u64", "s64"],
      clamp: outside,
    },
    operands: ({ geom, ctype }) => ({ a: surface, c: tuples[geom], b: of(ctype, { wider: true }) }),
    since: (mods) => bringing({ ptx: 20, sm: 20 }, mods.op === "add" ? words : { ...words, ...wide })(mods),
    conflict: ({ op, ctype }) =>
      typesOf[op].includes(ctype) ? undefined : ["", `.${op}.${ctype}: .${op} is for .${typesOf[op].join(", .")}`],
    run: ({ op, geom, ctype, clamp }) => ({
      shape: "surface",
      how: "reduce",
      geometry: shapeOf(geom),
      by: "byte",
      outside: clamp,
      cell: { bits: ctype.endsWith("64") ? 64 : 32, signed: false },
      op: reduce(op, ctype),
    }),
    facts,
    check: [
      {
        snippet:
          "sured.b.add.1d.u32.trap [h, {4}], 7; sured.b.min.1d.s32.trap [h, {8}], -1; suld.b.1d.v4.b32.trap {x, y, z, w}, [h, {0}];",
        textures: { h: row },
        gives: { x: 1, y: 9, z: 0xffff_ffff, w: 5 },
      },
    ],
  }),
  form("sured.p.op.geom.ctype.clamp [a, c], b", {
    where: { op: reductions, geom: ["1d", "2d", "3d", "4d"], ctype: ["b32", "b64"], clamp: outside },
    operands: ({ geom, ctype }) => ({ a: surface, c: tuples[geom], b: of(ctype, { wider: true }) }),
    since: bringing({ ptx: 20, sm: 20 }, { ...words, ...wide }),
    conflict: ({ op, ctype }) =>
      ctype === "b64" && op !== "min" && op !== "max" ? ["", `.${op}.b64: .b64 is for .min and .max`] : undefined,
    run: ({ op, geom, ctype, clamp }) => ({
      shape: "surface",
      how: "reduce",
      geometry: shapeOf(geom),
      by: "texel",
      outside: clamp,
      cell: { bits: ctype === "b64" ? 64 : 32, signed: false },
      ...bothSigns(op, ctype),
    }),
    facts,
    check: [
      {
        snippet: "sured.p.min.1d.b32.trap [h, {2}], -1; suld.b.1d.v4.b32.trap {x, y, z, w}, [h, {0}];",
        textures: { h: { ...row, type: "s32" } },
        gives: { x: 1, y: 2, z: 0xffff_ffff, w: 5 },
      },
    ],
  }),
];

/** The surface's format determines whether its integers have a sign. */
function bothSigns(op: Reduction, type: "b32" | "b64"): { readonly op: Operation; readonly signed: Operation } {
  const [unsigned, signed] = type === "b64" ? (["u64", "s64"] as const) : (["u32", "s32"] as const);
  if (op === "and" || op === "or") return { op: reduce(op, "b32"), signed: reduce(op, "b32") };
  return { op: reduce(op, unsigned), signed: reduce(op, signed) };
}

export const surfaces: readonly Form[] = [...loads, ...stores, ...reducing];
