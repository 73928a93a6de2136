import { tensorRegisters } from "../../interp/contract/matrix/tensor-fragments.ts";
import type { TensorReduction } from "../../interp/contract/plan/plan-tensor-memory.ts";
import { registerOf, to } from "../form/classes.ts";
import { type Conflict, form, manual, published, unspecified } from "../form/define.ts";
import type { LiteralClass, VectorClass } from "../form/operands.ts";
import { allocated, stored } from "./examples.ts";
import { rubin, since, wordAddress } from "./words.ts";

const shape = ["16x64b", "16x128b", "16x256b", "32x32b"] as const;
const num = ["x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"] as const;
const repeated = ["x2", "x4", "x8", "x16", "x32", "x64", "x128"] as const;
type Shape = (typeof shape)[number] | "16x32bx2";
type Num = (typeof num)[number];

const reducing = { ...since, ptx: 88, families: [101, 103, 107, 110] } as const;
const half: LiteralClass = { kind: "literal", bits: 32 };

const times = (num: Num): number => Number(num.slice(1));

const results = (shape: Shape, num: Num): VectorClass => ({
  kind: "vector",
  count: tensorRegisters(shape, times(num)),
  of: to("b32", { sink: true }),
});
const sources = (shape: Shape, num: Num): VectorClass => ({
  kind: "vector",
  count: tensorRegisters(shape, times(num)),
  of: registerOf("b32"),
});

/** A thread holds 128 registers at most. */
const tooMany = ({ shape, num }: { readonly shape: Shape; readonly num: Num }): Conflict | undefined =>
  tensorRegisters(shape, times(num)) > 128 ? [num, shape] : undefined;

const layouts = [
  published(
    "which register of which thread is which word: CUTLASS's copy traits for the figures of Data Movement Shape",
  ),
];
const halves = [
  ...layouts,
  unspecified("the upper halves of the words that .unpack::16b writes: zeros here, and not read by .pack::16b"),
];

interface Reducing {
  readonly redOp: "min" | "max";
  readonly abs: boolean;
  readonly NaN: boolean;
  readonly type: "u32" | "s32" | "f32";
}
const reduction = ({ redOp: op, abs, NaN: nan, type }: Reducing): TensorReduction => ({ op, type, abs, nan });

/** Only floats have .abs and .NaN. */
const floatsOnly = ({ abs, NaN: nan, type }: Reducing): Conflict | undefined =>
  type !== "f32" && (abs || nan) ? [abs ? "abs" : "NaN", type] : undefined;

const compressible = ["x4", "x8", "x16", "x32", "x64", "x128"] as const;
/** The indices of two of each four columns, and their words (table 60). */
const compressed = ({ num }: { readonly num: (typeof compressible)[number] }): Record<"m" | "d", VectorClass> => ({
  m: { kind: "vector", count: Math.ceil(times(num) / 32), of: to("b32") },
  d: { kind: "vector", count: times(num) / 2, of: to("b32") },
});
const compressing = [
  ...layouts,
  manual("a NaN is always kept, and .NaN concerns only the reduction"),
  unspecified("of equal columns, and of three or four NaN, the first are kept; what is kept stays in its order"),
];
/** Columns 0 to 3 of 32 lanes. */
const ofEach = (words: readonly number[]): string => words.map((word, at) => stored(at, word)).join(" ");

