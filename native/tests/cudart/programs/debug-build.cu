// nvcc: -G
#include "../check.cuh"
__device__ __noinline__ int square(int x) {
  int y = x * x;
  return y;
}
__global__ void k(int* p) { p[threadIdx.x] = square(threadIdx.x) + 1; }
int main() {
  int *d, h[32];
  WORKS(cudaMalloc(&d, 128));
  k<<<1, 32>>>(d);
  WORKS(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) CHECK(h[i] == i * i + 1);
  puts("ok");
}
