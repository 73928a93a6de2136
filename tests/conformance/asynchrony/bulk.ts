import type { Pair } from "./pair.ts";

const tile = ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar;";
const load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 16, [bar];";
const init = "mbarrier.init.shared.b64 [bar], 1;";
const arrive = (bytes: number): string => `mbarrier.arrive.expect_tx.shared.b64 _, [bar], ${bytes};`;
const wait = "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;";
const show = "ld.shared.u32 %r3, [tile+4]; st.global.u32 [%at], %r3;";
const fence = "fence.proxy.async.shared::cta;";
const fill = "st.shared.v4.b32 [tile], {7, 8, 9, 10};";
const store = "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;";
const commit = "cp.async.bulk.commit_group;";
const done = "cp.async.bulk.wait_group 0;";
const one = { module: tile, target: "sm_90a", leaves: [1] };
const four = { module: tile, target: "sm_90a", leaves: [7, 8, 9, 10] };

export const pairs: readonly Pair[] = [
  {
    name: "the destination of a bulk copy read before its barrier says that it is there",
    finds: "PTX4020",
    says: [
      /ld.shared.u32 reads 4 bytes/,
      /cp.async.bulk.shared::cluster.*, still in flight, writes/,
      /wait for the phase/,
    ],
    wrong: `${init} ${arrive(16)} ${load} ${show} ${wait}`,
    right: `${init} ${arrive(16)} ${load} ${wait} ${show}`,
    ...one,
  },
  {
    name: "more bytes expected than the copy brings",
    finds: "PTX3034",
    says: [/mbarrier.try_wait/],
    wrong: `${init} ${arrive(32)} ${load} ${wait} ${show}`,
    right: `${init} ${arrive(16)} ${load} ${wait} ${show}`,
    ...one,
  },
  {
    name: "two bulk copies in flight to one place",
    finds: "PTX4022",
    says: [/writes what cp.async.bulk.*, still in flight, writes: the two are not ordered/],
    wrong: `${init} ${arrive(32)} ${load} cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 16, [bar]; ${wait} ${show}`,
    right: `${init} ${arrive(32)} ${load} cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+16], [%in], 16, [bar]; ${wait} ${show}`,
    ...one,
  },
  {
    name: "no fence between the proxies before a bulk store",
    finds: "PTX4025",
    says: [/fence.proxy.async/],
    wrong: `${fill} ${store} ${commit} ${done}`,
    right: `${fill} ${fence} ${store} ${commit} ${done}`,
    ...four,
  },
  {
    name: "the source of a bulk store overwritten before it has been read",
    finds: "PTX4021",
    says: [/st.shared.u32 writes 4 bytes/, /still in flight, reads/, /not committed|cp.async.bulk.wait_group/],
    wrong: `${fill} ${fence} ${store} ${commit} st.shared.u32 [tile], 3; ${done}`,
    right: `${fill} ${fence} ${store} ${commit} cp.async.bulk.wait_group.read 0; st.shared.u32 [tile], 3; ${done}`,
    ...four,
  },
  {
    name: "what a bulk store writes read behind a wait for its source alone",
    finds: "PTX4020",
    says: [/ld.global.u32 reads 4 bytes/, /still in flight, writes/],
    wrong: `${fill} ${fence} ${store} ${commit} cp.async.bulk.wait_group.read 0; ld.global.u32 %r3, [%out]; ${done}`,
    right: `${fill} ${fence} ${store} ${commit} ${done} ld.global.u32 %r3, [%out]; st.global.u32 [%out], %r3;`,
    ...four,
  },
  {
    name: "a block that ends while a bulk store still needs its memory",
    finds: "PTX4024",
    says: [/still in flight when the block ends/],
    wrong: `${fill} ${fence} ${store} ${commit}`,
    // CUDA's own samples end so: what is written, the end of the kernel shows.
    right: `${fill} ${fence} ${store} ${commit} cp.async.bulk.wait_group.read 0;`,
    ...four,
  },
  {
    name: "a reduction on what another one still updates is fine, a store is not",
    finds: "PTX4020",
    says: [/st.global.u32 writes 4 bytes/, /still in flight, writes/],
    wrong: `${fill} ${fence} cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [tile], 16; ${commit} st.global.u32 [%out], 5; ${done}`,
    right: `st.global.v4.u32 [%out], {0, 0, 0, 0}; ${fill} ${fence} cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%out], [tile], 16;
      cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%out], [tile], 16; ${commit} ${done}`,
    ...four,
  },
];
