#include "../check.cuh"
__global__ void __launch_bounds__(256, 2) k(float* p) {
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void big(float* p) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < 16000; i += blockDim.x) s[i] = i;
  __syncthreads();
  p[threadIdx.x] = s[15999 - threadIdx.x];
}
int main() {
  cudaFuncAttributes a;
  WORKS(cudaFuncGetAttributes(&a, k));
  CHECK(a.maxThreadsPerBlock == 256 && a.numRegs > 0 && a.ptxVersion > 0);
  int n, g, b;
  WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 128, 0));
  CHECK(n > 0);
  WORKS(cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0));
  CHECK(b > 0 && b <= 256 && g > 0);
  float* d;
  WORKS(cudaMalloc(&d, 4096));
  k<<<1, 512>>>(d);
  CHECK(cudaGetLastError() != cudaSuccess);
  big<<<1, 64, 64000>>>(d);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  WORKS(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 64000));
  big<<<1, 64, 64000>>>(d);
  float h[64];
  WORKS(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) CHECK(h[i] == 15999 - i);
  cudaDeviceProp p;
  WORKS(cudaGetDeviceProperties(&p, 0));
  CHECK(p.major >= 5 && p.warpSize == 32 && p.multiProcessorCount > 0);
  size_t f, t;
  WORKS(cudaMemGetInfo(&f, &t));
  CHECK(f <= t && t > 0);
  puts("ok");
}
