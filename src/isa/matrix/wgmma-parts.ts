import type { WarpgroupMultiply, WarpgroupOperand } from "../../interp/contract/plan/plan-warpgroup.ts";
import type { Fact } from "../../numeric/operation/grade.ts";
import type { ElementType } from "../../numeric/tensor/element.ts";
import { tensorFacts } from "../../numeric/tensor/rules.ts";
import { of, registerOf, to } from "../form/classes.ts";
import { ptxas, published, type Since, type SnippetCheck, unspecified } from "../form/define.ts";
import type { LiteralClass, PredicateClass, RegisterClass, VectorClass } from "../form/operands.ts";

const all = Array.from({ length: 32 }, (_, at) => 8 * (at + 1));
/** Integers and bits: every second N from 32 on. */
export const some = all.filter((n) => n <= 32 || n % 16 === 0);
export const shapes = (k: number, columns: readonly number[] = all): readonly string[] =>
  columns.map((n) => `m64n${n}k${k}`);

/** Later targets have tcgen05 in its place. */
export const hopper: Since = { ptx: 80, sm: 90, only: "a", families: [90] };

/** The register types of accumulators, and of packed elements of A. */
const accumulators = {
  f16: to("f16x2"),
  f32: to("f32"),
  s32: to("s32", { types: ["s32", "b32", "u32"] }),
} as const satisfies Readonly<Record<string, RegisterClass>>;
type Accumulator = keyof typeof accumulators;

const descriptor = of("b64", { types: ["b64", "u64", "s64"], immediate: "integer" });
const scale: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true, most: 1 };
const negate: LiteralClass = { kind: "literal", bits: 32, among: [-1, 1], signed: true };
export const turn: LiteralClass = { kind: "literal", bits: 32, among: [0, 1] };
const metadata = registerOf("b32", { braced: true });
const selector = (most: 0 | 1): LiteralClass => ({ kind: "literal", bits: 32, least: 0, most });

const columnsOf = (shape: string): number => Number(shape.slice(shape.indexOf("n") + 1, shape.indexOf("k")));

/** A in four registers, whatever its elements, or by a descriptor. */
export const packed: VectorClass = { kind: "vector", count: 4, of: of("f16x2", { immediate: "integer" }) };
export const words: VectorClass = { kind: "vector", count: 4, of: of("b32", { immediate: "integer" }) };
export const shared = descriptor;

/** D, the multiplicands and scale-d, which all forms have; a sparse A brings its metadata. */
export const common = <A extends VectorClass | RegisterClass, E extends object = object>(
  shape: string,
  dtype: Accumulator,
  a: A,
  sparse: E = {} as E,
) => ({
  d: { kind: "vector", count: columnsOf(shape) / (dtype === "f16" ? 4 : 2), of: accumulators[dtype] } as VectorClass,
  a,
  b: descriptor,
  ...sparse,
  scale,
});
export const signs = { na: negate, nb: negate };
export const sparse = (most: 0 | 1) => ({ e: metadata, sel: selector(most) });

const roles: Readonly<Record<string, WarpgroupOperand>> = {
  d: "d",
  a: "a",
  b: "b",
  e: "e",
  sel: "selector",
  scale: "scale",
  na: "negate a",
  nb: "negate b",
  ta: "turn a",
  tb: "turn b",
};

/** The multiplication of a form; `names` are its operands, and `chunk` the size of those of a sparse A. */
export function plan(
  names: string,
  { shape, d, a, b = a }: { shape: string; d: Accumulator; a: ElementType; b?: ElementType },
  more: Pick<WarpgroupMultiply, "sparse"> & { readonly satfinite?: boolean } = {},
): WarpgroupMultiply {
  const k = Number(shape.slice(shape.indexOf("k") + 1)) / (more.sparse === undefined ? 1 : 2);
  return {
    shape: "wgmma",
    tile: {
      m: 64,
      n: columnsOf(shape),
      k,
      unit: "wgmma",
      a,
      b,
      c: d,
      d,
      ...(more.satfinite && { satfinite: true }),
      ...(a === "b1" && { bits: "and" }),
    },
    ...(more.sparse && { sparse: more.sparse }),
    operands: names.split(" ").map((name) => roles[name] ?? "d"),
  };
}

export const facts: readonly Fact[] = [
  ...tensorFacts,
  ptxas(".aligned may be left out"),
  ptxas(
    "ptxas puts a wgmma.fence and a wait where they are missing; the manual leaves that undefined, and so it is a finding",
  ),
  unspecified("each warp reads its own sixteen rows of A, and B, when it happens; the four do not wait for each other"),
];
export const metadataLayout = published("which thread has which metadata: CUTLASS's layouts of them for sm_90");
export const unsure = unspecified(
  "the order in which the selected elements of a sparse A are added: as those of a dense A are",
);

export const half = ["f16"] as const;
export const eight = ["e4m3", "e5m2"] as const;
export const integer = ["s8", "u8"] as const;
/** Since 8.4 the two may differ. */
export const mixed = (atype: string, btype: string): Since => (atype === btype ? hopper : { ...hopper, ptx: 84 });

/** One instruction with all matrices in zeroed shared memory, and a sum that is D's first element. */
export function check(
  opcode: string,
  { d, a, tail, gives }: { d: string; a?: string; tail: string; gives: number },
): SnippetCheck {
  return {
    target: "sm_90a",
    threads: 128,
    snippet: `.shared .align 128 .b8 tile[16384]; .reg .b32 x<4>, r<4>, t<3>; .reg .b64 q<3>;
      mov.u32 t0, %tid.x; mov.u32 t1, tile; mad.lo.u32 t2, t0, 4, t1; mov.u32 r0, 0; mov.u32 r1, r0; mov.u32 r2, r0; mov.u32 r3, r0;
      ${Array.from({ length: 32 }, (_, at) => `st.shared.b32 [t2+${512 * at}], r0;`).join(" ")}
      mov.u32 x0, ${gives}; mov.u32 x1, x0; mov.u32 x2, x0; mov.u32 x3, x0; fence.proxy.async.shared::cta; bar.sync 0;
      shr.u32 t1, t1, 4; cvt.u64.u32 q0, t1; or.b64 q0, q0, 0x0000001000080000; mov.u32 t0, 0;
      wgmma.fence.sync.aligned; ${opcode} ${d}, ${a ?? "q0"}, q0${tail};
      wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;`,
    gives: { x0: gives },
  };
}
export const one = 0x3f80_0000;
export const two = "{x0, x1}";
export const four = "{x0, x1, x2, x3}";
export const held = "{r0, r1, r2, r3}";
