extern "C" __global__ void k(float* data, volatile int* flag, float* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      *flag = 1;
    }
  } else {
    if (threadIdx.x == 0) {
      while (*flag == 0)
        ;
      out[0] = data[0];
    }
  }
}
