/* Kernels that the programs here launch, as frameworks would write them. */
#ifndef KERNELS_H
#define KERNELS_H

#define HEAD ".version 7.5\n.target sm_35\n.address_size 64\n"

/* c[i] = a[i] + b[i], n floats. */
static const char vector_add[] = HEAD
    ".visible .entry vector_add(.param .u64 pc, .param .u64 pa, .param .u64 pb, .param .u32 pn) {\n"
    "  .reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %d<8>;\n"
    "  ld.param.u64 %d1, [pc]; ld.param.u64 %d2, [pa]; ld.param.u64 %d3, [pb]; ld.param.u32 %r1, [pn];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p, %r5, %r1; @%p bra done;\n"
    "  mul.wide.u32 %d4, %r5, 4; add.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\n"
    "  ld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.rn.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\n"
    "done:\n  ret;\n}\n";

/* The sum of 256 words through shared memory. */
static const char reduction[] = HEAD
    ".visible .entry reduction(.param .u64 pto, .param .u64 pfrom) {\n"
    "  .shared .align 4 .b8 parts[1024];\n"
    "  .reg .pred %p; .reg .b32 %r<10>; .reg .b64 %d<6>;\n"
    "  ld.param.u64 %d1, [pto]; ld.param.u64 %d2, [pfrom]; mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4];\n"
    "  mov.u32 %r3, parts; shl.b32 %r4, %r1, 2; add.s32 %r5, %r3, %r4; st.shared.u32 [%r5], %r2;\n"
    "  mov.u32 %r6, 128;\n"
    "again:\n  bar.sync 0;\n  setp.ge.u32 %p, %r1, %r6; @%p bra skip;\n"
    "  shl.b32 %r7, %r6, 2; add.s32 %r8, %r5, %r7; ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r2, [%r5];\n"
    "  add.s32 %r2, %r2, %r9; st.shared.u32 [%r5], %r2;\n"
    "skip:\n  shr.u32 %r6, %r6, 1; setp.ne.u32 %p, %r6, 0; @%p bra again;\n"
    "  setp.ne.u32 %p, %r1, 0; @%p bra done; st.global.u32 [%d1], %r2;\n"
    "done:\n  ret;\n}\n";

/* Adds 1 to the value of each node of a list: struct { u32 value; node *next; }. */
static const char each_node[] = HEAD
    ".visible .entry each_node(.param .u64 pfirst) {\n"
    "  .reg .pred %p; .reg .b32 %r; .reg .b64 %d;\n"
    "  ld.param.u64 %d, [pfirst];\n"
    "again:\n  setp.eq.s64 %p, %d, 0; @%p bra done;\n"
    "  ld.global.u32 %r, [%d]; add.s32 %r, %r, 1; st.global.u32 [%d], %r; ld.global.u64 %d, [%d+8]; bra again;\n"
    "done:\n  ret;\n}\n";

/* Stores one word. */
static const char store_word[] = HEAD
    ".visible .entry store_word(.param .u64 pto, .param .u32 pvalue) {\n"
    "  .reg .b32 %r; .reg .b64 %d;\n"
    "  ld.param.u64 %d, [pto]; ld.param.u32 %r, [pvalue];\n  st.global.u32 [%d], %r;\n  ret;\n}\n";

/* Loads one word and stores it elsewhere. */
static const char copy_word[] = HEAD
    ".visible .entry copy_word(.param .u64 pto, .param .u64 pfrom) {\n"
    "  .reg .b32 %r; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [pto]; ld.param.u64 %d2, [pfrom];\n  ld.global.u32 %r, [%d2];\n  st.global.u32 [%d1], %r;\n  ret;\n}\n";

/* What each type of parameter takes of its 64 bits: out[0..] = s8, u16, s32, f32, u64 as words. */
static const char parameters[] = HEAD
    ".visible .entry parameters(.param .u64 pto, .param .s8 pa, .param .u16 pb, .param .s32 pc, .param .f32 pd, .param .u64 pe) {\n"
    "  .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .f32 %f; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [pto]; ld.param.s8 %r1, [pa]; ld.param.u16 %h1, [pb]; ld.param.s32 %r3, [pc]; ld.param.f32 %f, [pd];\n"
    "  ld.param.u64 %d2, [pe]; cvt.u32.u16 %r2, %h1;\n"
    "  st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2; st.global.u32 [%d1+8], %r3; st.global.f32 [%d1+12], %f;\n"
    "  st.global.u64 [%d1+16], %d2;\n  ret;\n}\n";

/* Counts its launches in a variable, which is new in each. */
static const char counter[] = HEAD
    ".global .u32 count = 41;\n"
    ".visible .entry counter(.param .u64 pto) {\n"
    "  .reg .b32 %r; .reg .b64 %d;\n"
    "  ld.param.u64 %d, [pto]; ld.global.u32 %r, [count]; add.s32 %r, %r, 1; st.global.u32 [count], %r;\n"
    "  st.global.u32 [%d], %r;\n  ret;\n}\n";

/* Says hello. */
static const char hello[] = HEAD
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 words[20] = {104, 101, 108, 108, 111, 32, 102, 114, 111, 109, 32, 80, 84, 88, 10, 0, 0, 0, 0, 0};\n"
    ".visible .entry hello() {\n"
    "  .reg .b32 %r; .reg .b64 %d<3>;\n"
    "  mov.u64 %d1, words; cvta.global.u64 %d1, %d1; mov.u64 %d2, 0;\n"
    "  { .param .b64 f; st.param.b64 [f], %d1; .param .b64 a; st.param.b64 [a], %d2; .param .b32 r;\n"
    "    call.uni (r), vprintf, (f, a); ld.param.b32 %r, [r]; }\n"
    "  ret;\n}\n";

/* Never ends. */
static const char forever[] = HEAD
    ".visible .entry forever() {\n  .reg .b32 %r;\n  mov.u32 %r, 0;\nagain:\n  add.s32 %r, %r, 1;\n  bra again;\n}\n";

#endif
