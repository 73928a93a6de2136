import type { FragmentBits } from "../../interp/contract/matrix/fragment.ts";
import { registersOf } from "../../interp/contract/matrix/fragment.ts";
import { wmmaFragment } from "../../interp/contract/matrix/fragment-layouts.ts";
import type { MatrixLines } from "../../interp/contract/plan/plan-lines.ts";
import { bringing } from "../form/bringing.ts";
import { count, of, to } from "../form/classes.ts";
import { type Form, form, manual, ptxas, type Since, type SnippetCheck, unspecified } from "../form/define.ts";
import type { AddressClass, RegisterClass, VectorClass } from "../form/operands.ts";

const layout = ["row", "col"] as const;
const ss = ["global", "shared", "shared::cta"] as const;
const large = ["m16n16k16", "m8n32k16", "m32n8k16"] as const;

/** The register types for each element type, and the elements' bits. */
const elements = {
  f16: { bits: 16, as: "f16x2" },
  bf16: { bits: 16, as: "bf16x2" },
  tf32: { bits: 32, as: "tf32" },
  f32: { bits: 32, as: "f32" },
  f64: { bits: 64, as: "f64" },
  s8: { bits: 8, as: "u32" },
  u8: { bits: 8, as: "u32" },
  s32: { bits: 32, as: "s32" },
  s4: { bits: 4, as: "b32" },
  u4: { bits: 4, as: "b32" },
  b1: { bits: 1, as: "b32" },
} as const satisfies Readonly<Record<string, { bits: FragmentBits; as: Parameters<typeof of>[0] }>>;
type Element = keyof typeof elements;
type Some<T> = readonly [T, ...T[]];
type Role = "a" | "b" | "c" | "d";

/** Registers that hold packed integers are no packed halves. */
const whole = { types: ["b32", "u32", "s32"] } as const;
const narrowed = (type: Element): Partial<RegisterClass> =>
  elements[type].as === "u32" || elements[type].as === "s32" ? whole : {};

/** `m16n16k16` as numbers. */
function sizes(shape: string): { readonly m: number; readonly n: number; readonly k: number } {
  const [m = 0, n = 0, k = 0] = shape.slice(1).split(/[nk]/).map(Number);
  return { m, n, k };
}

/**
 * The layout of a matrix of one role in memory and in registers (PTX ISA, Matrix Fragments for WMMA, Matrix Storage
 * for WMMA).
 */
function linesOf(role: Role, shape: string, type: Element, order: "row" | "col"): MatrixLines {
  const fragment = wmmaFragment(
    role,
    sizes(shape),
    elements[type].bits,
    type === "f16" && (role === "a" || role === "b"),
  );
  const stride = order === "row" ? fragment.columns : fragment.rows;
  const bytes = (stride * fragment.bits) / 8;
  const first = registersOf(fragment) * (fragment.bits === 64 ? 8 : 4);
  const line = order === "row" ? "row" : "column";
  return { fragment, matrices: 1, line, bytes, align: Math.min(first, 16), first, stride };
}

const fragmentOf = (role: Role, shape: string, type: Element): VectorClass => {
  const registers = registersOf(linesOf(role, shape, type, "row").fragment);
  const { as } = elements[type];
  return {
    kind: "vector",
    count: registers,
    of: role === "d" ? of(as, narrowed(type)) : to(as, { ...narrowed(type), sink: true }),
  };
};

const address = (space: (typeof ss)[number] | undefined): AddressClass => ({
  kind: "address",
  space: space === undefined ? "generic" : space === "global" ? "global" : "shared",
});

const words = {
  "shared::cta": { ptx: 78, sm: 70 },
  s8: { ptx: 63, sm: 72 }, u8: { ptx: 63, sm: 72 }, s32: { ptx: 63, sm: 72 }, bf16: { ptx: 70, sm: 80 },
} as const; // biome-ignore format: by type
const ampere: Since = { ptx: 70, sm: 80 };
const turing: Since = { ptx: 63, sm: 75 };

const PATTERN = { 1: 0x9669_6996, 4: 0x5a5a_5a5a, 8: 0x7171_7171, 16: 0x3c00_3c00, 32: 0x4048_0000, 64: 0x4048_0000 };
const tile = `.shared .align 32 .b8 tile[1024]; .reg .b32 x<8>, t<4>; .reg .b64 y<2>;
  mov.u32 t0, %laneid; mov.u32 t1, tile; mad.lo.u32 t2, t0, 32, t1;`;

/** A matrix with equal elements, so that every layout has the same result. */
function loadCheck(what: "a" | "b" | "c", order: string, shape: string, type: Element): SnippetCheck {
  const { bits } = elements[type];
  const wide = bits === 64;
  const names = Array.from({ length: fragmentOf(what, shape, type).count }, (_, at) => `${wide ? "y" : "x"}${at}`);
  return {
    snippet: `${tile} mov.u32 t3, ${PATTERN[bits]}; st.shared.v4.b32 [t2], {t3, t3, t3, t3}; st.shared.v4.b32 [t2+16], {t3, t3, t3, t3};
      bar.sync 0; wmma.load.${what}.sync.aligned.${order}.${shape}.shared.${type} {${names.join(", ")}}, [t1];`,
    gives: { [names.at(-1) ?? ""]: wide ? 0x4048_0000_4048_0000n : PATTERN[bits] },
  };
}

