#include <cstdio>
#include <cuda_fp16.h>
__device__ int table[4] = {1,2,3,4};
__constant__ float coef[2][2] = {{1.f,2.f},{3.f,4.f}};
struct S { int a; double b; char c[5]; };
__device__ S glob = {1, 2.0, {'a','b'}};
__device__ const char* names[2] = {"alpha", "beta"};
typedef float (*fn)(float);
__device__ float twice(float x) { return 2*x; }
__device__ float thrice(float x) { return 3*x; }
__device__ fn fns[2] = {twice, thrice};
__device__ __noinline__ S make(int a, S s) { s.a += a; return s; }
extern "C" __global__ void axpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__device__ __forceinline__ float inl(float v) { if (v > 3.f) return v * 2.f; return v + 1.f; }
extern "C" __global__ void __launch_bounds__(256, 2) mix(S s, float *out, int k, fn *f) {
  extern __shared__ float sm[];
  __shared__ int q[32];
  float loc[16];
  for (int i = 0; i < 16; i++) loc[i] = out[i+k];
  q[threadIdx.x & 31] = k; __syncthreads();
  S t = make(k, s);
  switch (k) { case 0: out[0] = 1; break; case 1: out[1] = 5; break; case 2: out[2] = 7; break; case 3: out[3]=9; break; case 4: out[8] = inl(2.f); break; case 5: out[9] = 9; break; default: out[5] = loc[k & 15]; }
  sm[k] = t.b + q[(k+1)&31];
  out[7] = (*f)(sm[k+1]) + inl(out[6]);
  out[4] = fns[k&1](out[3]) + coef[k&1][0] + table[k&3] + names[k&1][0] + glob.a;
  printf("%d %s\n", k, names[0]);
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p bra L; trap; L: }" :: "r"(k));
}
__global__ void h(__half *a, __half2* b) { a[0] = a[1] + a[2]; b[0] = __hfma2(b[1], b[2], b[3]); atomicAdd(b, b[1]); }
__global__ void tex(cudaTextureObject_t t, float4* o, int k) { o[0] = tex2D<float4>(t, 1.f, 2.f); o[1] = make_float4(__shfl_xor_sync(-1, k, 1), __ballot_sync(-1, k), 0, 0); }
