/* Kernels for the programs that call the driver API. */
#ifndef DRIVER_KERNELS_H
#define DRIVER_KERNELS_H

#include "kernels.h"

/* Adds `step` to each word from `data` on: one a thread. Variables: `step`, 5; `seen`, 4 words. */
static const char stepping[] = HEAD
    ".visible .global .align 4 .u32 step = 5;\n.visible .global .align 4 .b8 seen[16];\n"
    ".visible .entry forward(.param .u64 data) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
    "  ld.global.u32 %r2, [step]; ld.global.u32 %r3, [%d1]; add.s32 %r3, %r3, %r2; st.global.u32 [%d1], %r3; ret;\n}\n"
    ".visible .entry second(.param .u8 a, .param .u64 b, .param .align 4 .b8 c[12]) { ret; }\n";

/* One of its 4 words a thread, to `to`, by way of shared memory of the launch. */
static const char dynamic[] = HEAD
    ".extern .shared .align 4 .b8 room[];\n"
    ".visible .entry dynamic(.param .u64 to, .param .align 4 .b8 from[16]) {\n"
    "  .reg .b32 %r<5>; .reg .b64 %d<5>;\n"
    "  ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, room; add.s32 %r3, %r3, %r2;\n"
    "  mov.b64 %d2, from; cvt.u64.u32 %d3, %r2; add.s64 %d2, %d2, %d3; ld.param.u32 %r4, [%d2]; st.shared.u32 [%r3], %r4;\n"
    "  bar.sync 0; ld.shared.u32 %r4, [%r3]; add.s64 %d1, %d1, %d3; st.global.u32 [%d1], %r4; ret;\n}\n";

/* Each block stores its rank in its cluster, and how many that has. */
static const char clustered[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry clustered(.param .u64 to) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [to]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 8; add.s64 %d1, %d1, %d2;\n"
    "  mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank; st.global.v2.u32 [%d1], {%r2, %r3}; ret;\n}\n";

/* Counts a word down, and says by the handle whether something is left of it. */
static const char counting[] = HEAD
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
    ".visible .entry countdown(.param .u64 handle, .param .u64 left) {\n"
    "  .reg .b32 %r<2>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [handle]; ld.param.u64 %d2, [left]; ld.global.u32 %r1, [%d2]; sub.u32 %r1, %r1, 1;\n"
    "  st.global.u32 [%d2], %r1;\n"
    "  { .param .b64 a; .param .b32 b; st.param.b64 [a], %d1; st.param.b32 [b], %r1;\n"
    "  call.uni cudaGraphSetConditional, (a, b); }\n"
    "  ret;\n}\n";

/* Never ends. */
static const char endless[] = HEAD ".visible .entry endless() {\nagain:\n  bra again;\n}\n";
static const char trapping[] = HEAD ".visible .entry trapping() {\n  trap;\n}\n";

#endif