/** Between registers and tensor memory. */
export const loadStore = [
  form("tcgen05.ld.sync.aligned.shape.num{.pack}.b32 d, [t]", {
    where: { shape, num, pack: ["pack::16b"] },
    operands: ({ shape, num }) => ({ d: results(shape, num), t: wordAddress }),
    since,
    conflict: tooMany,
    run: ({ shape, num, pack }) => ({
      shape: "tcgen05 load",
      form: shape,
      num: times(num),
      packed: pack !== undefined,
    }),
    facts: halves,
    check: [
      {
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 4)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x2.b32 {a, b}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3, b: 4 },
      },
      {
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 4)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {a}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 0x4_0003 },
      },
    ],
  }),
  form("tcgen05.ld.sync.aligned.16x32bx2.num{.pack}.b32 d, [t], half", {
    where: { num, pack: ["pack::16b"] },
    operands: ({ num }) => ({ d: results("16x32bx2", num), t: wordAddress, half }),
    since,
    run: ({ num, pack }) => ({
      shape: "tcgen05 load",
      form: "16x32bx2",
      num: times(num),
      packed: pack !== undefined,
    }),
    facts: halves,
    check: [
      {
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 4)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {a}, [t], 1; tcgen05.wait::ld.sync.aligned;
shfl.sync.idx.b32 b, a, 16, 31, -1;`,
        ),
        gives: { a: 3, b: 4 },
      },
    ],
  }),
  form("tcgen05.ld.red.sync.aligned.32x32b.num.redOp{.abs}{.NaN}.type d, x, [t]", {
    where: { num: repeated, redOp: ["min", "max"], type: ["u32", "s32", "f32"] },
    operands: ({ num }) => ({
      d: { kind: "vector", count: times(num), of: to("b32") },
      x: to("b32"),
      t: wordAddress,
    }),
    since: reducing,
    conflict: floatsOnly,
    run: (mods) => ({
      shape: "tcgen05 load",
      form: "32x32b",
      num: times(mods.num),
      packed: false,
      red: reduction(mods),
    }),
    facts: [...layouts, unspecified("the sign of a zero among zeros of both signs: min gives -0, max gives +0")],
    check: [
      {
        target: "sm_103a",
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 0xffff_ffff)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {a, b}, x, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3, b: 0xffff_ffff, x: 3 },
      },
      {
        target: "sm_103a",
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 0xffff_ffff)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.red.sync.aligned.32x32b.x2.min.s32 {a, b}, x, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3, b: 0xffff_ffff, x: 0xffff_ffff },
      },
    ],
  }),
  form("tcgen05.ld.red.sync.aligned.16x32bx2.num.redOp{.abs}{.NaN}.type d, x, [t], half", {
    where: { num: repeated, redOp: ["min", "max"], type: ["u32", "s32", "f32"] },
    operands: ({ num }) => ({
      d: { kind: "vector", count: times(num), of: to("b32") },
      x: to("b32"),
      t: wordAddress,
      half,
    }),
    since: reducing,
    conflict: floatsOnly,
    run: (mods) => ({
      shape: "tcgen05 load",
      form: "16x32bx2",
      num: times(mods.num),
      packed: false,
      red: reduction(mods),
    }),
    facts: [...layouts, unspecified("a thread reduces the columns that it loads, those of its half")],
    check: [
      {
        target: "sm_103a",
        snippet: allocated(
          `${stored(0, 3)} ${stored(1, 0xffff_ffff)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.red.sync.aligned.16x32bx2.x2.max.u32 {a, b}, x, [t], 2; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3, b: 0xffff_ffff, x: 0xffff_ffff },
      },
    ],
  }),
  form("tcgen05.ld.spcompress.sync.aligned.32x32b.num.rowop.spfactor{.abs}.f32.b2 m, d, [t]", {
    where: { num: compressible, rowop: ["min", "max"], spfactor: ["sp::2:4"] },
    operands: (mods) => ({ ...compressed(mods), t: wordAddress }),
    since: { ...rubin, only: "a" },
    run: (mods) => ({
      shape: "tcgen05 load",
      form: "32x32b",
      num: times(mods.num),
      packed: false,
      compress: { op: mods.rowop, abs: mods.abs, type: "f32" },
    }),
    facts: compressing,
    check: [
      {
        target: "sm_107a",
        snippet: allocated(
          `${ofEach([0x3f80_0000, 0xc000_0000, 0x4040_0000, 0x7fc0_0000])} tcgen05.wait::st.sync.aligned;
tcgen05.ld.spcompress.sync.aligned.32x32b.x4.max.sp::2:4.abs.f32.b2 {m0}, {a, b}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        // 3.0 and NaN of 1.0, -2.0, 3.0 and NaN.
        gives: { m0: 0xe, a: 0x4040_0000, b: 0x7fc0_0000 },
      },
    ],
  }),
  form("tcgen05.ld.red.spcompress.sync.aligned.32x32b.num.rowop.spfactor{.abs}{.NaN}.f32.b2 m, d, x, [t]", {
    where: { num: compressible, rowop: ["min", "max"], spfactor: ["sp::2:4"] },
    operands: (mods) => ({ ...compressed(mods), x: to("b32"), t: wordAddress }),
    since: { ...rubin, only: "a" },
    run: (mods) => ({
      shape: "tcgen05 load",
      form: "32x32b",
      num: times(mods.num),
      packed: false,
      red: reduction({ redOp: mods.rowop, abs: mods.abs, NaN: mods.NaN, type: "f32" }),
      compress: { op: mods.rowop, abs: mods.abs, type: "f32" },
    }),
    facts: [...compressing, manual("the reduction is that of all columns, the kept and the others")],
    check: [
      {
        target: "sm_107a",
        snippet: allocated(
          `${ofEach([0x3f80_0000, 0xc000_0000, 0x4040_0000, 0xc000_0000])} tcgen05.wait::st.sync.aligned;
tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2 {m0}, {a, b}, x, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { m0: 0xd, a: 0xc000_0000, b: 0xc000_0000, x: 0xc000_0000 },
      },
    ],
  }),
  form("tcgen05.st.sync.aligned.shape.num{.unpack}.b32 [t], b", {
    where: { shape, num, unpack: ["unpack::16b"] },
    operands: ({ shape, num }) => ({ t: wordAddress, b: sources(shape, num) }),
    since,
    conflict: tooMany,
    run: ({ shape, num, unpack }) => ({
      shape: "tcgen05 store",
      form: shape,
      num: times(num),
      packed: unpack !== undefined,
    }),
    facts: halves,
    check: [
      {
        // Lane 0 of tensor memory is thread 0's and thread 2's.
        snippet: allocated(
          `mov.u32 w, %laneid;
tcgen05.st.sync.aligned.16x64b.x1.b32 [t], {w};
tcgen05.st.sync.aligned.16x64b.x1.b32 [t+1048576], {w};
tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x2.b32 {a, b}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 0, b: 2 },
      },
      {
        snippet: allocated(
          `mov.b32 w, 0x40003; tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [t], {w}; tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x2.b32 {a, b}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3, b: 4 },
      },
    ],
  }),
  form("tcgen05.st.sync.aligned.16x32bx2.num{.unpack}.b32 [t], half, b", {
    where: { num, unpack: ["unpack::16b"] },
    operands: ({ num }) => ({ t: wordAddress, half, b: sources("16x32bx2", num) }),
    since,
    run: ({ num, unpack }) => ({
      shape: "tcgen05 store",
      form: "16x32bx2",
      num: times(num),
      packed: unpack !== undefined,
    }),
    facts: halves,
    check: [
      {
        snippet: allocated(
          `mov.u32 w, %laneid; tcgen05.st.sync.aligned.16x32bx2.x1.b32 [t], 1, {w}; tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.16x64b.x1.b32 {a}, [t]; tcgen05.wait::ld.sync.aligned;
shfl.sync.idx.b32 b, a, 2, 31, -1;`,
        ),
        gives: { a: 0, b: 16 },
      },
    ],
  }),
  form("tcgen05.wait.sync.aligned", {
    where: { wait: ["wait::ld", "wait::st"] },
    operands: {},
    since,
    run: ({ wait }) => ({ shape: "tcgen05 wait", for: wait === "wait::ld" ? "ld" : "st" }),
    check: [
      {
        snippet: allocated(
          `${stored(0, 3)} tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {a}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3 },
      },
    ],
  }),
];
