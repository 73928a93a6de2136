import type { Pair } from "./pair.ts";

const module = ".shared .align 128 .b8 tile[512]; .shared .align 8 .b64 bar; .shared .b32 flag;";
const place = "mov.u32 %r1, tile; shl.b32 %r2, %me, 2; add.u32 %r1, %r1, %r2;";
const put = `${place} add.u32 %r3, %n, 100; st.shared.u32 [%r1], %r3;`;
const first = "setp.eq.u32 %p1, %me, 0;";
const init = (count: number): string =>
  `${first} @%p1 mbarrier.init.shared.b64 [bar], ${count}; @%p1 fence.mbarrier_init.release.cluster; bar.sync 0;`;
const wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra W;";
const fence = "fence.proxy.async.shared::cta;";
/** The first thread stores the tile of its block. */
const store = (bytes: number, act = "cp.async.bulk.global.shared::cta.bulk_group"): string =>
  `@!%p1 bra E; ${act} [%at], [tile], ${bytes}; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; E:`;
const clusterArrive = "barrier.cluster.arrive.release.aligned;";
const clusterWait = "barrier.cluster.wait.acquire.aligned;";
const meet = `${clusterArrive} ${clusterWait}`;

const finds = { finds: "PTX4025", says: [/fence.proxy.async/] } as const;
const from = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at);
const block = (threads: number) =>
  ({ module, target: "sm_90a", launch: { block: threads }, leaves: from(100, threads) }) as const;
const two = { ...block(64), launch: { block: 64, grid: 2, cluster: 2 }, leaves: from(100, 128) } as const;

