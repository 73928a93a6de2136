import type { Pair } from "./pair.ts";

/** 128 bytes of 1.0 as f16, an mbarrier object of one arrival, and 32 columns of tensor memory at %r1. */
const module = ".shared .align 128 .b8 ones[128]; .shared .align 8 .b64 bar; .shared .b32 slot;";
const alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32; ld.shared.b32 %r1, [slot];";
const dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;";
const fill = "mov.u32 %r2, ones; shl.b32 %r3, %me, 2; add.u32 %r2, %r2, %r3; st.shared.b32 [%r2], 0x3c003c00;";
const proxy = "fence.proxy.async.shared::cta;";
const begin = `setp.eq.u32 %p1, %me, 0; @%p1 mbarrier.init.shared::cta.b64 [bar], 1; mov.u32 %r4, ones; shr.u32 %r4, %r4, 4;
cvt.u64.u32 %rd1, %r4; or.b64 %rd1, %rd1, 0x400000000000;`;
const ready = `${fill} ${begin} ${proxy} bar.warp.sync -1;`;
/** D is 16.0 everywhere: M 128, N 8, of f16. */
const mma = "@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, 0x08020010, 0;";
const cp = "@%p1 tcgen05.cp.cta_group::1.128x128b [%r1], %rd1;";
const commit = "@%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];";
const wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra W;";
const after = "tcgen05.fence::after_thread_sync;";
const before = "tcgen05.fence::before_thread_sync;";
const st = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%me};";
const ld = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r9}, [%r1];";
const waitLd = "tcgen05.wait::ld.sync.aligned;";
const waitSt = "tcgen05.wait::st.sync.aligned;";
const out = "st.global.b32 [%at], %r9;";
const end = `${waitLd} ${dealloc} ${out}`;

/** A is 128 bytes of 2.0, whose store goes through %r6; bar2 has the arrival of all of the multiplication. */
const both = `${alloc} ${fill} mov.u32 %r5, twos; add.u32 %r6, %r5, %r3; st.shared.b32 [%r6], 0x40004000; ${begin}
@%p1 mbarrier.init.shared::cta.b64 [bar2], 1; shr.u32 %r5, %r5, 4; cvt.u64.u32 %rd2, %r5; or.b64 %rd2, %rd2, 0x400000000000;
${proxy} bar.warp.sync -1; ${mma.replace("%rd1", "%rd2")}`;
const readA = `${commit.replace("arrive::one", "arrive::one.sync_restrict::shared::read::mma::a")} ${wait}`;
const commit2 = commit.replace("[bar]", "[bar2]");
const wait2 = wait.replaceAll("[bar]", "[bar2]").replaceAll("W", "V");
const exclusively = `tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [slot], 576; ld.shared.b32 %r1, [slot];
tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r1, 576;`;

const warp = { module, launch: { block: 32 } };
const sixteen = Array<number>(32).fill(0x4180_0000);
const own = Array.from({ length: 32 }, (_, at) => at);

