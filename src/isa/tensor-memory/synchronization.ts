import { registerOf } from "../form/classes.ts";
import { form } from "../form/define.ts";
import type { AddressClass } from "../form/operands.ts";
import { allocated, committed, halves, sixteen, stored } from "./examples.ts";
import { group, groupOf, rubin, since } from "./words.ts";

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
  form("tcgen05.commit.group.arrive{.reads}{.ss}{.multicast}.b64 [mbar]{, mask}", {
    where: {
      group,
      arrive: ["mbarrier::arrive::one"],
      reads: ["sync_restrict::shared::read::mma::a"],
      ss: ["shared::cluster"],
      multicast: ["multicast::cluster", "multicast::cluster::16b", "multicast::cluster::32b"],
    },
    operands: ({ ss, multicast }) => ({
      mbar: ss === undefined ? generic : shared,
      mask:
        multicast === undefined
          ? { kind: "absent", unless: ".multicast::cluster" }
          : registerOf(multicast === "multicast::cluster::32b" ? "b32" : "u16"),
    }),
    since: ({ reads, multicast }) =>
      reads !== undefined || multicast === "multicast::cluster::32b"
        ? rubin
        : multicast === "multicast::cluster::16b"
          ? { ...since, ptx: 94 }
          : since,
    run: ({ group, reads, multicast }) => ({
      shape: "tcgen05 commit",
      group: groupOf(group),
      multicast: multicast !== undefined,
      readsOfA: reads !== undefined,
    }),
    check: [
      {
        snippet: committed(7, "", "tcgen05.cp.cta_group::1.128x128b [t], s;"),
        gives: { d: 7 },
      },
      {
        // Once A, at n, has been read, its memory may change: the product is that of before.
        target: "sm_107f",
        snippet: committed(
          halves,
          `.shared .align 128 .b8 n[128];
@p mbarrier.init.shared::cta.b64 [m+144], 1;
mov.u32 c, n; shr.u32 b, c, 4; cvt.u64.u32 e, b; or.b64 e, e, s;
mad.lo.u32 c, l, 4, c; st.shared.b32 [c], ${halves};`,
          `tcgen05.mma.cta_group::1.kind::f16 [t], e, s, 0x08020010, 0;
@p tcgen05.commit.cta_group::1.mbarrier::arrive::one.sync_restrict::shared::read::mma::a.shared::cluster.b64 [m+144];
R: mbarrier.try_wait.parity.shared::cta.b64 q, [m+144], 0;
@!q bra R;
st.shared.b32 [c], 0;`,
        ),
        gives: { d: sixteen },
      },
    ],
  }),
];
