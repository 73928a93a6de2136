import { bulkPolicy, mask16, offsets, sharedPlace, specific, tensorPlace, withWord } from "../form/bulk-operands.ts";
import { type Conflict, type Form, form, type Since } from "../form/define.ts";
import { hint } from "../form/memory-access.ts";
import type { AbsentClass, VectorClass } from "../form/operands.ts";
import { bulk } from "./bulk-copy.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const dim = ["1d", "2d", "3d", "4d", "5d"] as const;
const group = ["cta_group::1", "cta_group::2"] as const;
const loadMode = ["tile", "tile::gather4", "im2col", "im2col::w", "im2col::w::128"] as const;
const storeMode = ["tile", "tile::scatter4", "im2col_no_offs"] as const;
const redOp = ["add", "min", "max", "inc", "dec", "and", "or", "xor"] as const;
type Dim = (typeof dim)[number];
type Mode = (typeof loadMode)[number] | (typeof storeMode)[number] | undefined;

const rows = (mode: Mode): boolean => mode === "tile::gather4" || mode === "tile::scatter4";

/** Coordinates: one a dimension; a column and four rows for the modes that take rows apart. */
const place = (dim: Dim, mode: Mode) => tensorPlace(rows(mode) ? 5 : Number(dim[0]));

/** im2colInfo: offsets along W, H and D, or wHalo and wOffset. */
const info = (dim: Dim, mode: Mode): VectorClass | AbsentClass =>
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
  if (mode === "im2col::w::128" || mode === "tile::scatter4") return specific;
  if (mode !== "tile::gather4" && mode !== "im2col::w") return bulk;
  return anywhere ? { ptx: 86, sm: 100 } : specific;
};

/** 9.7.9.26.5. */
export const tensorCopies: readonly Form[] = [
  form(
    "cp.async.bulk.tensor.dim.shared::cta.global{.mode}.completion{.group}{.hint} [d], [t], [mbar]{, info}{, policy}",
    {
      where: { dim, mode: loadMode, completion, group, hint },
      operands: ({ dim, mode, hint }) => ({
        d: sharedPlace,
        t: place(dim, mode),
        mbar: sharedPlace,
        info: info(dim, mode),
        policy: bulkPolicy(hint),
      }),
      since: ({ mode, group }) => later(group && specific, later(sinceMode(mode, true), { ptx: 86, sm: 90 })),
      conflict: flat,
    },
  ),
  form(
    "cp.async.bulk.tensor.dim.shared::cluster.global{.mode}.completion{.multicast}{.group}{.hint} [d], [t], [mbar]{, info}{, mask}{, policy}",
    {
      where: { dim, mode: loadMode, completion, multicast: ["multicast::cluster"], group, hint },
      operands: ({ dim, mode, multicast, hint }) => ({
        d: sharedPlace,
        t: place(dim, mode),
        mbar: sharedPlace,
        info: info(dim, mode),
        mask: withWord(multicast, ".multicast::cluster", mask16),
        policy: bulkPolicy(hint),
      }),
      since: ({ mode, group }) => later(group && specific, sinceMode(mode, false)),
      conflict: flat,
    },
  ),
  form("cp.async.bulk.tensor.dim.global.shared::cta{.mode}.bulk_group{.hint} [t], [a]{, policy}", {
    where: { dim, mode: storeMode, hint },
    operands: ({ dim, mode, hint }) => ({ t: place(dim, mode), a: sharedPlace, policy: bulkPolicy(hint) }),
    since: ({ mode }) => sinceMode(mode, false),
    conflict: flat,
  }),
  form("cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.mode}.bulk_group{.hint} [t], [a]{, policy}", {
    where: { dim, redOp, mode: storeMode, hint },
    operands: ({ dim, mode, hint }) => ({ t: place(dim, mode), a: sharedPlace, policy: bulkPolicy(hint) }),
    since: ({ mode }) => sinceMode(mode, false),
    conflict: flat,
  }),
  form("cp.async.bulk.prefetch.tensor.dim.L2.global{.mode}{.hint} [t]{, info}{, policy}", {
    where: { dim, mode: loadMode, hint },
    operands: ({ dim, mode, hint }) => ({ t: place(dim, mode), info: info(dim, mode), policy: bulkPolicy(hint) }),
    since: ({ mode }) => sinceMode(mode, false),
    conflict: flat,
  }),
];

/** The later of two. */
const later = (one: Since | undefined, other: Since): Since => (one !== undefined && one.sm >= other.sm ? one : other);
