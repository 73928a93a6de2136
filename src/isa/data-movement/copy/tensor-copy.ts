import type { Plan } from "../../../interp/contract/plan/plan.ts";
import type { TensorMode, Update } from "../../../interp/contract/plan/plan-bulk.ts";
import {
  attribute,
  bulkPolicy,
  inspected,
  inspectionOf,
  maskBits,
  multicast,
  type Overrides,
  offsets,
  overrideOf,
  ranksMask,
  report,
  rubin,
  sharedPlace,
  sinceMulticast,
  specific,
  tensorPlace,
  withWord,
} from "../../form/bulk-operands.ts";
import { type Conflict, type Form, form, type Since, unspecified } from "../../form/define.ts";
import { hint } from "../../form/memory-access.ts";
import type { AbsentClass, VectorClass } from "../../form/operands.ts";
import { together } from "../../form/since.ts";
import { halfOp, scalarOps } from "../../form/updates.ts";
import { bulk, prefetch } from "./bulk-copy.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const dim = ["1d", "2d", "3d", "4d", "5d"] as const;
const group = ["cta_group::1", "cta_group::2"] as const;
const loadMode = ["tile", "tile::gather4", "im2col", "im2col::w", "im2col::w::128"] as const;
const storeMode = ["tile", "tile::scatter4", "im2col_no_offs", "im2col_no_offs::w"] as const;
const redOp = ["add", "min", "max", "inc", "dec", "and", "or", "xor"] as const;
type Dim = (typeof dim)[number];
type Mode = (typeof loadMode)[number] | (typeof storeMode)[number] | undefined;

const rows = (mode: Mode): boolean => mode === "tile::gather4" || mode === "tile::scatter4";

interface Words extends Overrides {
  readonly dim: Dim;
  readonly mode?: Mode;
}

/** Coordinates: one a dimension; a column and four rows for the modes that take rows apart. */
const place = (words: Words) => tensorPlace(rows(words.mode) ? 5 : dims[words.dim], dims[words.dim], words);

/** Sizes and strides are overridden together with the address, in tiles (PTX ISA, Tensor Attribute Override). */
const overriding = (words: Words & { readonly multicast?: string | undefined }): Conflict | undefined => {
  const { attribute, dim, mode = "tile", multicast } = words;
  if (attribute === undefined) return undefined;
  if (!words["override::global_address"]) return [attribute, "no .override::global_address, which it needs"];
  if (mode !== "tile") return [attribute, `.${mode}: it is for .tile`];
  if ((dim === "1d") !== (attribute === "override::global_dim"))
    return [attribute, `.${dim}, which has ${dim === "1d" ? "no" : "a"} stride`];
  if (multicast !== undefined && multicast !== "multicast::cluster::32b")
    return [attribute, `.${multicast}: it goes with .multicast::cluster::32b`];
  return undefined;
};
const sinceOther = (words: Overrides & { readonly report?: string | undefined }): Since | false =>
  (words.report !== undefined || overrideOf(words) !== undefined) && rubin;
const overridden = unspecified(
  "a size is a number of elements, and nothing asks for the 128 KiB that the manual wants allocated",
);

/** im2colInfo: offsets along W, H and D, or wHalo and wOffset. */
const info = ({ dim, mode }: { readonly dim: Dim; readonly mode: Mode }): VectorClass | AbsentClass =>
  mode === "im2col"
    ? offsets(Number(dim[0]) - 2)
    : withWord(mode?.startsWith("im2col::") ?? false, ".im2col", offsets(2));

/** Modes that go with some numbers of dimensions only (5.5.3.4, 5.5.4). */
const flat = ({ dim, mode }: { readonly dim: Dim; readonly mode: Mode }): Conflict | undefined => {
  if (mode === undefined || mode === "tile") return undefined;
  if (rows(mode)) return dim === "2d" ? undefined : [mode, `.${dim}: it is for .2d`];
  return dim === "1d" || dim === "2d" ? [mode, `.${dim}: it is for .3d, .4d and .5d`] : undefined;
};

/** Modes that came with sm_100; some only with its architecture- and family-specific targets. */
const sinceMode = (mode: Mode, anywhere: boolean): Since => {
  if (mode === "im2col_no_offs::w") return rubin;
  if (mode === "im2col::w::128" || mode === "tile::scatter4") return specific;
  if (mode !== "tile::gather4" && mode !== "im2col::w") return bulk;
  return anywhere ? { ptx: 86, sm: 100 } : specific;
};

