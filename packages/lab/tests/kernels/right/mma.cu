#include <cuda_fp16.h>
extern "C" __global__ void k(const unsigned* A, const __half* B, float* D) {
  int l = threadIdx.x, g = l >> 2, t = l & 3;
  unsigned a0 = A[g * 8 + t], a1 = A[(g + 8) * 8 + t], a2 = A[g * 8 + t + 4], a3 = A[(g + 8) * 8 + t + 4];
  __half2 b0 = __halves2half2(B[(2 * t) * 8 + g], B[(2 * t + 1) * 8 + g]),
          b1 = __halves2half2(B[(2 * t + 8) * 8 + g], B[(2 * t + 9) * 8 + g]);
  unsigned ub0 = *(unsigned*)&b0, ub1 = *(unsigned*)&b1;
  float d0, d1, d2, d3;
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};"
      : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(ub0), "r"(ub1), "f"(0.f));
  D[g * 8 + 2 * t] = d0;
  D[g * 8 + 2 * t + 1] = d1;
  D[(g + 8) * 8 + 2 * t] = d2;
  D[(g + 8) * 8 + 2 * t + 1] = d3;
}
