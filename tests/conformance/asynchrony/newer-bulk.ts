import type { Pair } from "./pair.ts";

const tile = ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar;";
const init = "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;";
const wait = "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;";
const some = (left: number, right: number, place = "%in"): string =>
  `cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [tile], [${place}], 32, ${left}, ${right}, [bar];`;
const show = (at: number): string => `ld.shared.u32 %r3, [tile+${at}]; st.global.u32 [%at], %r3;`;
const relaxed = "cp.async.bulk.relaxed.gpu.global.shared::cta.bulk_group.b128 [%out], [tile], 16;";
const fill = "st.shared.v4.b32 [tile], {7, 8, 9, 10}; fence.proxy.async.shared::cta;";
const done = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
const one = { module: tile, target: "sm_90a" };

const inspecting =
  "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.mbarrier::report::validity::per_16bytes::80 [tile], [%in], 32, [bar];";

export const pairs: readonly Pair[] = [
  {
    name: "a copy that inspects its data, with an mbarrier object that has no reports",
    finds: "PTX3031",
    says: [/inspects its data, and its mbarrier object does not have .layout::v1/],
    wrong: `${init} ${inspecting} ${wait} ${show(0)}`,
    right: `${init.replace("init", "init.layout::v1")} ${inspecting} ${wait} ${show(0)}`,
    ...one,
    target: "sm_107f",
    leaves: [0],
  },
  {
    name: "bytes that a copy ignores are read",
    finds: "PTX4001",
    says: [/reads 4 bytes/, /which nothing has written/],
    wrong: `${init} ${some(0, 12)} ${wait} ${show(20)}`,
    right: `${init} ${some(0, 12)} ${wait} ${show(16)}`,
    ...one,
    leaves: [4],
  },
  {
    name: "a copy that may ignore too little reads behind its source",
    finds: "PTX3002",
    says: [/reads/, /past the end/],
    wrong: `${init} ${some(0, 11)} ${wait} ${show(0)}`,
    right: `${init} ${some(0, 12)} ${wait} ${show(0)}`,
    ...one,
    given: [1, 2, 3, 4, 5],
    leaves: [1],
  },
  {
    name: "a copy that may ignore too little reads before its source",
    finds: "PTX3002",
    says: [/reads/],
    wrong: `${init} add.u64 %rd1, %in, -16; ${some(15, 0, "%rd1")} ${wait} ${show(16)}`,
    right: `${init} ${some(15, 0)} ${wait} ${show(16)}`,
    ...one,
    leaves: [4],
  },
  {
    name: "more than 15 bytes ignored",
    finds: "PTX3050",
    says: [/ignores 16 bytes at an end/],
    wrong: `${init} mov.u32 %r1, 16; ${some(0, 0).replace("32, 0, 0", "32, 0, %r1")} ${wait} ${show(0)}`,
    right: `${init} mov.u32 %r1, 15; ${some(0, 0).replace("32, 0, 0", "32, 0, %r1")} ${wait} ${show(0)}`,
    ...one,
    leaves: [0],
  },
  {
    name: "what a relaxed bulk store writes read before it has been waited for",
    finds: "PTX4020",
    says: [/ld.global.u32 reads 4 bytes/, /still in flight, writes/],
    wrong: `${fill} ${relaxed} ld.global.u32 %r3, [%out]; ${done}`,
    right: `${fill} ${relaxed} ${done} ld.global.u32 %r3, [%out]; st.global.u32 [%out], %r3;`,
    ...one,
    leaves: [7, 8, 9, 10],
  },
  {
    name: "no fence between the proxies before a relaxed bulk store",
    finds: "PTX4025",
    says: [/fence.proxy.async/],
    wrong: `st.shared.v4.b32 [tile], {7, 8, 9, 10}; ${relaxed} ${done}`,
    right: `${fill} ${relaxed} ${done}`,
    ...one,
    leaves: [7, 8, 9, 10],
  },
];
