#include "check.cuh"

static __device__ int mine = 100;
static __global__ void kernel(int *to) { *to += mine; }

int other_unit(int *device) {
  kernel<<<1, 1>>>(device);
  return cudaGetLastError();
}
