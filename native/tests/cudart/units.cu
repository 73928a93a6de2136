// One program of two units, each with a fat binary of its own.
#include "check.cuh"

int other_unit(int *device);
static __device__ int mine = 1;
__global__ void kernel(int *to) { *to += mine; }

int main() {
  int *device, got = 0;
  WORKS(cudaMalloc(&device, sizeof(int)));
  WORKS(cudaMemset(device, 0, sizeof(int)));
  kernel<<<1, 1>>>(device);
  CHECK(other_unit(device) == 0);
  WORKS(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == 101);
  printf("units\n");
}
