// Variables of all kinds, managed memory, and pointers to it on both sides.
#include "check.cuh"

__constant__ int factors[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ float table[8];
__managed__ int shared_count = 5;
__managed__ int list[4];

__global__ void count(int *out) {
  atomicAdd(&counter, 1);
  atomicAdd(&shared_count, 1);
  list[threadIdx.x] = factors[threadIdx.x] * 10;
  table[threadIdx.x] = 0.5f * threadIdx.x;
  out[threadIdx.x] = factors[threadIdx.x];
}

__global__ void through(int *pointer) { *pointer += 100; }

int main() {
  int *out, got[4], read;
  CHECK(shared_count == 5);
  shared_count = 10;
  WORKS(cudaMallocManaged(&out, sizeof got));
  count<<<1, 4>>>(out);
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < 4; i++) CHECK(out[i] == i + 1 && list[i] == 10 * (i + 1));
  CHECK(shared_count == 14);
  WORKS(cudaMemcpyFromSymbol(&read, counter, sizeof read));
  CHECK(read == 11);
  int other[] = {5, 6, 7, 8};
  WORKS(cudaMemcpyToSymbol(factors, other, sizeof other));
  WORKS(cudaMemcpyToSymbol(factors, other, sizeof(int), sizeof(int)));
  count<<<1, 4>>>(out);
  WORKS(cudaDeviceSynchronize());
  CHECK(out[0] == 5 && out[1] == 5 && out[2] == 7);
  through<<<1, 1>>>(&shared_count);
  WORKS(cudaDeviceSynchronize());
  CHECK(shared_count == 118);
  void *address;
  size_t bytes;
  WORKS(cudaGetSymbolAddress(&address, table));
  WORKS(cudaGetSymbolSize(&bytes, table));
  CHECK(bytes == 32);
  float values[8];
  WORKS(cudaMemcpy(values, address, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(values[3] == 1.5f);
  int elsewhere = 0;
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(elsewhere, other, 4));
  GIVES(cudaErrorInvalidSymbol, cudaGetLastError());
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(counter, other, 8));
  cudaPointerAttributes attributes;
  WORKS(cudaPointerGetAttributes(&attributes, out));
  CHECK(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == out);
  WORKS(cudaPointerGetAttributes(&attributes, address));
  CHECK(attributes.type == cudaMemoryTypeDevice);
  WORKS(cudaPointerGetAttributes(&attributes, &read));
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  cudaGetLastError();
  WORKS(cudaDeviceReset());
  WORKS(cudaMemcpyFromSymbol(&read, counter, sizeof read));
  CHECK(read == 7);
  printf("symbols\n");
}
