extern "C" __global__ void k(volatile int* flag, int* y) {
  if (threadIdx.x == 0)
    while (flag[blockIdx.x] == 0)
      ;
  __syncthreads();
  if (threadIdx.x == 1) flag[blockIdx.x] = 1;
  y[threadIdx.x] = 1;
}