export const pairs: readonly Pair[] = [
  {
    name: "a load before the store has been waited for",
    finds: "PTX4062",
    says: [
      /tcgen05.ld.*touches lanes 0 to 31, column 0 of tensor memory, which tcgen05.st/,
      /tcgen05.st.*, by thread/,
      /wait::st/,
    ],
    wrong: `${alloc} ${st} ${ld} ${waitSt} ${end}`,
    right: `${alloc} ${st} ${waitSt} ${ld} ${end}`,
    ...warp,
    leaves: own,
  },
  {
    name: "a load before the multiplication is complete",
    finds: "PTX4062",
    says: [
      /tcgen05.ld.*tcgen05.mma.*writes and whose completion was not observed/,
      /tcgen05.mma.*, by thread \(0,0,0\)/,
      /tcgen05.commit/,
    ],
    wrong: `${alloc} ${ready} ${mma} ${commit} ${ld} ${wait} ${after} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "a commit of what is read of A, taken for the end of the multiplication",
    finds: "PTX4062",
    says: [/tcgen05.ld.*tcgen05.mma.*writes and whose completion was not observed/],
    wrong: `${both} ${readA} ${after} ${ld} ${commit2} ${wait2} ${end}`,
    right: `${both} ${readA} ${commit2} ${wait2} ${after} ${ld} ${end}`,
    ...warp,
    module: `${module} .shared .align 128 .b8 twos[128]; .shared .align 8 .b64 bar2;`,
    target: "sm_107f",
    leaves: Array<number>(32).fill(0x4200_0000),
  },
  {
    name: "B, overwritten where only A has been read",
    finds: "PTX4021",
    says: [/st.shared.b32 writes/, /tcgen05.mma/],
    wrong: `${both} ${readA} st.shared.b32 [%r2], 0; ${commit2} ${wait2} ${after} ${ld} ${end}`,
    right: `${both} ${readA} st.shared.b32 [%r6], 0; ${commit2} ${wait2} ${after} ${ld} ${end}`,
    ...warp,
    module: `${module} .shared .align 128 .b8 twos[128]; .shared .align 8 .b64 bar2;`,
    target: "sm_107f",
    leaves: Array<number>(32).fill(0x4200_0000),
  },
  {
    name: "an exclusive allocation beside another one",
    finds: "PTX3011",
    says: [/tcgen05.alloc.exclusive.*waits forever/, /wait for 576 columns of tensor memory/],
    wrong: `${alloc} ${exclusively} ${dealloc} st.global.b32 [%at], %me;`,
    right: `${alloc} ${dealloc} ${exclusively} st.global.b32 [%at], %me;`,
    ...warp,
    target: "sm_107f",
    leaves: own,
  },
  {
    name: "an exclusive allocation, freed as if it were not",
    finds: "PTX3063",
    says: [/is not .exclusive, and the allocation is so/],
    wrong: `${exclusively.replace("dealloc.exclusive", "dealloc")} st.global.b32 [%at], %me;`,
    right: `${exclusively} st.global.b32 [%at], %me;`,
    ...warp,
    target: "sm_107f",
    leaves: own,
  },
  {
    name: "a register that is stored before its load has been waited for",
    finds: "PTX4064",
    says: [/st.global.b32 reads %r9, which tcgen05.ld.* still fills/, /not waited for yet/, /wait::ld/],
    wrong: `${alloc} ${st} ${waitSt} ${ld} ${out} ${waitLd} ${dealloc}`,
    right: `${alloc} ${st} ${waitSt} ${ld} ${waitLd} ${out} ${dealloc}`,
    ...warp,
    leaves: own,
  },
  {
    name: "a register of a load that is moved before the wait, and used",
    finds: "PTX4064",
    says: [/add.u32 reads %r11, which tcgen05.ld.* still fills/],
    wrong: `${alloc} ${st} ${waitSt} ${ld} mov.b32 %r11, %r9; add.u32 %r9, %r11, 0; ${waitLd} ${out} ${dealloc}`,
    right: `${alloc} ${st} ${waitSt} ${ld} mov.b32 %r11, %r9; ${waitLd} add.u32 %r9, %r11, 0; ${out} ${dealloc}`,
    ...warp,
    leaves: own,
  },
  {
    name: "a register that is written while a load fills it",
    finds: "PTX4064",
    says: [/add.u32 writes %r9, which tcgen05.ld.* still fills/],
    wrong: `${alloc} ${st} ${waitSt} ${ld} add.u32 %r9, %me, 0; ${waitLd} ${out} ${dealloc}`,
    right: `${alloc} ${st} ${waitSt} ${ld} ${waitLd} add.u32 %r9, %me, 0; ${out} ${dealloc}`,
    ...warp,
    leaves: own,
  },
  {
    name: "a load without a fence behind the mbarrier",
    finds: "PTX4063",
    says: [/without a fence after the synchronization/, /fence::after_thread_sync/],
    wrong: `${alloc} ${ready} ${mma} ${commit} ${wait} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "a multiplication into what is still being loaded",
    finds: "PTX4062",
    says: [/tcgen05.mma.*which tcgen05.ld.*reads/, /wait::ld/],
    wrong: `${alloc} ${ready} ${st} ${waitSt} ${ld} ${mma} ${commit} ${wait} ${after} ${end}`,
    right: `${alloc} ${ready} ${st} ${waitSt} ${ld} ${waitLd} ${mma} ${commit} ${wait} ${after} ${end}`,
    ...warp,
    leaves: own,
  },
  {
    name: "a store of another warp without fences",
    finds: "PTX4063",
    says: [/without a fence after it/, /fence::before_thread_sync/],
    wrong: `setp.lt.u32 %p3, %me, 32; @!%p3 bra A; ${alloc} ${st} ${waitSt} A: bar.sync 0; setp.ge.u32 %p4, %me, 128; @!%p4 bra B;
${after} ld.shared.b32 %r1, [slot]; ${ld} ${waitLd} ${out} B: bar.sync 0; @!%p3 bra C; ${dealloc} C: ret;`,
    right: `setp.lt.u32 %p3, %me, 32; @!%p3 bra A; ${alloc} ${st} ${waitSt} ${before} A: bar.sync 0; setp.ge.u32 %p4, %me, 128; @!%p4 bra B;
${after} ld.shared.b32 %r1, [slot]; ${ld} ${waitLd} ${out} B: bar.sync 0; @!%p3 bra C; ${dealloc} C: ret;`,
    module,
    launch: { block: 160 },
    leaves: [...Array<number>(128).fill(0), ...own],
  },
  {
    name: "a matrix in shared memory that is overwritten while it is multiplied",
    finds: "PTX4021",
    says: [/st.shared.b32 writes 4 bytes.*tcgen05.mma.*still in flight, reads/, /tcgen05.commit/],
    wrong: `${alloc} ${ready} ${mma} ${commit} st.shared.b32 [%r2], 0; ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} st.shared.b32 [%r2], 0; ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "a matrix in shared memory without a fence between the proxies",
    finds: "PTX4025",
    says: [/tcgen05.mma/, /fence.proxy.async/],
    wrong: `${alloc} ${fill} ${begin} bar.warp.sync -1; ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "a copy from shared memory without a fence between the proxies",
    finds: "PTX4025",
    says: [/tcgen05.cp/, /fence.proxy.async/],
    wrong: `${alloc} ${fill} ${begin} bar.warp.sync -1; ${cp} ${commit} ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${cp} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: Array<number>(32).fill(0x3c00_3c00),
  },
  {
    name: "two accumulators that overlap",
    finds: "PTX4062",
    says: [/tcgen05.mma.*which tcgen05.mma/],
    wrong: `${alloc} ${ready} ${mma} @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1+4], %rd1, %rd1, 0x08020010, 0; ${commit} ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1+8], %rd1, %rd1, 0x08020010, 0; ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "an accumulator that nobody has written",
    finds: "PTX4001",
    says: [/tcgen05.mma.*reads lane 0, column 0 of tensor memory, which nothing has written/],
    wrong: `${alloc} ${ready} ${mma.replace(", 0;", ", 1;")} ${commit} ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "columns that are never freed",
    finds: "PTX4061",
    says: [/tcgen05.alloc.*takes 32 columns of tensor memory, which are not freed/],
    wrong: `${alloc} ${st} ${waitSt} ${ld} ${waitLd} ${out}`,
    right: `${alloc} ${st} ${waitSt} ${ld} ${end}`,
    ...warp,
    leaves: own,
  },
  {
    name: "columns that are freed while a multiplication writes them",
    finds: "PTX4062",
    says: [/tcgen05.dealloc.*frees lanes 0 to 127, columns 0 to 31 of tensor memory, which tcgen05.mma.*writes/],
    wrong: `${alloc} ${ready} ${mma} ${commit} ${dealloc} ${wait} st.global.b32 [%at], %me;`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${dealloc} st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
  {
    name: "lanes of another warp",
    finds: "PTX3062",
    says: [/reads lanes 32 to 63, column 0 of tensor memory; warp 0 of the block reaches lanes 0 to 31/],
    wrong: `${alloc} ${st} ${waitSt} tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r9}, [%r1+2097152]; ${end}`,
    right: `${alloc} ${st} ${waitSt} ${ld} ${end}`,
    ...warp,
    leaves: own,
  },
  {
    name: "columns that are not allocated",
    finds: "PTX3061",
    says: [/writes lanes 0 to 31, column 32 of tensor memory, of which columns 0 to 31 are allocated/],
    wrong: `${alloc} tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1+32], {%me}; ${dealloc} st.global.b32 [%at], %me;`,
    right: `${alloc} tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1+31], {%me}; ${waitSt} ${dealloc} st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
  {
    name: "an allocation after the permit was given up",
    finds: "PTX3063",
    says: [/comes after tcgen05.relinquish_alloc_permit/, /relinquish_alloc_permit.*, here/],
    wrong: `tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ${alloc} ${dealloc} st.global.b32 [%at], %me;`,
    right: `${alloc} tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ${dealloc} st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
  {
    name: "columns freed in another number",
    finds: "PTX3063",
    says: [/frees 64 columns, and 32 were allocated there/, /tcgen05.alloc.*, here/],
    wrong: `${alloc} tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64; st.global.b32 [%at], %me;`,
    right: `${alloc} ${dealloc} st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
  {
    name: "more columns than there are",
    finds: "PTX3011",
    says: [/tcgen05.alloc.*waits forever/, /wait for 512 columns of tensor memory/],
    wrong: `${alloc} tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512; ${dealloc} st.global.b32 [%at], %me;`,
    right: `${alloc} ${dealloc} tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 512; st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
  {
    name: "an instruction descriptor with a shape that is none",
    finds: "PTX3064",
    says: [/0x8000010, whose N is 0, and with .kind::f16 and .cta_group::1 it is 8, 16 ... 256/],
    wrong: `${alloc} ${ready} ${mma.replace("0x08020010", "0x08000010")} ${commit} ${wait} ${after} ${ld} ${end}`,
    right: `${alloc} ${ready} ${mma} ${commit} ${wait} ${after} ${ld} ${end}`,
    ...warp,
    leaves: sixteen,
  },
  {
    name: "a pair of blocks without a peer",
    finds: "PTX3065",
    says: [/this block has no peer in its cluster/],
    wrong: `${alloc.replace("::1", "::2")} ${dealloc.replace("::1", "::2")} st.global.b32 [%at], %me;`,
    right: `${alloc} ${dealloc} st.global.b32 [%at], %me;`,
    ...warp,
    leaves: own,
  },
];
