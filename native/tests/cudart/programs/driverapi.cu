// nvcc: -lcuda
#include <cuda.h>
#include "../check.cuh"
__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* d;
  WORKS(cudaMalloc(&d, 128));
  CUcontext c;
  CHECK(cuCtxGetCurrent(&c) == CUDA_SUCCESS && c);
  cudaFunction_t f;
  WORKS(cudaGetFuncBySymbol(&f, (const void*)k));
  void* a[] = {&d};
  CHECK(cuLaunchKernel((CUfunction)f, 1, 1, 1, 32, 1, 1, 0, 0, a, 0) == CUDA_SUCCESS);
  int h[32];
  CHECK(cuMemcpyDtoH(h, (CUdeviceptr)d, 128) == CUDA_SUCCESS);
  for (int i = 0; i < 32; i++) CHECK(h[i] == i);
  CUdevice v;
  CHECK(cuDeviceGet(&v, 0) == CUDA_SUCCESS);
  char n[100];
  CHECK(cuDeviceGetName(n, 100, v) == CUDA_SUCCESS);
  puts("ok");
}
