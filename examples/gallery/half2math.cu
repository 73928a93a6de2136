// Pairs of halves: arithmetic with one rounding, comparisons, conversions; one result a row of `out`.

#include <cuda_fp16.h>

using Pair = __half2;

extern "C" __global__ void half2math(const Pair* x, const Pair* y, const Pair* z, Pair* out, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair a = x[i], b = y[i], c = z[i];
  int row = 0;
  const auto put = [&](Pair value) { out[row++ * n + i] = value; };
  put(__hadd2(a, b));
  put(__hsub2(a, b));
  put(__hmul2(a, b));
  put(__hfma2(a, b, c));
  put(__hadd2_sat(a, b));
  put(__hmul2_sat(a, b));
  put(__hfma2_sat(a, b, c));
  put(__hfma2_relu(a, b, c));
  put(__hmin2(a, b));
  put(__hmax2(a, b));
  put(__hneg2(a));
  put(__habs2(a));
  put(__hgt2(a, b));
  put(__hleu2(a, b));
  put(__halves2half2(__low2half(b), __high2half(a)));
  put(h2rint(a));
  put(__hmax2_nan(a, b));
  put(__float22half2_rn(make_float2(__low2float(a) * 3.0f, __high2float(b) * 0.2f)));
  put(__halves2half2(__int2half_rn(i * 37), __float2half_rz(__high2float(a) * 1.1f)));
  float2 wide = __half22float2(a);
  sums[i] = wide.x + wide.y;
  sums[n + i] = __hbgt2(a, b) ? 1.0f : __heq(__low2half(a), __low2half(b)) ? 0.5f : 0.0f;
  sums[2 * n + i] = static_cast<float>(__half2int_rn(__low2half(a)) + __half2uint_rz(__habs(__high2half(b))));
}
