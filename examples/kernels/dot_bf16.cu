// Dot product in bf16: thread t sums the products of elements t, t + threads, ... and writes its own partial sum.
// nvcc -ptx -arch=sm_90 -O3 dot_bf16.cu -o dot_bf16.ptx
#include <cuda_bf16.h>

extern "C" __global__ void dot_bf16(int n, const __nv_bfloat16 *x, const __nv_bfloat16 *y, __nv_bfloat16 *partial) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  __nv_bfloat16 sum = __ushort_as_bfloat16(0);
#pragma unroll 1
  for (int i = thread; i < n; i += threads) sum = __hfma(x[i], y[i], sum);
  partial[thread] = sum;
}
