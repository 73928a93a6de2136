#include <cstring>
#include "../check.cuh"
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* d;
  CHECK(cudaMalloc(&d, (size_t)1 << 50) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  k<<<1, 2048>>>(0);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  k<<<0, 1>>>(0);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaFree((void*)0x1234) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  CHECK(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  cudaGetLastError();
  WORKS(cudaMalloc(&d, 64));
  k<<<1, 32>>>(d);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&d, 4) == cudaErrorIllegalAddress);
  puts("ok");
}
