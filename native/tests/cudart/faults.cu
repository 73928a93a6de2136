// What goes wrong: of the launch, which passes, and in a kernel, which stays.
#include <cstring>

#include "check.cuh"

__global__ void store(int *to) { *to = 1; }
extern __shared__ int room[];
__global__ void deep(int *to, int words) {
  room[words - 1] = 5;
  __syncthreads();
  *to = room[words - 1];
}

int main() {
  int *device, got = 0;
  WORKS(cudaMalloc(&device, sizeof(int)));
  store<<<1, 2048>>>(device);
  GIVES(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  WORKS(cudaGetLastError());
  store<<<0, 1>>>(device);
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  const int bytes = 64 << 10;
  deep<<<1, 1, bytes>>>(device, bytes / 4);
  GIVES(cudaErrorInvalidValue, cudaGetLastError());
  WORKS(cudaFuncSetAttribute(deep, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  deep<<<1, 1, bytes>>>(device, bytes / 4);
  WORKS(cudaGetLastError());
  WORKS(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == 5);
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, device, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(3));
  GIVES(cudaErrorInvalidValue, cudaFree(&got));
  GIVES(cudaErrorMemoryAllocation, cudaMalloc(&device, size_t(1) << 50));
  cudaFuncAttributes attributes;
  WORKS(cudaFuncGetAttributes(&attributes, deep));
  CHECK(attributes.maxDynamicSharedSizeBytes == bytes && attributes.maxThreadsPerBlock == 1024);
  int blocks;
  WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 0));
  CHECK(blocks > 0);
  int grid, block;
  WORKS(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store));
  CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered") == 0);
  cudaGetLastError();

  int local;
  store<<<1, 1>>>(&local);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaMalloc(&device, 4));
  GIVES(cudaErrorIllegalAddress, cudaDeviceReset());
  printf("faults\n");
}
