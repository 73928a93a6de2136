// builds: sm_89.O3 sm_89.G sm_90.O3 sm_100.O3 sm_120.O3
// mma.sync on e4m3 and e5m2: what sm_89 has in hardware and sm_90 and sm_100 compose of f16 products.

#include "mma.cuh"

MMA_F32(mma_e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
MMA_F32(mma_e5m2_e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32")
MMA_F32(mma_e5m2, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
MMA_F32_SHORT(mma_e4m3_k16, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32")
MMA_F16(mma_e4m3_f16, "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16")
MMA_F16_SHORT(mma_e5m2_f16_k16, "mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e5m2.f16")
