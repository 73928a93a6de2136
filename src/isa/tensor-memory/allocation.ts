import { count } from "../form/classes.ts";
import { form, manual, type Since, unspecified } from "../form/define.ts";
import type { AddressClass } from "../form/operands.ts";
import { allocated } from "./examples.ts";
import { group, groupOf, since } from "./words.ts";

const generic: AddressClass = { kind: "address", space: "generic", narrow: true };
const shared: AddressClass = { kind: "address", space: "shared" };

/** Of an exclusive allocation: not only powers of two, and on sm_107 up to 576. */
const columns = count({ least: 32, most: 576, multiple: 32 });
const sinceExclusive = ({ exclusive }: { readonly exclusive: boolean }): Since =>
  exclusive ? { ...since, ptx: 94 } : since;

const exclusiveFacts = [
  manual("an exclusive allocation waits until the block has no other, and others wait until it is freed"),
  manual(
    "the page's list of targets for .exclusive leaves out sm_107f, and its text and table give 576 columns there: it is among them",
  ),
  unspecified("columns 512 to 575 of sm_107 are for exclusive allocations alone"),
];

/** Allocation of columns. */
export const allocation = [
  form("tcgen05.alloc{.exclusive}.group.sync.aligned{.ss}.b32 [a], n", {
    where: { group, ss: ["shared::cta"] },
    operands: ({ exclusive, ss }) => ({
      a: ss === undefined ? generic : shared,
      n: exclusive ? columns : count({ among: [32, 64, 128, 256, 512] }),
    }),
    since: sinceExclusive,
    run: (mods) => ({
      shape: "tcgen05 alloc",
      group: groupOf(mods.group),
      act: "alloc",
      exclusive: mods.exclusive,
    }),
    facts: [
      ...exclusiveFacts,
      manual("each block has 512 columns of its own; they are given out from column 0 on, wherever there is room"),
      unspecified("which columns a GPU gives, and how it shares them among blocks of one multiprocessor"),
    ],
    check: [
      { snippet: allocated(""), gives: { t: 0 } },
      {
        target: "sm_107f",
        snippet: `.shared .b32 m;
tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [m], 576; ld.shared.b32 t, [m];
mov.b32 x, 7; tcgen05.st.sync.aligned.32x32b.x1.b32 [t+575], {x}; tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {d}, [t+575]; tcgen05.wait::ld.sync.aligned;
tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 t, 576;`,
        gives: { t: 0, d: 7 },
      },
    ],
  }),
  form("tcgen05.dealloc{.exclusive}.group.sync.aligned.b32 t, n", {
    where: { group },
    operands: ({ exclusive }) => ({ t: count(), n: exclusive ? columns : count({ multiple: 32 }) }),
    since: sinceExclusive,
    run: (mods) => ({
      shape: "tcgen05 alloc",
      group: groupOf(mods.group),
      act: "dealloc",
      exclusive: mods.exclusive,
    }),
    check: [
      {
        snippet: `.shared .b32 m;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [m], 32; ld.shared.b32 a, [m];
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [m], 64; ld.shared.b32 b, [m];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 a, 32;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [m], 32; ld.shared.b32 c, [m];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 b, 64;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 c, 32;`,
        gives: { a: 0, b: 32, c: 0 },
      },
    ],
  }),
  form("tcgen05.relinquish_alloc_permit.group.sync.aligned", {
    where: { group },
    operands: {},
    since,
    run: (mods) => ({ shape: "tcgen05 alloc", group: groupOf(mods.group), act: "relinquish", exclusive: false }),
    check: [{ snippet: allocated("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"), gives: { t: 0 } }],
  }),
];
