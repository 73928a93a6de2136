import { count } from "../form/classes.ts";
import { form, manual, unspecified } from "../form/define.ts";
import type { AddressClass } from "../form/operands.ts";
import { allocated } from "./examples.ts";
import { group, groupOf, since } from "./words.ts";

const generic: AddressClass = { kind: "address", space: "generic", narrow: true };
const shared: AddressClass = { kind: "address", space: "shared" };

/** Allocation of columns. */
export const allocation = [
  form("tcgen05.alloc.group.sync.aligned{.ss}.b32 [a], n", {
    where: { group, ss: ["shared::cta"] },
    operands: ({ ss }) => ({
      a: ss === undefined ? generic : shared,
      n: count({ among: [32, 64, 128, 256, 512] }),
    }),
    since,
    run: (mods) => ({ shape: "tcgen05 alloc", group: groupOf(mods.group), act: "alloc" }),
    facts: [
      manual("each block has 512 columns of its own; they are given out from column 0 on, wherever there is room"),
      unspecified("which columns a GPU gives, and how it shares them among blocks of one multiprocessor"),
    ],
    check: [{ snippet: allocated(""), gives: { t: 0 } }],
  }),
  form("tcgen05.dealloc.group.sync.aligned.b32 t, n", {
    where: { group },
    operands: { t: count(), n: count({ multiple: 32 }) },
    since,
    run: (mods) => ({ shape: "tcgen05 alloc", group: groupOf(mods.group), act: "dealloc" }),
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
    run: (mods) => ({ shape: "tcgen05 alloc", group: groupOf(mods.group), act: "relinquish" }),
    check: [{ snippet: allocated("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"), gives: { t: 0 } }],
  }),
];
