import type { Pair } from "./pair.ts";

const module = ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 bar;";
const leader = "setp.eq.u32 %p1, %me, 0;";
const init = (count: number | string): string => `${leader} @%p1 mbarrier.init.shared.b64 [bar], ${count}; bar.sync 0;`;
const initV1 = (count: number): string => init(count).replace("init.", "init.layout::v1.");
const conditional = ".phase_type::conditional";
const wait = (parity: number, label = "W", kind = "try_wait", phase = ""): string =>
  `${label}: mbarrier.${kind}.parity${phase}.shared.b64 %p2, [bar], ${parity}; @!%p2 bra ${label};`;
const places =
  "mov.u32 %r1, tile; shl.b32 %r2, %me, 2; add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd2, %r2; add.u64 %rd1, %in, %rd2;";
const copy = "cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];";
const store = "ld.shared.u32 %r3, [%r1]; st.global.u32 [%at], %r3;";
const all = { module, launch: { block: 64 }, leaves: Array.from({ length: 64 }, (_, at) => at) };
const done = "st.global.u32 [%at], %me;";

export const pairs: readonly Pair[] = [
  {
    name: "copies that arrive at an mbarrier, read before anybody has waited",
    finds: "PTX4020",
    says: [/ld.shared.u32 reads/, /cp.async.ca.shared.global, asked for by/],
    wrong: `${places} ${init(64)} ${copy} ${store} ${wait(0)}`,
    right: `${places} ${init(64)} ${copy} ${wait(0)} ${store}`,
    ...all,
  },
  {
    name: "an arrival too few, waited for",
    finds: "PTX3034",
    says: [/waits forever for phase 0/, /1 of 65 arrivals is pending/, /mbarrier.init.shared.b64, which has made/],
    wrong: `${init(65)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "an arrival too few, polled for",
    finds: "PTX3034",
    says: [/mbarrier.test_wait.parity.shared.b64 waits forever/, /1 of 65 arrivals is pending/],
    wrong: `${init(65)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0, "W", "test_wait")} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0, "W", "test_wait")} ${done}`,
    ...all,
  },
  {
    name: "a wrong transaction count",
    finds: "PTX3034",
    says: [/all have arrived, 16 bytes are missing/, /compare .expect_tx with what is copied/],
    wrong: `${init(1)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32; @%p1 mbarrier.complete_tx.shared.b64 [bar], 16; ${wait(0)} ${done}`,
    right: `${init(1)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16; @%p1 mbarrier.complete_tx.shared.b64 [bar], 16; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "the parity of a phase that nobody completes",
    finds: "PTX3034",
    says: [/phase 1 of the mbarrier object/, /it is in phase 1, 64 of 64 arrivals are pending/],
    wrong: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${wait(1, "V")} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(1, "V")} ${done}`,
    ...all,
  },
  {
    name: "the conditional phase of an object that nobody completes",
    finds: "PTX3034",
    says: [/conditional phase 1 of the mbarrier object/, /it is in phase 1, 64 of 64 arrivals are pending/],
    wrong: `${initV1(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0, "W", "try_wait", conditional)} ${wait(1, "V", "try_wait", conditional)} ${done}`,
    right: `${initV1(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0, "W", "try_wait", conditional)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(1, "V", "test_wait", conditional)} ${done}`,
    ...all,
  },
  {
    name: "more arrivals than an object of .layout::v1 counts",
    finds: "PTX3032",
    says: [/initialises an mbarrier object for 512, where 1 to 511 is possible/],
    wrong: `${initV1(512)} @%p1 mbarrier.arrive.shared.b64 _, [bar], 511; ${wait(0)} ${done}`,
    right: `${initV1(511)} @%p1 mbarrier.arrive.shared.b64 _, [bar], 511; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "an arrival at a block that the cluster does not have",
    finds: "PTX3031",
    says: [/signals block 1 of a cluster of 1/],
    wrong: `${init(1)} @%p1 mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [bar], 0x3; ${wait(0)} ${done}`,
    right: `${init(1)} @%p1 mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [bar], 0x1; ${wait(0)} ${done}`,
    ...all,
    target: "sm_107f",
  },
  {
    name: "an object that nobody has initialised",
    finds: "PTX3031",
    says: [/nothing has initialised it/],
    wrong: `mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "an object that has been invalidated",
    finds: "PTX3031",
    says: [/it has been invalidated/, /mbarrier.inval.shared.b64, which made it ordinary memory/],
    wrong: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} bar.sync 0; @%p1 mbarrier.inval.shared.b64 [bar]; bar.sync 0; mbarrier.arrive.shared.b64 _, [bar]; ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} bar.sync 0; @%p1 mbarrier.inval.shared.b64 [bar]; ${done}`,
    ...all,
  },
  {
    name: "an object made twice",
    finds: "PTX4030",
    says: [/where there is one, not invalidated/, /which has made it/],
    wrong: `${init(64)} ${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    right: `${init(64)} @%p1 mbarrier.inval.shared.b64 [bar]; ${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "a load of an object",
    finds: "PTX4030",
    says: [/ld.shared.b64 reads 8 bytes/, /which has made the object/],
    wrong: `${init(64)} ld.shared.b64 %rd5, [bar]; mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "a store to an object",
    finds: "PTX4030",
    says: [/st.shared.b32 writes 4 bytes/],
    wrong: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} bar.sync 0; st.shared.b32 [bar+4], %me; ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} bar.sync 0; @%p1 mbarrier.inval.shared.b64 [bar]; @%p1 st.shared.b32 [bar+4], %me; ${done}`,
    ...all,
  },
  {
    name: "an arrival more than the phase expects",
    finds: "PTX3033",
    says: [/arrives where none is pending/, /which has arrived before/, /where its count was said/],
    wrong: `${init(1)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 8; @%p1 mbarrier.arrive.shared.b64 _, [bar]; @%p1 mbarrier.complete_tx.shared.b64 [bar], 8; ${wait(0)} ${done}`,
    right: `${init(2)} @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 8; @%p1 mbarrier.arrive.shared.b64 _, [bar]; @%p1 mbarrier.complete_tx.shared.b64 [bar], 8; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "an object for no arrivals",
    finds: "PTX3032",
    says: [/initialises an mbarrier object for 0/],
    wrong: `${init("0")} ${done}`,
    right: `${init("1")} ${done}`,
    ...all,
  },
  {
    name: "more transactions than an object counts",
    finds: "PTX3032",
    says: [/tx-count 1048576/],
    wrong: `${init(64)} @%p1 mbarrier.expect_tx.shared.b64 [bar], 1048575; @%p1 mbarrier.expect_tx.shared.b64 [bar], 1; ${done}`,
    right: `${init(64)} @%p1 mbarrier.expect_tx.shared.b64 [bar], 1048575; ${done}`,
    ...all,
  },
  {
    name: ".noComplete that completes the phase",
    finds: "PTX3033",
    says: [/completes the phase, which .noComplete promises/],
    wrong: `${init(2)} @%p1 mbarrier.arrive.noComplete.shared.b64 _, [bar], 2; ${done}`,
    right: `${init(3)} @%p1 mbarrier.arrive.noComplete.shared.b64 _, [bar], 2; ${done}`,
    ...all,
  },
  {
    name: "the state of a phase that is long over",
    finds: "PTX4031",
    says: [/asks with the state of a phase 2 before/],
    wrong: `${leader} @!%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 %rd5, [bar]; mbarrier.arrive.shared.b64 %rd6, [bar]; mbarrier.test_wait.shared.b64 %p2, [bar], %rd5; E: ${done}`,
    right: `${leader} @!%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 %rd5, [bar]; mbarrier.arrive.shared.b64 %rd6, [bar]; mbarrier.test_wait.shared.b64 %p2, [bar], %rd6; E: ${done}`,
    ...all,
  },
  {
    name: "a parity that is none",
    finds: "PTX4031",
    says: [/asks for parity 2, which is 0 or 1/],
    wrong: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(2)} ${done}`,
    right: `${init(64)} mbarrier.arrive.shared.b64 _, [bar]; ${wait(0)} ${done}`,
    ...all,
  },
  {
    name: "a wait for another block's object",
    finds: "PTX3035",
    says: [/needs an mbarrier object of its own block/],
    wrong: `${init(2)} barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r1, bar; mapa.shared::cluster.u32 %r1, %r1, 1; mbarrier.arrive.shared::cluster.b64 _, [%r1]; mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 0; ${done}`,
    right: `${init(2)} barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r1, bar; mapa.shared::cluster.u32 %r1, %r1, 1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1]; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r4, %ctaid.x; setp.eq.u32 %p3, %r4, 0; @%p3 bra E; ${wait(0)} E: st.global.u32 [%at], %r4;`,
    module,
    launch: { grid: 2, block: 1, cluster: 2 },
    leaves: [0, 1],
  },
];
