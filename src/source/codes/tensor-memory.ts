import { pages } from "./page.ts";

/** PTX306x and PTX406x: faults and findings of tensor memory (PTX ISA, tcgen05). */
export const tensorMemory = pages({
  PTX3061: {
    title: "access to tensor memory that is not allocated",
    why: "tcgen05.alloc gives columns, all 128 lanes of each, and writes their address to shared memory (PTX ISA, Tensor Memory Allocation). An instruction that reaches other columns, or lanes behind the last, is wrong. An address has the lane in its upper and the column in its lower half.",
    wrong:
      "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 32;\ntcgen05.ld.sync.aligned.32x32b.x64.b32 {...}, [%r1];",
    right:
      "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 64;\ntcgen05.ld.sync.aligned.32x32b.x64.b32 {...}, [%r1];",
  },
  PTX3062: {
    title: "lanes of tensor memory that are another warp's",
    why: "By tcgen05.ld and tcgen05.st, warp i of a block reaches lanes 32 * (i % 4) to 32 * (i % 4) + 31 and no others (PTX ISA, Access restrictions). The lane stands in the upper half of the address.",
    wrong: "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];  // by warp 1, the lane of %r1 is 0",
    right: "add.u32 %r1, %r1, 0x200000;  // lane 32\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];",
  },
  PTX3063: {
    title: "tensor memory allocated or freed wrongly",
    why: "tcgen05.alloc takes a power of two of columns from 32 to 512, the same in all threads of the warp; none comes after tcgen05.relinquish_alloc_permit. tcgen05.dealloc gives back what alloc gave, with the same number of columns (PTX ISA, tcgen05.alloc).",
    wrong: "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;  // 64 were allocated",
    right: "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;",
  },
  PTX3064: {
    title: "descriptor that describes no matrix",
    why: "The instruction descriptor says the shape and types of a tcgen05.mma, a matrix descriptor where and how a matrix lies in shared memory (PTX ISA, Matrix Descriptors). The descriptor of spcompress says how elements are compared. Their fields have values that the instruction, its kind and its target know; reserved bits are 0.",
    wrong: "mov.b32 %r1, 0;  // M and N are 0\ntcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, 0;",
    right:
      "mov.b32 %r1, 0x08100010;  // F32 += F16 * F16, M 128, N 64\ntcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, 0;",
  },
  PTX3065: {
    title: "pair of blocks that is not there",
    why: "`.cta_group::2` concerns the two blocks of a cluster whose ranks differ in the last bit (PTX ISA, CTA Pair): the cluster has an even number of blocks, and the peer has not exited.",
    wrong: "ptxrun k.ptx --grid 2",
    right: "ptxrun k.ptx --grid 2 --cluster 2",
  },
  PTX4061: {
    title: "tensor memory that is never freed",
    why: "All that tcgen05.alloc gave must be freed by tcgen05.dealloc before the kernel exits (PTX ISA, tcgen05.alloc). On a GPU, blocks that come later may wait for it for ever.",
    wrong: "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 32;\nret;",
    right:
      "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 32;\n... tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;\nret;",
  },
  PTX4062: {
    title: "tensor memory that is still in use",
    why: "tcgen05.mma, cp, shift, ld and st are asynchronous: what they touch is theirs until their completion has been seen. That of ld and st is seen by tcgen05.wait::ld and wait::st of the same thread; that of mma, cp and shift at an mbarrier that tcgen05.commit has arrive, once a thread has seen its phase complete. Only some pairs have an order without (PTX ISA, Pipelined tcgen05 Instructions): mma after an mma to the same accumulator, after cp or after shift; shift after mma; cp.4x256b after shift. dealloc counts as an access. The message names both instructions.",
    wrong: "tcgen05.mma ... [%r1] ...\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];",
    right:
      "tcgen05.mma ... [%r1] ...\ntcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];\nL: mbarrier.try_wait.parity.b64 p, [%rd1], 0;\n@!p bra L;\ntcgen05.fence::after_thread_sync;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];",
  },
  PTX4063: {
    title: "tensor memory without a fence between threads",
    why: "An access to tensor memory that another thread, or an mbarrier, has ordered needs `tcgen05.fence::after_thread_sync` behind the synchronization, and what ld and st have done needs `tcgen05.fence::before_thread_sync` before it (PTX ISA, Specialized Inter-thread Synchronization, Canonical synchronization patterns). tcgen05.commit stands for the first of the two fences.",
    wrong: "bar.sync 0;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];  // another warp has stored it",
    right:
      "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];",
  },
  PTX4064: {
    title: "register that tcgen05.ld still fills",
    why: "tcgen05.ld is asynchronous: its registers have their values, and may be written, once the warp has executed tcgen05.wait::ld (PTX ISA, tcgen05.wait). A plain mov is not complained of, since compilers place it anywhere, but what it leads to has no value yet either. Where a mov packs or unpacks, and in what nvcc -G has made, it is a note.",
    wrong: "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];\nadd.u32 %r3, %r2, 1;\ntcgen05.wait::ld.sync.aligned;",
    right: "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];\ntcgen05.wait::ld.sync.aligned;\nadd.u32 %r3, %r2, 1;",
  },
});
