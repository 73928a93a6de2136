import type { Pair } from "./pair.ts";

const tile = ".shared .align 16 .b8 tile[1024];";
const places =
  "mov.u32 %r1, tile; shl.b32 %r2, %me, 2; add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd2, %r2; add.u64 %rd1, %in, %rd2;";
const copy = "cp.async.ca.shared.global [%r1], [%rd1], 4;";
const store = "ld.shared.u32 %r3, [%r1]; st.global.u32 [%at], %r3;";
const four = { module: tile, launch: { block: 4 }, leaves: [0, 1, 2, 3] };

export const pairs: readonly Pair[] = [
  {
    name: "a destination read without a wait",
    finds: "PTX4020",
    says: [/ld.shared.u32 reads 4 bytes at 0x0/, /cp.async.ca.shared.global, asked for by thread/, /not committed/],
    wrong: `${places} ${copy} ${store} cp.async.wait_all;`,
    right: `${places} ${copy} cp.async.wait_all; ${store}`,
    ...four,
  },
  {
    name: "a destination written before the wait",
    finds: "PTX4020",
    says: [/st.shared.u32 writes 4 bytes/, /still in flight, writes/],
    wrong: `${places} ${copy} st.shared.u32 [%r1], %me; cp.async.wait_all; ${store}`,
    right: `${places} ${copy} cp.async.wait_all; st.shared.u32 [%r1], %me; ${store}`,
    ...four,
  },
  {
    name: "a source overwritten before the wait",
    finds: "PTX4021",
    says: [/st.global.u32 writes 4 bytes/, /still in flight, reads/],
    wrong: `${places} ${copy} st.global.u32 [%rd1], 9; cp.async.wait_all; ${store}`,
    right: `${places} ${copy} cp.async.wait_all; st.global.u32 [%rd1], 9; ${store}`,
    ...four,
  },
  {
    name: "a wait that leaves the group in flight",
    finds: "PTX4020",
    says: [/the last wait, which leaves it in flight/, /one group is newer.*: cp.async.wait_group 1 waits/],
    wrong: `${places} ${copy} cp.async.commit_group; cp.async.ca.shared.global [%r1+512], [%rd1], 4; cp.async.commit_group; cp.async.wait_group 2; ${store} cp.async.wait_all;`,
    right: `${places} ${copy} cp.async.commit_group; cp.async.ca.shared.global [%r1+512], [%rd1], 4; cp.async.commit_group; cp.async.wait_group 1; ${store} cp.async.wait_all;`,
    ...four,
  },
  {
    name: "a copy that is asked for behind the group that is waited for",
    finds: "PTX4020",
    says: [/its group is not committed yet: cp.async.commit_group, then cp.async.wait_group 0/],
    wrong: `${places} cp.async.commit_group; ${copy} cp.async.wait_group 0; ${store} cp.async.wait_all;`,
    right: `${places} ${copy} cp.async.commit_group; cp.async.wait_group 0; ${store}`,
    ...four,
  },
  {
    name: "two copies to one place",
    finds: "PTX4022",
    says: [/writes what cp.async.ca.shared.global, still in flight, writes/],
    wrong: `${places} cp.async.ca.shared.global [%r1], [%rd1+4], 4; ${copy} cp.async.wait_all; ${store}`,
    right: `${places} cp.async.ca.shared.global [%r1], [%rd1+4], 4; cp.async.wait_all; ${copy} cp.async.wait_all; ${store}`,
    ...four,
  },
  {
    name: "a buffer of a pipeline that is filled again while its last copy is in flight",
    finds: "PTX4022",
    says: [/cp.async.wait_group/],
    wrong: `${places} mov.u32 %r5, 0; mov.u64 %rd3, %rd1;
L: and.b32 %r6, %r5, 1; shl.b32 %r6, %r6, 8; add.u32 %r6, %r6, %r1; cp.async.ca.shared.global [%r6], [%rd3], 4; add.u64 %rd3, %rd3, 4; cp.async.commit_group;
cp.async.wait_group 2; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra L; cp.async.wait_all; ${store}`,
    right: `${places} mov.u32 %r5, 0; mov.u64 %rd3, %rd1;
L: and.b32 %r6, %r5, 1; shl.b32 %r6, %r6, 8; add.u32 %r6, %r6, %r1; cp.async.ca.shared.global [%r6], [%rd3], 4; add.u64 %rd3, %rd3, 4; cp.async.commit_group;
cp.async.wait_group 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra L; cp.async.wait_all; ${store}`,
    ...four,
    leaves: [2, 3, 4, 5],
  },
  {
    name: "another thread's copy read without a barrier",
    finds: "PTX4002",
    says: [/cp.async.ca.shared.global/, /no barrier orders them/],
    wrong: `${places} ${copy} cp.async.wait_all; xor.b32 %r4, %r2, 128; mov.u32 %r1, tile; add.u32 %r1, %r1, %r4; ${store}`,
    right: `${places} ${copy} cp.async.wait_all; bar.sync 0; xor.b32 %r4, %r2, 128; mov.u32 %r1, tile; add.u32 %r1, %r1, %r4; ${store}`,
    module: tile,
    launch: { block: 64, sanitize: { mem: true, init: false, race: true } },
    leaves: Array.from({ length: 64 }, (_, at) => at ^ 32),
  },
  {
    name: "another thread's copy read behind a barrier, but not waited for",
    finds: "PTX4020",
    says: [/asked for by thread \(32,0,0\)|asked for by thread \(0,0,0\)/],
    wrong: `${places} ${copy} cp.async.commit_group; bar.sync 0; xor.b32 %r4, %r2, 128; mov.u32 %r1, tile; add.u32 %r1, %r1, %r4; ${store} cp.async.wait_all;`,
    right: `${places} ${copy} cp.async.commit_group; cp.async.wait_all; bar.sync 0; xor.b32 %r4, %r2, 128; mov.u32 %r1, tile; add.u32 %r1, %r1, %r4; ${store}`,
    module: tile,
    launch: { block: 64 },
    leaves: Array.from({ length: 64 }, (_, at) => at ^ 32),
  },
  {
    name: "more bytes of the source than the copy has",
    finds: "PTX3030",
    says: [/reads 8 bytes for a copy of 4/],
    wrong: `${places} cp.async.ca.shared.global [%r1], [%rd1], 4, 8; cp.async.wait_all; ${store}`,
    right: `${places} cp.async.ca.shared.global [%r1], [%rd1], 4, 4; cp.async.wait_all; ${store}`,
    ...four,
  },
];