/** What counts as waiting for those who have written: each right one has its fence behind that, in the thread that asks. */
export const pairs: readonly Pair[] = [
  {
    name: "a fence of the first thread alone, before the barrier and not behind it",
    ...finds,
    wrong: `${first} ${put} @%p1 ${fence} bar.sync 0; ${store(256)}`,
    right: `${first} ${put} bar.sync 0; @%p1 ${fence} ${store(256)}`,
    ...block(64),
  },
  {
    name: "a fence of global memory",
    ...finds,
    wrong: `${first} ${put} fence.proxy.async.global; bar.sync 0; ${store(256)}`,
    right: `${first} ${put} ${fence} bar.sync 0; ${store(256)}`,
    ...block(64),
  },
  {
    name: "a fence before the wait at the cluster's barrier",
    ...finds,
    wrong: `${first} ${put} @%p1 ${fence} ${clusterArrive} ${clusterWait} ${store(256)}`,
    right: `${first} ${put} ${clusterArrive} ${clusterWait} @%p1 ${fence} ${store(256)}`,
    ...two,
  },
  {
    name: "stores to another block's memory without a fence",
    ...finds,
    wrong: `${place} ${meet} mapa.shared::cluster.u32 %r4, %r1, 0; mov.u32 %r5, %cluster_ctarank; shl.b32 %r5, %r5, 8; add.u32 %r4, %r4, %r5;
      add.u32 %r3, %n, 100; st.shared::cluster.u32 [%r4], %r3; ${meet} setp.eq.u32 %p1, %n, 0; ${store(512)}`,
    right: `${place} ${meet} mapa.shared::cluster.u32 %r4, %r1, 0; mov.u32 %r5, %cluster_ctarank; shl.b32 %r5, %r5, 8; add.u32 %r4, %r4, %r5;
      add.u32 %r3, %n, 100; st.shared::cluster.u32 [%r4], %r3; fence.proxy.async; ${meet} setp.eq.u32 %p1, %n, 0; ${store(512)}`,
    ...two,
  },
  {
    name: "a fence before the mbarrier object's phase is complete",
    ...finds,
    wrong: `${init(64)} ${put} mbarrier.arrive.shared.b64 _, [bar]; @%p1 ${fence} ${wait} ${store(256)}`,
    right: `${init(64)} ${put} mbarrier.arrive.shared.b64 _, [bar]; ${wait} @%p1 ${fence} ${store(256)}`,
    ...block(64),
  },
  {
    name: "a fence of one lane before the warp has met",
    ...finds,
    wrong: `${first} ${put} @%p1 ${fence} bar.warp.sync -1; ${store(128)}`,
    right: `${first} ${put} bar.warp.sync -1; @%p1 ${fence} ${store(128)}`,
    ...block(32),
  },
  {
    name: "a flag without a fence after it",
    ...finds,
    wrong: `${first} @%p1 st.shared.u32 [flag], 0; bar.sync 0; ${put} membar.cta; red.shared.add.u32 [flag], 1;
      L: ld.acquire.cta.shared.u32 %r9, [flag]; setp.ne.u32 %p5, %r9, 64; @%p5 bra L; ${store(256)}`,
    right: `${first} @%p1 st.shared.u32 [flag], 0; bar.sync 0; ${put} membar.cta; red.shared.add.u32 [flag], 1;
      L: ld.acquire.cta.shared.u32 %r9, [flag]; setp.ne.u32 %p5, %r9, 64; @%p5 bra L; @%p1 ${fence} ${store(256)}`,
    ...block(64),
  },
  {
    name: "what cp.async brings, fenced before it is there",
    ...finds,
    wrong: `${first} ${place} add.u64 %rd1, %in, %wide; cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group; ${fence} cp.async.wait_group 0; bar.sync 0; ${store(256)}`,
    right: `${first} ${place} add.u64 %rd1, %in, %wide; cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group; cp.async.wait_group 0; ${fence} bar.sync 0; ${store(256)}`,
    ...block(64),
    given: from(100, 64),
  },
  {
    name: "what cp.async brings and an mbarrier object tells of",
    ...finds,
    wrong: `${init(64)} ${place} add.u64 %rd1, %in, %wide; cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; ${wait} ${store(256)}`,
    right: `${init(64)} ${place} add.u64 %rd1, %in, %wide; cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; ${wait} @%p1 ${fence} ${store(256)}`,
    ...block(64),
    given: from(100, 64),
  },
  {
    name: "a bulk reduction",
    ...finds,
    wrong: `${first} ${put} bar.sync 0; ${store(256, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32")}`,
    right: `${first} ${put} ${fence} bar.sync 0; ${store(256, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32")}`,
    ...block(64),
  },
  {
    name: "a bulk copy to another block of the cluster",
    ...finds,
    ...((fenced: string) => ({
      wrong: fenced.replace(fence, ""),
      right: fenced,
    }))(`${init(1)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256; ${meet} ${put} ${fence} bar.sync 0; @!%p1 bra Z;
      mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1; add.u32 %r6, %r1, 256; mapa.shared::cluster.u32 %r6, %r6, %r5; mov.u32 %r7, bar;
      mapa.shared::cluster.u32 %r7, %r7, %r5; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6], [%r1], 256, [%r7];
      Z: ${wait} ld.shared.u32 %r8, [%r1+256]; st.global.u32 [%at], %r8; ${meet}`),
    ...two,
    leaves: [...from(164, 64), ...from(100, 64)],
  },
  {
    name: "an mbarrier object that another block's copy signals, without a fence after its mbarrier.init",
    finds: "PTX4025",
    says: [
      /cp.async.bulk.* signals .* an mbarrier object/,
      /mbarrier.init.*, by the generic proxy/,
      /fence.mbarrier_init/,
    ],
    ...((fenced: string) => ({
      wrong: fenced.replace("@%p1 fence.mbarrier_init.release.cluster;", ""),
      right: fenced,
    }))(`${init(1)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256; ${place} ${meet} @!%p1 bra Z;
      mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1; mapa.shared::cluster.u32 %r6, %r1, %r5; mov.u32 %r7, bar;
      mapa.shared::cluster.u32 %r7, %r7, %r5; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%in], 256, [%r7];
      Z: ${wait} ld.shared.u32 %r8, [%r1]; st.global.u32 [%at], %r8; ${meet}`),
    ...two,
    given: from(100, 64),
    leaves: [...from(100, 64), ...from(100, 64)],
  },
];
