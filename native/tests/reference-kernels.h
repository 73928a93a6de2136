/* Kernels that read and write by references, for the programs that bind them. */
#ifndef REFERENCE_KERNELS_H
#define REFERENCE_KERNELS_H

#include "kernels.h"

/* `look` and `fetch` store what each thread reads of its texel of `plane` and `line`; each thread of `paint` adds 100 to its texel of the surface. */
static const char referring[] = HEAD
    ".visible .global .texref plane = {addr_mode_0 = mirror, filter_mode = linear};\n.visible .global .texref line;\n"
    ".visible .global .surfref canvas;\n"
    ".visible .entry look(.param .u64 to) {\n"
    "  .reg .b32 %r<3>; .reg .f32 %f<8>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
    "  cvt.rn.f32.u32 %f1, %r1; add.f32 %f1, %f1, 0f3F000000; mov.f32 %f2, 0f3F000000;\n"
    "  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [plane, {%f1, %f2}]; st.global.f32 [%d1], %f3; ret;\n}\n"
    ".visible .entry fetch(.param .u64 to) {\n"
    "  .reg .b32 %r<8>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
    "  tex.1d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [line, {%r1}]; st.global.u32 [%d1], %r3; ret;\n}\n"
    ".visible .entry paint() {\n"
    "  .reg .b32 %r<4>;\n"
    "  mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; suld.b.1d.b32.trap %r2, [canvas, {%r1}]; add.s32 %r2, %r2, 100;\n"
    "  sust.b.1d.b32.trap [canvas, {%r1}], %r2; ret;\n}\n";

#endif
