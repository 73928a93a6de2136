import { pages } from "./page.ts";

/** PTX4xxx: sanitizer findings. */
export const finding = pages({
  PTX4001: {
    title: "read of uninitialised memory",
    why: "Nothing has written the bytes since they were allocated: neither the program nor the host. On a GPU they hold whatever was there before. ptxrun reads zeros, says so once an instruction, and goes on. In local memory it is a note, as for registers: compilers copy structs there with their holes. The same for the result of a function that is run by itself and does not write it. `--sanitize mem` leaves the check out.",
    wrong: ".shared .b32 s;\nld.shared.u32 %r1, [s];",
    right: "st.shared.u32 [s], %r0;\nld.shared.u32 %r1, [s];",
  },
  PTX4002: {
    title: "data race",
    why: "Two threads access one byte, at least one of them stores, and nothing says which comes first: no barrier, no exchange among lanes, no release that the other acquired (PTX ISA 8.7.1). On a GPU it is chance, and the value may be either or, with several bytes, a mix. Atomics, and loads and stores with .relaxed or .volatile, do not race with each other where the scope of each includes the other's thread (8.7): .cta is not enough between two blocks. Where a flag was meant to order them, the help says which half of it is missing: what stores the flag must release, and what loads it must acquire, with .release and .acquire or by a fence before the one and after the other (8.8), both with a scope that includes the other thread. On the command line a litmus test below the finding shows the bad outcome in small, and `ptxrun litmus` runs it. `--sanitize race` looks for races, whatever order the run took; it makes a run many times slower.",
    wrong: "st.shared.u32 [%r1], %r2;\nld.shared.u32 %r3, [%r4];",
    right: "st.shared.u32 [%r1], %r2;\nbar.sync 0;\nld.shared.u32 %r3, [%r4];",
  },
  PTX4010: {
    title: "a result that depends on the order of warps and blocks",
    why: "Two seeds of --seeds left different values behind. Nothing orders threads but barriers, atomics and the instructions among lanes; a result that changes with the schedule is a race, or sums floats in the order of arrival.",
  },
  PTX4020: {
    title: "memory that an asynchronous operation still writes",
    why: "An asynchronous operation has been asked for and nobody has waited for it, so its data may arrive before or after this access, or in the middle of it (PTX ISA 8.9.1.1, Asynchronous copy). It has happened once its thread has waited for the group that it was committed to, or once a wait has seen the phase of its mbarrier object complete. `cp.async.wait_group N` leaves the N newest groups in flight. ptxrun finds it whenever the data really move; `--async late|early|random:SEED` says when that is.",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 16;\ncp.async.commit_group;\nld.shared.u32 %r2, [%r1];",
    right:
      "cp.async.ca.shared.global [%r1], [%rd1], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r2, [%r1];",
  },
  PTX4021: {
    title: "store to what an asynchronous operation still reads",
    why: "The operation may read its source at any time until somebody has waited for it: what is stored there before may or may not be what it takes. Wait first; `.read` of cp.async.bulk.wait_group waits for no more than that.",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 4;\nst.global.u32 [%rd1], %r2;",
    right: "cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.wait_all;\nst.global.u32 [%rd1], %r2;",
  },
  PTX4022: {
    title: "two asynchronous operations on the same bytes",
    why: "Nothing orders two operations in flight, even if one thread has asked for both: which of them comes first is chance. Wait for the first before asking for the second.",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.ca.shared.global [%r1], [%rd2], 4;",
    right:
      "cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.wait_all;\ncp.async.ca.shared.global [%r1], [%rd2], 4;",
  },
  PTX4023: {
    title: "an asynchronous operation that nobody waits for",
    why: "A block has ended and nobody has waited for the operation. It happens all the same, and before the kernel ends; but no thread of the block could rely on what it wrote. It is a note: pipelines often ask for more than they use. Drain them with cp.async.wait_all.",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 4;\nret;",
    right: "cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.wait_all;\nret;",
  },
  PTX4024: {
    title: "an asynchronous operation that outlives its block",
    why: "The operation reads or writes the shared memory of a block, and the block ends before anybody has waited for it. That memory may belong to another block by the time it is read or written. Wait before the last thread exits.",
    wrong: "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;\ncp.async.bulk.commit_group;\nret;",
    right:
      "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nret;",
  },
  PTX4025: {
    title: "async proxy reads what only the generic proxy has written",
    why: "wgmma, tcgen05 and bulk copies read shared memory by the async proxy, which sees ordinary stores (st, atom, stmatrix, cp.async) only behind a fence.proxy.async (PTX ISA 8.6, Async Proxy): of the thread that stored, or of one that has waited for it since (at a barrier, an mbarrier object, a flag). Without it the old bytes may be read. An mbarrier object that such an operation signals needs the same fence behind its mbarrier.init, or fence.mbarrier_init.release.cluster (PTX ISA, fence, mbarrier.init); that is a note within one block, where kernels of compilers do with a barrier.",
    wrong:
      "st.shared.b32 [%r1], %r2;\nbar.sync 0;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r3, %r4, %r5, %r6}, %rd1, %rd2, 1;",
    right:
      "st.shared.b32 [%r1], %r2;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r3, %r4, %r5, %r6}, %rd1, %rd2, 1;",
  },
  PTX4026: {
    title: "register that wgmma still works on",
    why: "From wgmma.mma_async to the wgmma.wait_group that waits for its group, the accumulator and the registers of A belong to it: nothing may read or write them (PTX ISA, wgmma.wait_group). `wgmma.wait_group N` leaves the N newest groups in flight. ptxas puts a wait there and says so (C7517), which costs the overlap; ptxrun lets the multiplication happen at once and goes on. In what nvcc -G has made it is a note, since there every accumulator goes to memory behind each wgmma.",
    wrong:
      "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1;\nwgmma.commit_group.sync.aligned;\nadd.s32 %r5, %r1, %r2;",
    right:
      "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nadd.s32 %r5, %r1, %r2;",
  },
  PTX4027: {
    title: "register given to wgmma without a wgmma.fence",
    why: "A wgmma.fence stands before the first wgmma.mma_async of a warpgroup, and between any use of a register and a wgmma that takes it as its accumulator or its A; only accumulators that go from one wgmma to another of the same shape need none (PTX ISA, wgmma.fence). Where the use is a plain mov it is a note: compilers place initial values behind the fence, and ptxas adds one; in what nvcc -G has made, too.",
    wrong:
      "wgmma.fence.sync.aligned;\nadd.s32 %r1, %r1, 1;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1;",
    right:
      "add.s32 %r1, %r1, 1;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1;",
  },
  PTX4028: {
    title: "warps of a warpgroup that do not execute the same",
    why: "`.aligned` promises that all four warps of a warpgroup execute the same wgmma instructions in the same order, with the same descriptors (PTX ISA, wgmma.mma_async, wgmma Proxy Operations). Each warp computes sixteen rows; what a GPU does when some of them stay away is undefined.",
    wrong: "setp.lt.u32 %p1, %warp, 2;\n@%p1 wgmma.fence.sync.aligned;",
    right: "wgmma.fence.sync.aligned;",
  },
  PTX4030: {
    title: "mbarrier object touched as ordinary memory",
    why: "The bits of an mbarrier object mean nothing to a program: from mbarrier.init to mbarrier.inval only mbarrier instructions and asynchronous operations that signal there touch it, and mbarrier.init is not among them (PTX ISA, mbarrier).",
    wrong: "mbarrier.init.shared.b64 [bar], 1;\nst.shared.b64 [bar], %rd1;",
    right: "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.inval.shared.b64 [bar];\nst.shared.b64 [bar], %rd1;",
  },
  PTX4031: {
    title: "state or parity that names no phase to wait for",
    why: "A wait asks for the current phase or for the one before it: with the state of an arrival in one of these, or with parity 0 or 1 (PTX ISA, mbarrier.test_wait). An older state answers nothing; of a parity ptxrun takes the lowest bit.",
    wrong: "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 2;",
    right: "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;",
  },
  PTX4040: {
    title: "changed tensor map used without its fences",
    why: "Tensor copies read tensor maps through the tensormap proxy. After tensormap.replace, the change is released by tensormap.cp_fenceproxy or fence.proxy.tensormap::generic.release, and acquired by fence.proxy.tensormap::generic.acquire on the map's address before a copy takes it; without them the copy may see the old map (PTX ISA 8.6, tensormap.cp_fenceproxy).",
    wrong:
      "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;\ncp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r1}];",
    right:
      "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;\nfence.proxy.tensormap::generic.release.gpu;\nfence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\ncp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r1}];",
  },
  PTX4041: {
    title: "ctaid of a cluster that was not cancelled",
    why: "clusterlaunchcontrol.try_cancel fails when all clusters of the grid have begun; then its answer has no ctaid, and what get_first_ctaid gives is undefined (PTX ISA, clusterlaunchcontrol.query_cancel). Ask is_canceled first.",
    wrong: "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %rq1;",
    right:
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rq1;\n@%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %rq1;",
  },
  PTX4011: {
    title: "barrier of the whole block without the whole block",
    why: "A barrier without a count is for all threads of the block; some have exited without coming to it. Since sm_70 a GPU waits only for threads that have not exited, so the kernel goes on; before, it hung, and code that reads what the missing threads should have written is wrong everywhere. `--sanitize mem,init` leaves the check out.",
    wrong: "@p exit;\nbar.sync 0;",
    right: "@p bra L;\n  // the work\nL: bar.sync 0;",
  },
  PTX4012: {
    title: "value of a lane that takes no part",
    why: "A lane gets the value of another one that the membermask names, but that has exited, or that the block never had. What it gets is undefined (PTX ISA, shfl.sync). It is a note, since many kernels do not use what they get then; with `--schedule random:SEED` the value is drawn, so that results that depend on it differ from seed to seed. Let all lanes of the mask come to the instruction, and guard what they do afterwards; or make a mask of those that do come, by vote.sync.ballot before they part.",
    wrong: "@%out ret;\nshfl.sync.down.b32 %r1, %r0, 8, 31, 0xffffffff;",
    right: "selp.b32 %r0, 0, %r0, %out;\nshfl.sync.down.b32 %r1, %r0, 8, 31, 0xffffffff;",
  },
  PTX4051: {
    title: "access beyond the variable that it names",
    why: "A parameter has as many bytes as its declaration says. What lies behind them is padding or another parameter, and on a GPU whatever the driver has put there: a compiler that loads a .u8 parameter as .u32 takes garbage for its upper bits. It is a note, which --sanitize bounds or all asks for, where the access leaves a variable of another space for its neighbour.",
    wrong: ".entry k(.param .u8 a) { .reg .u32 %r1; ld.param.u32 %r1, [a]; ret; }",
    right: ".entry k(.param .u8 a) { .reg .u32 %r1; ld.param.u8 %r1, [a]; ret; }",
  },
  PTX4050: {
    title: "metadata of a sparse matrix that selects nothing defined",
    why: "Each chunk of a sparse A has two indices in four bits of the metadata, which say where its stored elements belong (PTX ISA, Sparse matrix storage). They differ, and for `sp::ordered_metadata` the lesser one is in the low bits; of .tf32 only 0b0100 and 0b1110 are meant. With others the result is undefined. ptxrun multiplies what they select and says so once an instruction; `--sanitize mem` leaves the check out.",
    wrong: "mov.b32 %r9, 0;  // both elements of each chunk at index 0\nmma.sp... %r9, 0;",
    right: "mov.b32 %r9, 0x44444444;  // at 0 and 1\nmma.sp... %r9, 0;",
  },
});
