// Sums of halves kept in f32: thread t sums row t of x, plain and weighted by w, without a cvt.
// nvcc -ptx -arch=sm_100 -O3 mixed_sum.cu -o mixed_sum.ptx
#include <cuda_fp16.h>

__device__ __forceinline__ float add_mixed(__half a, float c) {
  float d;
  asm("add.f32.f16 %0, %1, %2;" : "=f"(d) : "h"(__half_as_ushort(a)), "f"(c));
  return d;
}

__device__ __forceinline__ float fma_mixed(__half a, __half b, float c) {
  float d;
  asm("fma.rn.f32.f16 %0, %1, %2, %3;" : "=f"(d) : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)), "f"(c));
  return d;
}

extern "C" __global__ void mixed_sum(int rows, int columns, const __half *x, const __half *w, float *sum, float *weighted) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float plain = 0, scaled = 0;
#pragma unroll 1
  for (int i = 0; i < columns; i++) {
    __half v = x[row * columns + i];
    plain = add_mixed(v, plain);
    scaled = fma_mixed(v, w[i], scaled);
  }
  sum[row] = plain;
  weighted[row] = scaled;
}
