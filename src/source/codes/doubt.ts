import { pages } from "./page.ts";

/** PTX91xx: what ptxas takes and is still wrong. */
export const doubt = pages({
  PTX9101: {
    title: "barrier that only some threads of the block come to",
    why: "A barrier without a number of threads is for all of the block that have not exited. Here the way to it depends on the thread, and the others go on without it: they are counted at another barrier, or the block hangs (PTX ISA, bar). lint says so where the condition differs among threads whatever the launch is, or compares a number of the thread or what it has read with something that the text leaves open.",
    wrong:
      ".entry k() { .reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @%p bra on; bar.sync 0; on: bar.sync 1; ret; }",
    right:
      ".entry k() { .reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @%p bra on; bar.sync 0, 32; on: bar.sync 1; ret; }",
  },
  PTX9102: {
    title: "membermask with lanes that do not come",
    why: "An instruction among lanes waits until all lanes of its membermask have come to one like it (PTX ISA, shfl.sync, vote.sync). Here a condition keeps some of them away, so the result is undefined, or the warp hangs. A condition that is the same in all lanes of each warp, as %tid.x < 32, is none of these.",
    wrong:
      ".entry k() { .reg .pred %p; .reg .b32 %t, %u; mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 16; @%p bra on; shfl.sync.bfly.b32 %u, %t, 1, 31, -1; on: membar.cta; ret; }",
    right:
      ".entry k() { .reg .pred %p; .reg .b32 %t, %u; mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 16; @%p bra on; shfl.sync.bfly.b32 %u, %t, 1, 31, 0xffff; on: membar.cta; ret; }",
  },
  PTX9103: {
    title: "instruction of a whole warp in a part of it",
    why: "`.aligned` promises that all lanes of a warp come to one and the same instruction together; bar is always aligned (PTX ISA, barrier, mma, ldmatrix). In a branch that only some lanes take that does not hold, and what happens is undefined. barrier.sync without .aligned may stand there.",
    wrong:
      ".entry k() { .reg .pred %p; .reg .b32 %t; mov.u32 %t, %laneid; setp.ge.u32 %p, %t, 16; @%p bra on; barrier.sync.aligned 1, 64; on: membar.cta; ret; }",
    right:
      ".entry k() { .reg .pred %p; .reg .b32 %t; mov.u32 %t, %laneid; setp.ge.u32 %p, %t, 16; @%p bra on; barrier.sync 1, 64; on: membar.cta; ret; }",
  },
  PTX9104: {
    title: "vector of registers wider than its elements",
    why: "ld and st take registers that are wider than the type (PTX ISA 6.4.1, Operand Size Exceeding Instruction-Type Size): a load extends each element, a store drops the upper bits. For one number that is common; a vector of 64-bit registers with elements of 32 bits moves half of what it looks like, and the second element comes from the upper half of the first. Elements of 8 bits draw nothing, since no register is that narrow.",
    wrong: "ld.global.v2.b32 {%rd1, %rd2}, [%rd3];",
    right: "ld.global.v2.b64 {%rd1, %rd2}, [%rd3];",
  },
  PTX9105: {
    title: "deprecated form",
    why: "The manual and ptxas call this form deprecated from some version on, because newer hardware does not promise what it meant: lanes of a warp need not be together since sm_70. It is gone from later versions or targets. `ptxrun isa` names the form in its place.",
    wrong: ".target sm_60 ... vote.all.pred %p, %q;",
    right: ".target sm_60 ... vote.sync.all.pred %p, %q, -1;",
  },
  PTX9106: {
    title: "scope too narrow for a flag between blocks",
    why: "A loop polls a flag at an address that is the same in all blocks of the grid, so other blocks write it. An order of scope .cta holds among the threads of one block (PTX ISA 8.5, Scope): whoever has seen the flag need not see what was written before it, and need not see the flag itself. lint says so in kernels that ask which block they are.",
    wrong:
      ".global .u32 flag; .entry k() { .reg .pred %p; .reg .b32 %b, %f; mov.u32 %b, %ctaid.x; again: ld.acquire.cta.global.u32 %f, [flag]; setp.ne.u32 %p, %f, %b; @%p bra again; ret; }",
    right:
      ".global .u32 flag; .entry k() { .reg .pred %p; .reg .b32 %b, %f; mov.u32 %b, %ctaid.x; again: ld.acquire.gpu.global.u32 %f, [flag]; setp.ne.u32 %p, %f, %b; @%p bra again; ret; }",
  },
  PTX9107: {
    title: "bytes of the parameters that no parameter has",
    why: "A kernel's parameters lie where their declarations put them, and between them and behind them is padding, or what the driver keeps there. An address in a register, as mov gives it, may be moved beyond the parameter that it began at without anybody noticing. ptxrun reads what the launch has laid there; a GPU promises nothing (PTX ISA, Kernel Function Parameters).",
    wrong: ".entry k(.param .b32 n) { .reg .b32 %r; .reg .b64 %a; mov.b64 %a, n; ld.param.b32 %r, [%a+4]; ret; }",
    right:
      ".entry k(.param .b32 n, .param .b32 m) { .reg .b32 %r; .reg .b64 %a; mov.b64 %a, n; ld.param.b32 %r, [%a+4]; ret; }",
  },
  PTX9108: {
    title: "register that is read and never written",
    why: "No instruction of the function writes the register, under a predicate or not: it has no value on any way. ptxas takes that, and what a GPU finds there is what another register left; a run of ptxrun begins with 0 (PTX2205). Mostly another register is meant. A register after which a compiler writes the comment `implicit-def`, one of a function's own parameters, and those of a snippet, which are its inputs, draw nothing.",
    wrong: ".entry k() { .reg .f32 %f<4>; mov.f32 %f1, 0f00000000; add.f32 %f2, %f3, %f3; ret; }",
    right: ".entry k() { .reg .f32 %f<4>; mov.f32 %f1, 0f00000000; add.f32 %f2, %f1, %f1; ret; }",
  },
});