const dims = { "1d": 1, "2d": 2, "3d": 3, "4d": 4, "5d": 5 } as const;

const load = (
  dim: Dim,
  mode: TensorMode | undefined,
  whose: "own" | "any",
  words: Overrides & {
    readonly group?: (typeof group)[number] | undefined;
    readonly multicast?: (typeof multicast)[number] | undefined;
    readonly report: (typeof report)[number] | undefined;
  },
): Plan => ({
  shape: "tensor copy",
  dim: dims[dim],
  mode: mode ?? "tile",
  direction: "load",
  whose,
  pair: words.group === "cta_group::2",
  multicast: maskBits(words.multicast),
  override: overrideOf(words),
  ...inspectionOf(words.report),
});

/** What a reduction makes of the elements of each type that a tensor map may have (PTX ISA, cp.reduce.async.bulk.tensor). */
const each = (op: (typeof redOp)[number], names: readonly (keyof typeof held)[]): Readonly<Record<string, Update>> =>
  Object.fromEntries(
    names.map((name): [string, Update] => {
      const type = held[name];
      const bits = type === "f16" || type === "bf16" ? 16 : type.endsWith("64") ? 64 : 32;
      if ((type === "f16" || type === "bf16") && (op === "add" || op === "min" || op === "max"))
        return [name, { op: halfOp(op, type), bits }];
      if (type === "f16" || type === "bf16") throw new Error(`.${op} of ${name}`);
      // Bits have no type of their own in a tensor map.
      const bitwise = op === "and" || op === "or" || op === "xor";
      const [flushed, kept = flushed] = scalarOps(op, bitwise ? (bits === 64 ? "b64" : "b32") : type);
      return [name, { op: name === "f32" ? kept : flushed, bits }];
    }),
  );
const held = {
  u32: "u32",
  s32: "s32",
  u64: "u64",
  s64: "s64",
  f32: "f32",
  "f32.ftz": "f32",
  f16: "f16",
  bf16: "bf16",
} as const;
const whole = ["u32", "s32", "u64", "s64"] as const;
const updates = {
  add: each("add", ["u32", "s32", "u64", "f32", "f32.ftz", "f16", "bf16"]),
  min: each("min", [...whole, "f16", "bf16"]),
  max: each("max", [...whole, "f16", "bf16"]),
  inc: each("inc", ["u32"]),
  dec: each("dec", ["u32"]),
  and: each("and", whole),
  or: each("or", whole),
  xor: each("xor", whole),
};

const subnormals = unspecified(
  "add of f32 keeps subnormals, as cp.reduce.async.bulk does, and of f32.ftz flushes them, as loads of that type do",
);

const registers =
  ".reg .b64 g; .reg .b32 d, x; .reg .pred p; .shared .align 128 .b32 s[32]; .shared .align 8 .b64 b; setp.ne.u32 p, 0, 0;";
/** A tensor map needs a tensor, which a snippet has not: tests/unit/host/tensor-copy.test.ts works these through. */
const never = (copy: string) => ({ snippet: `${registers} @p ${copy} mov.b32 d, 7;`, gives: { d: 7 } });
const emptyLoad = (whose: "cta" | "cluster") =>
  never(`cp.async.bulk.tensor.1d.shared::${whose}.global.mbarrier::complete_tx::bytes [s], [g, {x}], [b];`);

