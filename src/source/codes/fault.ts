import { pages } from "./page.ts";

/** PTX3xxx: faults of the program run. */
export const fault = pages({
  PTX3001: {
    title: "misaligned access",
    why: "An address must be a multiple of the number of bytes accessed; for a vector, of the bytes of the whole vector (PTX ISA 6.4.1). A GPU stops the kernel.",
    wrong: "ld.global.u32 %r1, [%rd1+2];  // %rd1 is a multiple of 4",
    right: "ld.global.u16 %rs1, [%rd1+2];",
  },
  PTX3002: {
    title: "access out of bounds",
    why: "The bytes accessed do not all lie in one allocation of the instruction's state space. The message names the nearest one and how far off the access is. A 32-bit pointer to global memory is out of bounds too: addresses are 64 bits wide.",
    wrong: "st.global.u32 [%rd1+64], %r1;  // %rd1 holds a buffer of 64 bytes",
    right: "st.global.u32 [%rd1+60], %r1;",
  },
  PTX3003: {
    title: "store to memory that cannot be written",
    why: "Constant memory and kernel parameters are read-only for a kernel (PTX ISA 5.1.2, 5.1.6).",
  },
  PTX3004: {
    title: "trap",
    why: "The kernel executed `trap`, which aborts the launch and interrupts the host (PTX ISA, trap).",
  },
  PTX3040: {
    title: "handle that leads nowhere",
    why: "tex, suld and their like take a handle of a texture or surface object that the host has made, or the address of a .texref, .samplerref or .surfref variable that it has bound (PTX ISA, Texture Instructions).",
    wrong: "mov.u64 %rd1, 0;\nsuld.b.1d.b32.trap %r1, [%rd1, {0}];",
    right: "ptxrun k.ptx -a tex=image:cat.pgm",
  },
  PTX3041: {
    title: "texture or surface of another geometry",
    why: "The instruction names the geometry of the texture or surface: tex.2d looks up a plane without layers, tex.a2d one with layers, tex.cube a cubemap (PTX ISA, tex). Another one is undefined.",
    wrong: "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5}];  // %rd1 is a plane",
    right: "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];",
  },
  PTX3042: {
    title: "surface access out of bounds",
    why: "With .trap, an access outside of the surface ends the run; .clamp takes the nearest place, .zero reads zeros and drops stores (PTX ISA, suld). The first coordinate of suld.b, sust.b and sured.b counts bytes.",
    wrong: "suld.b.1d.b32.trap %r1, [surf, {16}];  // 4 texels of 4 bytes",
    right: "suld.b.1d.b32.zero %r1, [surf, {16}];",
  },
  PTX3005: {
    title: "access to memory that was freed",
    why: "The address lies in an allocation that the host, or free of the device, has given back.",
  },
  PTX3020: {
    title: "stack exhausted",
    why: "Each call of a recursive function takes a frame of the thread's stack, as alloca takes what it is asked for. The stack has 16 KiB a thread unless the launch says otherwise; no thread is more than 100000 calls deep.",
    right: "ptxrun deep.ptx --stack 64K",
  },
  PTX3021: {
    title: "call of what is no function",
    why: "The register of an indirect call holds the address of a function of the module (PTX ISA, call). What lies elsewhere cannot be called.",
    wrong: "mov.u64 %rd1, 0;\ncall %rd1, (), proto;",
    right: "mov.u64 %rd1, f;\ncall %rd1, (), proto;",
  },
  PTX3022: {
    title: "call of a function that does not fit",
    why: "An indirect call names its functions in a list, or says in a prototype what they take and give. To call another function is undefined (PTX ISA, call).",
    wrong: ".func f(.param .b32 a) { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
    right: ".func f() { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
  },
  PTX3023: {
    title: "index behind the list of targets",
    why: "brx.idx goes to the label that its index counts, from 0; a larger index is undefined (PTX ISA, brx.idx).",
    wrong: "list: .branchtargets A, B;\nbrx.idx 2, list;",
  },
  PTX3024: {
    title: "stack pointer that nobody saved",
    why: "stackrestore takes what stacksave gave; another value may corrupt the stack (PTX ISA, stackrestore).",
  },
  PTX3025: {
    title: "assertion failed",
    why: "Device code called __assertfail, which `assert` of CUDA C++ does when its condition does not hold. The kernel is stopped.",
  },
  PTX3026: {
    title: "free of what malloc has not given",
    why: "free takes an address that malloc of the device gave and that nobody has freed since, or 0.",
  },
  PTX3030: {
    title: "source of an asynchronous copy larger than the copy",
    why: "The source size of cp.async says how many of its bytes are read; the rest become zeros. More than the copy has is undefined (PTX ISA, cp.async).",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 8, 16;",
    right: "cp.async.ca.shared.global [%r1], [%rd1], 8, 4;",
  },
  PTX3031: {
    title: "mbarrier instruction on what is no mbarrier object",
    why: "An mbarrier object is made by mbarrier.init and lasts until mbarrier.inval; on other memory every other mbarrier instruction is undefined, as is an asynchronous operation that signals there (PTX ISA, mbarrier). In a block, the thread that initialises it and those that use it need a barrier between them; in a cluster, fence.mbarrier_init and the cluster's barrier.",
    wrong: "mbarrier.arrive.shared.b64 %rd1, [bar];",
    right: "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.shared.b64 %rd1, [bar];",
  },
  PTX3032: {
    title: "mbarrier count out of its range",
    why: "An mbarrier object is made for 1 to 2^20 - 1 arrivals, with .layout::v1 for 1 to 2^9 - 1, and its tx-count stays within 2^20 - 1 of 0 in both directions (PTX ISA, Contents of the mbarrier object). Beyond that the behaviour is undefined.",
    wrong: "mbarrier.init.shared.b64 [bar], 0;",
    right: "mbarrier.init.shared.b64 [bar], 1;",
  },
  PTX3033: {
    title: "arrival that an mbarrier object does not expect",
    why: "Each phase of an mbarrier object takes as many arrivals as mbarrier.init has said; one more in the same phase makes the pending count negative, which is undefined, and so is completing a phase with .noComplete (PTX ISA, mbarrier). Phases complete when all have arrived and no bytes are missing: who arrives again must have waited.",
    wrong:
      "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;\nmbarrier.arrive.shared.b64 _, [bar];",
    right:
      "mbarrier.init.shared.b64 [bar], 2;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;\nmbarrier.arrive.shared.b64 _, [bar];",
  },
  PTX3034: {
    title: "phase of an mbarrier object that nobody completes",
    why: "Threads wait for a phase, and nothing that is left can complete it: arrivals are missing, or bytes that no copy brings, or copies have brought more than was expected. Phases are counted from 0; `.parity` 0 waits for the first, 1 for the second, and so on, and a wait for parity 1 of a new object is over at once. A wait of try_wait may end before the phase does; ptxrun lets it do so, and reports this when that leads nowhere.",
    wrong:
      "mbarrier.init.shared.b64 [bar], 2;\nmbarrier.arrive.shared.b64 %rd1, [bar];  // one thread only\nL: mbarrier.try_wait.shared.b64 %p1, [bar], %rd1;\n@!%p1 bra L;",
    right:
      "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.shared.b64 %rd1, [bar];\nL: mbarrier.try_wait.shared.b64 %p1, [bar], %rd1;\n@!%p1 bra L;",
  },
  PTX3035: {
    title: "wait for an mbarrier object that cannot be waited for",
    why: "Only the threads of the block in whose shared memory an mbarrier object lies wait for it; others may arrive there (PTX ISA, mbarrier support with shared memory). The same holds for mbarrier.init and mbarrier.inval, and for arrivals that want the state.",
    wrong: "mapa.shared::cluster.u32 %r2, %r1, 1;\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;",
    right: "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;",
  },
  PTX3050: {
    title: "bulk copy outside of its rules",
    why: "A bulk copy moves a multiple of 16 bytes. The shared memory that `.shared::cta` names is that of the thread's own block, and a copy from there to `.shared::cluster` goes to another block of the cluster. A mask of ranks names blocks that the cluster has, at least one (PTX ISA, Bulk copy).",
    wrong: "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;  // %r2 is 24",
    right: "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;  // %r2 is 32",
  },
  PTX3051: {
    title: "no tensor map",
    why: "A tensor copy takes the address of a tensor map: 128 bytes in .param, .const or .global memory that cuTensorMapEncodeTiled and its kin made, or `-a NAME=tensormap:...` and `device.tensorMap` here. What tensormap.replace writes has to keep to the rules of cuTensorMapEncode.",
    wrong: "ptxrun run k.ptx -a map=hex:00...  # 128 zeros",
    right: "ptxrun run k.ptx -a map=tensormap:64x64,box=32x8:f32x4096:iota",
  },
  PTX3052: {
    title: "tensor copy that its tensor map does not allow",
    why: "A tensor map is made for a number of dimensions and for one mode (tiled, im2col, im2col::w), and some types and swizzles are for one direction only (PTX ISA 5.5, Restriction on Tensor Copy instructions). A copy that does not go with them is undefined.",
    wrong:
      "cp.async.bulk.tensor.3d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3, %r4}], [%r5];  // of a map of 2 dimensions",
    right: "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r5];",
  },
  PTX3053: {
    title: "multimem instruction on what is no multimem address",
    why: "multimem.ld_reduce, multimem.st and multimem.red work on an address that stands for memory of several devices, which only the host can make (cuMulticastCreate); on any other address they are undefined, as are other instructions on such an address (PTX ISA 8.2.3). Here one device holds all replicas: `-a NAME=multimem:N:BUFFER` or `device.multicast` makes the address.",
    wrong: "ptxrun k.ptx -a x=f32x8:fill=1  # multimem.red.add.f32 [x], %f1;",
    right: "ptxrun k.ptx -a x=multimem:2:f32x8:fill=1",
  },
  PTX3036: {
    title: "asynchronous store that does not go to another block",
    why: "st.async and red.async with an mbarrier object write to the shared memory of a block in the same cluster; the object lies in the same block, the cluster has more than one, and a reduction goes to another block than its own. Otherwise the behaviour is undefined (PTX ISA, st.async, red.async).",
    wrong: "ptxrun k.ptx  // st.async without a cluster",
    right: "ptxrun k.ptx --grid 2 --cluster 2",
  },
  PTX3010: {
    title: "barrier divergence",
    why: "`.aligned` promises that all threads of a warp execute the same barrier instruction (PTX ISA, barrier); bar.sync, bar.arrive and bar.red are aligned without saying so. Here a part of a warp has come to it while the others wait somewhere else, so the barrier can never complete.",
    wrong: "@p bra L;  // p differs within the warp\nbar.sync 0;\nbra.uni M;\nL: bar.sync 0;\nM: ret;",
    right: "@p bra L;\n  // what only some do\nL: bar.sync 0;\nret;",
  },
  PTX3011: {
    title: "deadlock",
    why: "All threads that have not exited wait: at a barrier that others never come to, or for lanes that wait elsewhere. The message says how many threads each barrier needs, how many have arrived and where the others are, and lists who waits where. A count that the block does not have, threads that exit before the barrier, and barriers that threads come to in different order do this. Blocks that have not begun cannot help, because there is no room for them or there are none.",
    wrong: "barrier.sync 1, 64;  // in a block of 32 threads",
    right: "barrier.sync 1, 32;",
  },
  PTX3012: {
    title: "barrier used wrongly",
    why: "A block has barriers 0 to 15; a count is a multiple of the warp size, and barrier.arrive needs one; all participants name the same count; reductions are not mixed with sync and arrive; no thread arrives a second time before the barrier has completed (PTX ISA, barrier). At the cluster's barrier each thread arrives once and then waits once.",
    wrong: "bar.sync 1, %r1;  // %r1 is 33",
    right: "bar.sync 1, %r1;  // %r1 is 64",
  },
  PTX3013: {
    title: "lane outside its membermask",
    why: "A lane that executes an instruction among lanes has to be in the membermask that it gives (PTX ISA, shfl.sync, vote.sync and others); otherwise the behaviour is undefined.",
    wrong: "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0x0000ffff;  // executed by all 32 lanes",
    right: "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0xffffffff;",
  },
  PTX3014: {
    title: "part of a warp at what all of it executes",
    why: "`.sync.aligned` promises that all 32 threads of a warp execute the same instruction (mma, ldmatrix, wgmma ...; PTX ISA, Warp Level Matrix Instructions): each holds a part of the matrices. Here some have exited, are kept off by the guard, or wait somewhere else, or the block has no whole warp; then the manual leaves undefined what happens.",
    wrong:
      "@p mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};  // p differs within the warp",
    right: "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};",
  },
  PTX3015: {
    title: "lanes give different addresses of one matrix",
    why: "wmma.load and wmma.store move one matrix for all of the warp: every lane gives the same address and the same stride (PTX ISA, wmma.load, wmma.store). Where they differ the manual leaves undefined what happens.",
    wrong: "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%rd1], {%r1, %r2};  // %rd1 depends on %laneid",
    right: "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%rd1], {%r1, %r2};  // %rd1 is the same in all lanes of a warp",
  },
  PTX3016: {
    title: "a selector of scales that names none",
    why: "mma with block scale takes the scales of A and B from some threads of each group of four and from some bytes of their registers: `{byte-id, thread-id}`. thread-id-a is 0 or 1 and thread-id-b 0 to 3; byte-id is 0 to 3 for .scale_vec::1X, 0 or 2 for 2X and 0 for 4X (PTX ISA, Block Scaling for mma.sync, table 40). Everything else is undefined, and so are lanes that differ.",
    wrong: "mov.u16 %rs1, 1;  // of .scale_vec::2X\nmma... %r9, {%rs1, 0}, %r10, {0, 0};",
    right: "mov.u16 %rs1, 2;\nmma... %r9, {%rs1, 0}, %r10, {0, 0};",
  },
  PTX3017: {
    title: "no warpgroup for what a warpgroup executes",
    why: "wgmma is executed by a warpgroup: four warps side by side of which the first has a rank that is a multiple of four, 128 threads in all (PTX ISA, Warpgroup). Each holds sixteen rows of the accumulator; the block does not have so many warps there.",
    wrong: "ptxrun gemm.ptx --block 96",
    right: "ptxrun gemm.ptx --block 128",
  },
  PTX3018: {
    title: "threads of a warpgroup that give wgmma different descriptors",
    why: "A matrix descriptor and scale-d describe the whole multiplication: every thread of the four warps gives the same (PTX ISA, wgmma.mma_async). Where they differ the manual leaves undefined what happens.",
    wrong:
      "add.s64 %rd1, %rd1, %rd2;  // %rd2 depends on %tid.x\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd3, 1;",
    right:
      "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd3, 1;  // %rd1 is the same in all threads",
  },
});
