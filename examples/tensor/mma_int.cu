// builds: sm_80.O3 sm_80.G sm_86.O3 sm_90.O3
// mma.sync on bytes, nibbles and bits.

#include "mma.cuh"

MMA_S32(mma_s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
MMA_S32(mma_u8_s8, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32")
MMA_S32(mma_u8_full, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32")
MMA_S32_SHORT(mma_s8_k16, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32")
MMA_S32_SMALL(mma_s8_small, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
MMA_S32(mma_s4, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32")
MMA_S32_SHORT(mma_u4_s4, "mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32")
MMA_S32_SMALL(mma_s4_small, "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.s4.u4.s32")
MMA_S32(mma_xor, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
MMA_S32(mma_and, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
MMA_S32_SHORT(mma_and_k128, "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc")
MMA_S32_SMALL(mma_xor_small, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