export const tensorCopies: readonly Form[] = [
  form(
    "cp.async.bulk.tensor.dim.shared::cta.global{.mode}.completion{.report}{.group}{.hint}{.override::global_address}{.attribute} [d], [t], [mbar]{, info}{, policy}",
    {
      where: { dim, mode: loadMode, completion, report, group, hint, attribute },
      operands: (words) => ({
        d: sharedPlace,
        t: place(words),
        mbar: sharedPlace,
        info: info(words),
        policy: bulkPolicy(words.hint),
      }),
      since: (words) =>
        together({ ptx: 86, sm: 90 }, words.group && specific, sinceMode(words.mode, true), sinceOther(words)),
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden, inspected],
      run: ({ dim, mode, ...words }) => load(dim, mode, "own", words),
      check: [
        emptyLoad("cta"),
        {
          ...never(
            "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes.override::global_address [s], [g, g, {x}], [b];",
          ),
          target: "sm_107a",
        },
      ],
    },
  ),
  form(
    "cp.async.bulk.tensor.dim.shared::cluster.global{.mode}.completion{.report}{.multicast}{.group}{.hint}{.override::global_address}{.attribute} [d], [t], [mbar]{, info}{, mask}{, policy}",
    {
      where: { dim, mode: loadMode, completion, report, multicast, group, hint, attribute },
      operands: (words) => ({
        d: sharedPlace,
        t: place(words),
        mbar: sharedPlace,
        info: info(words),
        mask: ranksMask(words.multicast),
        policy: bulkPolicy(words.hint),
      }),
      since: (words) =>
        together(
          sinceMode(words.mode, false),
          words.group && specific,
          sinceMulticast(words.multicast),
          sinceOther(words),
        ),
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden, inspected],
      run: ({ dim, mode, ...words }) => load(dim, mode, "any", words),
      check: [emptyLoad("cluster")],
    },
  ),
  form(
    "cp.async.bulk.tensor.dim.global.shared::cta{.mode}.bulk_group{.hint}{.override::global_address}{.attribute} [t], [a]{, policy}",
    {
      where: { dim, mode: storeMode, hint, attribute },
      operands: (words) => ({ t: place(words), a: sharedPlace, policy: bulkPolicy(words.hint) }),
      since: (words) => together(sinceMode(words.mode, false), sinceOther(words)),
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden],
      run: ({ dim, mode = "tile", ...words }) => ({
        shape: "tensor copy",
        dim: dims[dim],
        mode,
        direction: "store",
        override: overrideOf(words),
      }),
      check: [never("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [g, {x}], [s];")],
    },
  ),
  form(
    "cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.mode}.bulk_group{.hint}{.override::global_address}{.attribute} [t], [a]{, policy}",
    {
      where: { dim, redOp, mode: storeMode, hint, attribute },
      operands: (words) => ({ t: place(words), a: sharedPlace, policy: bulkPolicy(words.hint) }),
      since: (words) => together(sinceMode(words.mode, false), sinceOther(words)),
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden, subnormals],
      run: ({ dim, mode = "tile", redOp, ...words }) => ({
        shape: "tensor copy",
        dim: dims[dim],
        mode,
        direction: "store",
        override: overrideOf(words),
        updates: updates[redOp],
      }),
      check: [never("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [g, {x}], [s];")],
    },
  ),
  form(
    "cp.async.bulk.prefetch.tensor.dim.L2.global{.mode}{.hint}{.override::global_address}{.attribute} [t]{, info}{, policy}",
    {
      where: { dim, mode: loadMode, hint, attribute },
      operands: (words) => ({ t: place(words), info: info(words), policy: bulkPolicy(words.hint) }),
      since: (words) => together(sinceMode(words.mode, false), sinceOther(words)),
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden],
      run: () => prefetch,
      check: [never("cp.async.bulk.prefetch.tensor.1d.L2.global [g, {x}];")],
    },
  ),
  form(
    "cp.async.bulk.prefetch.tensor.dim.L2.global{.mode}.priority{.override::global_address}{.attribute} [t]{, info}",
    {
      where: { dim, mode: loadMode, priority: ["L2::evict_last"], attribute },
      operands: (words) => ({ t: place(words), info: info(words) }),
      since: rubin,
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden],
      run: () => prefetch,
      check: [{ ...never("cp.async.bulk.prefetch.tensor.1d.L2.global.L2::evict_last [g, {x}];"), target: "sm_107a" }],
    },
  ),
  form(
    "applypriority.async.bulk.tensor.dim{.space}.bulk_group{.mode}.L2::evict_normal{.override::global_address}{.attribute} [t]{, info}",
    {
      where: { dim, space: ["global"], mode: loadMode, attribute },
      operands: (words) => ({ t: place(words), info: info(words) }),
      since: rubin,
      conflict: (words) => flat(words) ?? overriding(words),
      facts: [overridden],
      run: () => prefetch,
      check: [
        {
          ...never("applypriority.async.bulk.tensor.1d.global.bulk_group.L2::evict_normal [g, {x}];"),
          target: "sm_107a",
        },
      ],
    },
  ),
];
