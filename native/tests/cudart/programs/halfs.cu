#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include "../check.cuh"
__global__ void k(const float* in, float* o, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  __half a = __float2half(in[i]);
  __half2 h = __half2half2(a);
  h = __hfma2(h, h, __float2half2_rn(1));
  o[i] = __low2float(h);
  __nv_bfloat16 b = __float2bfloat16(in[i]);
  o[n + i] = __bfloat162float(__hadd(b, b));
  __nv_fp8_e4m3 f(in[i]);
  o[2 * n + i] = float(f);
  o[3 * n + i] = __half2float(hsqrt(__habs(a)));
  o[4 * n + i] = __half2float(hexp(a));
  __nv_fp8_e5m2 g(in[i]);
  o[5 * n + i] = float(g);
}
static float bf(float x) { return __bfloat162float(__float2bfloat16(x)); }
int main() {
  const int n = 64;
  float h[n], o[6 * n];
  for (int i = 0; i < n; i++) h[i] = (i - 32) * 0.11f;
  float *a, *b;
  WORKS(cudaMalloc(&a, sizeof h));
  WORKS(cudaMalloc(&b, sizeof o));
  WORKS(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 64>>>(a, b, n);
  WORKS(cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    float x = __half2float(__float2half(h[i]));
    CHECK(o[i] == __half2float(__float2half(x * x + 1)));
    CHECK(o[n + i] == bf(2 * bf(h[i])));
    CHECK(o[2 * n + i] == float(__nv_fp8_e4m3(h[i])));
    CHECK(o[5 * n + i] == float(__nv_fp8_e5m2(h[i])));
    CHECK(fabsf(o[3 * n + i] - sqrtf(fabsf(x))) < 2e-3f);
    CHECK(fabsf(o[4 * n + i] / expf(x) - 1) < 2e-3f);
  }
  puts("ok");
}
