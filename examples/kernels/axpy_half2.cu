// y = a * x + y on pairs of halves: one fma.rn.f16x2 a thread, so each half is rounded once.
// nvcc -ptx -arch=sm_90 -O3 axpy_half2.cu -o axpy_half2.ptx
#include <cuda_fp16.h>

extern "C" __global__ void axpy_half2(int n, __half2 a, const __half2 *x, __half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}