function storeCheck(shape: string, type: Element): SnippetCheck {
  const { bits } = elements[type];
  const wide = bits === 64;
  const names = Array.from({ length: fragmentOf("d", shape, type).count }, (_, at) => `${wide ? "y" : "x"}${at}`);
  const fill = names
    .map((name) => (wide ? `mov.b64 ${name}, {t0, t0};` : `mov.b32 ${name}, ${PATTERN[bits]};`))
    .join(" ");
  return {
    snippet: `${tile} mov.b32 t0, ${PATTERN[bits]}; ${fill}
      wmma.store.d.sync.aligned.col.${shape}.shared.${type} [t1], {${names.join(", ")}}; bar.sync 0; ld.shared.b32 t3, [t1+60];`,
    gives: { t3: PATTERN[bits] },
  };
}

const facts = [
  manual("which elements a lane holds is unspecified: here those that mma gives it"),
  unspecified(
    "lines need to be aligned to 16 bytes, as CUDA's wmma asks, where the manual says the size of the fragment",
  ),
  ptxas(".aligned is left out before PTX 6.3 and required from then on"),
];

/** The roles of wmma.load that a line of the manual names, and the row or column that it fixes for smaller elements. */
const load = (what: "a" | "b" | "c", shape: Some<string>, type: Some<Element>, since: Since): Form =>
  form("wmma.load.what.sync.aligned.layout.shape{.ss}.type d, [a]{, stride}", {
    where: { what: [what], layout: sided(what, type), shape, ss, type },
    operands: ({ shape, ss, type }) => ({
      d: fragmentOf(what, shape, type),
      a: address(ss),
      stride: count({ loose: true }),
    }),
    since: bringing(since, words),
    run: ({ layout, shape, ss, type }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: linesOf(what, shape, type, layout),
    }),
    check: [loadCheck(what, sided(what, type)[0], shape[0], type[0])],
    facts,
  });

/** Elements of fewer than 8 bits lie in rows of A and in columns of B. */
function sided(what: Role, type: Some<Element>): Some<"row" | "col"> {
  if ((what !== "a" && what !== "b") || elements[type[0]].bits >= 8) return layout;
  return what === "a" ? ["row"] : ["col"];
}

const store = (shape: Some<string>, type: Some<Element>, since: Since): Form =>
  form("wmma.store.d.sync.aligned.layout.shape{.ss}.type [a], b{, stride}", {
    where: { layout, shape, ss, type },
    operands: ({ shape, ss, type }) => ({
      a: address(ss),
      b: fragmentOf("d", shape, type),
      stride: count({ loose: true }),
    }),
    since: bringing(since, words),
    run: ({ layout, shape, ss, type }) => ({
      shape: "store lines",
      space: address(ss).space,
      lines: linesOf("d", shape, type, layout),
    }),
    check: [storeCheck(shape[0], type[0])],
    facts,
  });

/** Before PTX 6.3 there were matrices of .f16 and .f32, and no .aligned. */
const old = {
  since: bringing({ ptx: 60, sm: 70 }, { m8n32k16: { ptx: 61, sm: 70 }, m32n8k16: { ptx: 61, sm: 70 } }),
  until: { ptx: 63, sm: 70 },
  facts,
} as const;
const before63 = ({ snippet, gives }: SnippetCheck): SnippetCheck => ({
  snippet: snippet.replace(".aligned", ""),
  gives,
  target: "sm_70",
  version: "6.0",
});

const oldLoad = (what: "a" | "b" | "c", type: Some<Element>): Form =>
  form("wmma.load.what.sync.layout.shape{.ss}.type d, [a]{, stride}", {
    where: { what: [what], layout, shape: large, ss: ["global", "shared"], type },
    operands: ({ shape, ss, type }) => ({
      d: fragmentOf(what, shape, type),
      a: address(ss),
      stride: count({ loose: true }),
    }),
    run: ({ layout, shape, ss, type }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: linesOf(what, shape, type, layout),
    }),
    check: [before63(loadCheck(what, "row", large[0], type[0]))],
    ...old,
  });

const oldStore = form("wmma.store.d.sync.layout.shape{.ss}.type [a], b{, stride}", {
  where: { layout, shape: large, ss: ["global", "shared"], type: ["f16", "f32"] },
  operands: ({ shape, ss, type }) => ({
    a: address(ss),
    b: fragmentOf("d", shape, type),
    stride: count({ loose: true }),
  }),
  run: ({ layout, shape, ss, type }) => ({
    shape: "store lines",
    space: address(ss).space,
    lines: linesOf("d", shape, type, layout),
  }),
  check: [before63(storeCheck(large[0], "f16"))],
  ...old,
});

/** Matrices of wmma from and to memory. */
export const wmmaMemory: readonly Form[] = [
  ...(["a", "b"] as const).flatMap((what) => [
    load(what, large, ["f16", "bf16", "s8", "u8"], { ptx: 63, sm: 70 }),
    load(what, ["m16n16k8"], ["tf32"], ampere),
    load(what, ["m8n8k4"], ["f64"], ampere),
    load(what, ["m8n8k32"], ["s4", "u4"], turing),
    load(what, ["m8n8k128"], ["b1"], turing),
  ]),
  load("c", large, ["f16", "f32", "s32"], { ptx: 63, sm: 70 }),
  load("c", ["m16n16k8"], ["f32"], ampere),
  load("c", ["m8n8k4"], ["f64"], ampere),
  load("c", ["m8n8k32", "m8n8k128"], ["s32", "f32"], turing),
  store(large, ["f16", "f32", "s32"], { ptx: 63, sm: 70 }),
  store(["m16n16k8"], ["f32"], ampere),
  store(["m8n8k4"], ["f64"], ampere),
  store(["m8n8k32", "m8n8k128"], ["s32", "f32"], turing),
  oldLoad("a", ["f16"]),
  oldLoad("b", ["f16"]),
  oldLoad("c", ["f16", "f32"]),
  oldStore,
];
