// What native/tests/runtime.c registers by hand, as the compiler's own host code does. kernels.fatbin is made of it by
//   nvcc -fatbin -gencode arch=compute_80,code=compute_80 -o kernels.fatbin kernels.cu
#include <cstdio>

__device__ int step = 5;
__constant__ int factors[4] = {1, 2, 3, 4};
__managed__ int total = 3;

extern "C" __global__ void forward(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factors[i % 4] + step;
}

extern "C" __global__ void sum(const int *data) {
  extern __shared__ int part[];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) total += part[0];
}

extern "C" __global__ void speak() { printf("thread %d speaks\n", threadIdx.x); }
