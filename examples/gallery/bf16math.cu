// The same on pairs of bf16. Before sm_90 there is no add and no product: the header writes them as an fma.

#include <cuda_bf16.h>

using Pair = __nv_bfloat162;

extern "C" __global__ void bf16math(const Pair* x, const Pair* y, const Pair* z, Pair* out, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair a = x[i], b = y[i], c = z[i];
  int row = 0;
  const auto put = [&](Pair value) { out[row++ * n + i] = value; };
  put(__hadd2(a, b));
  put(__hsub2(a, b));
  put(__hmul2(a, b));
  put(__hfma2(a, b, c));
  put(__hfma2_relu(a, b, c));
  put(__hmin2(a, b));
  put(__hmax2(a, b));
  put(__hneg2(a));
  put(__habs2(a));
  put(__hlt2(a, b));
  put(__halves2bfloat162(__low2bfloat16(b), __high2bfloat16(a)));
  put(__floats2bfloat162_rn(__low2float(a) * 3.0f, __high2float(b) * 0.2f));
  put(__halves2bfloat162(__float2bfloat16_rz(__low2float(a) * 1.1f), __int2bfloat16_rn(i * 37)));
  sums[i] = __low2float(a) + __high2float(b);
  sums[n + i] = __hbeq2(a, b) ? 1.0f : __hge(__low2bfloat16(a), __low2bfloat16(b)) ? 0.5f : 0.0f;
}
