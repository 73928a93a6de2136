// nvcc: -lineinfo -gencode arch=compute_90,code=sm_90
#include "../check.cuh"
__global__ void k(double* p) { p[threadIdx.x] = sqrt((double)threadIdx.x) * 3; }
int main() {
  double *d, h[32];
  WORKS(cudaMalloc(&d, 256));
  k<<<1, 32>>>(d);
  WORKS(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) CHECK(h[i] == sqrt((double)i) * 3);
  puts("ok");
}
