// builds: sm_80.O3 sm_80.G sm_86.O3 sm_90.O3 sm_100.O3 sm_120.O3
// mma.sync on f16, bf16 and tf32 through inline PTX, with the fragments that the manual draws.

#include "mma.cuh"

MMA_F32(mma_f16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
MMA_F32_SHORT(mma_f16_k8, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
MMA_F16(mma_f16_f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
MMA_F16_SHORT(mma_f16_f16_k8, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
MMA_F32(mma_bf16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_F32_SHORT(mma_bf16_k8, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
MMA_F32(mma_tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_F32_SHORT(mma_tf32_k4, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")

// Four 8 x 8 x 4 products at once, one for lanes 0-3 and 16-19, one for 4-7 and 20-23, and so on. `a` and `d` have 8 rows for each
// of them, `b` 8 columns: here A is in rows and B in columns, f32 sums.
extern "C" __global__ void mma_quads(const Word* a, const Word* b, const float* c, float* d) {
  const int lane = threadIdx.x, quad = lane / 4 % 4, high = lane / 16;
  const int i = lane % 4 + high * 4;
  const Word* left = a + (quad * 8 + i) * 2;
  const Word* right = b + (quad * 8 + i) * 2;
  float x[8];
  int at[8];
  for (int j = 0; j < 8; j++) {
    const int row = lane % 2 + j % 4 / 2 * 2 + high * 4, column = j / 4 * 4 + lane / 2 % 2 * 2 + j % 2;
    at[j] = (quad * 8 + row) * 8 + column;
    x[j] = c[at[j]];
  }
  asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},"
      "{%0,%1,%2,%3,%4,%5,%6,%7};"
      : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]), "+f"(x[4]), "+f"(x[5]), "+f"(x[6]), "+f"(x[7])
      : "r"(left[0]), "r"(left[1]), "r"(right[0]), "r"(right[1]));
  for (int j = 0; j < 8; j++) d[at[j]] = x[j];
}
