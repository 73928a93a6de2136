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
    why: "The kernel executed `trap`, which aborts the launch and interrupts the host (PTX ISA 9.7.19).",
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
    why: "The register of an indirect call holds the address of a function of the module (PTX ISA 9.7.12.5). What lies elsewhere cannot be called.",
    wrong: "mov.u64 %rd1, 0;\ncall %rd1, (), proto;",
    right: "mov.u64 %rd1, f;\ncall %rd1, (), proto;",
  },
  PTX3022: {
    title: "call of a function that does not fit",
    why: "An indirect call names its functions in a list, or says in a prototype what they take and give. To call another function is undefined (PTX ISA 9.7.12.5).",
    wrong: ".func f(.param .b32 a) { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
    right: ".func f() { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
  },
  PTX3023: {
    title: "index behind the list of targets",
    why: "brx.idx goes to the label that its index counts, from 0; a larger index is undefined (PTX ISA 9.7.12.3).",
    wrong: "list: .branchtargets A, B;\nbrx.idx 2, list;",
  },
  PTX3024: {
    title: "stack pointer that nobody saved",
    why: "stackrestore takes what stacksave gave; another value may corrupt the stack (PTX ISA 9.7.17.3).",
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
    why: "The source size of cp.async says how many of its bytes are read; the rest become zeros. More than the copy has is undefined (PTX ISA 9.7.9.25.3.1).",
    wrong: "cp.async.ca.shared.global [%r1], [%rd1], 8, 16;",
    right: "cp.async.ca.shared.global [%r1], [%rd1], 8, 4;",
  },
  PTX3010: {
    title: "barrier divergence",
    why: "`.aligned` promises that all threads of a warp execute the same barrier instruction (PTX ISA 9.7.13.1); bar.sync, bar.arrive and bar.red are aligned without saying so. Here a part of a warp has come to it while the others wait somewhere else, so the barrier can never complete.",
    wrong: "@p bra L;  // p differs within the warp\nbar.sync 0;\nbra.uni M;\nL: bar.sync 0;\nM: ret;",
    right: "@p bra L;\n  // what only some do\nL: bar.sync 0;\nret;",
  },
  PTX3011: {
    title: "deadlock",
    why: "All threads that have not exited wait: at a barrier that others never come to, or for lanes that wait elsewhere. The message lists who waits where. Blocks that have not begun cannot help, because there is no room for them or there are none.",
    wrong: "barrier.sync 1, 64;  // in a block of 32 threads",
    right: "barrier.sync 1, 32;",
  },
  PTX3012: {
    title: "barrier used wrongly",
    why: "A block has barriers 0 to 15; a count is a multiple of the warp size, and barrier.arrive needs one; all participants name the same count; reductions are not mixed with sync and arrive; no thread arrives a second time before the barrier has completed (PTX ISA 9.7.13.1). At the cluster's barrier each thread arrives once and then waits once.",
    wrong: "bar.sync 1, %r1;  // %r1 is 33",
    right: "bar.sync 1, %r1;  // %r1 is 64",
  },
  PTX3013: {
    title: "lane outside its membermask",
    why: "A lane that executes an instruction among lanes has to be in the membermask that it gives (PTX ISA 9.7.9.6, 9.7.13); otherwise the behaviour is undefined.",
    wrong: "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0x0000ffff;  // executed by all 32 lanes",
    right: "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0xffffffff;",
  },
  PTX3014: {
    title: "part of a warp at what all of it executes",
    why: "`.sync.aligned` promises that all 32 threads of a warp execute the same instruction (mma, ldmatrix, wgmma ...; PTX ISA 9.7.15): each holds a part of the matrices. Here some have exited, are kept off by the guard, or wait somewhere else, or the block has no whole warp; then the manual leaves undefined what happens.",
    wrong:
      "@p mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};  // p differs within the warp",
    right: "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};",
  },
  PTX3015: {
    title: "lanes give different addresses of one matrix",
    why: "wmma.load and wmma.store move one matrix for all of the warp: every lane gives the same address and the same stride (PTX ISA 9.7.15.4.3, 9.7.15.4.4). Where they differ the manual leaves undefined what happens.",
    wrong: "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%rd1], {%r1, %r2};  // %rd1 depends on %laneid",
    right: "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%rd1], {%r1, %r2};  // %rd1 is the same in all lanes of a warp",
  },
});
