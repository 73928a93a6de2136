#include <cuda_runtime.h>
extern "C" __global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  __shared__ unsigned long long b;
  unsigned a = (unsigned)__cvta_generic_to_shared(&b);
  int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 65;" ::"r"(a));
  __syncthreads();
  s[t] = x[t];
  asm volatile("{.reg .b64 st; mbarrier.arrive.shared.b64 st,[%0];}" ::"r"(a) : "memory");
  asm volatile("{.reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p,[%0],0; @!p bra W;}" ::"r"(a) : "memory");
  y[t] = s[63 - t];
}
