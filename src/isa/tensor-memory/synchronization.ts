import { registerOf } from "../form/classes.ts";
import { form } from "../form/define.ts";
import type { AddressClass } from "../form/operands.ts";
import { allocated, committed, stored } from "./examples.ts";
import { group, groupOf, since } from "./words.ts";

const generic: AddressClass = { kind: "address", space: "generic", narrow: true };
const shared: AddressClass = { kind: "address", space: "shared" };

/** Order among threads, and completion. */
export const synchronization = [
  form("tcgen05.fence", {
    where: { fence: ["fence::before_thread_sync", "fence::after_thread_sync"] },
    operands: {},
    since,
    run: ({ fence }) => ({ shape: "tcgen05 fence", when: fence === "fence::before_thread_sync" ? "before" : "after" }),
    check: [
      {
        snippet: allocated(
          `${stored(0, 3)} tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;
bar.warp.sync -1; tcgen05.fence::after_thread_sync;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {a}, [t]; tcgen05.wait::ld.sync.aligned;`,
        ),
        gives: { a: 3 },
      },
    ],
  }),
  form("tcgen05.commit.group.arrive{.ss}{.multicast}.b64 [mbar]{, mask}", {
    where: { group, arrive: ["mbarrier::arrive::one"], ss: ["shared::cluster"], multicast: ["multicast::cluster"] },
    operands: ({ ss, multicast }) => ({
      mbar: ss === undefined ? generic : shared,
      mask: multicast === undefined ? { kind: "absent", unless: ".multicast::cluster" } : registerOf("u16"),
    }),
    since,
    run: ({ group, multicast }) => ({
      shape: "tcgen05 commit",
      group: groupOf(group),
      multicast: multicast !== undefined,
    }),
    check: [
      {
        snippet: committed(7, "", "tcgen05.cp.cta_group::1.128x128b [t], s;"),
        gives: { d: 7 },
      },
    ],
  }),
];
