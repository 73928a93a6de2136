// nvcc: -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=[compute_90,sm_90] -compress-mode=size
#include "../check.cuh"
__global__ void k(int* p) {
#if __CUDA_ARCH__ >= 900
  p[threadIdx.x] = 90;
#else
  p[threadIdx.x] = 75;
#endif
}
int main() {
  int *d, h[32];
  WORKS(cudaMalloc(&d, 128));
  k<<<1, 32>>>(d);
  WORKS(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost));
  cudaDeviceProp p;
  WORKS(cudaGetDeviceProperties(&p, 0));
  for (int v : h) CHECK(v == (p.major >= 9 ? 90 : 75));
  puts("ok");
}
