import type { Pair } from "./pair.ts";

const module = ".shared .align 8 .b64 bar; .shared .align 4 .b8 tile[128];";
const meet = "barrier.cluster.arrive; barrier.cluster.wait;";
/** Each thread writes to the other block of the pair; %r4 is its own word, %r7 and %r8 the other's word and object. */
const begin = (bytes: number): string => `setp.eq.u32 %p1, %me, 0; mov.u32 %r2, %cluster_ctarank;
@%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], ${bytes}; ${meet}
xor.b32 %r3, %r2, 1; mov.u32 %r4, tile; mov.u32 %r5, bar; shl.b32 %r6, %me, 2; add.u32 %r4, %r4, %r6;
mapa.shared::cluster.u32 %r7, %r4, %r3; mapa.shared::cluster.u32 %r8, %r5, %r3; mad.lo.u32 %r9, %r2, 100, %me;`;
const send = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r7], %r9, [%r8];";
const wait = "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;";
const store = `ld.shared.u32 %r10, [%r4]; st.global.u32 [%at], %r10; ${meet}`;
const leaves = Array.from({ length: 16 }, (_, at) => (at < 8 ? 100 + at : at - 8));
const pair = { module, launch: { grid: 2, block: 8, cluster: 2 }, leaves };

export const pairs: readonly Pair[] = [
  {
    name: "what another block has sent, read without a wait",
    finds: "PTX4020",
    says: [/ld.shared.u32 reads/, /st.async.*, asked for by/, /wait for the phase of its mbarrier object/],
    wrong: `${begin(32)} ${send} ${meet} ${store} ${wait}`,
    right: `${begin(32)} ${send} ${meet} ${wait} ${store}`,
    ...pair,
  },
  {
    name: "fewer bytes sent than expected",
    finds: "PTX3034",
    says: [/all have arrived, 4 bytes are missing/],
    wrong: `${begin(36)} ${send} ${wait} ${store}`,
    right: `${begin(32)} ${send} ${wait} ${store}`,
    ...pair,
  },
  {
    name: "an object in another block than the memory",
    finds: "PTX3036",
    says: [/its mbarrier object is in another/],
    wrong: `${begin(32)} mov.u32 %r8, bar; ${send} ${wait} ${store}`,
    right: `${begin(32)} ${send} ${wait} ${store}`,
    ...pair,
  },
  {
    name: "two sums into one word, one of them plain",
    finds: "PTX4020",
    says: [/red.async/, /st.shared.u32 writes/],
    wrong: `${begin(32)} st.shared.u32 [%r4], 0; ${meet} red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r7], %r9, [%r8]; ${meet} st.shared.u32 [%r4], 0; ${wait} ${store}`,
    right: `${begin(32)} st.shared.u32 [%r4], 0; ${meet} red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r7], %r9, [%r8]; ${meet} ${wait} ${store}`,
    ...pair,
  },
];
